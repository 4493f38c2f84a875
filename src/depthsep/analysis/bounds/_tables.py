r"""Smooth activations in float64: values, slopes and bends from tables, enclosed.

R is cut into cells, small ones near 0. Balls give the value and two derivatives at the
middle of a cell, and ranges of three derivatives all over it. Between, Taylor's formula
holds the value; ranges over many cells come from a table of ranges over 2^k cells.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from flint import arb

from depthsep.analysis.bounds._balls import EPS, FLOOR, ROUND
from depthsep.analysis.bounds._units import AbstractUnits, Lines
from depthsep.exact import upper_float
from depthsep.networks import Activation
from depthsep.networks import derivatives as activation_derivatives

NEAR, STEP = 16, 2.0**-7
FAR, LONG_STEP = 128, 2.0**-5  # cells up to here, for those that do not flatten out
BENT = ("exp", "sin", "cos")
FARTHEST = 2.0**40
RATIO = 1.05  # of neighbouring cells farther out
PARTS = 8  # of an interval, on each of which the distance from a line is bounded


@dataclass(frozen=True, eq=False)
class Ranges:
    """Least and greatest of numbers on any run of cells, by runs of 2^k."""

    low: list[np.ndarray]
    high: list[np.ndarray]

    @staticmethod
    def of(low: np.ndarray, high: np.ndarray) -> "Ranges":
        """From those of single cells."""
        lows, highs = [low], [high]
        for k in range(len(low).bit_length() - 1):
            half = 1 << k
            lows.append(np.minimum(lows[-1][:-half], lows[-1][half:]))
            highs.append(np.maximum(highs[-1][:-half], highs[-1][half:]))
        return Ranges(lows, highs)

    def over(
        self, first: np.ndarray, last: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Over cells first, ..., last."""
        level = np.frexp((last - first + 1).astype(np.float64))[1] - 1
        low, high = np.empty(first.shape), np.empty(first.shape)
        for k in np.unique(level):
            at = level == k
            a, b = first[at], last[at] - (1 << int(k)) + 1
            low[at] = np.minimum(self.low[k][a], self.low[k][b])
            high[at] = np.maximum(self.high[k][a], self.high[k][b])
        return low, high


