"""Derivatives of smooth activations, enclosed by power series in balls."""

from collections.abc import Callable
from math import factorial

from flint import arb, arb_series, ctx

from depthsep._errors import HypothesisError
from depthsep.networks.activations._activations import Activation

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


def _gelu(s: arb_series) -> arb_series:
    return s * (1 + (s / arb(2).sqrt()).erf()) / 2


_SERIES: dict[str, Series] = {
    "exp": lambda s: s.exp(),
    "sigmoid": _sigmoid,
    "tanh": lambda s: 2 * _sigmoid(2 * s) - 1,
    "softplus": _softplus,
    "erf": lambda s: s.erf(),
    "gelu": _gelu,
    "sin": lambda s: s.sin(),
    "cos": lambda s: s.cos(),
}


def derivatives(activation: Activation, x: arb, order: int) -> list[arb]:
    """Enclosures of the derivatives 0 to `order` on a ball.

    Raises:
        HypothesisError: an activation that is not analytic, or a polynomial.
    """
    if activation.name not in _SERIES:
        raise HypothesisError(
            f"{activation.name} has no series here; use one of {', '.join(_SERIES)}"
        )
    before, ctx.cap = ctx.cap, order + 1
    try:
        s = _SERIES[activation.name](arb_series([x, 1], prec=order + 1))
    finally:
        ctx.cap = before
    return [s[k] * factorial(k) for k in range(order + 1)]
