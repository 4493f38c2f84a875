"""Three points each: disjoint intervals on which no affine function is within E.

If g is affine on [x, z] and within E of f, then f(y) is within 2 E of the chord of f
over x and z. So three points with more than that between them force a bend of g, of
the sign of the second difference. Points are proposed in floats, with a margin, and
are rationals: whoever checks them needs no search.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import TooLargeError
from depthsep._progress import followed
from depthsep.exact import nearest_float
from depthsep.laws import Segment
from depthsep.problems import Problem

MARGIN = 1e-7  # of the accuracy, more than the floats' rounding
SAMPLES, FEW = 257, 33  # of an interval; of one that may hold an inflection
HALVINGS = 44
MOST_POINTS = 100_000
LEAST_ACCURACY = 1e-8  # of the size of f: beyond, floats decide nothing
BITS = 52
FIRST_STEP = 1 / 64

Triple = tuple[fmpq, fmpq, fmpq]


@dataclass(frozen=True)
class _Search:
    """f in floats, with the interval mapped to [0, 1]."""

    values: Callable[[np.ndarray], np.ndarray]
    bound: float

    def triple(self, start: float, stop: float) -> tuple[float, float, float] | None:
        """Three points whose second difference exceeds the bound, or None."""
        t = np.linspace(start, stop, SAMPLES)
        y = self.values(t)
        share = np.linspace(0, 1, SAMPLES)
        gap = np.abs(y - (1 - share) * y[0] - share * y[-1])
        k = int(gap.argmax())
        if gap[k] > self.bound:
            return start, float(t[k]), stop
        bend = np.diff(y[:: (SAMPLES - 1) // (FEW - 1)], 2)
        if (bend > 0).all() or (bend < 0).all():
            return None
        return self._inner(start, stop)

    def _inner(self, start: float, stop: float) -> tuple[float, float, float] | None:
        """The best of all triples among a few points."""
        t = np.linspace(start, stop, FEW)
        y = self.values(t)
        i, j, k = _TRIPLES
        share = (j - i) / (k - i)
        gap = np.abs(y[j] - (1 - share) * y[i] - share * y[k])
        best = int(gap.argmax())
        if not gap[best] > self.bound:
            return None
        return float(t[i[best]]), float(t[j[best]]), float(t[k[best]])

    def all(self) -> Iterator[tuple[float, float, float]]:
        """Triples from left to right, each ending as early as it can."""
        last, step = 0.0, FIRST_STEP
        while last < 1:
            low, high = last, min(last + step, 1.0)
            while (found := self.triple(last, high)) is None:
                if high == 1:
                    return
                low, step = high, 2 * step
                high = min(last + step, 1.0)
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                near = self.triple(last, middle)
                low, high = (middle, high) if near is None else (low, near[2])
                found = near or found
            step = found[2] - last
            if step <= 0:  # a jump, where floats get no further
                return
            yield found
            last = found[2]


_GRID = np.stack(np.meshgrid(*(np.arange(FEW),) * 3, indexing="ij"))
_TRIPLES = _GRID[:, (_GRID[0] < _GRID[1]) & (_GRID[1] < _GRID[2])]


def three_points(problem: Problem, on: Segment | None = None) -> list[Triple]:
    """Intervals, from left to right, on each of which an affine piece is not enough.

    Raises:
        TooLargeError: too many, or the accuracy is too small for float64.
    """
    where = problem.interval if on is None else on
    start, length = nearest_float(where.start), nearest_float(where.length)

    def values(t: np.ndarray) -> np.ndarray:
        return problem.line_target.floats(start + length * t)

    size = np.abs(values(np.linspace(0, 1, SAMPLES))).max()
    accuracy = nearest_float(problem.accuracy)
    if not accuracy > LEAST_ACCURACY * size:
        raise TooLargeError(
            f"the accuracy {accuracy:g} is too small for float64 to "
            "find triples of points that prove the bound"
        )
    search = _Search(values, 2 * accuracy * (1 + MARGIN))
    found: list[Triple] = []
    bends = np.abs(np.diff(values(np.linspace(0, 1, SAMPLES)), 2))
    guess = 1 + int(np.sqrt(bends / (16 * accuracy)).sum())
    for points in followed(search.all(), guess, "three points of each piece"):
        if len(found) == MOST_POINTS:
            raise TooLargeError(
                "the proof would need points in more than the "
                f"{MOST_POINTS} pieces that are allowed"
            )
        x, y, z = (_rational(where, t) for t in points)
        found.append((x, y, z))
    return found


def _rational(on: Segment, t: float) -> fmpq:
    return on.start + on.length * fmpq(round(t * 2**BITS), 1 << BITS)
