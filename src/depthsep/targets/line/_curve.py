"""The broken line through points of a file."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.exact import Jet, PiecewiseAffine, jets, nearest_float, rational
from depthsep.laws import AbstractLaw, Segment, Uniform
from depthsep.targets.line._csv import DIGEST, read_digested
from depthsep.targets.line._on_line import AbstractLineTarget


@dataclass(frozen=True)
class Curve(AbstractLineTarget):
    """Straight between the points of a file of rows `x, y`: float64 at face value.

    Attributes:
        path: of the file.
        digest: of its bytes, so that a changed file is another target.
        x: (n,) increasing.
        y: (n,).
        was_sorted: whether the file's rows stood in order.
    """

    path: str
    digest: str
    x: np.ndarray = field(compare=False, repr=False)
    y: np.ndarray = field(compare=False, repr=False)
    was_sorted: bool = field(default=True, compare=False)

    @staticmethod
    def read(written: str) -> "Curve":
        """`PATH`, or `PATH#DIGEST` with the start of the digest that it had.

        Raises:
            HypothesisError: a bad row; an x that stands twice with different y; a file
                that has changed.
        """
        path, columns = read_digested(written, 2)
        x, y = columns.values.T
        same = np.flatnonzero(np.diff(x) == 0)
        for k in same:
            if y[k] != y[k + 1]:
                raise HypothesisError(
                    f"{path}: x = {x[k]:g} occurs with both y = "
                    f"{y[k]:g} and y = {y[k + 1]:g}; keep one of the "
                    "two rows, or put the prefix 'points:' in front of "
                    "the file to measure the error only at its points"
                )
        kept = np.delete(np.arange(len(x)), same)
        if len(kept) < 2:
            raise HypothesisError(f"{path} has only one point; give two or more")
        return Curve(
            path, columns.digest[:DIGEST], x[kept], y[kept], columns.was_sorted
        )

    @property
    def text(self) -> str:
        return f"data:{self.path}{'#' * bool(self.digest)}{self.digest}"

    @property
    def words(self) -> str:
        if not self.digest:
            return f"the broken line through {plural(len(self.x), 'point')}"
        return f"the broken line of {self.path}"

    words_are_formula = False

    @property
    def remark(self) -> str:
        order = "" if self.was_sorted else "; the given rows were sorted by x"
        return f"{self.words} has {plural(len(self.x), 'point')}{order}."

    def default_law(self) -> AbstractLaw:
        return Uniform(self.x[0], self.x[-1])

    def check_law(self, law: AbstractLaw) -> None:
        super().check_law(law)
        on, mine = law.interval, Segment(self.x[0], self.x[-1])
        if on.start < mine.start or on.stop > mine.stop:
            raise HypothesisError(
                f"{self.path} has points only on {mine}; choose an interval within it",
                parameter="law",
            )

    def floats(self, x: np.ndarray) -> np.ndarray:
        return np.interp(x, self.x, self.y)

    def jet(self, x: arb) -> Jet:
        low, high = float(x.lower()), float(x.upper())
        first = max(bisect_right(self.x, low) - 1, 0)
        last = min(bisect_left(self.x, high), len(self.x) - 1)
        if last <= first:
            first, last = max(first - 1, 0), min(first + 1, len(self.x) - 1)
        lines = [self._line(k) for k in range(first, last)]
        if len(lines) == 1:
            level, slope = lines[0]
            return Jet(arb(level) + arb(slope) * x, arb(slope), arb(0))
        values = [arb(rational(v)) for v in self.y[first : last + 1].tolist()]
        value, slope = values[0], arb(lines[0][1])
        for v in values[1:]:
            value = value.union(v)
        for _, s in lines[1:]:
            slope = slope.union(arb(s))
        return Jet(value, slope, jets.unbounded())

    def _line(self, k: int) -> tuple[fmpq, fmpq]:
        """Level at 0, and slope, from point k to the next."""
        x0, x1, y0, y1 = (
            rational(v)
            for v in (*self.x[k : k + 2].tolist(), *self.y[k : k + 2].tolist())
        )
        slope = (y1 - y0) / (x1 - x0)
        return y0 - slope * x0, slope

    def affine_pieces(self, on: Segment) -> PiecewiseAffine | None:
        start, stop = nearest_float(on.start), nearest_float(on.stop)
        near = (self.x >= start) & (self.x <= stop)
        points = [
            tuple(rational(v) for v in point)
            for point in zip(self.x[near].tolist(), self.y[near].tolist(), strict=True)
        ]
        inner = [(t, v) for t, v in points if on.start < t < on.stop]
        knots, values = [t for t, _ in inner], [v for _, v in inner]
        ends = [self.at(on.start), self.at(on.stop)]
        return PiecewiseAffine.through(
            [on.start, *knots, on.stop], [ends[0], *values, ends[1]]
        )

    def part(self, on: Segment) -> tuple[np.ndarray, np.ndarray]:
        """The points inside an interval, and its ends as floats."""
        start, stop = nearest_float(on.start), nearest_float(on.stop)
        inside = (self.x > start) & (self.x < stop)
        x = np.concatenate([[start], self.x[inside], [stop]])
        return x, np.interp(x, self.x, self.y)

    def at(self, t: fmpq) -> fmpq:
        """The exact value at a place."""
        last = len(self.x) - 2
        k = int(np.clip(np.searchsorted(self.x, nearest_float(t)) - 1, 0, last))
        # the nearest float of t may lie on the other side of a point
        while k < last and rational(float(self.x[k + 1])) < t:
            k += 1
        while k > 0 and rational(float(self.x[k])) > t:
            k -= 1
        level, slope = self._line(k)
        return level + slope * t

    def line_error(self, start: fmpq, stop: fmpq, left: fmpq, right: fmpq) -> fmpq:
        """The largest distance from the line between two points: exact.

        Both are straight between the curve's points. Floats say which points can be the
        furthest; rationals say how far they are.
        """
        slope = (right - left) / (stop - start)
        a, b = nearest_float(start), nearest_float(stop)
        # a point beyond the nearest float of an end is beyond the end itself; one that
        # is that float may be on either side
        first, last = np.searchsorted(self.x, a, "right"), np.searchsorted(self.x, b)
        x, y = self.x[first:last], self.y[first:last]
        reach = abs(nearest_float(left)) + abs(nearest_float(slope)) * (b - a)
        with np.errstate(all="ignore"):
            off = np.abs(nearest_float(left) + nearest_float(slope) * (x - a) - y)
            unsure = 64 * np.finfo(float).eps * (reach + np.abs(y).max(initial=0.0))
            far = np.flatnonzero(~(off < off.max(initial=0.0) - unsure))
        found = [abs(left - self.at(start)), abs(right - self.at(stop))]
        at_ends = np.flatnonzero((self.x == a) | (self.x == b))
        for k in [*(far + first).tolist(), *at_ends.tolist()]:
            t, v = (rational(float(z[k])) for z in (self.x, self.y))
            if start < t < stop:
                found.append(abs(left + slope * (t - start) - v))
        return max(found)
