"""Derivatives of smooth activations, enclosed by power series in balls."""

from collections.abc import Callable
from math import factorial

from flint import arb, arb_series, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.networks.activations._activations import Activation
from depthsep.networks.activations._gated_units import elu_alpha

Series = Callable[[arb_series], arb_series]


def _sigmoid(s: arb_series) -> arb_series:
    # exp of what is far below 0 is small: no ball then holds -1
    if s[0].mid() < 0:
        return s.exp() / (1 + s.exp())
    return 1 / (1 + (-s).exp())


def _softplus(s: arb_series) -> arb_series:
    if s[0].mid() > 0:
        return s + (1 + (-s).exp()).log()
    return (1 + s.exp()).log()


def _tanh(s: arb_series) -> arb_series:
    return 2 * _sigmoid(2 * s) - 1


def _gelu_tanh(s: arb_series) -> arb_series:
    inner = (2 / arb.pi()).sqrt() * (s + arb(fmpq(44715, 10**6)) * s * s * s)
    return s * _sigmoid(2 * inner)


def _gelu(s: arb_series) -> arb_series:
    return s * (1 + (s / arb(2).sqrt()).erf()) / 2


_SERIES: dict[str, Series] = {
    "exp": lambda s: s.exp(),
    "sigmoid": _sigmoid,
    "tanh": _tanh,
    "silu": lambda s: s * _sigmoid(s),
    "mish": lambda s: s * _tanh(_softplus(s)),
    "gelu_tanh": _gelu_tanh,
    "softplus": _softplus,
    "erf": lambda s: s.erf(),
    "gelu": _gelu,
    "sin": lambda s: s.sin(),
    "cos": lambda s: s.cos(),
}


def has_derivatives(activation: Activation) -> bool:
    """Whether `derivatives` knows it."""
    return activation.name in _SERIES or elu_alpha(activation) is not None


def derivatives(activation: Activation, x: arb, order: int) -> list[arb]:
    """Enclosures of the derivatives 0 to `order` on a ball.

    Raises:
        HypothesisError: an activation that is not analytic, or a polynomial.
    """
    alpha = elu_alpha(activation)
    if alpha is not None:
        return _of_elu(alpha, x, order)
    if activation.name not in _SERIES:
        raise HypothesisError(
            f"no power series of {activation.name} is known; use one of "
            f"{', '.join(_SERIES)}"
        )
    before, ctx.cap = ctx.cap, order + 1
    try:
        s = _SERIES[activation.name](arb_series([x, 1], prec=order + 1))
    finally:
        ctx.cap = before
    return [s[k] * factorial(k) for k in range(order + 1)]


def _of_elu(alpha: fmpq, x: arb, order: int) -> list[arb]:
    """On both sides of 0 together where the ball has both.

    The first derivative jumps at 0 unless alpha is 1: then the second is unbounded.
    """
    if x > 0:
        return [x, arb(1), *[arb(0)] * order][: order + 1]
    below = arb(alpha) * x.exp()
    left = [arb(alpha) * x.expm1(), *[below] * order]
    if x < 0:
        return left
    right = [x, arb(1), *[arb(0)] * order]
    found = [a.union(b) for a, b in zip(left, right, strict=False)]
    if alpha != 1:
        found[2:] = [arb("nan")] * (order - 1)
    return found[: order + 1]
