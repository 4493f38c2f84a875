r"""The recursion of tangent kernels over layers, in normalised form.

Q^1 = s <x, x'> + b, Q^(h+1) = c K(Q^h) + b with K the dual of the activation, and
Theta^1 = Q^1, Theta^(h+1) = Q^(h+1) + Theta^h c K'(Q^h): parameters in tangent-kernel
scaling (weights and biases N(0, 1) times sqrt(variance / fan-in) and sqrt(b)).

Per point: the deviation r = sqrt(Q) of every layer, and its shares e = sqrt(c) k / r of
weights and beta = sqrt(b) / r of bias, e^2 + beta^2 = 1. Per pair: 1 - rho, 1 + rho and
eta = Theta / (r q). As (e, beta) is a unit vector,
1 - rho' = e f (1 - kappa) + ((e - f)^2 + (beta - gamma)^2) / 2: nothing cancels.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from depthsep._inputs import Numbers
from depthsep.exact import nearest_float
from depthsep.near_init.kernels._duals import KernelActivation, Pairs

if TYPE_CHECKING:
    import jax

Row = tuple[Numbers, ...]
State = tuple[Numbers, Numbers | None, Numbers | None, Numbers]
A = TypeVar("A", np.ndarray, "jax.Array")
S = TypeVar("S")


@dataclass(frozen=True)
class Architecture:
    """A fully connected network of infinite width.

    Attributes:
        depth: affine layers.
        weight_variance: c of every layer after an activation.
        bias_variance: b of every layer, the last included.
        input_variance: s of the first layer (no 1/d in it).
        trained: layers with trained parameters, counted from 1.
    """

    activation: KernelActivation
    depth: int
    weight_variance: float
    bias_variance: float
    input_variance: float
    trained: tuple[int, ...]

    @property
    def is_homogeneous(self) -> bool:
        """Whether the kernel is |x| |x'| times a function of the angle."""
        return self.activation.leak is not None and self.bias_variance == 0

    def flags(self, xp: ModuleType) -> Numbers:
        """For every layer whether it is trained: True or False, or 0 and 1 in JAX."""
        found = [h in self.trained for h in range(1, self.depth + 1)]
        return xp.asarray(found, dtype=object if xp is np else xp.zeros(0).dtype)


@dataclass(frozen=True)
class Points(Generic[A]):
    """What the recursion knows of each point: arrays of shape (depth, n).

    Attributes:
        deviation: r = sqrt(Q(x, x)), layer by layer.
        weights, biases: the shares e and beta of r that come from weights and bias;
            of the first layer they are never read.
    """

    deviation: A
    weights: A
    biases: A

    def part(self, cut: Callable[[A], A], axis: int) -> "Points[A]":
        """Some of the points, shaped (depth, k, 1) for axis 0, (depth, 1, k) for 1."""
        place = (slice(None), slice(None), None) if axis == 0 else (slice(None), None)
        return Points(
            *(cut(v)[place] for v in (self.deviation, self.weights, self.biases))
        )


def layer_points(xp: ModuleType, net: Architecture, norms: A) -> Points[A]:
    """From the norms of (sqrt(s) x, sqrt(b)), shape (n,)."""
    w, b = net.weight_variance**0.5, net.bias_variance**0.5

    def grow(r: Numbers, _: Row) -> tuple[Numbers, Row]:
        k = w * net.activation.scale(xp, r)
        grown = xp.hypot(k, xp.full_like(k, b)) if b else k
        safe = xp.where(grown == 0, xp.ones_like(grown), grown)
        return grown, (grown, k / safe, b / safe)

    first = (norms, norms, norms)
    later = _fold(xp, grow, norms, (xp.zeros(net.depth - 1),))[1]
    return Points(
        *(xp.concatenate([f[None], v]) for f, v in zip(first, later, strict=True))
        if later
        else (xp.expand_dims(f, 0) for f in first)
    )


