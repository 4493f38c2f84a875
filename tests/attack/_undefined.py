"""Where a written formula is undefined: points that prove it, looked for on purpose."""

import itertools
import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from mpmath import mp

from ._evaluate import Guard, compiled
from ._functions import DIGITS, Doubtful, Undefined, real, sign

GRID = 48
_STEPS = 40
_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:e-?\d+)?(?:/\d+)?")


def undefined_at(
    written: str, start: Fraction, stop: Fraction, name: str = "x"
) -> str | None:
    """A point, or an interval that holds one, without a value; None if none is found.

    What is returned is certain; that nothing is found proves nothing.
    """
    formula = compiled(written)
    grid = [start + (stop - start) * Fraction(k, GRID) for k in range(GRID + 1)]
    for point in (*grid, *_special(written, start, stop)):
        if _fails(formula.value, name, point):
            return f"{name} = {point}"
    for guard in formula.guards:
        found = _guard_fails(guard, formula.value, name, grid)
        if found:
            return found
    return None


def _fails(value: Callable, name: str, point: Fraction) -> bool:
    with mp.workdps(DIGITS):
        try:
            value({name: point})
        except Undefined:
            return True
        except Doubtful:
            return False
    return False


def _special(written: str, start: Fraction, stop: Fraction) -> Iterator[Fraction]:
    """Numbers of the formula, with either sign, that lie in the interval."""
    numbers = {Fraction(0), Fraction(1)}
    for text in _NUMBER.findall(written):
        top, _, bottom = text.partition("/")
        numbers.add(Fraction(top) / (int(bottom or 1) or 1))
    for x in sorted(numbers):
        yield from (y for y in (x, -x) if start <= y <= stop)


def _guard_fails(
    guard: Guard, value: Callable, name: str, grid: list[Fraction]
) -> str | None:
    margins = [_margin(guard, name, x) for x in grid]
    if guard.kind == "nonzero" and not guard.jumps:
        for k, (a, b) in enumerate(itertools.pairwise(margins)):
            if a is not None and b is not None and sign(a) * sign(b) < 0:
                return f"{name} between {grid[k]} and {grid[k + 1]}"
    sizes = [None if m is None else abs(real(m)) for m in margins]
    for k in _dips(sizes):
        point = _lowest(guard, name, grid[k - 1], grid[k + 1])
        for near in (point, point.limit_denominator(1000)):
            if grid[0] <= near <= grid[-1] and _fails(value, name, near):
                return f"{name} = {near}"
    return None


def _margin(guard: Guard, name: str, x: Fraction):
    with mp.workdps(DIGITS):
        try:
            found = guard.part({name: x})
            return found if sign(found) else None
        except (Undefined, Doubtful):
            return None


def _dips(sizes: list) -> list[int]:
    """The places of the three lowest local minima."""
    inner = range(1, len(sizes) - 1)
    known = [k for k in inner if all(s is not None for s in sizes[k - 1 : k + 2])]
    dips = [k for k in known if sizes[k] <= min(sizes[k - 1], sizes[k + 1])]
    return sorted(dips, key=lambda k: sizes[k])[:3]


def _lowest(guard: Guard, name: str, low: Fraction, high: Fraction) -> Fraction:
    """Where the size of a guard is least, by thirds."""
    for _ in range(_STEPS):
        third = (high - low) / 3
        left, right = (_margin(guard, name, x) for x in (low + third, high - third))
        if left is None or right is None:
            break
        if abs(real(left)) < abs(real(right)):
            high -= third
        else:
            low += third
        low, high = (x.limit_denominator(10**30) for x in (low, high))
    return (low + high) / 2
