"""Bounds for networks near their start."""
