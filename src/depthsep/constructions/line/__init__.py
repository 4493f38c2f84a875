"""Networks for functions of one variable."""
