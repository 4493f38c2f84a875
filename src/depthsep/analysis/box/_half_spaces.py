"""A box cut by half-spaces: what affine functions are at most there, proved."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq
from scipy.optimize import linprog

from depthsep.exact import nearest_float, rational
from depthsep.laws import Box

NEAR_ZERO = 1e-9  # relative to the largest coefficient
DENOMINATORS = (1, 64, 1 << 20, 1 << 40)

Row = tuple[fmpq, ...]
"""An affine function of the inputs: their coefficients, then the constant."""


def floats_of(row: Row) -> np.ndarray:
    """Coefficients and constant, divided by the largest coefficient."""
    values = np.array([nearest_float(v) for v in row])
    return values / (np.abs(values[:-1]).max() or 1.0)


def range_on_box(row: Row, box: Box) -> tuple[fmpq, fmpq]:
    """The least and the largest value on the whole box."""
    low, high = box.range_of(row[:-1])
    return low + row[-1], high + row[-1]


@dataclass(frozen=True, eq=False)
class CutBox:
    """The points of a box at which some affine functions are not negative.

    Attributes:
        rows: those functions.
        points: (n, d) points of it as float64 sees them; they decide nothing.
    """

    box: Box
    rows: tuple[Row, ...]
    points: np.ndarray

    def also(self, row: Row) -> "CutBox":
        """The part of it where one more function is not negative."""
        w = floats_of(row)
        keep = self.points @ w[:-1] + w[-1] >= -NEAR_ZERO
        return CutBox(self.box, (*self.rows, row), self.points[keep])

    def with_point(self, point: np.ndarray | None) -> "CutBox":
        """The same with one more point."""
        if point is None:
            return self
        return CutBox(self.box, self.rows, np.vstack([self.points, point]))

    def takes_both_signs(self, row: Row) -> bool:
        """Whether its points show this; False proves nothing."""
        w = floats_of(row)
        values = self.points @ w[:-1] + w[-1]
        return bool((values > NEAR_ZERO).any() and (values < -NEAR_ZERO).any())

    def at_most(self, row: Row) -> tuple[fmpq, np.ndarray | None]:
        """A proved upper bound, and about where the function is largest.

        A linear programme in float64 finds multipliers y >= 0; with any such y, the
        function is at most itself plus sum y_k row_k, bounded on the whole box in
        rationals. Of several roundings of y the best counts.
        """
        best = range_on_box(row, self.box)[1]
        if not self.rows:
            return best, None
        found = self._solved(row)
        if found is None:
            return best, None
        point, multipliers = found
        for most in DENOMINATORS:
            y = [fmpq(*_simple(v, most)) for v in multipliers]
            bound = range_on_box(_sum(row, y, self.rows), self.box)[1]
            best = min(best, bound)
            if best <= 0:
                break
        return best, point

    def _solved(self, row: Row) -> tuple[np.ndarray, np.ndarray] | None:
        scale = max(abs(v) for v in row[:-1]) or fmpq(1)
        scales = [max(abs(v) for v in r[:-1]) or fmpq(1) for r in self.rows]
        cuts = np.array([floats_of(r) for r in self.rows])
        sides = [
            (nearest_float(s.start), nearest_float(s.stop)) for s in self.box.sides
        ]
        goal = floats_of(row)[:-1]
        answer = linprog(-goal, A_ub=-cuts[:, :-1], b_ub=cuts[:, -1], bounds=sides)
        if answer.status != 0:
            return None
        factors = np.array([nearest_float(scale / s) for s in scales])
        return answer.x, np.maximum(0.0, -answer.ineqlin.marginals) * factors


def _simple(value: float, most: int) -> tuple[int, int]:
    simple = Fraction(value).limit_denominator(most)
    return simple.numerator, simple.denominator


def _sum(row: Row, factors: Sequence[fmpq], rows: Sequence[Row]) -> Row:
    out = list(row)
    for factor, other in zip(factors, rows, strict=True):
        if factor != 0:
            out = [a + factor * b for a, b in zip(out, other, strict=True)]
    return tuple(out)


def nearest_point(point: np.ndarray, box: Box) -> list[fmpq]:
    """A rational point of the box near a float64 one."""
    return [
        min(max(rational(float(v)), side.start), side.stop)
        for v, side in zip(point, box.sides, strict=True)
    ]
