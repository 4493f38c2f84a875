r"""The recursion of tangent kernels over layers, in normalised form.

Q^1 = s <x, x'> + b, Q^(h+1) = c K(Q^h) + b with K the dual of the activation, and
Theta^1 = Q^1, Theta^(h+1) = Q^(h+1) + Theta^h c K'(Q^h): parameters in tangent-kernel
scaling (weights and biases N(0, 1) times sqrt(variance / fan-in) and sqrt(b)).

Per point: the deviation r = sqrt(Q) of every layer, and its shares e = sqrt(c) k / r of
weights and beta = sqrt(b) / r of bias, e^2 + beta^2 = 1. Per pair: 1 - rho, 1 + rho and
eta = Theta / (r q). As (e, beta) is a unit vector,
1 - rho' = e f (1 - kappa) + ((e - f)^2 + (beta - gamma)^2) / 2: nothing cancels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from depthsep.near_init._duals import KernelActivation, Pairs


@dataclass(frozen=True)
class Architecture:
    """A fully connected network of infinite width.

    Attributes:
        depth: affine layers, 2 and more.
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


@dataclass(frozen=True)
class Points:
    """What the recursion knows of each point at one layer: arrays of shape (n,).

    Attributes:
        deviation: r = sqrt(Q(x, x)).
        weights, biases: the shares e and beta of r that come from weights and bias.
    """

    deviation: Any
    weights: Any
    biases: Any


def points(xp: Any, net: Architecture, norms: Any) -> list[Points]:
    """Every layer's `Points`, from the norms of (sqrt(s) x, sqrt(b))."""
    w, b = net.weight_variance**0.5, net.bias_variance**0.5
    r, layers = norms, [Points(norms, norms, norms)]  # shares of layer 1: never read
    for _ in range(net.depth - 1):
        k = w * net.activation.scale(xp, r)
        r = xp.hypot(k, xp.full_like(k, b)) if b else k
        safe = xp.where(r == 0, xp.ones_like(r), r)
        layers.append(Points(r, k / safe, b / safe))
    return layers


def diagonal(
    xp: Any, net: Architecture, square: Any, layers: Sequence[Points]
) -> tuple[Any, Any]:
    """(NNGP, tangent kernel) of each point with itself; `square` is Q^1(x, x)."""
    eta = xp.zeros_like(layers[0].deviation) + (1.0 if 1 in net.trained else 0.0)
    for h, (before, now) in enumerate(pairwise(layers), start=2):
        own = net.activation.own(xp, before.deviation)
        eta = now.weights**2 * own * eta + (1.0 if h in net.trained else 0.0)
    leak = net.activation.leak
    if leak is not None and net.is_homogeneous:  # no root is taken and squared again
        grown, whole = 1.0, 1 + leak * leak
        for _ in range(net.depth - 1):
            grown *= net.weight_variance * (int(whole.p) / int(whole.q) / 2)
        square = square * grown
    else:
        square = layers[-1].deviation ** 2
    return square, square * eta


def pairs(
    xp: Any,
    net: Architecture,
    left: Sequence[Points],
    right: Sequence[Points],
    rho: Any,
    below: Any,
    above: Any,
    *,
    tangent: bool,
) -> Any:
    """The kernel of pairs, divided by both deviations of the last layer.

    Args:
        left, right: as `points` gives them, shaped to broadcast over the pairs.
        rho, below, above: correlations of the first layer, 1 - rho and 1 + rho.
        tangent: the tangent kernel, else the NNGP kernel.
    """
    eta = rho if 1 in net.trained else None
    for h, (a, c) in enumerate(zip(left[1:], right[1:], strict=True), start=2):
        r, q = left[h - 2].deviation, right[h - 2].deviation
        dual = net.activation.pairs(xp, r, q, rho, below, above, last=h == net.depth)
        shares = None if net.is_homogeneous else a.weights * c.weights
        if eta is not None and tangent:
            grown = dual.slope if shares is None else shares * dual.slope
            eta = grown * eta
        rho, below, above = _layer(net, a, c, shares, dual)
        if h in net.trained and tangent:
            eta = rho if eta is None else eta + rho
    if not tangent:
        return rho
    return eta if eta is not None else 0 * rho


def _layer(
    net: Architecture, a: Points, c: Points, shares: Any, dual: Pairs
) -> tuple[Any, Any, Any]:
    """rho, 1 - rho and 1 + rho of the next layer; no gaps where the dual has none."""
    if shares is None:
        return dual.cosine, dual.below, dual.above
    rho = shares * dual.cosine
    if net.bias_variance:
        rho = rho + a.biases * c.biases
    if dual.below is None:
        return rho, None, None
    apart = (a.weights - c.weights) ** 2
    less = (apart + (a.biases - c.biases) ** 2) / 2
    more = (apart + (a.biases + c.biases) ** 2) / 2
    return rho, shares * dual.below + less, shares * dual.above + more
