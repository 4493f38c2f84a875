"""Bisection: where a statement that turns once does so."""

from collections.abc import Callable
from typing import TypeVar

from flint import fmpq

from depthsep._errors import HypothesisError

Number = TypeVar("Number", fmpq, float)


def least(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least n in (low, high] with `holds`, which is known at `high`.

    `holds` turns from false to true once; it is asked between the ends only.
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def least_above(holds: Callable[[int], bool], low: int) -> int:
    """The least n > low with `holds`, where no n is known: doubled, then halved."""
    high = max(1, low + 1)
    while not holds(high):
        high *= 2
    return least(holds, low, high)


def halved(
    is_before: Callable[[Number], bool], low: Number, high: Number, steps: int
) -> tuple[Number, Number]:
    """Both ends around the place up to which `is_before`, after `steps` halvings."""
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if is_before(middle) else (low, middle)
    return low, high


def bracket(
    is_before: Callable[[fmpq], bool | None],
    high: fmpq,
    *,
    bits: int,
    farthest: fmpq | None = None,
    name: str = "the place",
) -> tuple[fmpq, fmpq]:
    """Both ends around the positive place up to which `is_before`, to some bits.

    Args:
        is_before: None where it cannot be decided: no end is moved there.
        high: a first guess, doubled until it is not before the place.

    Raises:
        HypothesisError: the place lies beyond `farthest`.
    """
    low = fmpq(0)
    while (before := is_before(high)) is not False:
        low, high = high if before else low, 2 * high
        if farthest is not None and high > farthest:
            raise HypothesisError(f"{name} lies beyond {low}; give a lower level")
    while high - low > high / (1 << bits):
        middle = (low + high) / 2
        if (before := is_before(middle)) is not None:
            low, high = (middle, high) if before else (low, middle)
            continue
        # the place may be the middle itself: from both sides towards it
        left, right = (low + middle) / 2, (middle + high) / 2
        ends = low, high
        low = left if is_before(left) else low
        high = right if is_before(right) is False else high
        if (low, high) == ends:
            break  # met to the bits that are known
    return low, high
