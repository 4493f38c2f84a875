"""Averages over the radius, exact for piecewise-affine functions of it."""
