"""Cells of a box with both bounds of a mean over each, cut where most is open."""

from dataclasses import dataclass

import numpy as np

from depthsep.analysis.box.followed._affine_forms import (
    TINY,
    UNIT,
    Stages,
    boxes_to_forms,
)
from depthsep.analysis.box.followed._branch_and_bound import BATCH
from depthsep.analysis.box.followed._nodes import OpenNode
from depthsep.analysis.box.followed._taylor_model import LocalModel

THIN = 4  # sides this much shorter than others are not cut


@dataclass
class MeanCells:
    """Parts of one open node, with both bounds of a mean over each.

    Attributes:
        squared: whether the root of the mean square is bounded, not the mean.
        sides: (d,) of the whole box.
        low, high: (n, d) corners.
        below, above: (n,) bounds.
    """

    stages: Stages
    model: LocalModel
    squared: bool
    sides: np.ndarray
    low: np.ndarray
    high: np.ndarray
    below: np.ndarray
    above: np.ndarray

    @staticmethod
    def of(found: OpenNode, squared: bool, sides: np.ndarray) -> "MeanCells":
        """The node as one cell."""
        low, high = found.node.low[None], found.node.high[None]
        cells = MeanCells(
            found.stages, found.model, squared, sides, low, high, low[:, 0], low[:, 0]
        )
        cells.below, cells.above = cells.bounds(low, high)
        return cells

    @property
    def shares(self) -> np.ndarray:
        """Of the whole box; products of lengths themselves might underflow."""
        return np.prod((self.high - self.low) / self.sides, axis=1)

    def open(self, largest: float) -> np.ndarray:
        """Share times the distance of the two bounds, or of their squares."""
        width = self.shares * (self.above - self.below)
        return width * ((self.above + self.below) / largest) if self.squared else width

    def bounds(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, ...]:
        """Of the mean, or of the root of the mean square, over each box."""
        step = max(1, BATCH // (self.stages.widest * (low.shape[1] + 3)))
        below, above = np.empty(len(low)), np.empty(len(low))
        for at in range(0, len(low), step):
            part = slice(at, at + step)
            net = self.stages(boxes_to_forms(low[part], high[part]))
            found = self.model.differences(low[part], high[part], net)
            below[part], above[part] = _means(*found, self.squared)
        return below, above

    def cut(self, chosen: np.ndarray) -> None:
        """Halve boxes, each across the axis that leaves least open, no thin ones."""
        low, high = self.low[chosen], self.high[chosen]
        ways = [self._halved(low, high, axis) for axis in range(low.shape[1])]
        left = np.array([self._open_in_halves(*way[2:]) for way in ways])
        length = (high - low) / (self.model.reach + TINY)
        left[length.max(axis=1) > THIN * length.T] = np.inf
        axis, rows = left.argmin(axis=0), np.arange(len(low))
        both = np.concatenate([rows, rows + len(rows)]), np.tile(axis, 2)
        kept = (self.low, self.high, self.below, self.above)
        self.low, self.high, self.below, self.above = (
            np.concatenate([old[~chosen], np.stack(new)[both[1], both[0]]])
            for old, new in zip(kept, zip(*ways, strict=True), strict=True)
        )

    def _open_in_halves(self, below: np.ndarray, above: np.ndarray) -> np.ndarray:
        """What stays open in both halves of each box, up to its share."""
        width = np.nan_to_num(above - below, nan=np.inf).reshape(2, -1)
        if self.squared:
            width = width * (above + below).reshape(2, -1)
        return np.nan_to_num(width, nan=np.inf).sum(0)

    def _halved(
        self, low: np.ndarray, high: np.ndarray, axis: int
    ) -> tuple[np.ndarray, ...]:
        """Corners of all left halves, then all right ones; bounds on each."""
        starts, ends = np.concatenate([low, low]), np.concatenate([high, high])
        middle = (low[:, axis] + high[:, axis]) / 2
        ends[: len(low), axis] = middle
        starts[len(low) :, axis] = middle
        return starts, ends, *self.bounds(starts, ends)


def _means(
    centre: np.ndarray, slopes: np.ndarray, error: np.ndarray, squared: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the mean of |c + s t + r|, or of the root of its mean square.

    Squares are taken of shares of the largest term, so that none underflows.
    """
    size, reach = np.abs(centre), np.abs(slopes).sum(1)
    unit = size + reach + TINY
    squares = (centre / unit) ** 2 + ((slopes / unit[:, None]) ** 2).sum(1) / 3
    root = unit * np.sqrt(squares)
    slack = 8 * (slopes.shape[1] + 4) * UNIT * (size + reach)
    error = error + slack
    if squared:
        return np.maximum(root - error, 0.0), root + error
    above = np.where(size >= reach, size, root)
    return np.maximum(size - error, 0.0), above + error
