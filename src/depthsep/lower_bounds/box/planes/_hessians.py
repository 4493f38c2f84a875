"""Second derivatives on the cells of a grid, in planes parallel to two axes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from itertools import product as cartesian

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.formulas import degree_in
from depthsep.laws import AbstractLineLaw, Box, Segment
from depthsep.targets import Formula, interval_ball

PRECISION = 64
CELLS = {2: 16, 3: 8, 4: 8}  # along each side, by the number of variables
FEET_OF_PLANES = {2: 1, 3: 4, 4: 4}  # intervals along every other side


@dataclass(frozen=True, eq=False)
class Plane:
    """A rectangle of two variables; the others lie in intervals, or at points.

    Attributes:
        axes: the two variables.
        sides: of the rectangle.
        low, high: (3, n, n) bounds of f_11, f_22 and f_12 on equal cells, infinite if
            there are none.
        quadratic: whether f is a polynomial of degree 2 at most in the two variables.
        share: of the feet of all such planes.
        feet: the other variables, where they lie at points.
    """

    axes: tuple[int, int]
    sides: tuple[Segment, Segment]
    low: np.ndarray
    high: np.ndarray
    quadratic: bool = False
    share: fmpq = fmpq(1)  # noqa: RUF009 (fmpq is immutable)
    feet: tuple[fmpq, ...] = ()

    @property
    def cells(self) -> int:
        """Along each side."""
        return self.low.shape[1]

    @property
    def area(self) -> fmpq:
        """Of the rectangle."""
        return self.sides[0].length * self.sides[1].length


def planes_at_points(formula: Formula, box: Box) -> Iterator[Plane]:
    """With the other variables at the ends and middles of their sides."""
    for axes, others in _pairs(box):
        ends = ([s.start, (s.start + s.stop) / 2, s.stop] for s in box.sides)
        ticks = list(ends)
        for feet in cartesian(*(ticks[k] for k in others)):
            at = {k: arb(v) for k, v in zip(others, feet, strict=True)}
            yield replace(_plane(formula, box, axes, at), feet=feet)


def families_of_planes(
    formula: Formula, inputs: Sequence[AbstractLineLaw]
) -> Iterator[tuple[Plane, ...]]:
    """For every two variables all planes, in cells of their feet.

    The share of a cell is what it weighs at least.
    """
    box = Box([law.interval for law in inputs])
    count = FEET_OF_PLANES[box.in_dim]
    for axes, others in _pairs(box):
        share = fmpq(1, count ** len(others))
        found = []
        for cell in cartesian(range(count), repeat=len(others)):
            parts = {
                k: _ends_of_part(box.sides[k], n, count)
                for k, n in zip(others, cell, strict=True)
            }
            at = {k: interval_ball(*ends) for k, ends in parts.items()}
            weight = share
            for k, ends in parts.items():
                weight *= inputs[k].least_density(*ends)
            found.append(_plane(formula, box, axes, at, weight))
        yield tuple(found)


def _pairs(box: Box) -> Iterator[tuple[tuple[int, int], list[int]]]:
    for i, j in combinations(range(box.in_dim), 2):
        yield (i, j), [k for k in range(box.in_dim) if k not in (i, j)]


def _part(side: Segment, number: int, count: int) -> arb:
    return interval_ball(*_ends_of_part(side, number, count))


def _ends_of_part(side: Segment, number: int, count: int) -> tuple[fmpq, fmpq]:
    step = side.length / count
    return side.start + number * step, side.start + (number + 1) * step


def _plane(
    formula: Formula,
    box: Box,
    axes: tuple[int, int],
    others: Mapping[int, arb],
    share: fmpq = fmpq(1),  # noqa: B008 (fmpq is immutable)
) -> Plane:
    n = CELLS[box.in_dim]
    bounds = np.empty((2, 3, n, n))
    balls = [others.get(k, arb(0)) for k in range(box.in_dim)]
    sides = box.sides[axes[0]], box.sides[axes[1]]
    with ctx.workprec(PRECISION):
        for a, b in cartesian(range(n), repeat=2):
            balls[axes[0]] = _part(sides[0], a, n)
            balls[axes[1]] = _part(sides[1], b, n)
            bounds[:, :, a, b] = np.transpose(
                [_ends(x) for x in formula.hessian_of(axes, balls)]
            )
    quadratic = degree_in(formula.syntax, [formula.names[k] for k in axes]) <= 2
    return Plane(axes, sides, bounds[0], bounds[1], quadratic, share)


def _ends(x: arb) -> tuple[float, float]:
    """float64 bounds, rounded outwards; infinite where there are none."""
    if not x.is_finite():
        return -np.inf, np.inf
    low, high = float(x.lower()), float(x.upper())
    return float(np.nextafter(low, -np.inf)), float(np.nextafter(high, np.inf))
