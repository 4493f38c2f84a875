"""Targets of several variables."""
