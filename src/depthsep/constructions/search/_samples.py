"""What a search looks at: a target, over the accuracy, at some points."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from depthsep.constructions.search._weights import Weights


@dataclass(frozen=True, eq=False)
class Samples(ABC):
    """A target on [-1, 1]^d, over the accuracy: errors are to be below 1.

    Attributes:
        grid: points, shape (n,) in one dimension and (n, d) in more.
        norm: linf, l1 or l2; the mean is over [-1, 1]^d.
        f: the target's values at such points.
    """

    grid: np.ndarray
    norm: str
    f: Callable[[np.ndarray], np.ndarray]

    @cached_property
    def values(self) -> np.ndarray:
        """At the grid."""
        return self.f(self.grid)

    @cached_property
    def shares(self) -> np.ndarray:
        """How much each point of the grid counts; the sum is 1."""
        return np.full(len(self.grid), 1 / len(self.grid))

    @abstractmethod
    def thinned(self, left_out: int) -> "Samples":
        """With so many points of the grid left out for each one kept."""

    @abstractmethod
    def error(self, weights: Weights) -> float:
        """In the norm, of the accuracy; infinite where it is not a number."""

    @abstractmethod
    def peaks(self, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
        """Points where the error is large, and the network less the target there."""
