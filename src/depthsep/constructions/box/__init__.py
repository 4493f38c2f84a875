"""Networks for polynomials and formulas on boxes."""
