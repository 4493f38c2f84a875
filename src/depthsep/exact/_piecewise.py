"""Piecewise-affine functions of one variable: the object analysis works on."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact._piecewise_algebra import added, composed, multiplied
from depthsep.exact._rational import rational, rationals

Number = fmpq | float


@dataclass(frozen=True, eq=False)
class PiecewiseAffine:
    """A piecewise-affine function on a closed interval, or on all of R.

    Between consecutive knots the function is affine. A knot that stands three times
    in a row marks a jump: its values are the limit from the left, the value at the
    point and the limit from the right (at an end of the domain: two of the three).

    Attributes:
        knots: non-decreasing, float64 or `fmpq` objects.
        values: the values at the knots, of the same type.
        left_slope: slope on the ray below the first knot; None if there is none.
        right_slope: slope on the ray above the last knot; None if there is none.
    """

    knots: np.ndarray
    values: np.ndarray
    left_slope: Number | None = None
    right_slope: Number | None = None

    @staticmethod
    def through(knots: Iterable[object], values: Iterable[object]) -> "PiecewiseAffine":
        """The exact interpolant of the given points, from any numbers."""
        places = [rational(x, name="a knot") for x in knots]
        heights = [rational(x, name="a value") for x in values]
        if len(places) != len(heights) or len(places) < 2:
            raise HypothesisError(
                "give as many values as knots, and at least two of each"
            )
        if any(a > b for a, b in pairwise(places)):
            raise HypothesisError("the knots are not in increasing order; sort them")
        return PiecewiseAffine(
            np.array(places, dtype=object), np.array(heights, dtype=object)
        )

    @property
    def is_exact(self) -> bool:
        """Whether knots and values are rationals."""
        return self.knots.dtype == object

    @property
    def is_on_whole_line(self) -> bool:
        """Whether the domain is all of R."""
        return self.left_slope is not None and self.right_slope is not None

    @cached_property
    def jumps(self) -> np.ndarray:
        """For each gap between consecutive knots, whether it is a jump of length 0."""
        return (self.knots[1:] == self.knots[:-1]).astype(bool)

    @cached_property
    def slopes(self) -> np.ndarray:
        """The slope of each gap; 0 on the gaps of length 0."""
        lengths = self.knots[1:] - self.knots[:-1]
        rises = self.values[1:] - self.values[:-1]
        if self.jumps.any():
            lengths[self.jumps] = fmpq(1) if self.is_exact else 1.0
            rises[self.jumps] = fmpq(0) if self.is_exact else 0.0
        return rises / lengths

    @property
    def pieces(self) -> int:
        """The number of maximal intervals (single points count) of affinity."""
        simple = self.simplified()
        rays = (simple.left_slope is not None) + (simple.right_slope is not None)
        if rays == 2 and len(simple.knots) == 1:
            return 1 if simple.left_slope == simple.right_slope else 2
        return int((~simple.jumps).sum()) + rays + simple._isolated_points()

    def _isolated_points(self) -> int:
        """Jumps whose value at the point belongs to neither side."""
        where = np.flatnonzero(self.jumps[:-1] & self.jumps[1:]) + 1
        v = self.values
        lone = (v[where] != v[where - 1]) & (v[where] != v[where + 1])
        ends = 0
        if len(self.jumps) and self.jumps[0] and (len(v) < 3 or not self.jumps[1]):
            ends += int(self.left_slope is None and v[0] != v[1])
        if len(self.jumps) > 1 and self.jumps[-1] and not self.jumps[-2]:
            ends += int(self.right_slope is None and v[-1] != v[-2])
        return int(lone.sum()) + ends

    def simplified(self) -> "PiecewiseAffine":
        """The same function without knots at which nothing happens.

        Exact where the numbers are; in float64, slopes that differ by no more than
        the rounding error of their differences count as equal.
        """
        real = self._without_false_jumps()
        keep = np.ones(len(real.knots), dtype=bool)
        keep[1:-1] = real.jumps[:-1] | real.jumps[1:]
        keep[1:-1] |= real._bends()
        if real.left_slope is not None and len(keep) > 1:
            keep[0] = real.jumps[0] or real._turns_at(0, real.left_slope)
        if real.right_slope is not None and len(keep) > 1:
            keep[-1] = real.jumps[-1] or real._turns_at(-1, real.right_slope)
        if not keep.any():
            keep[0] = True
        return real._at(keep)

    def _at(self, keep: np.ndarray) -> "PiecewiseAffine":
        return PiecewiseAffine(
            self.knots[keep], self.values[keep], self.left_slope, self.right_slope
        )

    def _without_false_jumps(self) -> "PiecewiseAffine":
        """One knot for each place at which nothing jumps after all."""
        if not self.jumps.any():
            return self
        starts = np.concatenate([[True], ~self.jumps])
        group = np.cumsum(starts) - 1
        first = np.flatnonzero(starts)[group]
        same = np.asarray(self.values == self.values[first], dtype=bool)
        differs = np.bincount(group, ~same) > 0
        return self._at(starts | differs[group])

    def _turns_at(self, end: int, slope: Number) -> bool:
        """Whether the ray at an end (0 or -1) has another slope than the gap there."""
        change = abs(slope - self.slopes[end])
        return bool(change > (0 if self.is_exact else self._noise()[end]))

    def _noise(self) -> np.ndarray:
        """Float64 only: the rounding error of each slope, cancellation included."""
        size = np.maximum(np.abs(self.values[1:]), np.abs(self.values[:-1]))
        lengths = np.where(self.jumps, 1.0, self.knots[1:] - self.knots[:-1])
        steepest = np.abs(self.slopes).max(initial=0.0)
        return 2.0**-49 * (size / lengths + steepest)

    def _bends(self) -> np.ndarray:
        change = self.slopes[1:] - self.slopes[:-1]
        if self.is_exact:
            return (change != 0).astype(bool)
        noise = self._noise()
        return np.abs(change) > noise[1:] + noise[:-1]

    def __call__(self, x: object) -> fmpq:
        """The exact value at x (at a jump: the value at the point itself)."""
        point = rational(x, name="x")
        exact = self.to_exact()
        k, v = exact.knots, exact.values
        i, j = bisect_left(k, point), bisect_right(k, point)  # type: ignore[arg-type]
        if j > i:
            at_left_end = i == 0 and self.left_slope is None and j - i == 2
            return v[i] if at_left_end or j - i == 1 else v[min(i + 1, j - 1)]
        slope = exact.left_slope if i == 0 else exact.right_slope
        if 0 < i < len(k):
            return v[i - 1] + exact.slopes[i - 1] * (point - k[i - 1])
        if slope is None:
            raise HypothesisError(f"x = {point} is outside [{k[0]}, {k[-1]}]")
        anchor = 0 if i == 0 else len(k) - 1
        return v[anchor] + slope * (point - k[anchor])

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Vectorised float64 values (rays included)."""
        k, v = self.knots.astype(float), self.values.astype(float)
        out = np.interp(x, k, v)
        if self.left_slope is not None:
            out = np.where(x < k[0], v[0] + float(self.left_slope) * (x - k[0]), out)
        if self.right_slope is not None:
            far = v[-1] + float(self.right_slope) * (x - k[-1])
            out = np.where(x > k[-1], far, out)
        return out

    def __add__(self, other: "PiecewiseAffine") -> "PiecewiseAffine":
        """The exact sum, on one domain: at most the sum of the pieces, less one."""
        return added(self, other)

    def __mul__(self, factor: object) -> "PiecewiseAffine":
        """An exact multiple."""
        return multiplied(self, factor)

    __rmul__ = __mul__

    def __neg__(self) -> "PiecewiseAffine":
        """-f."""
        return multiplied(self, -1)

    def __sub__(self, other: "PiecewiseAffine") -> "PiecewiseAffine":
        """The exact difference."""
        return added(self, multiplied(other, -1))

    def after(self, inner: "PiecewiseAffine") -> "PiecewiseAffine":
        """x -> f(inner(x)), exact: at most the product of the pieces."""
        return composed(self, inner)

    def to_exact(self) -> "PiecewiseAffine":
        """The same function with rational knots and values, each float at face value.

        The values between the knots of a float64 function are then interpolated
        exactly, so this is exact for the rounded function, not for its origin.
        """
        if self.is_exact:
            return self
        rays = [
            None if s is None else rational(s)
            for s in (self.left_slope, self.right_slope)
        ]
        return PiecewiseAffine(rationals(self.knots), rationals(self.values), *rays)
