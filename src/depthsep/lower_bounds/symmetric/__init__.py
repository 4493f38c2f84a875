"""Lower bounds for inner products and radial functions."""
