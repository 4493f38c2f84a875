r"""What the chord argument costs: K H^2 / 8 for each inner end of a piece.

With d >= |h' - p'| at the moving end, p the best line: K = d in l1 and d^2 l / 8 in l2,
l the length of the piece (see `_best_error`). Where h is convex or concave around the
piece, p' grows (falls) with both of its ends, so it lies between the slopes for the
pieces a cell before and a cell after; elsewhere between the slopes of h.

Under weights, K = w d in l1 with the weight w of the cell, and d^2 / (2 k) in l2 with k
as in `_yield` (docs/proofs/pieces-in-mean.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from depthsep.approximation.mean._grid_function import GridFunction

MARGIN = 2.0**-44  # of rounding, in slopes: 2**9 times as much as it can be
EARLY = 2.0**-27  # of a piece: how far from where they should its signs change


@dataclass(frozen=True, eq=False)
class Diagonal:
    """All pieces with the same number of cells, by their first knot.

    Attributes:
        costs: -1 where they were not needed.
        slopes: of the best lines, as far as `Costs` knows them; NaN elsewhere.
    """

    costs: np.ndarray
    slopes: np.ndarray


@dataclass(frozen=True, eq=False)
class Drops:
    """K H^2 / 8 for the inner ends of pieces, rounded up."""

    h: GridFunction
    power: int
    diagonals: Sequence[Diagonal]

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
        if self.power == 1:
            bend = d * self._weights[cell]
        else:
            moves = self._weights[cell] > 0  # else nothing is added to the cost
            bend = np.where(moves, d * d * self._yield(cell, first, stop) / 2, 0.0)
        return bend * gap * gap / 8

    @cached_property
    def _weights(self) -> np.ndarray:
        """Of the cells, in floats."""
        given = self.h.weights
        return np.ones(len(self.h.gaps)) if given is None else given.astype(float)

    def _yield(
        self, cell: np.ndarray, first: np.ndarray, stop: np.ndarray
    ) -> np.ndarray:
        """1 / k: how little the best line follows what is added at an end in a cell.

        A quarter of the length without weights. With them, at a distance t from the
        mean of the piece: W v / (v + t^2), of the mass W and the variance v.
        """
        x = self.h.places
        if self.h.weights is None:
            return (x[stop] - x[first]) / 4
        mass, mean, square = (m[stop] - m[first] for m in self._moments)
        some = np.where(mass > 0, mass, 1.0)
        middle = mean / some
        spread = np.maximum(square / some - middle**2, 0) + MARGIN
        ends = np.abs([x[cell] - middle, x[cell + 1] - middle])
        outside = (x[cell] > middle) == (x[cell + 1] > middle)
        away = np.where(outside, ends.min(axis=0) - MARGIN, 0.0).clip(0)
        return mass * (1 + MARGIN) * spread / (spread + away**2)

    @cached_property
    def _moments(self) -> list[np.ndarray]:
        """Mass, first and second moment up to each knot."""
        x, w = self.h.places, self._weights * np.diff(self.h.places)
        s, t = x[:-1], x[1:]
        parts = (w, w * (s + t) / 2, w * (s * s + s * t + t * t) / 3)
        return [np.concatenate([[0.0], np.cumsum(part)]) for part in parts]

    @cached_property
    def _height(self) -> float:
        return float(self._heights.max() - self._heights.min()) * (1 + MARGIN)

    @cached_property
    def _heights(self) -> np.ndarray:
        return (self.h.values - self.h.values[0]).astype(float)

    def _between(
        self, i: np.ndarray, first: np.ndarray, stop: np.ndarray, width: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Bounds on p' for all pieces whose ends are in the cells beside the knots."""
        rising, falling = self.h.monotone_until
        low, high = self._ranges(first, stop)
        last = len(self.h.places) - 1
        off = self._rounding(first, stop, low, high)
        before = self._slope(first, i + width - 1 - first)
        after = self._slope(np.minimum(i + 1, last), stop - i - 1)
        for until, a, b in ((rising, before, after), (falling, after, before)):
            good = (until[first] >= stop - 1) & np.isfinite(before + after)
            low, high = np.where(good, a - off, low), np.where(good, b + off, high)
        return low, high

    def _rounding(
        self, first: np.ndarray, stop: np.ndarray, low: np.ndarray, high: np.ndarray
    ) -> np.ndarray:
        """By how much the slopes of best lines may be off, in floats.

        By the rounding of h over the shortest piece; under weights also by what the
        signs change too early or too late, as a share of the slopes in between.
        """
        x, last = self.h.places, len(self.h.places) - 1
        inner = x[np.maximum(stop - 1, 0)] - x[np.minimum(first + 1, last)]
        length = np.where(inner > 0, inner, 1.0)
        slope = np.maximum(np.abs(low), np.abs(high))
        if self.h.weights is None:
            return MARGIN * (self._height / length + slope)
        size = np.abs(self._heights[first]) + slope * (x[stop] - x[first])
        return MARGIN * (size / length + slope) + EARLY * (high - low)

    def _slope(self, start: np.ndarray, width: np.ndarray) -> np.ndarray:
        """Of the best lines of these pieces; NaN where they are not known."""
        known = (width > 0) & (width <= len(self.diagonals))
        at = np.where(known, width, 1)
        return np.where(known, self._slopes[at - 1, start], np.nan)

    @cached_property
    def _slopes(self) -> np.ndarray:
        return np.array([diagonal.slopes for diagonal in self.diagonals])

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
