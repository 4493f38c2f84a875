"""Float64 balls, and how much of a result rounding may change."""

from typing import NamedTuple

import numpy as np

EPS = 2.0**-52
ROUND = 16 * EPS  # more than a few roundings of one size
GROW = 1 + 1e-9  # for rounding within sums of sizes
FLOOR = 1e-300
"""What an operation whose result is below 2^-1022 may be off by, and much more."""


class Ball(NamedTuple):
    """Numbers within a reach of a middle."""

    middle: np.ndarray
    reach: np.ndarray

    @staticmethod
    def of(low: np.ndarray, high: np.ndarray) -> "Ball":
        """What lies between two numbers."""
        middle = low / 2 + high / 2
        reach = (high / 2 - low / 2) * (1 + 4 * EPS) + ROUND * np.abs(middle) + FLOOR
        return Ball(middle, reach)

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the largest, rounded."""
        return self.middle - self.reach, self.middle + self.reach

    def times(self, least: np.ndarray, most: np.ndarray) -> "Ball":
        """All products with numbers between two; their rounding is counted, too."""
        low, high = self.ends
        products = np.stack([low * least, low * most, high * least, high * most])
        found = Ball.of(products.min(0), products.max(0))
        size = np.abs(self.middle) + self.reach
        off = ROUND * size * np.maximum(np.abs(least), np.abs(most))
        return Ball(found.middle, found.reach + off)


def known(bound: np.ndarray, otherwise: float) -> np.ndarray:
    """What is not a number is no bound."""
    return np.where(np.isnan(bound), otherwise, bound)
