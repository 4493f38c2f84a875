"""How much a function bends on rectangles, given bounds of its second derivatives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from flint import arb, fmpq

from depthsep.exact import ball_upper, rational
from depthsep.laws import AbstractLineLaw, Segment
from depthsep.lower_bounds.box.planes._hessians import Plane

DEFINITE, SADDLE, QUADRATIC = "definite", "saddle", "quadratic saddle"


class Bend(NamedTuple):
    """On a rectangle D^2 f >= H > 0, or <= -H, with det H = h; or det <= -h < 0.

    Attributes:
        kind: definite, or saddle: then of all matrices in the hull of the D^2 f; a
            quadratic saddle where f is a polynomial of degree 2.
        least: h, positive.
    """

    kind: str
    least: fmpq


def bends_of(low: np.ndarray, high: np.ndarray) -> list[Bend]:
    """What bounds of f_11, f_22 and f_12 prove, exactly; at most one of each kind.

    Definite: the middles less, on the diagonal, the radii of the row.
    """
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return []
    (a, b), (c, d), (e, f) = _exact(low, high)
    across = fmpq(0) if e <= 0 <= f else min(e * e, f * f)
    straight = max(a * c, a * d, b * c, b * d)
    found = [Bend(SADDLE, across - straight)]
    found += [Bend(DEFINITE, h) for _, _, h in least_hessians(low, high)]
    return [bend for bend in found if bend.least > 0]


def least_hessians(low: np.ndarray, high: np.ndarray) -> list[tuple[fmpq, fmpq, fmpq]]:
    """H_11, H_22 and det H for which D^2 f >= H > 0 or <= -H; none, or one."""
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return []
    (a, b), (c, d), (e, f) = _exact(low, high)
    mixed, off = (e + f) / 2, (f - e) / 2
    found = []
    for first, second in ((a - off, c - off), (-b - off, -d - off)):
        h = first * second - mixed * mixed
        if first > 0 and second > 0 and h > 0:
            found.append((first, second, h))
    return found


def _exact(low: np.ndarray, high: np.ndarray) -> list[tuple[fmpq, fmpq]]:
    ends = zip(low.tolist(), high.tolist(), strict=True)
    return [(rational(s), rational(t)) for s, t in ends]


def count_above(x: arb) -> int:
    """The least whole number, 1 or more, that is at least x."""
    return max(1, -int(ball_upper(-x).floor()))


def near_bends(low: np.ndarray, high: np.ndarray) -> dict[str, np.ndarray]:
    """The same in float64 for many rectangles, (3, ...) to (...); 0 for nothing."""
    with np.errstate(invalid="ignore"):
        (a, c, e), (b, d, f) = low, high
        mixed, off = (e + f) / 2, (f - e) / 2
        across = np.where(e * f <= 0, 0, np.minimum(e * e, f * f))
        straight = np.max([a * c, a * d, b * c, b * d], axis=0)
        definite = np.zeros_like(mixed)
        for least_1, least_2 in ((a - off, c - off), (-b - off, -d - off)):
            fits = (least_1 > 0) & (least_2 > 0)
            found = np.where(fits, least_1 * least_2 - mixed**2, 0)
            definite = np.maximum(definite, found)
        found = {DEFINITE: definite, SADDLE: across - straight}
    return {
        k: np.maximum(np.nan_to_num(v, nan=0, posinf=0), 0) for k, v in found.items()
    }


@dataclass(frozen=True)
class Rectangle:
    """Cells i0 to i1 and j0 to j1 of a plane's grid, the last ones left out."""

    i0: int
    i1: int
    j0: int
    j1: int

    @staticmethod
    def around(parts: Sequence["Rectangle"]) -> "Rectangle":
        """The least one with all of these inside."""
        return Rectangle(
            min(part.i0 for part in parts),
            max(part.i1 for part in parts),
            min(part.j0 for part in parts),
            max(part.j1 for part in parts),
        )

    def of(self, plane: Plane) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the second derivatives on it."""
        inside = np.s_[:, self.i0 : self.i1, self.j0 : self.j1]
        return plane.low[inside].min(axis=(1, 2)), plane.high[inside].max(axis=(1, 2))

    def bends_on(self, plane: Plane) -> list[Bend]:
        """What is proved there, at most one of each kind."""
        found = bends_of(*self.of(plane))
        if not plane.quadratic:
            return found
        return [b._replace(kind=QUADRATIC) if b.kind == SADDLE else b for b in found]

    def area(self, plane: Plane) -> fmpq:
        """Its area."""
        cells = (self.i1 - self.i0) * (self.j1 - self.j0)
        return plane.area * cells / plane.cells**2

    def sides(self, plane: Plane) -> list[Segment]:
        """Where it lies."""
        spans = ((self.i0, self.i1), (self.j0, self.j1))
        return [
            Segment(*(side.start + side.length * k / plane.cells for k in span))
            for side, span in zip(plane.sides, spans, strict=True)
        ]

    def least_density(self, plane: Plane, inputs: Sequence[AbstractLineLaw]) -> fmpq:
        """Of the two inputs there, 1 for uniform ones."""
        found = fmpq(1)
        for axis, side in zip(plane.axes, self.sides(plane), strict=True):
            found *= inputs[axis].least_density(side.start, side.stop)
        return found

    def words(self, plane: Plane) -> str:
        """Its sides."""
        return " x ".join(f"[{s.start}, {s.stop}]" for s in self.sides(plane))


def tiles(plane: Plane, k: int, l: int) -> list[Rectangle]:  # noqa: E741 (as in print)
    """The rectangle cut into k times l equal ones."""
    a, b = plane.cells // k, plane.cells // l
    return [
        Rectangle(i * a, (i + 1) * a, j * b, (j + 1) * b)
        for i in range(k)
        for j in range(l)
    ]


def inner_rectangles(plane: Plane) -> list[Rectangle]:
    """Without a few cells at their four sides, where a density may be small."""
    n = plane.cells
    spans = [(a, n - b) for a in range(0, n // 2, 2) for b in range(0, n // 2, 2)]
    return [Rectangle(*first, *second) for first in spans for second in spans]


def best_rectangle(
    plane: Plane, weights: dict[str, float], exponent: float
) -> Rectangle:
    """The one with the largest area * weight(kind) * h^exponent, as floats see it."""
    n = plane.cells
    best, found = 0.0, Rectangle(0, n, 0, n)
    for i in range(n):
        low = np.minimum.accumulate(plane.low[:, i:], axis=1)
        high = np.maximum.accumulate(plane.high[:, i:], axis=1)
        for j in range(n):
            near = near_bends(
                np.minimum.accumulate(low[:, :, j:], axis=2),
                np.maximum.accumulate(high[:, :, j:], axis=2),
            )
            size = np.arange(1, n - i + 1)[:, None] * np.arange(1, n - j + 1)
            worth = size * np.max(
                [w * near[k] ** exponent for k, w in weights.items()], axis=0
            )
            if worth.max() > best:
                best = float(worth.max())
                a, b = np.unravel_index(int(worth.argmax()), worth.shape)
                found = Rectangle(i, i + int(a) + 1, j, j + int(b) + 1)
    return found
