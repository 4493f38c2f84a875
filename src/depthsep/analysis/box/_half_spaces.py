"""A box cut by half-spaces: what affine functions are at most there, proved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq

from depthsep.exact import nearest_float, rational
from depthsep.laws import Box

NEAR_ZERO = 1e-9  # relative to the largest coefficient, on the unit cube
DENOMINATORS = (1, 64, 1 << 20, 1 << 40)
INFEASIBLE = 2  # as linprog says it
FAR = 1e30  # constants beyond count as that in float64

Row = tuple[fmpq, ...]
"""An affine function of the inputs: their coefficients, then the constant."""


def size_of(row: Row) -> fmpq:
    """The largest coefficient, 1 if all are 0."""
    return max(abs(v) for v in row[:-1]) or fmpq(1)


def floats_of(row: Row) -> np.ndarray:
    """Coefficients and constant, divided by the largest coefficient."""
    size = size_of(row)
    return np.clip([nearest_float(v / size) for v in row], -FAR, FAR)


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
        rationals. Of several roundings of y the best counts. In a part that is proved
        to be empty every bound holds: then it is below 0.
        """
        from scipy.optimize import linprog

        best = range_on_box(row, self.box)[1]
        if not self.rows:
            return best, None
        size, cuts = size_of(row), np.array([floats_of(r) for r in self.rows])
        answer = linprog(
            -floats_of(row)[:-1],
            A_ub=-cuts[:, :-1],
            b_ub=cuts[:, -1],
            bounds=self._float_sides(),
        )
        if answer.status == INFEASIBLE and self._is_proved_empty(cuts):
            return min(best, fmpq(-1)), None
        if answer.status != 0:
            return best, None
        for y in self._rounded(-answer.ineqlin.marginals):
            factors = [v * size for v in y]
            total = _sum(row, factors, self.rows)
            best = min(best, range_on_box(total, self.box)[1])
            if best <= 0:
                break
        return best, answer.x

    def _is_proved_empty(self, cuts: np.ndarray) -> bool:
        """Whether some sum of the functions, with factors >= 0, is below 0."""
        from scipy.optimize import linprog

        d = len(self.box.sides)
        answer = linprog(
            [*[0.0] * d, -1.0],
            A_ub=np.hstack([-cuts[:, :-1], np.ones((len(cuts), 1))]),
            b_ub=cuts[:, -1],
            bounds=[*self._float_sides(), (-FAR, 1.0)],
        )
        if answer.status != 0:
            return False
        nothing = (fmpq(0),) * (d + 1)
        return any(
            range_on_box(_sum(nothing, y, self.rows), self.box)[1] < 0
            for y in self._rounded(-answer.ineqlin.marginals)
        )

    def _float_sides(self) -> list[tuple[float, float]]:
        return [(nearest_float(s.start), nearest_float(s.stop)) for s in self.box.sides]

    def _rounded(self, multipliers: np.ndarray) -> Iterator[list[fmpq]]:
        """Multipliers of the normalised functions, as factors of the functions."""
        sizes = [size_of(r) for r in self.rows]
        for most in DENOMINATORS:
            yield [
                fmpq(*_simple(max(0.0, v), most)) / size
                for v, size in zip(multipliers.tolist(), sizes, strict=True)
            ]


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