@dataclass(frozen=True, eq=False)
class TableUnits(AbstractUnits):
    """Units of a smooth activation.

    Attributes:
        edges: of the cells, increasing; beyond them nothing is known.
        middle: of each cell; `taylor` the value and two derivatives there, `doubt`
            how far those floats are off, with the third derivative's share.
        third: bounds of the third derivative on each cell, below and above.
        values, firsts, seconds: ranges of the function and two derivatives.
    """

    edges: np.ndarray
    middle: np.ndarray
    taylor: np.ndarray
    doubt: np.ndarray
    third: tuple[np.ndarray, np.ndarray]
    values: Ranges
    firsts: Ranges
    seconds: Ranges

    def at(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values at floats, and how far they may be off."""
        cell = self._cell(z)
        t = z - self.middle[cell]
        with np.errstate(all="ignore"):
            low, high = self.third[0][cell], self.third[1][cell]
            value = self.taylor[0][cell] + t * (
                self.taylor[1][cell]
                + t * (self.taylor[2][cell] / 2 + t * (low + high) / 12)
            )
            error = np.abs(t) ** 3 * (high - low) / 12 + self.doubt[cell]
            error = error + ROUND * np.abs(value) + FLOOR
        outside = (z < self.edges[0]) | (z > self.edges[-1]) | ~np.isfinite(value)
        return np.where(outside, 0.0, value), np.where(outside, np.inf, error)

    def slope_at(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Slopes at floats, and how far they may be off."""
        cell = self._cell(z)
        t = z - self.middle[cell]
        with np.errstate(all="ignore"):
            low, high = self.third[0][cell], self.third[1][cell]
            inner = self.taylor[2][cell] + t * (low + high) / 4
            value = self.taylor[1][cell] + t * inner
            sides = self.edges[1:][cell] - self.edges[:-1][cell]
            error = t * t * (high - low) / 4 + 2 * self.doubt[cell] / sides
            size = np.abs(self.taylor[1][cell]) + np.abs(t * inner)
            error = error + ROUND * size + FLOOR
        outside = (z < self.edges[0]) | (z > self.edges[-1]) | ~np.isfinite(value)
        return np.where(outside, 0.0, value), np.where(outside, np.inf, error)

    def lines(self, low: np.ndarray, high: np.ndarray) -> Lines:
        """Two lines of one slope, that of the chord; what lies between is bounded."""
        with np.errstate(all="ignore"):
            ticks = np.linspace(low, high, PARTS + 1)
            ticks[0], ticks[-1] = low, high
            values, errors = self.at(ticks)
            width = high - low
            chord = (values[-1] - values[0]) / width
            first = self.firsts.over(*self._cells(low, high))
            slope = np.clip(chord, *first)
            slope = np.where(np.isfinite(slope), slope, 0.0)
            bends = self.seconds.over(*self._cells(ticks[:-1], ticks[1:]))
            off = values - slope * ticks
            doubt = errors + ROUND * (np.abs(values) + np.abs(slope * ticks)) + FLOOR
            bulge = (1 + ROUND) * np.diff(ticks, axis=0) ** 2 / 8
            # sigma - line is its chord minus sigma'' (z - a) (b - z) / 2
            top = np.maximum(off[:-1] + doubt[:-1], off[1:] + doubt[1:])
            bottom = np.minimum(off[:-1] - doubt[:-1], off[1:] - doubt[1:])
            upper = (top + bulge * np.maximum(0.0, -bends[0])).max(0)
            lower = (bottom - bulge * np.maximum(0.0, bends[1])).min(0)
            lines = Lines(slope, lower, slope, upper)
            return self._flat_where_better(lines, low, high)

    def span(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By cells, or from the middle by the steepest slope."""
        cells = self._cells(low, high)
        least, most = self.values.over(*cells)
        value, error = self.at(low / 2 + high / 2)
        return _sharpened(
            least, most, value, error, low, high, self.firsts.over(*cells)
        )

    def slopes(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """By cells, or from the middle by the largest second derivative."""
        cells = self._cells(low, high)
        least, most = self.firsts.over(*cells)
        value, error = self.slope_at(low / 2 + high / 2)
        bends = self.seconds.over(*cells)
        return _sharpened(least, most, value, error, low, high, bends)

    def bends(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the second derivative there."""
        return self.seconds.over(*self._cells(low, high))

    def _flat_where_better(
        self, lines: Lines, low: np.ndarray, high: np.ndarray
    ) -> Lines:
        """Constants in place of lines that leave a larger area."""
        least, most = self.span(low, high)
        middle = (low + high) / 2
        up = ~(lines.upper_slope * middle + lines.upper <= most)
        down = ~(lines.lower_slope * middle + lines.lower >= least)
        return Lines(
            np.where(down, 0.0, lines.lower_slope),
            np.where(down, least, lines.lower),
            np.where(up, 0.0, lines.upper_slope),
            np.where(up, most, lines.upper),
        )

    def _cell(self, z: np.ndarray) -> np.ndarray:
        found = np.searchsorted(self.edges, z, side="right") - 1
        return found.clip(0, len(self.middle) - 1)

    def _cells(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """First and last cell; the last two are endless."""
        count = len(self.edges) - 1
        first = np.searchsorted(self.edges, low, side="right") - 1
        last = np.searchsorted(self.edges, high, side="left") - 1
        below, above = low < self.edges[0], high > self.edges[-1]
        first = np.where(below, count, first.clip(0, count - 1))
        last = np.where(below | above, count, last.clip(0, count - 1))
        return np.minimum(first, last), np.maximum(first, last)


def _sharpened(
    least: np.ndarray,
    most: np.ndarray,
    value: np.ndarray,
    error: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    steep: tuple[np.ndarray, np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of a function, and those that its derivative gives around a middle."""
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(steep[0]), np.abs(steep[1]))
        half = (high - low) * (0.5 + ROUND) + ROUND * np.maximum(
            np.abs(low), np.abs(high)
        )
        reach = np.where(half > 0, size * half, 0.0) * (1 + ROUND) + error
        reach = reach + ROUND * np.abs(value)
        return np.fmax(least, value - reach), np.fmin(most, value + reach)


@lru_cache(maxsize=16)
def table_units(activation: Activation) -> TableUnits:
    """The table of a smooth activation, made once.

    Raises:
        HypothesisError: an activation whose derivatives are not known.
    """
    edges = _edges(FAR if activation.name in BENT else NEAR)
    middle = (edges[:-1] + edges[1:]) / 2
    count = len(middle)
    taylor, doubt = np.empty((3, count)), np.empty(count)
    ranges = np.empty((4, 2, count + 1))
    ranges[:, 0, count], ranges[:, 1, count] = -np.inf, np.inf  # beyond all cells
    reaches = np.maximum(edges[1:] - middle, middle - edges[:-1])
    for k, (m, reach) in enumerate(zip(middle, reaches, strict=True)):
        for j, ball in enumerate(activation_derivatives(activation, arb(m), 2)):
            taylor[j, k] = _near(ball)
            off = abs(ball - arb(taylor[j, k])) * arb(reach) ** j
            doubt[k] = (doubt[k] if j else 0.0) + upper_float(off)
        whole = arb(m, reach * (1 + EPS))
        for j, ball in enumerate(activation_derivatives(activation, whole, 3)):
            ranges[j, :, k] = -upper_float(-ball), upper_float(ball)
    _sharpen(ranges[:, :, :count], taylor, doubt, reaches)
    return TableUnits(
        edges,
        middle,
        taylor,
        doubt * (1 + ROUND),
        (ranges[3, 0, :count], ranges[3, 1, :count]),
        *(Ranges.of(ranges[j, 0], ranges[j, 1]) for j in range(3)),
    )


def _edges(far: int) -> np.ndarray:
    """Of cells: by STEP up to NEAR, by LONG_STEP up to `far`, then growing by RATIO."""
    near = np.arange(-NEAR, NEAR + STEP / 2, STEP)
    between = np.arange(NEAR + LONG_STEP, far + LONG_STEP / 2, LONG_STEP)
    count = int(np.ceil(np.log(FARTHEST / far) / np.log(RATIO)))
    beyond = np.concatenate([between, far * RATIO ** np.arange(1, count)])
    return np.concatenate([-beyond[::-1], near, beyond])


def _sharpen(
    ranges: np.ndarray, taylor: np.ndarray, doubt: np.ndarray, reach: np.ndarray
) -> None:
    """Ranges of a function from the middles and its derivative's range, where better.

    Shapes: ranges (4, 2, cells), taylor (3, cells), doubt and reach (cells,).
    """
    for j in (2, 1, 0):
        steep = np.abs(ranges[j + 1]).max(axis=0) * reach
        margin = (steep + doubt / reach**j) * (1 + ROUND) + ROUND * np.abs(taylor[j])
        known = np.isfinite(margin)
        margin = np.where(known, margin, 0.0)
        low, high = taylor[j] - margin - FLOOR, taylor[j] + margin + FLOOR
        ranges[j, 0] = np.where(known, np.maximum(ranges[j, 0], low), ranges[j, 0])
        ranges[j, 1] = np.where(known, np.minimum(ranges[j, 1], high), ranges[j, 1])


def _near(ball: arb) -> float:
    return float(ball.mid()) if ball.is_finite() else 0.0
