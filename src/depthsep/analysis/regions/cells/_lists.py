"""Lists of numbers by key: what belongs to each of many keys, all at once."""

from typing import NamedTuple

import numpy as np


class Lists(NamedTuple):
    """Values sorted by key."""

    keys: np.ndarray
    values: np.ndarray

    @staticmethod
    def of(keys: np.ndarray, values: np.ndarray) -> "Lists":
        """Of pairs in any order."""
        order = np.argsort(keys, kind="stable")
        return Lists(keys[order], values[order])

    def under(self, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The values of wanted keys, one list after another, and whose each is.

        The second are places in `wanted`.
        """
        first = np.searchsorted(self.keys, wanted)
        count = np.searchsorted(self.keys, wanted, side="right") - first
        step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        values = self.values[np.repeat(first, count) + step]
        return values, np.repeat(np.arange(len(wanted)), count)
