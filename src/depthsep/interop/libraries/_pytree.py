"""Plain JAX pytrees, lists of weights and biases, to networks and back."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.interop.files._rounding import float_layers
from depthsep.interop.forms._chain import Step, affine, chain
from depthsep.networks import Network, activation_named


def from_pytree(
    layers: Sequence[object],
    *,
    activation: str = "relu",
    inputs_first: bool | None = None,
) -> Network:
    """A network from a list of layers, each a pair or a mapping of weight and bias.

    Args:
        layers: (W, b) or {"weight" or "w" or "W": W, "bias" or "b": b}, of float
            arrays; {"kernel": W, ...} has shape (inputs, outputs).
        activation: of every hidden layer, such as ``relu``, ``tanh``, ``leaky_relu:a``.
        inputs_first: whether W has shape (inputs, outputs), as for x @ W + b; found
            from the shapes where they leave no doubt.

    Raises:
        HypothesisError: no layers, shapes that do not fit, or square ones throughout,
            an unknown activation, weights that are not finite.
    """
    if not isinstance(layers, Sequence):
        raise HypothesisError(
            f"an object of type {type(layers).__name__} is not a list of layers"
        )
    given = [_layer(layer, k) for k, layer in enumerate(layers, start=1)]
    if not given:
        raise HypothesisError("the list has no layers; give a list of (W, b)")
    if inputs_first is None and any(one.inputs_first is None for one in given):
        inputs_first = _orientation(given)
    between = activation_named(activation)
    steps: list[Step] = []
    for one in given:
        chosen = inputs_first if one.inputs_first is None else one.inputs_first
        weight = one.weight.T if chosen else one.weight
        steps += [affine(weight.copy(), one.bias), between]
    return chain(steps[:-1])


def to_pytree(
    network: Network, *, rounded: bool = False, inputs_first: bool = False
) -> list[tuple[np.ndarray, np.ndarray]]:
    """[(W, b), ...] in float64 NumPy arrays, W of shape (outputs, inputs).

    Raises:
        HypothesisError: a weight that is not a float64 and `rounded` is not set.
    """
    pairs = float_layers(network, rounded=rounded)
    return [(w.T.copy() if inputs_first else w, b) for w, b in pairs]


def numbers(array: object) -> np.ndarray:
    """An array of any float type as float64, each number at face value."""
    try:
        found = np.asarray(array)
    except ValueError as error:
        raise HypothesisError(
            "the weights or biases are not an array of numbers; use floats"
        ) from error
    wide = found.dtype.itemsize > np.dtype(np.float64).itemsize
    if (found.dtype.kind != "f" and found.dtype.name != "bfloat16") or wide:
        raise HypothesisError(
            f"the weights or biases have type {found.dtype}; use "
            "float64, float32, float16 or bfloat16"
        )
    return found.astype(np.float64)


@dataclass(frozen=True, eq=False)
class _Layer:
    """Weight, bias if there is one, and whether the inputs come first, if named."""

    weight: np.ndarray
    bias: np.ndarray | None
    inputs_first: bool | None


def _layer(layer: object, k: int) -> _Layer:
    first = None
    if isinstance(layer, Mapping):
        names = {"weight", "w", "W", "kernel"} & set(layer)
        more = {"bias", "b"} & set(layer)
        if len(names) != 1 or len(more) > 1 or len(names | more) != len(layer):
            raise HypothesisError(
                f"layer {k} holds {sorted(map(str, layer))[:6]}; give "
                "only weight and bias"
            )
        first = True if names == {"kernel"} else None
        layer = (layer[names.pop()], layer[more.pop()] if more else None)
    if not isinstance(layer, Sequence) or len(layer) != 2:
        raise HypothesisError(f"layer {k} is not a pair (W, b)")
    weight = numbers(layer[0])
    if weight.ndim != 2:
        raise HypothesisError(
            f"the weight of layer {k} must have 2 axes, not {weight.ndim}"
        )
    return _Layer(weight, None if layer[1] is None else numbers(layer[1]), first)


def _orientation(layers: Sequence[_Layer]) -> bool:
    """Whether W has shape (inputs, outputs), from what fits."""
    plain, swapped = (_fits(layers, outputs) for outputs in (0, 1))
    if plain and swapped:
        raise HypothesisError(
            "the weights fit both as x @ W + b and as W @ x + b; pass "
            "inputs_first=True for the first, or inputs_first=False for the second"
        )
    if not plain and not swapped:
        raise HypothesisError(
            "the shapes of the weights and biases do not fit together from layer to "
            "layer; the shapes of the weights begin with "
            f"{[one.weight.shape for one in layers][:6]}"
        )
    return swapped


def _fits(layers: Sequence[_Layer], outputs: int) -> bool:
    shapes = [one.weight.shape for one in layers]
    ends = all(
        one.bias is None or one.bias.shape == (one.weight.shape[outputs],)
        for one in layers
    )
    return ends and all(
        a[outputs] == b[1 - outputs] for a, b in itertools.pairwise(shapes)
    )