def diagonal(
    xp: ModuleType, net: Architecture, square: Numbers, layers: Points[A]
) -> tuple[Numbers, Numbers]:
    """(NNGP, tangent kernel) of each point with itself; `square` is Q^1(x, x)."""
    flags = net.flags(xp)

    def step(eta: Numbers, row: Row) -> tuple[Numbers, Row]:
        before, weights, flag = row
        own = net.activation.own(xp, before)
        return weights**2 * own * eta + 1.0 * flag, ()

    eta = xp.zeros_like(square) + 1.0 * flags[0]
    rows = (layers.deviation[:-1], layers.weights[1:], flags[1:])
    eta = _fold(xp, step, eta, rows)[0]
    leak = net.activation.leak
    if leak is not None and net.is_homogeneous:  # no root is taken and squared again
        grown, whole = 1.0, 1 + leak * leak
        for _ in range(net.depth - 1):
            grown *= net.weight_variance * nearest_float(whole / 2)
        square = square * grown
    else:
        square = layers.deviation[-1] ** 2
    return square, square * eta


def pairs(
    xp: ModuleType,
    net: Architecture,
    left: Points[A],
    right: Points[A],
    rho: Numbers,
    below: Numbers,
    above: Numbers,
    *,
    tangent: bool,
) -> Numbers:
    """The kernel of pairs, divided by both deviations of the last layer.

    Args:
        left, right: shaped to broadcast over the pairs, see `Points.part`.
        rho, below, above: correlations of the first layer, 1 - rho and 1 + rho.
        tangent: the tangent kernel, else the NNGP kernel.
    """
    flags = net.flags(xp)
    rows = (
        *(left.deviation[:-1], right.deviation[:-1]),
        *(left.weights[1:], right.weights[1:]),
        *(left.biases[1:], right.biases[1:]),
        flags[1:],
    )

    def step(state: State, row: Row) -> tuple[State, Row]:
        return _step(xp, net, tangent, state, row, last=False), ()

    first = flags[0] is True or not tangent
    state = (rho, below, above, rho if first else rho * flags[0])
    if net.depth > 1:
        state = _fold(xp, step, state, tuple(r[:-1] for r in rows))[0]
        last = tuple(r[-1] for r in rows)
        state = _step(xp, net, tangent, state, last, last=True)
    return state[3] if tangent else state[0]


def _step(
    xp: ModuleType,
    net: Architecture,
    tangent: bool,
    state: State,
    row: Row,
    *,
    last: bool,
) -> State:
    """One layer: rho, 1 - rho, 1 + rho and eta; no gaps after the last."""
    rho, below, above, eta = state
    r, q, e, f, beta, gamma, flag = row
    dual = net.activation.pairs(xp, r, q, rho, below, above, last=last)
    shares = None if net.is_homogeneous else e * f
    rho, below, above = _layer(net, (e, f, beta, gamma), shares, dual)
    if not tangent:
        return rho, below, above, rho
    assert dual.slope is not None  # thresholds have no tangent kernel
    grown = dual.slope if shares is None else shares * dual.slope
    eta = grown * eta
    if flag is not False:
        eta = eta + (rho if flag is True else flag * rho)
    return rho, below, above, eta


def _layer(
    net: Architecture, parts: Row, shares: Numbers | None, dual: Pairs
) -> tuple[Numbers, Numbers | None, Numbers | None]:
    """rho, 1 - rho and 1 + rho of the next layer; no gaps where the dual has none."""
    if shares is None:
        return dual.cosine, dual.below, dual.above
    e, f, beta, gamma = parts
    rho = shares * dual.cosine
    if net.bias_variance:
        rho = rho + beta * gamma
    if dual.below is None or dual.above is None:
        return rho, None, None
    apart = (e - f) ** 2
    less = (apart + (beta - gamma) ** 2) / 2
    more = (apart + (beta + gamma) ** 2) / 2
    return rho, shares * dual.below + less, shares * dual.above + more


def _fold(
    xp: ModuleType,
    step: Callable[[S, Row], tuple[S, Row]],
    state: S,
    rows: Row,
) -> tuple[S, Row]:
    """The layers one after the other, by one compiled loop in JAX."""
    if xp is not np:
        from jax import lax

        return lax.scan(step, state, rows)
    outputs: list[Row] = []
    for row in zip(*rows, strict=True):
        state, output = step(state, row)
        outputs.append(output)
    return state, tuple(np.stack(o) for o in zip(*outputs, strict=True))
