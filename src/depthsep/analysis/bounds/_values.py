"""The largest of some combinations of outputs, as a function on boxes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from depthsep.analysis.bounds._backward import bounds_on
from depthsep.analysis.bounds._followed import Followed
from depthsep.analysis.bounds._forward import forms_on
from depthsep.analysis.bounds._search import AbstractBounded, OnBoxes

Floats = Callable[[np.ndarray], np.ndarray]
MOST_TRIED = 6  # axes


@dataclass(frozen=True, eq=False)
class Combinations(AbstractBounded):
    """max_k rows[k] . network(x), bounded backwards; ways to cut a box forwards.

    Attributes:
        floats: the network at (m, n) points, near.
        rows: (k, outputs).
    """

    net: Followed  # pyrefly: ignore[bad-override] (frozen)
    floats: Floats
    rows: np.ndarray

    @property
    def tries(self) -> bool:
        return 1 < self.net.in_dim <= MOST_TRIED

    def on_few(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        found = bounds_on(self.net, low, high, self.rows)
        best, each = found.high.argmax(1), np.arange(len(low))
        slopes = np.nan_to_num(found.slopes)
        below, above = slopes[each, best], slopes[each, len(self.rows) + best]
        points = np.where(above > 0, high, low)
        scores = (np.abs(below) + np.abs(above)) * (high - low)
        return OnBoxes(found.high[each, best], scores, points)

    def above(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        _, form = forms_on(self.net, low, high)
        return form.combined(self.rows).ends[1].max(1)

    def at(self, points: np.ndarray) -> np.ndarray:
        return (self.floats(points) @ self.rows.T).max(1)
