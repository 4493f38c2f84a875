"""A combination of outputs as a function on boxes: its largest value is searched."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from depthsep.analysis.bounds._backward import bounds_on
from depthsep.analysis.bounds._followed import Followed
from depthsep.analysis.bounds._search import (
    AbstractBounded,
    OnBoxes,
)

Floats = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Combination(AbstractBounded):
    """combination . network(x), bounded backwards.

    Attributes:
        floats: the network at (m, n) points, near.
        combination: (outputs,).
    """

    net: Followed
    floats: Floats
    combination: np.ndarray

    def on_few(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        found = bounds_on(self.net, low, high, self.combination[None])
        slopes = np.nan_to_num(found.slopes)
        points = np.where(slopes[:, 1] > 0, high, low)
        scores = np.abs(slopes).sum(1) * (high - low)
        return OnBoxes(found.high[:, 0], scores, points)

    def at(self, points: np.ndarray) -> np.ndarray:
        return self.floats(points) @ self.combination
