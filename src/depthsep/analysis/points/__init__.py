"""Networks at points."""
