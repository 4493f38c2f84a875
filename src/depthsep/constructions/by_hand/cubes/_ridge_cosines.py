r"""Universal approximation as an algorithm, for continuous functions on [0, 1]^d.

Ridge cosines of a Fejer-Korovkin mean, each interpolated by ReLUs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import Scope
from depthsep.constructions.by_hand._made import ROUNDING, AbstractMade, Made
from depthsep.constructions.by_hand.cubes._fejer_korovkin import (
    COSINES,
    Values,
    cosine_coefficients,
    fejer_korovkin_bound,
    ridge_cosines,
)
from depthsep.constructions.by_hand.cubes._unit_cube import OnUnitCube
from depthsep.evidence import Enclosure
from depthsep.exact import ball_upper, rational, total
from depthsep.networks import COS, Affine, Network
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

PRECISION = 128
MAX_UNITS = 1 << 20
MAX_DEGREE = 256


@dataclass(frozen=True)
class UniversalNetwork:
    """A network of one hidden layer with a bound on its sup error on [0, 1]^d.

    The bound is of the exact weights; float64 coefficients add rounding, so `sampled`
    at the level of 1e-12 of sum |c|.

    Attributes:
        mean_error: rho sqrt(d) sin(pi / (2 n + 4)).
        cosine_error: what replacing the cosines adds.
    """

    network: Network
    mean_error: Enclosure
    cosine_error: fmpq
    ridges: int


def universal_network(
    values: Values, dim: int, degree: int, lipschitz: object, tolerance: object
) -> UniversalNetwork:
    r"""ReLUs: cos(pi r) interpolated with step h = sqrt(8 delta / |c|_1) / pi.

    The sup error is at most rho sqrt(d) sin(pi / (2 n + 4)) + delta.

    Args:
        values: (m, d) points to (m,) values, for a rho-Lipschitz function (l2).
        tolerance: delta.

    Raises:
        TooLargeError: more than 2^20 units.

    Source:
        Telgarsky (2023), Theorem 2.5, made an algorithm; its step from exponentials to
        other activations rests on density in one dimension, which is not proved there.
    """
    mean_error = fejer_korovkin_bound(degree, dim, lipschitz)
    directions, weights = ridge_cosines(cosine_coefficients(values, dim, degree))
    step = _step(weights, rational(tolerance, name="the tolerance"))
    counts = [_pieces(w, step) for w in directions]
    if sum(counts) > MAX_UNITS:
        raise TooLargeError(
            f"{sum(counts)} units are needed; at most {MAX_UNITS} are built. Allow a "
            "larger error (tolerance) or choose a smaller degree"
        )
    network = _interpolated(directions, weights, counts)
    return UniversalNetwork(network, mean_error, rational(tolerance), len(weights))


def cosine_network(directions: np.ndarray, weights: np.ndarray) -> Network:
    """The sum of ridge cosines as it stands: one unit of activation cos for each."""
    first = Affine(pi * directions.astype(float), np.zeros(len(directions)))
    return Network([first, Affine(weights[None, :], np.zeros(1))], [COS])


def _range(direction: np.ndarray) -> tuple[float, float]:
    return float(np.minimum(direction, 0).sum()), float(np.maximum(direction, 0).sum())


def _step(weights: np.ndarray, tolerance: fmpq) -> fmpq:
    """A rational just below sqrt(8 delta / |c|_1) / pi."""
    if tolerance <= 0:
        raise HypothesisError(f"the tolerance is {tolerance}; it must be positive")
    size = total(abs(rational(float(c))) for c in weights) or fmpq(1)
    with ctx.workprec(PRECISION):
        return -ball_upper(-(arb(8 * tolerance / size).sqrt() / arb.pi()))


def _pieces(direction: np.ndarray, step: fmpq) -> int:
    """Interpolation pieces over the range of direction . x, counted in rationals."""
    return int((fmpq(int(np.abs(direction).sum())) / step).ceil())


def _interpolated(
    directions: np.ndarray, weights: np.ndarray, counts: Sequence[int]
) -> Network:
    rows, offsets, outer, constant = [], [], [], 0.0
    for w, c, count in zip(directions, weights, counts, strict=True):
        low, high = _range(w)
        constant += c * np.cos(pi * low)
        if not count:
            continue
        knots = np.linspace(low, high, count + 1)
        slopes = np.diff(np.cos(pi * knots)) / np.diff(knots)
        rows.append(np.tile(w.astype(float), (count, 1)))
        offsets.append(-knots[:-1])
        outer.append(c * np.diff(slopes, prepend=0.0))
    if not rows:
        return Network([Affine(np.zeros((1, directions.shape[1])), [constant])])
    first = Affine(np.concatenate(rows), np.concatenate(offsets))
    last = Affine(np.concatenate(outer)[None, :], np.array([constant]))
    return Network([first, last])


@dataclass(frozen=True)
class Cosines(AbstractMade):
    """Ridge cosines of a Fejer-Korovkin mean, each interpolated by ReLUs."""

    statement = COSINES
    scope = Scope(
        "this construction builds networks only for functions on a box",
        AbstractBoxTarget,
    )

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
                "the error bound asks for a Fejer-Korovkin mean of "
                f"degree above {2 * MAX_DEGREE}; allow a larger error"
            )
    while high - low > 1:
        middle = (low + high) // 2
        enough = _bound(cube, middle) <= error
        low, high = (low, middle) if enough else (middle, high)
    return high
