"""All parallel lines through a box: what cuts leave on them together."""
