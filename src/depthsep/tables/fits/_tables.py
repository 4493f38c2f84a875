"""Tables near points in the mean: laid, measured, and bounded from below."""

from functools import cached_property
from itertools import pairwise
from math import floor, log10

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._progress import tell
from depthsep.approximation import SplineFit, best_values, mean_at_points, pieces_at
from depthsep.evidence import Enclosure
from depthsep.exact import (
    decimal,
    nearest_float,
    plain,
    rational,
    rationals,
    readable,
    rounded,
    shortest_between,
    sqrt_upper,
    total,
)
from depthsep.laws import Segment
from depthsep.tables._room import Room
from depthsep.tables._table import PieceTable
from depthsep.tables.fits._costs import Costs, line_of_sizes, sizes, squares
from depthsep.tables.fits._runs import cheapest_runs, starts_of_runs
from depthsep.tables.plans import Piece, Pieces
from depthsep.targets import PointSet

RUNS = {"l1": 200, "l2": 600}  # points, or blocks of them, whose runs are counted
MOST_WORK = 1e8  # points times blocks squared, in l1
FEW = 20  # blocks
MOST_PIECES = 200
MOST_BINS = 3000  # of points, while knots are searched
FARTHEST = 1e100  # values and places beyond it, or so close, are refused
NEAR = fmpq(1, 1000)  # of an error: by so much short numbers may raise it
MOST_PLACES = 18
DOWN = 1 - fmpq(1, 2**40)
GAP = (fmpq(1, 4), fmpq(3, 4))  # of the way between two runs: where a knot may be


def point_table(
    points: PointSet, norm: str, jumps: bool, error: fmpq | None, count: int | None
) -> PieceTable:
    """The fewest pieces found within a mean error, or so many, and a bound.

    Args:
        norm: l1 (the weighted mean of |r|) or l2 (the root of the mean of r^2).

    Raises:
        HypothesisError: bands, an error that is not positive, more than 200 pieces.
    """
    fits = Fits(points, norm, jumps)
    if count is not None:
        if type(count) is not int or not 1 <= count <= MOST_PIECES:
            raise HypothesisError(
                f"{count} pieces were asked for; give 1 to {MOST_PIECES}"
            )
        pieces = fits.laid(count)
        allowed = fits.error_of(pieces).upper
        asked = count, fits.least[count - 1]
        return fits.table(pieces, fits.needed(allowed), allowed, asked)
    assert error is not None, "an error or a number is given"
    if error <= 0:
        raise HypothesisError(f"the accuracy is {error}; it must be positive")
    if fits.floor > error:
        least = plain(decimal(fits.floor, 4, upward=False))
        raise HypothesisError(
            f"{points.words} have several values at one x: no function has a smaller "
            f"error than {least}"
        )
    needed = fits.needed(error)
    for number in range(needed, MOST_PIECES + 1):
        tell(number / MOST_PIECES, f"{number} pieces")
        pieces = fits.laid(number)
        if fits.error_of(pieces).upper <= error:
            return fits.table(pieces, needed, error)
    raise HypothesisError(
        f"no table of up to {MOST_PIECES} pieces with an error of at "
        f"most {readable(error)} was found; give a larger error"
    )


def runs_needed(points: PointSet, norm: str, error: fmpq) -> int:
    """Runs that every function within a mean error has, up to 201."""
    return Fits(points, norm, jumps=True).needed(error)


