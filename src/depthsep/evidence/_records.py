"""The reason why a statement does not apply, and logarithms of widths."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Inapplicable:
    """A statement does not cover this problem; the reason is shown to the user.

    `off_topic` marks statements about another kind of problem, whose reason is shown
    only if nothing closer has one.
    """

    reason: str
    off_topic: bool = False

    def __str__(self) -> str:
        return self.reason


def log2(n: int) -> float:
    """log2 of an integer of any size."""
    if n <= 0:
        return -math.inf
    shift = max(0, n.bit_length() - 60)
    return math.log2(n >> shift) + shift
