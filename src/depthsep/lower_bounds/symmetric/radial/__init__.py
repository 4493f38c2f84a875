"""Lower bounds for radial functions."""
