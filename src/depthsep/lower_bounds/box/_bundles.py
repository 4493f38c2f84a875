"""All lines of one direction through a box, in cells; how much f bends along them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product as cartesian

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.targets import AbstractBoxTarget, Formula, interval_ball

PRECISION = 64
MOST_PARTS = 2400  # of all lines of a direction
PARTS_OF_LINES = 8  # of one line
MOST_DIM_OF_LINES = 6
DIRECTIONS = 2  # of the likely ones
STEP = 1e-3  # of second differences, in sides of the box
SAMPLES = 400

Direction = tuple[int, ...]


@dataclass(frozen=True)
class Bundle:
    """Lines close together: a share of the box, and bends of equal parts of them.

    Lengths and derivatives are in t, which grows from 0 to 1 across the box along one
    of its sides.

    Attributes:
        share: the volume of the lines' feet.
        length: that all lines of the bundle have in common.
        bends: lower bounds of |f''| on the PARTS_OF_LINES equal parts of it.
    """

    share: fmpq
    length: fmpq
    bends: tuple[arb, ...]


def likely_directions(
    target: AbstractBoxTarget, box: Box, most: int = DIRECTIONS
) -> list[Direction]:
    """Axes and diagonals along which f bends most, as floats see it."""
    rng = np.random.default_rng(1)
    low = np.array([nearest_float(side.start) for side in box.sides])
    size = np.array([nearest_float(side.length) for side in box.sides])
    u = rng.uniform(STEP, 1 - STEP, (SAMPLES, box.in_dim))

    def bend(direction: Direction) -> float:
        step = STEP * np.array(direction)
        f = [target.floats(low + size * (u + k * step)) for k in (-1, 0, 1)]
        second = np.abs(f[0] - 2 * f[1] + f[2]) / STEP**2
        # a diagonal's lines are half as long in the mean, in each further variable
        shorter = 2.0 ** -(np.count_nonzero(direction) - 1)
        return float(np.mean(second[np.isfinite(second)])) * shorter

    steps = cartesian((-1, 0, 1), repeat=box.in_dim)
    ways: list[Direction] = [v for v in steps if next((s for s in v if s), 0) > 0]
    ways.sort(key=lambda v: (-float(f"{bend(v):.6g}"), np.count_nonzero(v)))
    return ways[:most]


def bundles(formula: Formula, box: Box, direction: Direction) -> Iterator[Bundle]:
    """The box is scaled to [0, 1]^d. A line is u_i = t, u_k = y_k + v_k t.

    i is the first variable that moves; the map from (t, y) to u keeps volumes.
    """
    moving = next(k for k, step in enumerate(direction) if step)
    others = [k for k in range(box.in_dim) if k != moving]
    across = {0: (0, 1), 1: (-1, 1), -1: (0, 2)}
    cells = cells_of_lines(direction)
    grids = [
        [(fmpq(n, cells), fmpq(n + 1, cells)) for n in range(a * cells, b * cells)]
        for a, b in (across[direction[k]] for k in others)
    ]
    share = fmpq(1, cells ** len(others))
    for cell in cartesian(*grids):
        feet = dict(zip(others, cell, strict=True))
        inside = _common(direction, feet)
        if inside.length > 0:
            bends = _bends(formula, box, direction, feet, inside)
            yield Bundle(share, inside.length, tuple(bends))


def cells_of_lines(direction: Direction) -> int:
    """Into how many equal cells the feet of lines are cut, in each side of the box."""
    moving = sum(1 for step in direction if step)
    share = MOST_PARTS / PARTS_OF_LINES / 2 ** (moving - 1)
    return max(2, int(share ** (1 / (len(direction) - 1))))


@dataclass(frozen=True)
class _Span:
    start: fmpq
    stop: fmpq

    @property
    def length(self) -> fmpq:
        return self.stop - self.start


def _common(direction: Direction, feet: dict[int, tuple[fmpq, fmpq]]) -> _Span:
    """The t for which all lines with these feet are inside the box."""
    start, stop = fmpq(0), fmpq(1)
    for k, (a, b) in feet.items():
        if direction[k] > 0:
            start, stop = max(start, -a), min(stop, 1 - b)
        elif direction[k] < 0:
            start, stop = max(start, b - 1), min(stop, a)
    return _Span(start, stop)


def _bends(
    formula: Formula,
    box: Box,
    direction: Direction,
    feet: dict[int, tuple[fmpq, fmpq]],
    inside: _Span,
) -> Iterator[arb]:
    steps = [v * side.length for v, side in zip(direction, box.sides, strict=True)]
    for part in range(PARTS_OF_LINES):
        a = inside.start + inside.length * part / PARTS_OF_LINES
        b = inside.start + inside.length * (part + 1) / PARTS_OF_LINES
        with ctx.workprec(PRECISION):
            balls = []
            for k, side in enumerate(box.sides):
                low, high = feet.get(k, (fmpq(0), fmpq(0)))
                ends = sorted((direction[k] * a, direction[k] * b))
                u = Segment(max(fmpq(0), low + ends[0]), min(fmpq(1), high + ends[1]))
                balls.append(
                    interval_ball(
                        side.start + side.length * u.start,
                        side.start + side.length * u.stop,
                    )
                )
            jet = formula.along(steps, balls)
            bent = jet.value.is_finite() and jet.second.is_finite()
            yield arb(abs(jet.second).abs_lower()) if bent else arb(0)
