"""Witnesses that no network of a depth and a width is near."""
