"""Cells of functions of two variables: where they bend all ways, or make saddles."""
