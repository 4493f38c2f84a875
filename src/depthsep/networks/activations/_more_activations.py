"""Activations beyond ReLU and threshold, with enclosures on balls."""

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float, rational, text
from depthsep.networks.activations._activations import Activation, Relu

LEAKY = "leaky_relu:"
CLIP = "clip:"
Balls = Callable[[arb], arb]


def leaky_relu(slope: object = "1/100") -> Activation:
    """z for z >= 0 and slope * z below, 0 <= slope < 1; exact for rationals.

    Raises:
        HypothesisError: a slope out of range.
    """
    a = rational(slope, name="the slope")
    if not 0 <= a < 1:
        raise HypothesisError(f"the slope is {a}; a leaky ReLU needs 0 <= slope < 1")
    return _leaky(a)


@cache  # one of each: activations are compared by identity
def _leaky(a: fmpq) -> Activation:
    near = nearest_float(a)
    return Activation(
        LEAKY + text(a),
        lambda z: z if z > 0 else a * z,
        lambda z: z.max(a * z),
        lambda z: np.where(z > 0, z, near * z),
        2,
        True,
        nonnegative=a == 0,
        relus=(Relu(1, fmpq(0), fmpq(1)), Relu(-1, fmpq(0), -a))[: 2 if a else 1],
        convex=True,
    )


def leaky_slope(activation: Activation) -> fmpq | None:
    """The slope of a leaky ReLU below 0; None for other activations."""
    if not activation.name.startswith(LEAKY):
        return None
    return rational(activation.name.removeprefix(LEAKY))


def clip(low: object, high: object) -> Activation:
    """min(max(z, low), high), two kinks; hard tanh is ``clip(-1, 1)``.

    Raises:
        HypothesisError: low is not below high.
    """
    ends = rational(low, name="a limit"), rational(high, name="a limit")
    if ends[0] >= ends[1]:
        raise HypothesisError(f"the limits are {ends[0]}, {ends[1]}; give low < high")
    return _clip(*ends)


@cache  # one of each: activations are compared by identity
def _clip(low: fmpq, high: fmpq) -> Activation:
    near = nearest_float(low), nearest_float(high)
    return Activation(
        f"{CLIP}{text(low)},{text(high)}",
        lambda z: min(max(z, low), high),
        lambda z: z.max(arb(low)).min(arb(high)),
        lambda z: np.clip(z, *near),
        3,
        True,
        nonnegative=low >= 0,
        relus=(Relu(1, -low, fmpq(1)), Relu(1, -high, fmpq(-1))),
        start=low,
    )


def _abs_balls(z: arb) -> arb:
    return arb(0).union(arb(abs(z).upper())) if z.contains(0) else abs(z)


def _square_balls(z: arb) -> arb:
    size = _abs_balls(z)
    return size * size


def _on_ends(function: Balls) -> Balls:
    """For increasing functions: the values at the ends of the ball."""
    return lambda z: function(arb(z.lower())).union(function(arb(z.upper())))


def _sigmoid(z: arb) -> arb:
    return 1 / (1 + (-z).exp())


def _softplus(z: arb) -> arb:
    # max(z, 0) + log(1 + e^-|z|), for points
    return (1 + (-abs(z)).exp()).log() + z.max(arb(0))


def _gelu(z: arb) -> arb:
    return z * (1 + (z / arb(2).sqrt()).erf()) / 2


def _sigmoid_floats(z: np.ndarray) -> np.ndarray:
    return 0.5 * (1 + np.tanh(z / 2))


_erf_floats = np.vectorize(math.erf, "d")


def smooth(
    name: str,
    balls: Balls,
    floats: Callable[[np.ndarray], np.ndarray],
    *,
    increasing: bool = False,
    nonnegative: bool = False,
    convex: bool = False,
) -> Activation:
    """An activation without affine pieces."""

    def exact(z: fmpq) -> fmpq:
        raise HypothesisError(
            f"{name} has no exact values at rational numbers; use ball arithmetic"
        )

    return Activation(
        *(name, exact, balls, floats, 0, True, increasing, nonnegative),
        convex=convex,
    )


ABS = Activation(
    "abs",
    abs,
    _abs_balls,
    np.abs,
    2,
    True,
    increasing=False,
    relus=(Relu(1, fmpq(0), fmpq(1)), Relu(-1, fmpq(0), fmpq(1))),
    convex=True,
)
HARDTANH = clip(-1, 1)
RELU6 = clip(0, 6)
SQUARE = Activation(
    "square", lambda z: z * z, _square_balls, np.square, 0, True, increasing=False
)
EXP = smooth(
    *("exp", _on_ends(arb.exp), np.exp),
    increasing=True,
    nonnegative=True,
    convex=True,
)
SIGMOID = smooth(
    "sigmoid", _on_ends(_sigmoid), _sigmoid_floats, increasing=True, nonnegative=True
)
TANH = smooth("tanh", _on_ends(arb.tanh), np.tanh, increasing=True)
SOFTPLUS = smooth(
    "softplus",
    _on_ends(_softplus),
    lambda z: np.logaddexp(z, 0.0),
    increasing=True,
    nonnegative=True,
    convex=True,
)
ERF = smooth("erf", _on_ends(arb.erf), _erf_floats, increasing=True)
GELU = smooth("gelu", _gelu, lambda z: z * (1 + _erf_floats(z / 2**0.5)) / 2)
SIN = smooth("sin", arb.sin, np.sin)
COS = smooth("cos", arb.cos, np.cos)
