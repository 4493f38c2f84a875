"""Sums, multiples and compositions of continuous piecewise-affine functions, exact."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact._rational import rational

if TYPE_CHECKING:
    from depthsep.exact._piecewise import PiecewiseAffine


def added(f: "PiecewiseAffine", g: "PiecewiseAffine") -> "PiecewiseAffine":
    """f + g, at most pieces(f) + pieces(g) - 1 pieces: kinks are kinks of one of them.

    Raises:
        HypothesisError: a jump, or different domains.
    """
    f, g = _continuous(f), _continuous(g)
    if _domain(f) != _domain(g):
        raise HypothesisError("functions on different intervals cannot be added")
    places = sorted({*f.knots.tolist(), *g.knots.tolist()})
    slopes = [
        None if a is None or b is None else a + b
        for a, b in zip(_slopes(f), _slopes(g), strict=True)
    ]
    return _made(f, places, lambda x: f(x) + g(x), slopes)


def multiplied(f: "PiecewiseAffine", factor: object) -> "PiecewiseAffine":
    """factor * f."""
    c, f = rational(factor, name="the factor"), f.to_exact()
    slopes = [None if s is None else c * s for s in _slopes(f)]
    values = f.values * c
    return type(f)(f.knots, values, *slopes).simplified()


def composed(f: "PiecewiseAffine", g: "PiecewiseAffine") -> "PiecewiseAffine":
    """f(g(x)), at most pieces(f) pieces(g) pieces: each of g meets each of f once.

    Raises:
        HypothesisError: a jump, or values of g outside the domain of f.
    """
    f, g = _continuous(f), _continuous(g)
    _check_values(f, g)
    targets, places = f.knots.tolist(), set(g.knots.tolist())
    points = list(zip(g.knots.tolist(), g.values.tolist(), strict=True))
    for (a, u), (b, v) in pairwise(points):
        low, high = min(u, v), max(u, v)
        met = targets[bisect_right(targets, low) : bisect_left(targets, high)]
        places |= {a + (b - a) * (y - u) / (v - u) for y in met}
    slopes: list[fmpq | None] = []
    rays = ((points[0], g.left_slope, -1), (points[-1], g.right_slope, 1))
    for (x, value), slope, way in rays:
        if slope is None:
            slopes.append(None)
            continue
        steep = rational(slope)
        if steep != 0:
            met = [x + (y - value) / steep for y in targets]
            places |= {place for place in met if (place - x) * way > 0}
        slopes.append(steep * _far_slope(f, steep * way))
    return _made(f, sorted(places), lambda x: f(g(x)), slopes)


def _far_slope(f: "PiecewiseAffine", way: fmpq) -> fmpq:
    """The slope of f far out to one side; 0 where nothing goes there."""
    if way == 0:
        return fmpq(0)
    found = f.right_slope if way > 0 else f.left_slope
    assert found is not None
    return rational(found)


def _check_values(f: "PiecewiseAffine", g: "PiecewiseAffine") -> None:
    low, high = _domain(f)
    below = low is not None and min(g.values) < low
    above = high is not None and max(g.values) > high
    for slope, way in ((g.left_slope, -1), (g.right_slope, 1)):
        if slope is not None and slope != 0:
            up = slope * way > 0
            below, above = (
                below or (not up and low is not None),
                above or (up and high is not None),
            )
    if below or above:
        raise HypothesisError(
            "the inner function takes values where the outer one is not defined"
        )


def _slopes(f: "PiecewiseAffine") -> tuple[fmpq | None, fmpq | None]:
    left, right = (
        None if slope is None else rational(slope)
        for slope in (f.left_slope, f.right_slope)
    )
    return left, right


def _domain(f: "PiecewiseAffine") -> tuple[fmpq | None, fmpq | None]:
    return (
        f.knots[0] if f.left_slope is None else None,
        f.knots[-1] if f.right_slope is None else None,
    )


def _continuous(f: "PiecewiseAffine") -> "PiecewiseAffine":
    if f.jumps.any():
        raise HypothesisError("functions with jumps cannot be added or composed")
    return f.to_exact()


def _made(
    like: "PiecewiseAffine",
    places: Iterable[fmpq],
    value: Callable[[fmpq], fmpq],
    slopes: list[fmpq | None],
) -> "PiecewiseAffine":
    knots = list(places)
    values = np.array([value(x) for x in knots], dtype=object)
    return type(like)(np.array(knots, dtype=object), values, *slopes).simplified()
