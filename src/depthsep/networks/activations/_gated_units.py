"""SiLU, mish, GELU by tanh, and ELU: smooth units of today's networks."""

from functools import cache

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float, rational, text
from depthsep.networks.activations._activations import Activation
from depthsep.networks.activations._more_activations import SIGMOID, SOFTPLUS, smooth

ELU = "elu:"


def _silu(z: arb) -> arb:
    return z * SIGMOID.balls(z)


def _mish(z: arb) -> arb:
    return z * SOFTPLUS.balls(z).tanh()


def _gelu_tanh(z: arb) -> arb:
    inner = (2 / arb.pi()).sqrt() * (z + arb(fmpq(44715, 10**6)) * z * z * z)
    return z * (1 + inner.tanh()) / 2


def _gelu_tanh_floats(z: np.ndarray) -> np.ndarray:
    return z * (1 + np.tanh((2 / np.pi) ** 0.5 * (z + 0.044715 * z**3))) / 2


SILU = smooth("silu", _silu, lambda z: z * SIGMOID.floats(z))
MISH = smooth("mish", _mish, lambda z: z * np.tanh(SOFTPLUS.floats(z)))
GELU_TANH = smooth("gelu_tanh", _gelu_tanh, _gelu_tanh_floats)


def elu(alpha: object = 1) -> Activation:
    """z for z >= 0, alpha (e^z - 1) below.

    Raises:
        HypothesisError: alpha is not positive.
    """
    a = rational(alpha, name="alpha")
    if a <= 0:
        raise HypothesisError(f"alpha is {a}; an ELU needs a positive alpha")
    return _elu(a)


@cache  # one of each: activations are compared by identity
def _elu(a: fmpq) -> Activation:
    near = nearest_float(a)

    def at(z: arb) -> arb:
        return z if z >= 0 else arb(a) * z.expm1()

    def balls(z: arb) -> arb:
        return at(arb(z.lower())).union(at(arb(z.upper())))

    def floats(z: np.ndarray) -> np.ndarray:
        return np.where(z >= 0, z, near * np.expm1(np.minimum(z, 0)))

    # its slope is at most alpha below 0, and 1 above
    return smooth(ELU + text(a), balls, floats, increasing=True, convex=a <= 1)


def elu_alpha(activation: Activation) -> fmpq | None:
    """The alpha of an ELU; None for other activations."""
    if not activation.name.startswith(ELU):
        return None
    return rational(activation.name.removeprefix(ELU))
