r"""Lipschitz functions of d variables in the mean: a bump for every cube of a grid."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product as cartesian
from math import comb

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import Scope
from depthsep.constructions.by_hand._made import ROUNDING, AbstractMade, Made
from depthsep.constructions.by_hand._parameters import ACCURACY, DIM, LIPSCHITZ
from depthsep.constructions.by_hand.cubes._unit_cube import OnUnitCube
from depthsep.evidence import (
    Enclosure,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import ball_upper, ceil_root, rational, total
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

PRECISION = 160
MAX_CUBES = 1 << 20
MAX_WEIGHTS = 1 << 26
SAMPLES = ("corner", "centre")


def cubes_per_side(
    dim: int, lipschitz: object, accuracy: object, samples: str = "corner"
) -> int:
    r"""k, so that a step function on k^d cubes is within the accuracy.

    "corner": ceil(rho sqrt(d) / E), in the sup norm. "centre": ceil(rho sqrt(d / 12)
    / E), in the mean.

    Source:
        Telgarsky (2023), Theorem 2.3, corrected: printed with sqrt(d) below the line,
        which fails for rho 1.x / sqrt(d) and every d >= 2.
    """
    rho, error = rational(lipschitz, name="rho"), rational(accuracy, name="accuracy")
    if dim < 1 or rho < 0 or error <= 0:
        raise HypothesisError(
            f"dim = {dim}, lipschitz = {rho}, accuracy = {error}: give "
            "dim >= 1, lipschitz >= 0 and accuracy > 0"
        )
    if samples not in SAMPLES:
        raise HypothesisError(f"`samples` is {samples!r}; use corner or centre")
    square = (rho / error) ** 2 * dim / (1 if samples == "corner" else 12)
    return max(1, ceil_root(square, 2))


def relu_count(dim: int, k: int, *, shared: bool = True) -> int:
    """d (3 k + 1) shared units and k^d bumps; (4 d + 1) k^d if nothing is shared."""
    return dim * (3 * k + 1) + k**dim if shared else k**dim * (4 * dim + 1)


def bump_error(dim: int, side: object, gamma: object) -> fmpq:
    r"""The integral of |bump - indicator of the cube| over R^d, exactly.

    sum_j C(d, j) s^{d-j} (2 gamma)^j / (j + 1)!; the source bounds it by
    (s + 2 gamma)^d - s^d, about twice as much.
    """
    s, g = rational(side, name="the side"), rational(gamma, name="gamma")
    terms, factorial = [], fmpq(1)
    for j in range(1, dim + 1):
        factorial *= j + 1
        terms.append(comb(dim, j) * s ** (dim - j) * (2 * g) ** j / factorial)
    return total(terms)


def largest_gamma(dim: int, k: int, tolerance: object) -> Enclosure:
    """The largest gamma with (1/k + 2 gamma)^d - k^-d <= tau, enclosed."""
    tau = rational(tolerance, name="tau")
    if dim < 1 or k < 1 or tau <= 0:
        raise HypothesisError(
            f"dim = {dim}, k = {k}, tolerance = {tau}: give dim >= 1, k "
            ">= 1 and tolerance > 0"
        )
    with ctx.workprec(PRECISION):
        grown = arb(tau * fmpq(k) ** dim).log1p()
        ball = (grown / dim).expm1() / (2 * k)
        return Enclosure(-ball_upper(-ball), ball_upper(ball), Rigour.ENCLOSED)


@dataclass(frozen=True)
class CubeNetwork:
    """A network of three layers and its bound in L1 of the unit cube.

    Attributes:
        steps: the number of cubes in each direction.
        step_error: of the step function, from the Lipschitz constant (to l2): in the
            sup norm for corners, in the mean for centres.
        bump_error: what smoothing adds, sum |value| times the exact bump error.
    """

    network: Network
    steps: int
    step_error: fmpq
    bump_error: fmpq


def cube_network(
    values: Callable[[np.ndarray], np.ndarray],
    dim: int,
    lipschitz: object,
    accuracy: object,
    samples: str = "corner",
) -> CubeNetwork:
    r"""sum_j f(u_j) bump_j on [0, 1]^d, within 2 E in L1; u_j the lower corners.

    With `samples` "centre", u_j are the centres: fewer cubes for the same E in L1.

    bump(x) = relu(sum_i trapezoid_i(x_i) - (d - 1)), trapezoids of slope 1/gamma.
    gamma is a dyadic number below the largest with total bump error E.

    Corners and values are float64: the bound is for the function rounded there.

    Args:
        values: (n, d) points to (n,) values, for a rho-Lipschitz function in l2.

    Raises:
        TooLargeError: more than 2^20 cubes.

    Source:
        Telgarsky (2023), Theorem 2.3, corrected.
    """
    k = cubes_per_side(dim, lipschitz, accuracy, samples)
    error = rational(accuracy)
    weights = k**dim * dim * (3 * k + 1)
    if k**dim > MAX_CUBES or weights > MAX_WEIGHTS:
        raise TooLargeError(
            f"{k}^{dim} cubes and {weights} weights are needed; at most {MAX_CUBES} "
            f"and {MAX_WEIGHTS} are built. Allow a larger error"
        )
    corners = np.array(list(cartesian(range(k), repeat=dim)))
    at = corners if samples == "corner" else corners + 0.5
    heights = np.asarray(values(at / k), dtype=np.float64)
    if not np.isfinite(heights).all():
        raise HypothesisError(
            f"the function is not finite at the {samples} of some cube"
        )
    mass = total(abs(rational(float(h))) for h in heights)
    share = fmpq(dim) if samples == "corner" else fmpq(dim, 12)
    step_error = ceil_sqrt(rational(lipschitz) ** 2 * share) / k
    if mass == 0:
        flat = Network([Affine(np.zeros((1, dim)), np.zeros(1))] * 1)
        return CubeNetwork(flat, k, step_error, fmpq(0))
    gamma = _dyadic_below(largest_gamma(dim, k, error / mass).lower, k)
    network = _bumps(corners, heights, dim, k, gamma)
    return CubeNetwork(
        network, k, step_error, mass * bump_error(dim, fmpq(1, k), gamma)
    )


def ceil_sqrt(value: fmpq) -> fmpq:
    """A rational just above the square root, with 60 bits."""
    return fmpq(ceil_root(value * fmpq(1 << 120), 2), 1 << 60)


def _dyadic_below(value: fmpq, k: int) -> fmpq:
    """A power of two in (0, value], at most a quarter of the side."""
    limit, power = min(value, fmpq(1, 4 * k)), fmpq(1)
    while power > limit:
        power /= 2
    return power


def _bumps(
    corners: np.ndarray, heights: np.ndarray, dim: int, k: int, gamma: fmpq
) -> Network:
    """Shared units relu(x_i - t), t in the grid +- gamma; then one unit for a cube."""
    around = {fmpq(j, k) + s * gamma for j in range(k + 1) for s in (-1, 0, 1)}
    # nothing begins inside the first line's right half or ends in the last one's left
    lines = sorted(around - {gamma, 1 - gamma})
    place = {t: n for n, t in enumerate(lines)}
    count = len(lines)
    first = np.zeros((dim * count, dim))
    bias = np.empty(dim * count, dtype=object)
    for i in range(dim):
        first[i * count : (i + 1) * count, i] = 1
        bias[i * count : (i + 1) * count] = [-t for t in lines]
    slope = float(int((1 / gamma).p))
    second = np.zeros((len(corners), dim * count))
    for row, corner in zip(second, corners.tolist(), strict=True):
        for i, j in enumerate(corner):
            low, high = fmpq(j, k), fmpq(j + 1, k)
            for t, sign in ((low - gamma, 1), (low, -1), (high, -1), (high + gamma, 1)):
                row[i * count + place[t]] += sign * slope
    inner = Affine(second, np.full(len(corners), -(dim - 1.0)))
    return Network([Affine(first, bias), inner, Affine(heights[None, :], np.zeros(1))])


def _cubes(dim: int, lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(cubes_per_side(dim, lipschitz, accuracy), Rigour.EXACT)


CUBES = Statement(
    "telgarsky-2.3",
    "Number of cubes along each axis that is enough to approximate a "
    "Lipschitz function on [0, 1]^d within 2 E in L1",
    ("f is rho-Lipschitz with respect to l2",),
    Source("telgarsky2023", "Theorem 2.3"),
    (DIM, LIPSCHITZ, ACCURACY),
    _cubes,
    errata=(
        "the source prints sqrt(d) in the denominator, which fails for every d >= 2",
    ),
    sample="dim=3 lipschitz=2 accuracy=1/100",
    tex=r"\max \left( 1, \left\lceil \frac{\rho \sqrt{d}}{E} \right\rceil \right)",
    proof=proved("explicit-networks"),
)


@dataclass(frozen=True)
class Cubes(AbstractMade):
    """A bump over every cube of a grid, as high as the function at the centre.

    Sharper than printed in the mean: centres in place of corners, and the exact
    integrals of what bumps miss.
    """

    statement = CUBES
    scope = Scope(
        "this construction builds networks only for functions on a "
        "box, with the error in l1",
        AbstractBoxTarget,
        norms=("l1",),
    )

    def made(self, problem: Problem) -> Made:
        cube = OnUnitCube.of(problem)
        half = problem.accuracy * ROUNDING / 2
        made = cube_network(cube.values, cube.dim, cube.lipschitz, half, "centre")
        return Made(cube.moved_back(made.network), problem.accuracy)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:sin(3*x1)*x2", norm="l1", accuracy="1/4")]
