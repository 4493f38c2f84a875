"""Distances on an interval: exact, or enclosed where a formula is involved."""
