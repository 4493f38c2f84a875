"""Lower bounds for functions of signs."""
