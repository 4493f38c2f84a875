"""The room between a floor and a ceiling, piecewise affine: where a table may lie."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import fmpq

from depthsep.exact import nearest_float

Values = list[fmpq]


@dataclass(frozen=True, eq=False)
class Tunnel:
    """Floor and ceiling at increasing knots, and straight between.

    Attributes:
        x: knots, two or more.
        floor: at the knots; at most the ceiling.
        ceiling: at the knots.
    """

    x: Values
    floor: Values
    ceiling: Values

    @cached_property
    def floats(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Knots, floor and ceiling in float64."""
        x, low, high = (
            np.array([nearest_float(v) for v in values])
            for values in (self.x, self.floor, self.ceiling)
        )
        return x, low, high

    def at(self, t: fmpq) -> tuple[fmpq, fmpq]:
        """Floor and ceiling at a point between the first knot and the last."""
        k = min(max(bisect_left(self.x, t), 1), len(self.x) - 1)
        a, b = self.x[k - 1], self.x[k]
        share = (t - a) / (b - a)
        low, high = (
            values[k - 1] + (values[k] - values[k - 1]) * share
            for values in (self.floor, self.ceiling)
        )
        return low, high

    def between(self, start: fmpq, stop: fmpq) -> "Tunnel":
        """The part from one point to another, which become knots."""
        first, last = bisect_right(self.x, start), bisect_left(self.x, stop)
        ends = [self.at(start), self.at(stop)]
        inside = slice(first, last)
        return Tunnel(
            [start, *self.x[inside], stop],
            [ends[0][0], *self.floor[inside], ends[1][0]],
            [ends[0][1], *self.ceiling[inside], ends[1][1]],
        )


def hull(x: Values, y: Values, sign: int) -> list[tuple[fmpq, fmpq]]:
    """The points that a line above all of them (sign 1), or below (-1), can touch."""
    kept: list[tuple[fmpq, fmpq]] = []
    for point in zip(x, y, strict=True):
        while len(kept) > 1:
            (ax, ay), (bx, by) = kept[-2], kept[-1]
            cross = (by - ay) * (point[0] - ax) - (point[1] - ay) * (bx - ax)
            if cross * sign > 0:
                break
            kept.pop()
        kept.append(point)
    return kept
