"""Equinox models to networks and back."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.interop.files._rounding import float_layers, slope_of
from depthsep.interop.forms._chain import Step, chain
from depthsep.interop.libraries._pytree import numbers
from depthsep.networks import (
    ABS,
    RELU,
    SIGMOID,
    SOFTPLUS,
    TANH,
    Activation,
    Affine,
    Network,
    leaky_relu,
)

if TYPE_CHECKING:
    import equinox

Functions = Mapping[Callable[..., Any], Activation]
LEAKY_SLOPE = 0.01  # of jax.nn.leaky_relu


def from_equinox(
    model: "equinox.Module", *, functions: Functions | None = None
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
    known = {**_functions(), **(functions or {})}
    return chain(_steps(model, known))


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
    layers = float_layers(network, rounded=rounded, kind=kind)
    modules: list[Any] = []
    for layer, activation in zip(layers, [*network.activations, None], strict=True):
        modules.append(_linear(eqx, jax, *layer))
        if activation is not None:
            function = _function_of(activation, jax, rounded)
            modules.append(eqx.nn.Lambda(function))
    return eqx.nn.Sequential(modules)


def _functions() -> dict[Any, Activation | None]:
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


def _steps(model: Any, known: Mapping[Any, Activation | None]) -> Iterator[Step]:
    import equinox.nn as nn

    kind = type(model)
    if kind is nn.Sequential:
        for part in model.layers:
            yield from _steps(part, known)
    elif kind is nn.MLP:
        for layer in model.layers[:-1]:
            yield from (*_steps(layer, known), *_meaning(model.activation, known))
        yield from _steps(model.layers[-1], known)
        yield from _meaning(model.final_activation, known)
    elif kind is nn.Linear:
        weight = numbers(model.weight)
        zero = np.zeros(len(weight))
        yield Affine(weight, zero if model.bias is None else numbers(model.bias))
    elif kind is nn.Lambda:
        yield from _meaning(model.fn, known)
    elif kind is nn.Dropout and not model.inference and model.p != 0:
        raise HypothesisError(
            "Dropout drops units at random; use equinox.nn.inference_mode(model)"
        )
    elif kind not in (nn.Identity, nn.Dropout):
        raise HypothesisError(
            f"{kind.__name__} is not read; read are MLP, Sequential, Linear, Lambda, "
            "Identity and Dropout"
        )


def _meaning(
    function: Any, known: Mapping[Any, Activation | None]
) -> Iterator[Activation]:
    import jax

    if type(function) is partial and function.func is jax.nn.leaky_relu:
        yield _leaky(function)
        return
    try:
        found = known[function]
    except (KeyError, TypeError):
        name = getattr(function, "__name__", type(function).__name__)
        raise HypothesisError(
            f"what {name} computes is not known; pass functions={{{name}: RELU}}, or "
            "whatever it is"
        ) from None
    if found is not None:
        yield found


def _leaky(function: "partial[Any]") -> Activation:
    slope = function.keywords.get("negative_slope", LEAKY_SLOPE)
    others = set(function.keywords) - {"negative_slope"}
    if function.args or others or np.ndim(slope):
        raise HypothesisError("leaky_relu is read with a number as negative_slope only")
    return leaky_relu(float(slope))


def _linear(eqx: Any, jax: Any, weight: np.ndarray, bias: np.ndarray) -> Any:
    outputs, inputs = weight.shape
    empty = eqx.nn.Linear(inputs, outputs, key=jax.random.key(0))
    given = (jax.numpy.asarray(weight), jax.numpy.asarray(bias))
    return eqx.tree_at(lambda m: (m.weight, m.bias), empty, given)


def _function_of(activation: Activation, jax: Any, rounded: bool) -> Any:
    slope = slope_of(activation, rounded=rounded)
    if slope is not None:
        return partial(jax.nn.leaky_relu, negative_slope=slope)
    for function, meaning in _functions().items():
        if meaning is activation:
            return function
    raise HypothesisError(
        f"jax.nn has no function for {activation.name} units that can be read back"
    )
