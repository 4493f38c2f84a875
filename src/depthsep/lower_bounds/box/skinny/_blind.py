"""How far a function is from all that are constant along some direction."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.exact import ball_upper, nearest_float, sqrt_upper, total
from depthsep.laws import Box
from depthsep.lower_bounds.box.skinny._cones import Cone, Span, cones
from depthsep.targets import AbstractBoxTarget, Formula, interval_ball

PRECISION = 64
GRIDS = {  # lines across the box, and cells of half a line; the last decides
    2: ((5, 2), (10, 4), (20, 8)),
    3: ((4, 4),),
}


@lru_cache(maxsize=64)
def distance_from_blind(
    target: AbstractBoxTarget, box: Box, norm: str, enough: fmpq | None = None
) -> fmpq:
    """A lower bound of the error of every function that is blind in some direction.

    It is constant on every line along v. So f varies by at most twice the sup error
    there; and where cells of a line are paired, the mean error is at least half of
    what f differs by on a pair, and the mean square a quarter of its square.

    Only cones with the least bound so far are looked at on finer grids; none, where all
    are above `enough` already; in linf all are looked at.
    """
    formula, grids = target.as_formula(), GRIDS[box.in_dim]
    with ctx.workprec(PRECISION):
        if norm == "linf":
            return min(_in_linf(formula, box, c, *grids[-1]) for c in cones(box.in_dim))
        heap = [
            (fmpq(0), len(grids), n, cone) for n, cone in enumerate(cones(box.in_dim))
        ]
        while True:
            least, left, n, cone = heap[0]  # of equals that with fewer grids left
            found = least if norm == "l1" or not least else 1 / sqrt_upper(1 / least)
            if not left or (enough is not None and found > enough):
                return found
            error = _in_the_mean(formula, box, cone, norm, *grids[-left])
            heapq.heapreplace(heap, (max(least, error), left - 1, n, cone))


def _in_linf(formula: Formula, box: Box, cone: Cone, feet: int, half: int) -> fmpq:
    """Half of the largest difference between two points of a line: chosen in floats."""
    starts = list(cone.feet(2 * feet, thick=False))
    points = np.array([[nearest_float(y) for y, _ in foot] for foot in starts])
    f = _along_lines(formula, box, cone, points, 2 * half)
    line = int(np.ptp(f, axis=1).argmax())
    on = cone.inside(starts[line])
    if on is None:
        return fmpq(0)
    ticks = _ticks(*on, 2 * half)
    ends = (ticks[int(f[line].argmin())], ticks[int(f[line].argmax())])
    low, high = (_value(formula, box, cone.part(starts[line], (t, t))) for t in ends)
    off = high - low
    return max(fmpq(0), -ball_upper(-off)) / 2 if off.is_finite() else fmpq(0)


def _along_lines(
    formula: Formula, box: Box, cone: Cone, feet: np.ndarray, parts: int
) -> np.ndarray:
    """Rounded values (lines, ticks); zeros on lines that miss the box."""
    v = np.array([nearest_float((a + b) / 2) for a, b in cone.spans])
    low, high = cone.floats_inside(feet)
    t = low[:, None] + (high - low)[:, None] * np.arange(parts + 1) / parts
    places = feet[:, None] + t[:, :, None] * v
    f = formula.floats(_placed(places.reshape(-1, box.in_dim), box)).reshape(t.shape)
    return np.where((low < high)[:, None], np.nan_to_num(f), 0)


def _in_the_mean(
    formula: Formula, box: Box, cone: Cone, norm: str, count: int, half: int
) -> fmpq:
    """Of the error, or of its square, on cells of all lines."""
    sums = []
    for feet in cone.feet(count, thick=True):
        on = cone.inside(feet)
        if on is None:
            continue
        ticks = pairwise(_ticks(*on, 2 * half))
        cells = [_Cell.of(formula, box, cone, feet, part) for part in ticks]
        if all(cell.value.is_finite() for cell in cells):
            cells.sort(key=lambda cell: float(cell.value.mid()))
        share = (on[1] - on[0]) / (2 * half * count ** (box.in_dim - 1))
        above = cells[half:]
        ways = (above,) if norm == "l1" else (above, above[::-1])
        sums.append(share * max(_paired(cells, way, cone, feet, norm) for way in ways))
    return total(sums)


@dataclass(frozen=True)
class _Cell:
    """Of points y + t v, for feet y in a cell and all v of a cone.

    Attributes:
        value: at the middle, where y, v and t are.
        slopes: along the axes, anywhere in it.
        t: all of them.
    """

    value: arb
    slopes: tuple[arb, ...]
    t: arb

    @staticmethod
    def of(
        formula: Formula, box: Box, cone: Cone, feet: Sequence[Span], on: Span
    ) -> "_Cell":
        """The cell of all t in an interval, on the lines of a cone from these feet."""
        lengths = [side.length for side in box.sides]
        far = _balls(box, cone.part(feet, on))
        slopes = (
            formula.along([w if k == axis else 0 for k, w in enumerate(lengths)], far)
            for axis in range(box.in_dim)
        )
        middle = Cone(cone.axis, tuple(_middle(span) for span in cone.spans))
        at = middle.part([_middle(y) for y in feet], _middle(on))
        slopes_found = tuple(jet.first for jet in slopes)
        return _Cell(_value(formula, box, at), slopes_found, interval_ball(*on))

    def above(self, other: "_Cell", cone: Cone, feet: Sequence[Span]) -> fmpq:
        """By how much f is larger here, at points of one line that move together.

        The difference changes by what the slopes differ by, times how far y, v and t
        are from their middles.
        """
        off = self.value - other.value
        for s, r, (a, b), (p, q) in zip(
            self.slopes, other.slopes, feet, cone.spans, strict=True
        ):
            off += (s - r) * _room(a, b) + (self.t * s - other.t * r) * _room(p, q)
            off += (s - r) * interval_ball(p, q) * self.t.rad() * arb(0, 1)
        return max(fmpq(0), -ball_upper(-off)) if off.is_finite() else fmpq(0)


def _paired(
    below: list[_Cell],
    above: list[_Cell],
    cone: Cone,
    feet: Sequence[Span],
    norm: str,
) -> fmpq:
    """What pairs of cells of a line leave, in units of the length of a cell."""
    off = [b.above(a, cone, feet) for a, b in zip(below, above, strict=False)]
    return total(off) if norm == "l1" else total(v * v for v in off) / 2


def _middle(span: Span) -> Span:
    middle = (span[0] + span[1]) / 2
    return middle, middle


def _room(start: fmpq, stop: fmpq) -> arb:
    """All that is no further from 0 than the ends from their middle."""
    return interval_ball(-(stop - start) / 2, (stop - start) / 2)


def _value(formula: Formula, box: Box, part: Sequence[Span]) -> arb:
    return formula.along([1] * box.in_dim, _balls(box, part)).value


def _balls(box: Box, part: Sequence[Span]) -> list[arb]:
    return [
        interval_ball(side.start + side.length * a, side.start + side.length * b)
        for (a, b), side in zip(part, box.sides, strict=True)
    ]


def _placed(u: np.ndarray, box: Box) -> np.ndarray:
    start = np.array([nearest_float(side.start) for side in box.sides])
    return start + u * np.array([nearest_float(side.length) for side in box.sides])


def _ticks(start: fmpq, stop: fmpq, parts: int) -> list[fmpq]:
    return [start + (stop - start) * k / parts for k in range(parts + 1)]
