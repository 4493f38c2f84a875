r"""Lipschitz functions of d variables in the sup norm: interpolation on simplices.

Kuhn's triangulation cuts each cube of a grid into d! simplices by the order of the
coordinates. Its hat at a grid point v is, with y = n (x - v),
relu(1 - max(0, y_1, ..., y_d) - max(0, -y_1, ..., -y_d)).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from itertools import product as cartesian

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import MAX_WEIGHTS, Scope
from depthsep.constructions.by_hand._made import ROUNDING, AbstractMade, Made
from depthsep.constructions.by_hand._parameters import ACCURACY, DIM, LIPSCHITZ
from depthsep.constructions.by_hand.cubes._unit_cube import OnUnitCube
from depthsep.evidence import Rigour, Source, Statement, Value, proved
from depthsep.exact import ceil_root, rational, sqrt_upper
from depthsep.networks import Circuit, Network, Wire
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

MAX_POINTS = 1 << 16


@dataclass(frozen=True)
class KuhnInterpolant:
    """A continuous network and its proved sup error on [0, 1]^d.

    Attributes:
        steps: n, cubes in each direction.
        bound: for a function with the Lipschitz constant given, of these values.
    """

    network: Network
    steps: int
    bound: fmpq


def kuhn_steps(dim: int, lipschitz: object, accuracy: object) -> int:
    r"""n with rho sqrt(d) / (2 n) <= E, rho to l2.

    At x in a simplex the vertices, weighted by the interpolation, have mean x, and
    coordinates that are one of two neighbours: their mean squared distance from x is at
    most d / (4 n^2).
    """
    rho, error = rational(lipschitz, name="rho"), rational(accuracy, name="accuracy")
    if dim < 1 or rho < 0 or error <= 0:
        raise HypothesisError(
            f"dim = {dim}, lipschitz = {rho}, accuracy = {error}: give "
            "dim >= 1, lipschitz >= 0 and accuracy > 0"
        )
    return max(1, ceil_root(rho**2 * dim / (4 * error**2), 2))


def kuhn_network(
    values: Callable[[np.ndarray], np.ndarray],
    dim: int,
    lipschitz: object,
    accuracy: object,
) -> KuhnInterpolant:
    """The interpolant of f at the points of a grid, within E in the sup norm.

    It has ceil(log2(d + 1)) + 1 hidden layers. Values are float64 at grid points in
    float64: the bound is for the function rounded there.

    Args:
        values: (n, d) points to (n,) values, for a rho-Lipschitz function in l2.

    Raises:
        HypothesisError: a value that is not finite.
        TooLargeError: more than 2^16 grid points or 2^23 weights.
    """
    steps = kuhn_steps(dim, lipschitz, accuracy)
    if (steps + 1) ** dim > MAX_POINTS:
        raise _too_large(f"{steps + 1}^{dim} grid points", MAX_POINTS)
    points = list(cartesian(range(steps + 1), repeat=dim))
    heights = np.asarray(values(np.array(points) / steps), dtype=np.float64)
    if heights.shape != (len(points),) or not np.isfinite(heights).all():
        raise HypothesisError(
            "the function does not return one finite value for each point"
        )
    circuit = Circuit(dim)
    scaled = [x * steps for x in circuit.inputs]
    hats = []
    for point in points:
        hats.append(_hat(circuit, scaled, point))
        _check_weights(circuit, dim)
    output = circuit.sum(
        [rational(float(h)) * hat for h, hat in zip(heights, hats, strict=True)]
    )
    bound = rational(lipschitz) * sqrt_upper(fmpq(dim)) / (2 * steps)
    return KuhnInterpolant(circuit.network([output]), steps, bound)


def _too_large(what: str, most: int) -> TooLargeError:
    return TooLargeError(
        f"{what} are needed; at most {most} are built. Allow a larger error"
    )


def _check_weights(circuit: Circuit, dim: int) -> None:
    weights = sum(a * b for a, b in pairwise([dim, *circuit.widths, 1]))
    if weights > MAX_WEIGHTS:
        raise _too_large(f"more than {MAX_WEIGHTS} weights", MAX_WEIGHTS)


def _hat(circuit: Circuit, scaled: list[Wire], point: tuple[int, ...]) -> Wire:
    """The hat of a grid point; units that other hats have too are shared."""
    y = [u - v for u, v in zip(scaled, point, strict=True)]
    nothing = Wire(0, {})
    up = _largest(circuit, [nothing, *y])
    down = _largest(circuit, [nothing, *(-1 * t for t in y)])
    return circuit.shared_relu(-1 * up - down + 1)


def _largest(circuit: Circuit, wires: list[Wire]) -> Wire:
    """The maximum, by halves: max(a, b) = b + relu(a - b)."""
    while len(wires) > 1:
        layer = wires[0].layer + 1
        pairs = zip(wires[::2], wires[1::2], strict=False)
        joined = [
            circuit.shared_relu(a - b) + circuit.delayed(b, layer) for a, b in pairs
        ]
        if len(wires) % 2:
            joined.append(circuit.delayed(wires[-1], layer))
        wires = joined
    return wires[0]


def _simplices(dim: int, lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(kuhn_steps(dim, lipschitz, accuracy), Rigour.EXACT)


SIMPLICES = Statement(
    "kuhn-interpolant",
    "Number of cubes in each direction that is enough for "
    "interpolation on simplices with sup error at most E",
    ("f is rho-Lipschitz on [0, 1]^d with respect to l2",),
    Source("depthsep", "interpolation on Kuhn's triangulation"),
    (DIM, LIPSCHITZ, ACCURACY),
    _simplices,
    sample="dim=3 lipschitz=2 accuracy=1/100",
    tex=(r"\max \left( 1, \left\lceil \frac{\rho \sqrt{d}}{2 E} \right\rceil \right)"),
    proof=proved("explicit-networks"),
)


@dataclass(frozen=True)
class Simplices(AbstractMade):
    """The interpolant on Kuhn's triangulation, a sum of hats."""

    statement = SIMPLICES
    scope = Scope(
        "this construction builds networks only for functions on a box",
        AbstractBoxTarget,
    )

    def made(self, problem: Problem) -> Made:
        cube = OnUnitCube.of(problem)
        error = problem.accuracy * ROUNDING
        made = kuhn_network(cube.values, cube.dim, cube.lipschitz, error)
        return Made(cube.moved_back(made.network), problem.accuracy)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:sin(3*x1)*x2", accuracy="1/2")]
