"""Lipschitz functions on a box: bumps over cubes, hats over simplices, cosines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.claims import Scope
from depthsep.constructions.box._partition_bounds import derivative_bounds
from depthsep.constructions.by_hand._cubes import cube_network
from depthsep.constructions.by_hand._fejer_korovkin import (
    fejer_korovkin_bound,
    universal_network,
)
from depthsep.constructions.by_hand._kuhn import kuhn_network
from depthsep.constructions.by_hand._statements import COSINES, CUBES, SIMPLICES
from depthsep.constructions.by_name._made import ROUNDING, AbstractMade, Made
from depthsep.exact import nearest_float, sqrt_upper, total
from depthsep.laws import Box
from depthsep.networks import Affine, Network, compose
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

MAX_DEGREE = 256


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
                "no bound of the first derivatives is found, which the theorem needs"
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


@dataclass(frozen=True)
class Cubes(AbstractMade):
    """A bump over every cube of a grid, as high as the function at the centre.

    Sharper than printed in the mean: centres in place of corners, and the exact
    integrals of what bumps miss.
    """

    statement = CUBES
    scope = Scope("serves l1 on a box only", AbstractBoxTarget, norms=("l1",))

    def made(self, problem: Problem) -> Made:
        cube = OnUnitCube.of(problem)
        half = problem.accuracy * ROUNDING / 2
        made = cube_network(cube.values, cube.dim, cube.lipschitz, half, "centre")
        return Made(cube.moved_back(made.network), problem.accuracy)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:sin(3*x1)*x2", norm="l1", accuracy="1/4")]


@dataclass(frozen=True)
class Simplices(AbstractMade):
    """The interpolant on Kuhn's triangulation, a sum of hats."""

    statement = SIMPLICES
    scope = Scope("serves functions on a box only", AbstractBoxTarget)

    def made(self, problem: Problem) -> Made:
        cube = OnUnitCube.of(problem)
        error = problem.accuracy * ROUNDING
        made = kuhn_network(cube.values, cube.dim, cube.lipschitz, error)
        return Made(cube.moved_back(made.network), problem.accuracy)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:sin(3*x1)*x2", accuracy="1/2")]


@dataclass(frozen=True)
class Cosines(AbstractMade):
    """Ridge cosines of a Fejer-Korovkin mean, each interpolated by ReLUs."""

    statement = COSINES
    scope = Scope("serves functions on a box only", AbstractBoxTarget)

    def made(self, problem: Problem) -> Made:
        cube = OnUnitCube.of(problem)
        error = problem.accuracy * ROUNDING
        degree = _degree(cube, 3 * error / 4)
        rest = error - _bound(cube, degree)
        made = universal_network(cube.values, cube.dim, degree, cube.lipschitz, rest)
        return Made(cube.moved_back(made.network), problem.accuracy)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:cos(x1)*x2", accuracy="1/2")]


def _bound(cube: OnUnitCube, degree: int) -> fmpq:
    return fejer_korovkin_bound(degree, cube.dim, cube.lipschitz).upper


def _degree(cube: OnUnitCube, error: fmpq) -> int:
    """The least degree of a mean within the error."""
    low, high = 0, 1
    while _bound(cube, high) > error:
        low, high = high, 2 * high
        if high > 2 * MAX_DEGREE:
            raise HypothesisError(
                f"a mean of degree above {MAX_DEGREE} is needed; choose a larger "
                "accuracy"
            )
    while high - low > 1:
        middle = (low + high) // 2
        enough = _bound(cube, middle) <= error
        low, high = (low, middle) if enough else (middle, high)
    return high
