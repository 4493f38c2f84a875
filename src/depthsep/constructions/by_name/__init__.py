"""Constructions that are asked by name only: `build --by`.

They are wider than others, or of units that lower bounds for ReLUs do not speak about.
"""
