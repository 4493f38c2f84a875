"""Targets of one variable."""
