"""Activations with their derivatives in NumPy, and the mean derivative in balls."""

from collections.abc import Callable

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float
from depthsep.near_init.kernels._duals import leak_of

Pair = tuple[np.ndarray, np.ndarray]


def _erf(z: np.ndarray) -> Pair:
    from scipy.special import erf

    return erf(z), 2 / np.pi**0.5 * np.exp(-(z**2))


def _logistic(z: np.ndarray) -> Pair:
    from scipy.special import expit

    return expit(z), expit(z) * expit(-z)


def _softplus(z: np.ndarray) -> Pair:
    return np.logaddexp(0.0, z), _logistic(z)[0]


_SMOOTH: dict[str, Callable[[np.ndarray], Pair]] = {
    "tanh": lambda z: (np.tanh(z), 1 / np.cosh(np.clip(z, -300, 300)) ** 2),
    "logistic": _logistic,
    "softplus": _softplus,
    "erf": _erf,
    "sin": lambda z: (np.sin(z), np.cos(z)),
    "cos": lambda z: (np.cos(z), -np.sin(z)),
    "exp": lambda z: (np.exp(z), np.exp(z)),
}


def with_slope(name: str, z: np.ndarray) -> Pair:
    """sigma(z) and sigma'(z) of the named activation, float64 arrays of z's shape.

    At a kink the derivative is that of the negative side.

    Raises:
        HypothesisError: no such activation, or none with a useful derivative.
    """
    if name in _SMOOTH:
        return _SMOOTH[name](z)
    exact = None if name == "threshold" else leak_of(name)
    if exact is None:
        known = ", ".join(["relu", "leaky-relu:1/10", "identity", "abs", *_SMOOTH])
        raise HypothesisError(
            f"the derivative of {name[:40]!r} is not known; choose one of {known}"
        )
    leak = nearest_float(exact)
    return np.where(z > 0, z, leak * z), np.where(z > 0, 1.0, leak)


def mean_slope(name: str, square: arb) -> arb | fmpq | None:
    """E sigma'(z), z of law N(0, square), square > 0; None without a closed form.

    A rational where it does not depend on the variance.

    Raises:
        HypothesisError: as `with_slope`.
    """
    if name == "erf":
        return 2 / (arb.pi() * (1 + 2 * square)).sqrt()
    if name in ("sin", "exp"):
        return (square / 2 if name == "exp" else -square / 2).exp()
    if name == "cos":
        return fmpq(0)
    if name in _SMOOTH:
        return None
    with_slope(name, np.zeros(1))
    leak = leak_of(name)
    return None if leak is None else (1 + leak) / 2
