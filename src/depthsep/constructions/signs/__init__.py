"""Networks for functions of signs."""
