"""Networks for inner products and radial functions."""
