"""Rows of a study as tables, with statistics."""
