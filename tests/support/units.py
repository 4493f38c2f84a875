"""All units that bounds know, and random networks of them."""

from itertools import pairwise

import numpy as np

from depthsep.networks import (
    ABS,
    COS,
    ERF,
    EXP,
    GELU,
    GELU_TANH,
    HARDTANH,
    MISH,
    RELU,
    SIGMOID,
    SILU,
    SIN,
    SOFTPLUS,
    TANH,
    THRESHOLD,
    Affine,
    Network,
    elu,
    leaky_relu,
)

SMOOTH = (
    *(TANH, SIGMOID, GELU, SOFTPLUS, SIN, COS, ERF, EXP),
    *(SILU, MISH, GELU_TANH, elu(), elu("7/4")),
)
UNITS = (RELU, leaky_relu("1/10"), ABS, HARDTANH, THRESHOLD, *SMOOTH)


def drawn(seed, widths, activation, size=1.0):
    rng = np.random.default_rng(seed)
    layers = [
        Affine(rng.normal(size=(m, n)) * size / n**0.5, rng.normal(size=m) * size)
        for n, m in pairwise(widths)
    ]
    return Network(layers, [activation] * (len(layers) - 1))
