"""Counts in words."""


def plural(n: int, noun: str) -> str:
    """``1 piece``, ``2 pieces``."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
