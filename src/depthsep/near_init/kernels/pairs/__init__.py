"""Pairs of inputs in blocks, in NumPy and in JAX."""
