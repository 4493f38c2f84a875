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

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from flint import fmpq

from depthsep.approximation.mean._grid_function import GridFunction
from depthsep.exact import nearest_float

Pattern = tuple[fmpq, ...]  # where the sign changes, from -1 to 1
MARGIN = 2.0**-44  # of rounding, in slopes: 2**9 times as much as it can be
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
# of each pattern: the sign at the end, and where its changes begin in the lists below
LAST = np.array([(-1) ** len(p) for p in PATTERNS])
STARTS = np.cumsum([0, *map(len, PATTERNS[:-1])])
# of every change, pattern after pattern: where it is, from 0 to 1, and the sign before
PLACES = np.array([(1 + nearest_float(x)) / 2 for p in PATTERNS for x in p])
SIGNS = np.array([(-1) ** k for p in PATTERNS for k in range(len(p))])
TOGETHER = 2048  # pieces for which patterns are proposed at once


class Priced(NamedTuple):
    """Pieces, one a row: what they cost, and the slopes of their best lines.

    Attributes:
        costs: rounded down, whole numbers.
        slopes: per length of the interval; NaN where they are not known.
        off: by how much the slopes may be off.
    """

    costs: np.ndarray
    slopes: np.ndarray
    off: np.ndarray


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

    def of(self, i: np.ndarray, j: np.ndarray, unit: fmpq) -> Priced:
        """The pieces from knots i to knots j."""
        m0, m1, m2 = (m[j] - m[i] for m in self.moments)
        start, stop = self.h.knots[i], self.h.knots[j]
        length = stop - start
        # 12 times the first moment about the middle
        turn = 2 * m1 - 3 * (start + stop) * m0
        cube = length**3
        top = 4 * m2 * cube - 3 * (m0 * length) ** 2 - turn * turn
        costs = top * int(unit.q) // (12 * cube * int(unit.p))
        slopes = (turn * self.h.unit / cube).astype(float)
        return Priced(costs, slopes, MARGIN * np.abs(slopes))

    def bend(
        self, cell: np.ndarray, d: np.ndarray, first: np.ndarray, stop: np.ndarray
    ) -> np.ndarray:
        """K for an end in a cell: how fast the derivative of a cost can grow there.

        Args:
            d: what |h' - p'| is at most.
            first, stop: knots between which the piece lies.
        """
        return d * d * (self.h.places[stop] - self.h.places[first]) / 8


_NOTHING = np.zeros(1, dtype=object)


def by_pattern(
    until: np.ndarray, there: np.ndarray, i: np.ndarray, j: np.ndarray
) -> np.ndarray:
    """Integrals with the signs of every pattern over pieces, (patterns, pieces).

    Args:
        until: integrals from 0 to each knot.
        there: integrals from 0 to each place of `BySigns.all_changes`.
    """
    changed = np.add.reduceat(SIGNS[:, None] * there, STARTS, axis=0)
    return LAST[:, None] * until[j] - until[i] + 2 * changed