class Fits:
    """Of some points, in one norm.

    Continuous tables with N pieces restrict to N runs of points with a line each, as
    those with jumps do: what runs cost bounds both from below.
    """

    def __init__(self, points: PointSet, norm: str, jumps: bool) -> None:
        if points.is_band:
            raise HypothesisError(
                "mean errors are not defined for bands; leave out --norm"
            )
        self.points, self.norm, self.jumps = points, norm, jumps
        self.x, self.y, self.w = points.rows.T
        _check_sizes(points)
        starts = np.append(0, np.flatnonzero(np.diff(self.x)) + 1)  # of each x
        blocks = RUNS[norm]
        if norm == "l1":
            blocks = min(blocks, max(FEW, int((MOST_WORK / len(self.x)) ** 0.5)))
        kept = np.linspace(0, len(starts), min(len(starts), blocks) + 1).astype(int)
        self.ends = np.append(starts, len(self.x))[kept]
        self.has_blocks = len(starts) > blocks
        self.weight = total(rationals(self.w).tolist())
        self.costs = self._costs()
        self.least = self._least()

    def _costs(self) -> Costs:
        count = squares if self.norm == "l2" else sizes
        return count(self.x, self.y, self.w, self.ends)

    def _least(self) -> list[fmpq]:
        """The errors that 1, 2, ... pieces have at least."""
        found = cheapest_runs(self.costs, MOST_PIECES, skips=self.has_blocks)
        return [self._as_mean(cost) for cost in found]

    def _as_mean(self, cost: float) -> fmpq:
        """The error of so large a sum, rounded down."""
        mean = rational(cost) * DOWN / self.weight
        return mean if self.norm == "l1" else sqrt_upper(mean) * DOWN

    @property
    def floor(self) -> fmpq:
        """What every function is off by, where several values stand at one x."""
        return self._as_mean(0.0 if self.has_blocks else float(self.costs.trace()))

    def needed(self, error: fmpq) -> int:
        """Pieces of every table within an error."""
        return 1 + sum(least > error for least in self.least)

    def laid(self, count: int) -> Pieces:
        """So many pieces with short numbers."""
        if not self.jumps:
            return self._joined(count)
        runs = starts_of_runs(self.costs, min(count, len(self.costs)))
        starts = [int(self.ends[k]) for k in runs]
        return self._with_jumps(starts)

    def _joined(self, count: int) -> Pieces:
        """Continuous: knots of a spline that fits, in short numbers."""
        first, length = float(self.x[0]), float(self.x[-1] - self.x[0])
        knots = first + length * self._splines.best(count).knots
        knots[-1] = self.x[-1]
        if (np.diff(knots) <= 0).any():
            raise HypothesisError(
                f"{self.points.words} are too close together for "
                f"{count} pieces; give fewer pieces"
            )
        return self._short(knots)

    @cached_property
    def _splines(self) -> SplineFit:
        """Of the points, moved to [0, 1]; of many of them means of neighbours."""
        ends = np.linspace(0, len(self.x), min(len(self.x), MOST_BINS) + 1).astype(int)
        w = np.add.reduceat(self.w, ends[:-1])
        x, y = (np.add.reduceat(self.w * v, ends[:-1]) / w for v in (self.x, self.y))
        x = (x - self.x[0]) / (self.x[-1] - self.x[0])
        size = float(np.ptp(y)) or 1.0
        return SplineFit(x.clip(0, 1), (y - y.min()) / size, w / w.sum(), self.norm)

    def _short(self, knots: np.ndarray) -> Pieces:
        """With as few decimals as the error allows; values fitted to short knots."""
        best = _through(knots, self._values(knots), MOST_PLACES)
        allowed = self.error_of(best).upper * (1 + NEAR)
        fine = _places(allowed * NEAR)
        coarse = _places(rational(float(np.diff(knots).min())))
        for places in range(coarse, MOST_PLACES):
            inner = [rounded(rational(float(k)), places) for k in knots[1:-1]]
            short = np.array([knots[0], *map(nearest_float, inner), knots[-1]])
            if (np.diff(short) > 0).all():
                found = _through(short, self._values(short), fine, inner)
                if self.error_of(found).upper <= allowed:
                    return found
        return best

    def _values(self, knots: np.ndarray) -> np.ndarray:
        """The best at given knots."""
        return best_values(self.x, self.y, self.w, knots, self.norm)

    def _with_jumps(self, starts: list[int]) -> Pieces:
        """A line for each run; knots in the middle of the gaps between them."""
        stops = [*starts[1:], len(self.x)]
        inner = [
            shortest_between(*(_between(self.x[k - 1], self.x[k], s) for s in GAP))
            for k in starts[1:]
        ]
        knots = [rational(float(self.x[0])), *inner, rational(float(self.x[-1]))]
        found = []
        for (a, b), i, j in zip(pairwise(knots), starts, stops, strict=True):
            left, right = self._line(slice(i, j), nearest_float(a), nearest_float(b))
            found.append(Piece(a, b, left, right))
        return found

    def _line(self, part: slice, a: float, b: float) -> tuple[fmpq, fmpq]:
        """Values at two places of the best line for some points."""
        x, y, w = self.x[part], self.y[part], self.w[part]
        if self.norm == "l1":
            line = line_of_sizes(x, y, w)
            start, level, slope = line.start, line.level, line.slope
        else:
            start, level = (float((w * v).sum() / w.sum()) for v in (x, y))
            spread = float((w * (x - start) ** 2).sum())
            rise = float((w * (x - start) * (y - level)).sum())
            slope = rise / spread if spread > 0 else 0.0
        left, right = (float(level + slope * (v - start)) for v in (a, b))
        return rational(left), rational(right)

    def error_of(self, pieces: Pieces) -> Enclosure:
        """The mean error of a table."""
        return mean_at_points(
            self.points.rows, self._numbers(pieces), _lines(pieces), self.norm
        )

    def _numbers(self, pieces: Pieces) -> np.ndarray:
        return pieces_at(self.x, [p.stop for p in pieces[:-1]])

    def table(
        self,
        pieces: Pieces,
        needed: int,
        accuracy: fmpq,
        asked: tuple[int | None, fmpq | None] = (None, None),
    ) -> PieceTable:
        """The record; errors of pieces are means over their own points."""
        rows, number, lines = self.points.rows, self._numbers(pieces), _lines(pieces)
        parts = [number == k for k in range(len(pieces))]
        errors = tuple(
            mean_at_points(rows[part], number[part], lines, self.norm) for part in parts
        )
        first, last = pieces[0].start, pieces[-1].stop
        what = "table with jumps" if self.jumps else "continuous table"
        return PieceTable(
            Room(self.points, Segment(first, last)),
            what,
            tuple(pieces),
            errors,
            needed,
            accuracy,
            self.error_of(pieces),
            *asked,
            self.norm,
        )


