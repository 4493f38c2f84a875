"""Sums of ridge functions, and functions of such a sum: evidence of their errors."""
