"""All lines of one direction through a box, in bundles; how f bends along them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from itertools import product as cartesian

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.targets import AbstractBoxTarget, Formula, interval_ball

PRECISION = 64
MOST_DIM_OF_LINES = 6
DIRECTIONS = {2: 4, 3: 4}  # of the likely ones, by the number of variables
STEP = 1e-3  # of second differences, in sides of the box
SAMPLES = 400

Direction = tuple[int, ...]
Feet = dict[int, tuple[fmpq, fmpq]]


@lru_cache(maxsize=64)
def likely_directions(
    target: AbstractBoxTarget, box: Box, most: int | None = None
) -> tuple[Direction, ...]:
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
    return tuple(ways[: most or DIRECTIONS.get(box.in_dim, 2)])


@dataclass(frozen=True, eq=False)
class Bundles:
    """B bundles of lines; the box is scaled to [0, 1]^d, a line is u_i = t, ...

    Lengths and derivatives are in t, which grows from 0 to 1 across the box along one
    of its sides.

    Attributes:
        shares: (B,) volumes of the lines' feet.
        lengths: (B,) that all lines of a bundle have in common, rounded down.
        low, high: (B, parts) bounds of f'' on equal parts of it, infinite where there
            are none.
    """

    shares: np.ndarray
    lengths: np.ndarray
    low: np.ndarray
    high: np.ndarray


@lru_cache(maxsize=64)
def bundles_of(
    target: AbstractBoxTarget, box: Box, direction: Direction, most: int, parts: int
) -> Bundles:
    """Line through y: u_k = y_k + v_k t, u_i = t, i the first variable that moves.

    The map from (t, y) to u keeps volumes.

    Args:
        most: bundles, about.
        parts: of each line.
    """
    formula = target.as_formula()
    moving = next(k for k, step in enumerate(direction) if step)
    others = [k for k in range(box.in_dim) if k != moving]
    across = {0: (0, 1), 1: (-1, 1), -1: (0, 2)}
    cells = cells_of_lines(direction, most)
    grids = [
        [(fmpq(n, cells), fmpq(n + 1, cells)) for n in range(a * cells, b * cells)]
        for a, b in (across[direction[k]] for k in others)
    ]
    lengths, ends = [], []
    for cell in cartesian(*grids):
        feet = dict(zip(others, cell, strict=True))
        start, stop = _common(direction, feet)
        if stop > start:
            times = [start + (stop - start) * k / parts for k in range(parts + 1)]
            lengths.append(np.nextafter(nearest_float(stop - start), 0))
            ends.append(list(_ends(formula, box, direction, feet, times)))
    low, high = np.array(ends).transpose(2, 0, 1)
    share = np.nextafter(1 / cells ** len(others), 0)
    return Bundles(np.full(len(lengths), share), np.array(lengths), low, high)


def cells_of_lines(direction: Direction, most: int) -> int:
    """Into how many equal cells the feet of lines are cut, in each side of the box.

    Args:
        most: bundles, about.
    """
    moving = sum(1 for step in direction if step)
    share = most / 2 ** (moving - 1)
    return max(2, int(share ** (1 / (len(direction) - 1))))


def _common(direction: Direction, feet: Feet) -> tuple[fmpq, fmpq]:
    """The t for which all lines with these feet are inside the box."""
    start, stop = fmpq(0), fmpq(1)
    for k, (a, b) in feet.items():
        if direction[k] > 0:
            start, stop = max(start, -a), min(stop, 1 - b)
        elif direction[k] < 0:
            start, stop = max(start, b - 1), min(stop, a)
    return start, stop


def _ends(
    formula: Formula, box: Box, direction: Direction, feet: Feet, times: list[fmpq]
) -> Iterator[tuple[float, float]]:
    """Bounds of f'' between one time and the next."""
    steps = [v * side.length for v, side in zip(direction, box.sides, strict=True)]
    with ctx.workprec(PRECISION):
        for t in pairwise(times):
            jet = formula.along(steps, _balls(box, direction, feet, t))
            if jet.value.is_finite() and jet.second.is_finite():
                yield _down(jet.second.lower()), -_down(-jet.second.upper())
            else:
                yield -np.inf, np.inf


def _balls(
    box: Box, direction: Direction, feet: Feet, t: tuple[fmpq, fmpq]
) -> list[arb]:
    """Where the lines are while t is between two values."""
    balls = []
    for k, side in enumerate(box.sides):
        low, high = feet.get(k, (fmpq(0), fmpq(0)))
        ends = sorted((direction[k] * t[0], direction[k] * t[1]))
        u = Segment(max(fmpq(0), low + ends[0]), min(fmpq(1), high + ends[1]))
        start, stop = (side.start + side.length * v for v in (u.start, u.stop))
        balls.append(interval_ball(start, stop))
    return balls


def _down(x: arb) -> float:
    return float(np.nextafter(float(x), -np.inf))
