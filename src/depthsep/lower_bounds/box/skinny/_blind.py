"""How far a function is from all that are constant along some direction."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from itertools import product as cartesian

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.exact import ball_upper, nearest_float, sqrt_upper, total
from depthsep.laws import Box
from depthsep.targets import AbstractBoxTarget, Formula, interval_ball

PRECISION = 64
TURNS = {2: 32, 3: 8}  # intervals of every entry of a direction
CELLS = {2: 16, 3: 5}  # along each side
POINTS = {2: 9, 3: 5}  # along each side, from which the sup is looked for
STEPS = (fmpq(1, 4), fmpq(1, 2), fmpq(3, 4), fmpq(1))
HALF = fmpq(1, 2)
Span = tuple[fmpq, fmpq]


@dataclass(frozen=True)
class Cone:
    """Directions v with v_i = 1, the other entries in intervals of [-1, 1].

    The box is scaled to [0, 1]^d.
    """

    axis: int
    spans: tuple[Span, ...]

    def room(self, step: fmpq) -> list[Span]:
        """The u for which u + step v is in the box too, for all of these v."""
        found = []
        for k, (a, b) in enumerate(self.spans):
            low, high = (step, step) if k == self.axis else (step * a, step * b)
            found.append((max(fmpq(0), -low), min(fmpq(1), 1 - high)))
        return found


def cones(dim: int) -> Iterator[Cone]:
    """That hold all directions, up to their lengths and signs."""
    count = TURNS[dim]
    spans = [(fmpq(2 * k, count) - 1, fmpq(2 * k + 2, count) - 1) for k in range(count)]
    one = (fmpq(1), fmpq(1))
    for axis in range(dim):
        for chosen in cartesian(spans, repeat=dim - 1):
            yield Cone(axis, (*chosen[:axis], one, *chosen[axis:]))


@lru_cache(maxsize=64)
def distance_from_blind(target: AbstractBoxTarget, box: Box, norm: str) -> fmpq:
    """A lower bound of the error of every function that is blind in some direction.

    g(u + t v) = g(u). So |f(u + t v) - f(u)| is at most twice the sup error; its mean
    over a set that the translation moves off itself is at most the mean error, and
    that of its square at most twice the mean square.
    """
    formula = target.as_formula()
    with ctx.workprec(PRECISION):
        found = (
            _in_linf(formula, box, cone)
            if norm == "linf"
            else _in_the_mean(formula, box, cone, norm)
            for cone in cones(box.in_dim)
        )
        least = None
        for error in found:
            least = error if least is None else min(least, error)
            if least <= 0:
                return fmpq(0)
    assert least is not None  # there are cones
    return least


def _in_linf(formula: Formula, box: Box, cone: Cone) -> fmpq:
    """Half of the largest difference between two points: the best ones in floats."""
    best, chosen = 0.0, None
    middle = np.array([nearest_float((a + b) / 2) for a, b in cone.spans])
    for step in STEPS:
        room = cone.room(step)
        if any(a > b for a, b in room):
            continue
        ticks = [_ticks(a, b, POINTS[box.in_dim]) for a, b in room]
        u = np.array(list(cartesian(*([nearest_float(v) for v in t] for t in ticks))))
        off = np.abs(
            formula.floats(_placed(u + nearest_float(step) * middle, box))
            - formula.floats(_placed(u, box))
        )
        k = int(np.nan_to_num(off).argmax())
        if off[k] > best:
            best, chosen = float(off[k]), (step, list(cartesian(*ticks))[k])
    if chosen is None:
        return fmpq(0)
    step, point = chosen
    return _apart(formula, box, [(v, v) for v in point], cone, step) / 2


def _in_the_mean(formula: Formula, box: Box, cone: Cone, norm: str) -> fmpq:
    """Over the half of the box that a step of a half moves into the other."""
    room = cone.room(HALF)
    if any(a >= b for a, b in room):
        return fmpq(0)
    grids = []
    for a, b in room:
        ticks = _ticks(a, b, CELLS[box.in_dim] + 1)
        grids.append(list(pairwise(ticks)))
    parts = []
    for cell in cartesian(*grids):
        off = _apart(formula, box, cell, cone, HALF)
        volume = fmpq(1)
        for a, b in cell:
            volume *= b - a
        parts.append(volume * (off if norm == "l1" else off * off / 2))
    found = total(parts)
    return found if norm == "l1" or found == 0 else 1 / sqrt_upper(1 / found)


def _apart(
    formula: Formula,
    box: Box,
    cell: tuple[Span, ...] | list[Span],
    cone: Cone,
    step: fmpq,
) -> fmpq:
    """A lower bound of |f(u + step v) - f(u)| for u in a cell and v in the cone."""
    moved = [
        (a + step * low, b + step * high)
        for (a, b), (low, high) in zip(cell, cone.spans, strict=True)
    ]
    first, second = (
        formula.along([1] * box.in_dim, _balls(spans, box)).value
        for spans in (cell, moved)
    )
    off = abs(second - first)
    if not off.is_finite():
        return fmpq(0)
    return max(fmpq(0), -ball_upper(-arb(off.abs_lower())))


def _balls(spans: tuple[Span, ...] | list[Span], box: Box) -> list[arb]:
    return [
        interval_ball(side.start + side.length * a, side.start + side.length * b)
        for (a, b), side in zip(spans, box.sides, strict=True)
    ]


def _placed(u: np.ndarray, box: Box) -> np.ndarray:
    start = np.array([nearest_float(side.start) for side in box.sides])
    return start + u * np.array([nearest_float(side.length) for side in box.sides])


def _ticks(start: fmpq, stop: fmpq, count: int) -> list[fmpq]:
    return [start + (stop - start) * k / (count - 1) for k in range(count)]
