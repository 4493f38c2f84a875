"""All activations by name, as files call them; a copy or a pickle is the same one."""

import copyreg
from typing import Any

from depthsep._errors import HypothesisError
from depthsep.networks.activations._activations import RELU, THRESHOLD, Activation
from depthsep.networks.activations._gated_units import (
    ELU,
    GELU_TANH,
    MISH,
    SILU,
    elu,
)
from depthsep.networks.activations._more_activations import (
    ABS,
    CLIP,
    COS,
    ERF,
    EXP,
    GELU,
    LEAKY,
    SIGMOID,
    SIN,
    SOFTPLUS,
    SQUARE,
    TANH,
    clip,
    leaky_relu,
)

ACTIVATIONS = (
    *(RELU, THRESHOLD, ABS, SQUARE, EXP, SIGMOID),
    *(TANH, SOFTPLUS, ERF, GELU, GELU_TANH, SILU, MISH, SIN, COS),
)


def activation_named(name: str) -> Activation:
    """The activation that files call `name`: ``leaky_relu:1/100``, ``clip:-1,1``."""
    for activation in ACTIVATIONS:
        if activation.name == name:
            return activation
    if name.startswith(LEAKY):
        return leaky_relu(name.removeprefix(LEAKY))
    if name.startswith(CLIP) and name.count(",") == 1:
        return clip(*name.removeprefix(CLIP).split(","))
    if name.startswith(ELU):
        return elu(name.removeprefix(ELU))
    known = ", ".join(a.name for a in ACTIVATIONS)
    raise HypothesisError(
        f"unknown activation {name[:40]!r}; choose {known}, "
        f"{LEAKY}SLOPE, {CLIP}LOW,HIGH or {ELU}ALPHA"
    )


def _reduced(activation: Activation) -> Any:
    """By name, since the library compares activations by identity."""
    try:
        is_named = activation_named(activation.name) is activation
    except HypothesisError:
        is_named = False
    if is_named:
        return activation_named, (activation.name,)
    return object.__reduce_ex__(activation, 2)


copyreg.pickle(Activation, _reduced)
