"""Lower bounds for functions of one variable."""
