"""Functions of an inner product or of a radius."""