class BySigns(ABC):
    """Lower bounds of the costs of pieces in the mean, by patterns of signs."""

    h: GridFunction
    power = 1

    def of(self, i: np.ndarray, j: np.ndarray, unit: fmpq) -> Priced:
        """The pieces from knots i to knots j; slopes where h is convex or concave."""
        found = self.of_two_changes(i, j, unit)
        rising, falling = self.h.monotone_until
        bent = np.flatnonzero(np.maximum(rising[i], falling[i]) < j - 1)
        if not len(bent):
            return found
        for some in np.split(bent, range(TOGETHER, len(bent), TOGETHER)):
            best = self.likely_best(i[some], j[some])
            for k in np.unique(best):
                rows = some[best == k]
                other = self.of_pattern(PATTERNS[k], i[rows], j[rows], unit)
                found.costs[rows] = np.maximum(found.costs[rows], other)
        return found

    @abstractmethod
    def of_two_changes(self, i: np.ndarray, j: np.ndarray, unit: fmpq) -> Priced:
        """By the two changes that are best where h is convex or concave."""

    @abstractmethod
    def likely_best(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """The numbers of the patterns with the largest integrals, in floats."""

    @abstractmethod
    def of_pattern(
        self, pattern: Pattern, i: np.ndarray, j: np.ndarray, unit: fmpq
    ) -> np.ndarray:
        """The costs by a pattern."""

    @cached_property
    def heights(self) -> np.ndarray:
        """h at the knots in floats, 0 at the first."""
        return (self.h.values - self.h.values[0]).astype(float)

    def changes(
        self, pattern: Pattern, i: np.ndarray, j: np.ndarray
    ) -> list[np.ndarray]:
        """Where signs change, in units of the knots: whole, as STRETCH provides."""
        start, stop = self.h.knots[i], self.h.knots[j]
        return [
            start + (stop - start) * int((1 + p).p) // (int((1 + p).q) * 2)
            for p in pattern
        ]

    def all_changes(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Where signs change in all patterns, in floats: (changes, pieces)."""
        x = self.h.places
        return x[i] + (x[j] - x[i]) * PLACES[:, None]

    def cell_of(self, at: np.ndarray) -> np.ndarray:
        """The cells in which places lie, in units of the knots."""
        k = np.searchsorted(self._knots, at.astype(np.int64), "right") - 1
        return np.minimum(k, len(self.h.gaps) - 1)

    def cell_near(self, x: np.ndarray) -> np.ndarray:
        """The cells in which places lie, in floats."""
        k = np.searchsorted(self.h.places, x, "right") - 1
        return np.minimum(np.maximum(k, 0), len(self.h.gaps) - 1)

    @cached_property
    def _knots(self) -> np.ndarray:
        return self.h.knots.astype(np.int64)


@dataclass(frozen=True, eq=False)
class AbsoluteCosts(BySigns):
    """Lower bounds of the costs of pieces in the mean."""

    h: GridFunction  # pyrefly: ignore[bad-override] (frozen)

    def of_two_changes(self, i: np.ndarray, j: np.ndarray, unit: fmpq) -> Priced:
        x, y = self.h.places, self.heights
        length = x[j] - x[i]
        low, high = (np.interp(x[i] + length * q, x, y) for q in (0.25, 0.75))
        slopes = (high - low) * 2 / length
        off = MARGIN * (self._height / length + np.abs(slopes))
        return Priced(self.of_pattern(QUARTERS, i, j, unit), slopes, off)

    @cached_property
    def _height(self) -> float:
        return float(np.ptp(self.heights)) * (1 + MARGIN)

    def bend(
        self, cell: np.ndarray, d: np.ndarray, first: np.ndarray, stop: np.ndarray
    ) -> np.ndarray:
        """K, as `SquareCosts.bend` says."""
        return d

    @cached_property
    def _until(self) -> np.ndarray:
        """The integrals of the heights from 0 to the knots, in floats."""
        whole = (self.h.doubled_integrals / (2 * self.h.unit)).astype(float)
        return whole - float(self.h.values[0]) * self.h.places

    def likely_best(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        at, until = self.all_changes(i, j), self._until
        cell = self.cell_near(at)
        past = at - self.h.places[cell]
        mean = self.heights[cell] + self.h.slopes[cell] * past / 2
        totals = by_pattern(until, until[cell] + past * mean, i, j)
        return np.abs(totals).argmax(axis=0)

    def of_pattern(
        self, pattern: Pattern, i: np.ndarray, j: np.ndarray, unit: fmpq
    ) -> np.ndarray:
        twice, sign = self.h.doubled_integrals, (-1) ** len(pattern)
        # twice the integral; it is right up to one for each change
        total = sign * twice[j] - twice[i]
        for k, at in enumerate(self.changes(pattern, i, j)):
            total = total + (-1) ** k * 2 * self._doubled_until(at)
        slack = 2 * len(pattern)
        top = np.maximum(np.abs(total) - slack, 0)
        return top * int(unit.q) // (2 * int(unit.p))

    def _doubled_until(self, at: np.ndarray) -> np.ndarray:
        """Twice the integral of h from 0 to these places, rounded down."""
        h = self.h
        k = self.cell_of(at)
        past = at - h.knots[k]
        bend = h.rises[k] * past * past // h.gaps[k]
        return h.doubled_integrals[k] + 2 * h.values[k] * past + bend
