"""A piecewise affine function on [0, 1], exactly and in floats."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep.approximation.distance._distance import Cell
from depthsep.exact import PiecewiseAffine, nearest_float


@dataclass(frozen=True, eq=False)
class UnitFunction:
    """Cells of f from left to right; they tile [0, 1]."""

    cells: tuple[Cell, ...]

    @staticmethod
    def of(cells: list[Cell], middle: fmpq, scale: fmpq) -> "UnitFunction":
        """Any cells, moved to [0, 1]; `middle` becomes 0, and `scale` 1."""
        start, length = cells[0].start, cells[-1].stop - cells[0].start
        moved = []
        for c in cells:
            slope = c.slope * length / scale
            level = (c.slope * start + c.level - middle) / scale
            a, b = (c.start - start) / length, (c.stop - start) / length
            moved.append(Cell(a, b, slope, level))
        return UnitFunction(tuple(moved))

    def on(self, start: fmpq, stop: fmpq) -> Iterator[Cell]:
        """The parts of its cells in an interval."""
        for k in range(max(0, bisect_right(self._starts, start) - 1), len(self.cells)):
            c = self.cells[k]
            if c.start >= stop:
                break
            a, b = max(c.start, start), min(c.stop, stop)
            if a < b:
                yield Cell(a, b, c.slope, c.level)

    @cached_property
    def _starts(self) -> list[fmpq]:
        return [c.start for c in self.cells]

    @cached_property
    def function(self) -> PiecewiseAffine:
        """The same with values at every knot; where it jumps, the one on the left."""
        knots, values = [self.cells[0].start], [self.cells[0].level]
        for left, right in pairwise(self.cells):
            x = left.stop
            low, high = (c.slope * x + c.level for c in (left, right))
            knots += [x] if low == high else [x] * 3
            values += [low] if low == high else [low, low, high]
        last = self.cells[-1]
        end = last.slope * last.stop + last.level
        return PiecewiseAffine.through([*knots, last.stop], [*values, end])

    @property
    def float_knots(self) -> np.ndarray:
        """The inner ends of its cells in float64."""
        return self._floats[0]

    @cached_property
    def _floats(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        ends = [nearest_float(c.start) for c in self.cells[1:]]
        slopes = [nearest_float(c.slope) for c in self.cells]
        levels = [nearest_float(c.level) for c in self.cells]
        return np.array(ends), np.array(slopes), np.array(levels)

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Values in float64."""
        ends, slopes, levels = self._floats
        k = np.searchsorted(ends, x, "right")
        return slopes[k] * x + levels[k]
