"""Weights for files that hold float64 only: as they are, or rounded on request."""

from collections.abc import Iterator

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float, rational, text
from depthsep.networks import Activation, Network, SkipNetwork, leaky_slope


def float_arrays(
    network: Network | SkipNetwork, *, rounded: bool, kind: type = np.float64
) -> dict[str, np.ndarray]:
    """{"W1": ..., "b1": ..., "W2": ...}, float64 or float32.

    Raises:
        HypothesisError: a weight is not a number of that kind and `rounded` is not set,
            or it is too large for one; names the first.
    """
    arrays = {name: _floats(a, name, rounded) for name, a in _named(network)}
    if kind is np.float64:
        return arrays
    return {name: _singles(a, name, rounded) for name, a in arrays.items()}


def float_layers(
    network: Network, *, rounded: bool, kind: type = np.float64
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The same as [(W, b), ...], layer by layer.

    Raises:
        HypothesisError: as `float_arrays`.
    """
    arrays = list(float_arrays(network, rounded=rounded, kind=kind).values())
    return list(zip(arrays[::2], arrays[1::2], strict=True))


def slope_of(
    activation: Activation, *, rounded: bool, kind: type = np.float64
) -> float | None:
    """The slope below 0 of a leaky ReLU as a float; None for other activations.

    Raises:
        HypothesisError: it is not a number of that kind and `rounded` is not set.
    """
    slope = leaky_slope(activation)
    if slope is None:
        return None
    near = float(kind(nearest_float(slope)))
    if not rounded and rational(near) != slope:
        raise HypothesisError(
            f"the slope {slope} of the leaky ReLU units is not a "
            f"{np.dtype(kind)} number; pass rounded=True to round it"
        )
    return near


def _named(network: Network | SkipNetwork) -> Iterator[tuple[str, np.ndarray]]:
    for k, layer in enumerate(network.layers, start=1):
        yield f"W{k}", layer.weight
        yield f"b{k}", layer.bias


def _singles(values: np.ndarray, name: str, rounded: bool) -> np.ndarray:
    with np.errstate(over="ignore", under="ignore"):
        singles = values.astype(np.float32)
    wrong = ~np.isfinite(singles) if rounded else singles != values
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f"{name}[{', '.join(map(str, index))}] = {values[index]}"
        remedy = "keep float64" if rounded else "pass rounded=True or keep float64"
        raise HypothesisError(f"{where} is not a float32 number; {remedy}")
    return singles


def _floats(values: np.ndarray, name: str, rounded: bool) -> np.ndarray:
    if values.dtype != object:
        return np.ascontiguousarray(values)
    out = np.empty(values.shape)
    for index, exact in zip(np.ndindex(values.shape), values.flat, strict=True):
        where = f"{name}[{', '.join(map(str, index))}] = {text(exact)[:60]}"
        try:
            out[index] = int(exact.p) / int(exact.q)
        except OverflowError as error:
            raise HypothesisError(
                f"{where} is too large for float64; scale the network down"
            ) from error
        if not rounded and rational(out[index]) != exact:
            raise HypothesisError(
                f"{where} is not a float64 number; pass rounded=True to round it, or "
                "keep it exact as JSON"
            )
    return out
