"""The units of a search: [-1, 1]^d, and multiples of the accuracy."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from depthsep.constructions.search._weights import Weights
from depthsep.exact import nearest_float
from depthsep.networks import Network
from depthsep.problems import Problem


@dataclass(frozen=True, eq=False)
class Units:
    """Where a problem lives, in float64.

    Attributes:
        start, stop: ends of the sides, shape (d,).
        accuracy: the error allowed.
    """

    start: np.ndarray
    stop: np.ndarray
    accuracy: float

    @staticmethod
    def of(problem: Problem) -> "Units":
        """Of a problem on an interval or a box."""
        sides = problem.sides
        return Units(
            np.array([nearest_float(side.start) for side in sides]),
            np.array([nearest_float(side.stop) for side in sides]),
            nearest_float(problem.accuracy),
        )

    def target_of(self, problem: Problem) -> Callable[[np.ndarray], np.ndarray]:
        """The target over the accuracy, of points (n,), or (n, d) in d dimensions."""

        def f(t: np.ndarray) -> np.ndarray:
            x = self.start + (self.stop - self.start) * (t + 1) / 2
            x = np.clip(x, self.start, self.stop)
            with np.errstate(all="ignore"):
                return problem.target.floats(x).reshape(len(t)) / self.accuracy

        return f

    def inside(self, network: Network) -> Weights:
        """A network of the problem in the units of the search."""
        half = (self.stop - self.start) / 2
        weights = Weights.of(network).after(half, self.start + half)
        return weights.times(1 / self.accuracy)

    def outside(self, weights: Weights) -> Network:
        """The network of the problem that weights in the units of the search are."""
        there = weights.reading(self.start, self.stop)
        return there.times(self.accuracy).network()