def _lines(pieces: Pieces) -> list[tuple[fmpq, fmpq, fmpq]]:
    """start, level and slope of each."""
    return [(p.start, p.left, p.slope) for p in pieces]


def _through(
    knots: np.ndarray, values: np.ndarray, places: int, inner: list[fmpq] | None = None
) -> Pieces:
    """Pieces through values with so many decimals."""
    x = [rational(float(k)) for k in knots]
    x[1:-1] = x[1:-1] if inner is None else inner
    y = [rounded(rational(float(v)), places) for v in values]
    ends = list(zip(x, y, strict=True))
    return [Piece(a, b, v, w) for (a, v), (b, w) in pairwise(ends)]


def _places(size: fmpq) -> int:
    """Decimals of which one is at most so large."""
    return -floor(log10(max(nearest_float(size), 1e-300)))


def _between(a: float, b: float, share: fmpq) -> fmpq:
    left, right = rational(float(a)), rational(float(b))
    return left + (right - left) * share


def _check_sizes(points: PointSet) -> None:
    """Refuse what float64 could not square.

    Raises:
        HypothesisError: says what to rescale.
    """
    x, y, w = np.abs(points.rows).T
    gaps = np.diff(points.x)
    if max(x.max(), y.max(), w.max()) > FARTHEST or (
        min(gaps.min(), w.min()) < 1 / FARTHEST
    ):
        raise HypothesisError(
            f"{points.words} include numbers beyond 1e100, weights below 1e-100, or "
            "points whose x are closer together than 1e-100; rescale them"
        )
