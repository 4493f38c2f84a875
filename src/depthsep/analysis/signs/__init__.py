"""Networks on the vertices of the cube."""
