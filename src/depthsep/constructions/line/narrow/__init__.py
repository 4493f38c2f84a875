"""Narrow deep networks for any function on an interval."""
