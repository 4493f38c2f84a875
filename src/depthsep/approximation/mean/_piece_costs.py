r"""What one affine piece costs between knots of a grid function: lower bounds.

Costs are integrals over the interval, in units of `unit`: rounded down, in integers.

*l2.* The integral of h^2 less that of its projection on affine functions: exact.

*l1.* Any sign pattern sigma that is orthogonal to affine functions gives the bound
$|\int h\sigma|$. Two changes, at a quarter and three quarters, are best where h is
convex or concave, and the bound is then exact. Elsewhere patterns with more changes
serve too. Floats propose one of these, where -1 <= t <= 1 across the piece:

    three changes at a, a + c, c with a c = -1/2;
    four at -b, -a, a, b with b = a + 1/2;
    five at -b, -a, 0, a, b with b^2 = a^2 + 1/2.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import fmpq

from depthsep.approximation.mean._grid_function import GridFunction
from depthsep.exact import nearest_float

Pattern = tuple[fmpq, ...]  # where the sign changes, from -1 to 1
QUARTERS: Pattern = (fmpq(-1, 2), fmpq(1, 2))


def _three(c: fmpq) -> Pattern:
    a = -1 / (2 * c)
    return (a, a + c, c)


def _four(a: fmpq) -> Pattern:
    b = a + fmpq(1, 2)
    return (-b, -a, a, b)


def _five(sum_: fmpq) -> Pattern:
    """With b + a given: b - a is 1 / (2 (b + a))."""
    a, b = (sum_ - 1 / (2 * sum_)) / 2, (sum_ + 1 / (2 * sum_)) / 2
    return (-b, -a, fmpq(0), a, b)


PATTERNS: tuple[Pattern, ...] = (
    *(_three(fmpq(*c)) for c in ((9, 10), (4, 5), (3, 4), (7, 10), (2, 3), (5, 8),
                                 (5, 9), (1, 2))),
    *(_four(fmpq(a, 8)) for a in (1, 2, 3)),
    *(_five(fmpq(*s)) for s in ((4, 5), (9, 10), (1, 1), (5, 4))),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class SquareCosts:
    """The costs of pieces in the mean square."""

    h: GridFunction
    power = 2

    @cached_property
    def moments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """2 int h, 6 int t h and 3 int h^2 from 0 to each knot."""
        x, y = self.h.knots, self.h.values
        (s, t), (v, w), gaps = (x[:-1], x[1:]), (y[:-1], y[1:]), self.h.gaps
        parts = (
            (v + w) * gaps,
            (v * (2 * s + t) + w * (s + 2 * t)) * gaps,
            (v * v + v * w + w * w) * gaps,
        )
        m0, m1, m2 = (np.concatenate([_NOTHING, np.cumsum(p)]) for p in parts)
        return m0, m1, m2

    def of(
        self, i: np.ndarray, j: np.ndarray, unit: fmpq
    ) -> tuple[np.ndarray, np.ndarray]:
        """The costs from knots i to knots j, and the slopes of the best lines."""
        m0, m1, m2 = (m[j] - m[i] for m in self.moments)
        start, stop = self.h.knots[i], self.h.knots[j]
        length = stop - start
        # 12 times the first moment about the middle
        turn = 2 * m1 - 3 * (start + stop) * m0
        cube = length**3
        top = 4 * m2 * cube - 3 * (m0 * length) ** 2 - turn * turn
        costs = top * int(unit.q) // (12 * cube * int(unit.p))
        slopes = (turn * self.h.unit / cube).astype(float)
        return costs, slopes


_NOTHING = np.zeros(1, dtype=object)


@dataclass(frozen=True, eq=False)
class AbsoluteCosts:
    """Lower bounds of the costs of pieces in the mean."""

    h: GridFunction
    power = 1

    def of(
        self, i: np.ndarray, j: np.ndarray, unit: fmpq
    ) -> tuple[np.ndarray, np.ndarray]:
        """The bounds from knots i to knots j, and slopes for convex or concave h."""
        costs = self._by(QUARTERS, i, j, unit)
        rising, falling = self.h.monotone_until
        bent = np.flatnonzero(np.maximum(rising[i], falling[i]) < j - 1)
        best = self._likely_best(i[bent], j[bent])
        for k in np.unique(best):
            rows = bent[best == k]
            found = self._by(PATTERNS[k], i[rows], j[rows], unit)
            costs[rows] = np.maximum(costs[rows], found)
        x, y = self.h.places, self._heights
        length = x[j] - x[i]
        low, high = (np.interp(x[i] + length * q, x, y) for q in (0.25, 0.75))
        return costs, (high - low) * 2 / length

    @cached_property
    def _heights(self) -> np.ndarray:
        return (self.h.values - self.h.values[0]).astype(float)

    def _likely_best(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """The numbers of the patterns with the largest integrals, in floats."""
        x, y, slopes = self.h.places, self._heights, self.h.slopes
        until = (self.h.doubled_integrals / (2 * self.h.unit)).astype(float)
        until = until - float(self.h.values[0]) * x
        least, best = np.zeros(len(i)), np.zeros(len(i), dtype=int)
        for number, pattern in enumerate(PATTERNS):
            total = (-1) ** len(pattern) * until[j] - until[i]
            for k, place in enumerate(pattern):
                at = x[i] + (x[j] - x[i]) * ((1 + nearest_float(place)) / 2)
                cell = np.clip(np.searchsorted(x, at, "right") - 1, 0, len(slopes) - 1)
                past = at - x[cell]
                integral = until[cell] + past * (y[cell] + slopes[cell] * past / 2)
                total += 2 * (-1) ** k * integral
            better = np.abs(total) > least
            least = np.where(better, np.abs(total), least)
            best = np.where(better, number, best)
        return best

    def _by(
        self, pattern: Pattern, i: np.ndarray, j: np.ndarray, unit: fmpq
    ) -> np.ndarray:
        """|int h sigma|: all ends of parts are integers, as STRETCH provides."""
        start, stop = self.h.knots[i], self.h.knots[j]
        twice = self.h.doubled_integrals
        sign = (-1) ** len(pattern)
        # twice the integral; it is right up to one for each change
        total = sign * twice[j] - twice[i]
        for k, place in enumerate(pattern):
            half = int((1 + place).q) * 2
            at = start + (stop - start) * int((1 + place).p) // half
            total = total + (-1) ** k * 2 * self._doubled_until(at)
        slack = 2 * len(pattern)
        top = np.maximum(np.abs(total) - slack, 0)
        return top * int(unit.q) // (2 * int(unit.p))

    def _doubled_until(self, at: np.ndarray) -> np.ndarray:
        """Twice the integral of h from 0 to these places, rounded down."""
        h = self.h
        k = np.searchsorted(self._knots, at.astype(np.int64), "right") - 1
        k = np.minimum(k, len(h.gaps) - 1)
        past = at - h.knots[k]
        bend = h.rises[k] * past * past // h.gaps[k]
        return h.doubled_integrals[k] + 2 * h.values[k] * past + bend

    @cached_property
    def _knots(self) -> np.ndarray:
        return self.h.knots.astype(np.int64)
