"""Segments on which a function bends one way, and the hyperplanes that cross them."""
