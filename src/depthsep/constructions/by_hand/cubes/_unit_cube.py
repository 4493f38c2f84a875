"""A function on a box, moved to the unit cube."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.constructions.box._partition_bounds import derivative_bounds
from depthsep.exact import nearest_float, sqrt_upper, total
from depthsep.laws import Box
from depthsep.networks import Affine, Network, compose
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget


@dataclass(frozen=True)
class OnUnitCube:
    """A target moved to [0, 1]^d, Lipschitz there with respect to l2."""

    target: AbstractBoxTarget
    box: Box
    lipschitz: fmpq

    @staticmethod
    def of(problem: Problem) -> "OnUnitCube":
        """Its Lipschitz constant from enclosed derivatives.

        Raises:
            HypothesisError: no bound of them is found, as across a kink.
        """
        target, box = problem.target_as(AbstractBoxTarget), problem.law.box
        bounds = derivative_bounds(target.as_formula(), box, 1)
        if bounds is None:
            raise HypothesisError(
                "no bound was found for the first derivatives of the "
                "target; the theorem needs one"
            )
        squares = total(bound**2 for bound in bounds.values())
        return OnUnitCube(target, box, sqrt_upper(squares) if squares else fmpq(0))

    @property
    def dim(self) -> int:
        """Inputs."""
        return self.target.in_dim

    def values(self, x: np.ndarray) -> np.ndarray:
        """(n, d) points of the unit cube to (n,) values."""
        start = np.array([nearest_float(v) for v in self.box.starts])
        stop = np.array([nearest_float(v) for v in self.box.stops])
        return self.target.floats(start * (1 - x) + stop * x)

    def moved_back(self, network: Network) -> Network:
        """A network on the unit cube as one on the box."""
        scales = [1 / side.length for side in self.box.sides]
        weight = [
            [s if i == k else 0 for k in range(self.dim)] for i, s in enumerate(scales)
        ]
        bias = [-a * s for a, s in zip(self.box.starts, scales, strict=True)]
        return compose(network, Network([Affine(weight, bias)]))
