r"""Lines below and above what a layer's units compute, on intervals.

A line s z + t below or above sigma(z) for z in [l, u] is all that bounds of a network
need to know of its units. Slopes are floats; intercepts are rounded outwards.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from depthsep.analysis.bounds._balls import FLOOR, ROUND


class Lines(NamedTuple):
    """lower_slope z + lower <= sigma(z) <= upper_slope z + upper, (B, units) each."""

    lower_slope: np.ndarray
    lower: np.ndarray
    upper_slope: np.ndarray
    upper: np.ndarray


class AbstractUnits(ABC):
    """The units of a layer."""

    @abstractmethod
    def lines(self, low: np.ndarray, high: np.ndarray) -> Lines:
        """For preactivations between (B, units) floats."""

    def strips(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """slope, middle and reach: |sigma(z) - slope z - middle| <= reach there."""
        return _strips_between(self.lines(low, high), low, high)

    @abstractmethod
    def span(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the values themselves, (B, units)."""

    @abstractmethod
    def slopes(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of all difference quotients there, (B, units)."""


@dataclass(frozen=True)
class ReluUnits(AbstractUnits):
    """relu(z): the chord above; below it z or 0, whichever leaves the smaller area."""

    def lines(self, low: np.ndarray, high: np.ndarray) -> Lines:
        on, off = low >= 0, high <= 0
        open_ = ~(on | off)
        slope = np.where(on, 1.0, 0.0)
        width = np.where(open_, high - low, 1.0)
        upper_slope = np.where(open_, high / width, slope)
        at_low, at_high = -upper_slope * low, high - upper_slope * high
        size = np.abs(upper_slope * low) + np.abs(high)
        upper = np.where(open_, np.maximum(at_low, at_high) + ROUND * size + FLOOR, 0.0)
        lower_slope = np.where(open_ & (high > -low), 1.0, slope)
        return Lines(lower_slope, np.zeros_like(low), upper_slope, upper)

    def strips(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        _, _, slope, upper = self.lines(low, high)  # relu(z) >= slope z: it is convex
        return slope, upper / 2, upper / 2

    def span(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.maximum(low, 0.0), np.maximum(high, 0.0)

    def slopes(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        return (low >= 0).astype(np.float64), (high > 0).astype(np.float64)


@dataclass(frozen=True)
class ThresholdUnits(AbstractUnits):
    """1 for z >= 0, else 0: lines from the jump to the far end."""

    def lines(self, low: np.ndarray, high: np.ndarray) -> Lines:
        on, off = low >= 0, high < 0
        open_ = ~(on | off)
        constant = on.astype(np.float64)
        # z / u <= step(z) <= 1 - z / l; smaller slopes are as sound
        down = np.where(open_ & (high > 0), (1 - ROUND) / np.maximum(high, FLOOR), 0.0)
        up = np.where(open_, (1 - ROUND) / np.maximum(-low, FLOOR), 0.0)
        return Lines(down, np.where(open_, 0.0, constant), up, np.where(off, 0.0, 1.0))

    def span(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return (low >= 0).astype(np.float64), (high >= 0).astype(np.float64)

    def slopes(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        jumps = (low < 0) & (high >= 0)
        return np.zeros_like(low), np.where(jumps, np.inf, 0.0)


@dataclass(frozen=True)
class DifferenceUnits(AbstractUnits):
    """Pairs a, d to sigma(a), sigma(a + d) - sigma(a): units of two networks.

    The difference lies between the least and the greatest slope of sigma, times d. So
    what two near networks have in common cancels.
    """

    units: AbstractUnits

    def lines(self, low: np.ndarray, high: np.ndarray) -> Lines:
        half = low.shape[1] // 2
        own = self.units.lines(low[:, :half], high[:, :half])
        between = _lines_between(*self._quotients(low, high))
        return Lines(*_side_by_side(own, between))

    def strips(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        half = low.shape[1] // 2
        own = self.units.strips(low[:, :half], high[:, :half])
        between = _lines_between(*self._quotients(low, high))
        strips = _strips_between(between, low[:, half:], high[:, half:])
        slope, middle, reach = _side_by_side(own, strips)
        return slope, middle, reach

    def span(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        half = low.shape[1] // 2
        first = self.units.span(low[:, :half], high[:, :half])
        least, most, a, b = self._quotients(low, high)
        ends = np.stack([least * a, least * b, most * a, most * b])
        bottom = np.nan_to_num(ends, nan=-np.inf).min(0)
        top = np.nan_to_num(ends, nan=np.inf, posinf=np.inf).max(0)
        margin = ROUND * np.maximum(np.abs(bottom), np.abs(top)) + FLOOR
        return (
            np.concatenate([first[0], bottom - margin], axis=1),
            np.concatenate([first[1], top + margin], axis=1),
        )

    def slopes(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        raise NotImplementedError("slopes of a difference are not supported")

    def _quotients(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Bounds of the quotients, then those of d."""
        half = low.shape[1] // 2
        a, b, c, d = low[:, :half], high[:, :half], low[:, half:], high[:, half:]
        bottom, top = np.minimum(a, a + c), np.maximum(b, b + d)
        reach = ROUND * (np.abs(bottom) + np.abs(top)) + FLOOR
        exact = (c == 0) & (d == 0)
        bottom = np.where(exact, a, bottom - reach)
        top = np.where(exact, b, top + reach)
        return *self.units.slopes(bottom, top), c, d


def _side_by_side(
    left: tuple[np.ndarray, ...], right: tuple[np.ndarray, ...]
) -> Iterator[np.ndarray]:
    for pair in zip(left, right, strict=True):
        yield np.concatenate(pair, axis=1)


def _strips_between(
    lines: Lines, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Parallel lines around two lines, with their mean slope."""
    slope = lines.lower_slope / 2 + lines.upper_slope / 2
    up, down = lines.upper_slope - slope, lines.lower_slope - slope
    top = np.maximum(up * low, up * high) + lines.upper
    bottom = np.minimum(down * low, down * high) + lines.lower
    steep = np.abs(lines.lower_slope) + np.abs(lines.upper_slope)
    size = steep * np.maximum(np.abs(low), np.abs(high))
    size = size + np.abs(lines.upper) + np.abs(lines.lower)
    return slope, top / 2 + bottom / 2, top / 2 - bottom / 2 + ROUND * size + FLOOR


def _lines_between(
    least: np.ndarray, most: np.ndarray, low: np.ndarray, high: np.ndarray
) -> Lines:
    """Around all q d, q from `least` to `most`, for d in [low, high]."""
    right, left = low >= 0, high <= 0
    open_ = ~(right | left)
    width = np.where(open_, high - low, 1.0)
    # above: from (low, least low) to (high, most high); below: most and least swapped
    above = np.where(
        open_, (most * high - least * low) / width, np.where(right, most, least)
    )
    below = np.where(
        open_, (least * high - most * low) / width, np.where(right, least, most)
    )
    size = np.maximum(np.abs(least), np.abs(most)) * np.maximum(
        np.abs(low), np.abs(high)
    )
    margin = np.where(open_, ROUND * size + FLOOR, 0.0)
    upper = np.maximum(least * low - above * low, most * high - above * high) + margin
    lower = np.minimum(most * low - below * low, least * high - below * high) - margin
    return Lines(below, np.where(open_, lower, 0.0), above, np.where(open_, upper, 0.0))
