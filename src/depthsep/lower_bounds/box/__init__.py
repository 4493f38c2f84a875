"""Lower bounds on boxes."""
