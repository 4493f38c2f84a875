"""Networks on spheres and networks of radial functions."""
