"""Directions in cones, and the lines along them through a box."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from itertools import product as cartesian

import numpy as np
from flint import fmpq

from depthsep.exact import nearest_float

TURNS = {2: 32, 3: 8}  # intervals of every entry of a direction
HALF = fmpq(1, 2)
Span = tuple[fmpq, fmpq]


@dataclass(frozen=True)
class Cone:
    """Directions v with v_i = 1, the other entries in intervals of [-1, 1].

    The box is scaled to [0, 1]^d. Lines pass through the plane u_i = 1/2 at a foot y;
    u = y + t v are their points.
    """

    axis: int
    spans: tuple[Span, ...]

    def inside(self, feet: Sequence[Span]) -> Span | None:
        """The t for which u is in the box, for all feet in a cell, and all v."""
        low, high = -HALF, HALF
        for (a, b), (p, q) in zip(feet, self.spans, strict=True):
            for free, slope in ((a, p), (a, q), (1 - b, -p), (1 - b, -q)):
                if slope == 0 and free < 0:
                    return None
                if slope > 0:
                    low = max(low, -free / slope)
                if slope < 0:
                    high = min(high, -free / slope)
        return (low, high) if low < high else None

    def floats_inside(self, feet: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`inside` for many points (feet, axes), rounded; low >= high where none is."""
        low, high = np.full(len(feet), -0.5), np.full(len(feet), 0.5)
        for y, span in zip(feet.T, self.spans, strict=True):
            for v in map(nearest_float, span):
                for free, slope in ((y, v), (1 - y, -v)):
                    if slope > 0:
                        low = np.maximum(low, -free / slope)
                    elif slope < 0:
                        high = np.minimum(high, -free / slope)
                    else:
                        low = np.where(free < 0, 1.0, low)
        return low, high

    def part(self, feet: Sequence[Span], on: Span) -> list[Span]:
        """Where u lies for all feet in a cell, all v and all t in an interval."""
        found = []
        for (a, b), span in zip(feet, self.spans, strict=True):
            moved = [t * v for t in on for v in span]
            found.append((a + min(moved), b + max(moved)))
        return found

    def feet(self, count: int, thick: bool) -> Iterator[tuple[Span, ...]]:
        """Of all lines that meet the box: cells, or single points."""
        ends = [fmpq(k, count) - HALF for k in range(2 * count + 1)]
        cells = list(pairwise(ends)) if thick else [(y, y) for y in ends]
        others = cartesian(cells, repeat=len(self.spans) - 1)
        for some in others:
            yield (*some[: self.axis], (HALF, HALF), *some[self.axis :])


def cones(dim: int) -> Iterator[Cone]:
    """That hold all directions, up to their lengths and signs."""
    count = TURNS[dim]
    spans = [(fmpq(2 * k, count) - 1, fmpq(2 * k + 2, count) - 1) for k in range(count)]
    one = (fmpq(1), fmpq(1))
    for axis in range(dim):
        for chosen in cartesian(spans, repeat=dim - 1):
            yield Cone(axis, (*chosen[:axis], one, *chosen[axis:]))
