"""Equinox models to networks and back."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.interop.files._rounding import float_layers, slope_of
from depthsep.interop.forms._chain import Step, affine, chain
from depthsep.interop.libraries._pytree import numbers
from depthsep.networks import (
    ABS,
    RELU,
    SIGMOID,
    SOFTPLUS,
    TANH,
    Activation,
    Network,
    leaky_relu,
)

if TYPE_CHECKING:
    import equinox

Function = Callable[..., object]
Meanings = Mapping[Function, Activation | None]
LEAKY_SLOPE = 0.01  # of jax.nn.leaky_relu


def from_equinox(
    model: "equinox.Module", *, functions: Mapping[Function, Activation] | None = None
) -> Network:
    """The network that an equinox model computes, exactly.

    MLP and Sequential of Linear, Lambda, Identity and Dropout (for inference), with
    jax.nn.relu, leaky_relu, tanh, sigmoid, softplus, abs and identity. Weights are
    taken at face value.

    Args:
        model: the model.
        functions: what other functions mean, such as ``{my_relu: RELU}``.

    Raises:
        HypothesisError: another module or function, weights that are not finite.
    """
    return chain(_steps(model, {**_functions(), **(functions or {})}))


def to_equinox(network: Network, *, rounded: bool = False) -> "equinox.nn.Sequential":
    """A Sequential of Linear and Lambda.

    Weights are float64 if JAX's x64 is on, else float32.

    Raises:
        HypothesisError: a weight that is not of that type and `rounded` is not set, or
            units that jax.nn lacks.
    """
    import equinox as eqx
    import jax

    kind = np.float64 if jax.config.read("jax_enable_x64") else np.float32
    modules: list[Function] = []
    layers = float_layers(network, rounded=rounded, kind=kind)
    for layer, activation in zip(layers, [*network.activations, None], strict=True):
        modules.append(_linear(*layer))
        if activation is not None:
            modules.append(eqx.nn.Lambda(_function_of(activation, rounded)))
    return eqx.nn.Sequential(modules)


def _functions() -> Meanings:
    """What functions of jax mean; None changes nothing."""
    import jax
    import jax.numpy as jnp
    from equinox.nn import MLP

    unless_told = inspect.signature(MLP).parameters["final_activation"].default
    return {
        jax.nn.relu: RELU,
        jax.nn.leaky_relu: leaky_relu(LEAKY_SLOPE),
        jax.nn.tanh: TANH,
        jnp.tanh: TANH,
        jax.nn.sigmoid: SIGMOID,
        jax.nn.softplus: SOFTPLUS,
        jnp.abs: ABS,
        jax.nn.identity: None,
        unless_told: None,
    }


def _steps(model: object, known: Meanings) -> Iterator[Step]:
    from equinox import nn

    if type(model) is nn.Sequential:
        for part in model.layers:
            yield from _steps(part, known)
    elif type(model) is nn.MLP:
        for layer in model.layers[:-1]:
            yield from (*_steps(layer, known), *_meaning(model.activation, known))
        yield from _steps(model.layers[-1], known)
        yield from _meaning(model.final_activation, known)
    elif type(model) is nn.Linear:
        bias = None if model.bias is None else numbers(model.bias)
        yield affine(numbers(model.weight), bias)
    elif type(model) is nn.Lambda:
        yield from _meaning(model.fn, known)
    elif type(model) is nn.Dropout and not model.inference and model.p != 0:
        raise HypothesisError(
            "Dropout drops units at random; use equinox.nn.inference_mode(model)"
        )
    elif type(model) not in (nn.Identity, nn.Dropout):
        raise HypothesisError(
            f"{type(model).__name__} is not supported; use MLP, "
            "Sequential, Linear, Lambda, Identity and Dropout"
        )


def _meaning(function: Function, known: Meanings) -> Iterator[Activation]:
    import jax

    leaky = getattr(function, "func", None) is jax.nn.leaky_relu
    if leaky and type(function) is partial:  # a subclass may call something else
        yield _leaky(function)
        return
    try:
        found = known[function]
    except (KeyError, TypeError):
        raise _unknown(function) from None
    if found is not None:
        yield found


def _unknown(function: object) -> HypothesisError:
    name = getattr(function, "__name__", type(function).__name__)
    return HypothesisError(
        f"what {name} computes is not known; state it, as in functions={{{name}: RELU}}"
    )


def _leaky(function: "partial[object]") -> Activation:
    slope = function.keywords.get("negative_slope", LEAKY_SLOPE)
    others = set(function.keywords) - {"negative_slope"}
    if function.args or others or np.ndim(slope):
        raise HypothesisError(
            "a partial leaky_relu is supported only if it fixes "
            "negative_slope alone, as a number"
        )
    return leaky_relu(float(slope))


def _linear(weight: np.ndarray, bias: np.ndarray) -> "equinox.nn.Linear":
    import equinox as eqx
    import jax

    empty = eqx.nn.Linear(*weight.shape[::-1], key=jax.random.key(0))
    given = (jax.numpy.asarray(weight), jax.numpy.asarray(bias))
    return eqx.tree_at(lambda m: (m.weight, m.bias), empty, given)


def _function_of(activation: Activation, rounded: bool) -> Function:
    import jax

    slope = slope_of(activation, rounded=rounded)
    if slope is not None:
        return partial(jax.nn.leaky_relu, negative_slope=slope)
    for function, meaning in _functions().items():
        if meaning is activation:
            return function
    raise HypothesisError(
        f"{activation.name} units cannot be written as a function of "
        "jax.nn that from_equinox reads back"
    )
