r"""What the chord argument costs: K H^2 / 8 for each inner end of a piece.

With d >= |h' - p'| at the moving end, p the best line: K = d in l1 and d^2 l / 8 in l2,
l the length of the piece (see `_best_error`). Where h is convex or concave around the
piece, p' grows (falls) with both of its ends, so it lies between the slopes for the
pieces a cell before and a cell after; elsewhere between the slopes of h.

Under weights there are other K, see `bend` of the costs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from depthsep.approximation.mean._grid_function import GridFunction
from depthsep.approximation.mean._weighted_costs import Costs


@dataclass(frozen=True, eq=False)
class Diagonal:
    """All pieces with the same number of cells, by their first knot.

    Attributes:
        costs: -1 where they were not needed.
        slopes, off: of the best lines, as in `Priced`; NaN where they are not known.
    """

    costs: np.ndarray
    slopes: np.ndarray
    off: np.ndarray


@dataclass(frozen=True, eq=False)
class Drops:
    """K H^2 / 8 for the inner ends of pieces, rounded up."""

    costs: Costs
    diagonals: Sequence[Diagonal]

    @property
    def h(self) -> GridFunction:
        """The interpolant."""
        return self.costs.h

    def of(self, i: np.ndarray, width: int) -> np.ndarray:
        """Of the pieces from knots i over so many cells, in the units of h."""
        j, last = i + width, len(self.h.places) - 1
        first, stop = np.maximum(i - 1, 0), np.minimum(j + 1, last)
        low, high = self._between(i, first, stop, width)
        total = np.zeros(len(i))
        for end in (i, j):
            # the end was in the cell before it, or in the one behind
            cells = np.maximum(end - 1, 0), np.minimum(end, last - 1)
            paid = [self._dip(cell, low, high, first, stop) for cell in cells]
            total += np.maximum(*paid)
        # per length of the interval, as costs are integrals over `unit`
        return total * self.h.unit * (1 + 2.0**-30)

    def _dip(
        self,
        cell: np.ndarray,
        low: np.ndarray,
        high: np.ndarray,
        first: np.ndarray,
        stop: np.ndarray,
    ) -> np.ndarray:
        """K H^2 / 8 of a cell when p' is between these bounds."""
        slope, gap = self.h.slopes[cell], np.diff(self.h.places)[cell]
        d = np.maximum(slope - low, high - slope)
        return self.costs.bend(cell, d, first, stop) * gap * gap / 8

    def _between(
        self, i: np.ndarray, first: np.ndarray, stop: np.ndarray, width: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Bounds on p' for all pieces whose ends are in the cells beside the knots."""
        rising, falling = self.h.monotone_until
        low, high = self._ranges(first, stop)
        last = len(self.h.places) - 1
        before = self._lines(first, i + width - 1 - first)
        after = self._lines(np.minimum(i + 1, last), stop - i - 1)
        for until, a, b in ((rising, before, after), (falling, after, before)):
            least, most = a[0] - a[1], b[0] + b[1]
            good = (until[first] >= stop - 1) & np.isfinite(least + most)
            low, high = np.where(good, least, low), np.where(good, most, high)
        return low, high

    def _lines(
        self, start: np.ndarray, width: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Slopes of the best lines of these pieces, and by how much they may be off."""
        known = (width > 0) & (width <= len(self.diagonals))
        at = np.where(known, width, 1) - 1
        slopes, off = (np.where(known, a[at, start], np.nan) for a in self._arrays)
        return slopes, off

    @cached_property
    def _arrays(self) -> tuple[np.ndarray, np.ndarray]:
        slopes = np.array([diagonal.slopes for diagonal in self.diagonals])
        return slopes, np.array([diagonal.off for diagonal in self.diagonals])

    def _ranges(
        self, first: np.ndarray, stop: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The least and the largest slope of the cells between two knots."""
        least, most = self._tables
        level = np.frexp((stop - first).astype(float))[1] - 1
        back = stop - (1 << level)
        return (
            np.minimum(least[level, first], least[level, back]),
            np.maximum(most[level, first], most[level, back]),
        )

    @cached_property
    def _tables(self) -> tuple[np.ndarray, np.ndarray]:
        """Extremes of 1, 2, 4, ... slopes in a row."""
        least, most = [self.h.slopes], [self.h.slopes]
        step = 1
        while 2 * step <= len(self.h.slopes):
            pad = [np.nan] * step
            least.append(
                np.append(np.minimum(least[-1][:-step], least[-1][step:]), pad)
            )
            most.append(np.append(np.maximum(most[-1][:-step], most[-1][step:]), pad))
            step *= 2
        return np.array(least), np.array(most)
