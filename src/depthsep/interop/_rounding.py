"""Weights for files that hold float64 only: as they are, or rounded on request."""

from collections.abc import Iterator

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.exact import rational, text
from depthsep.networks import Network


def float_arrays(network: Network, *, rounded: bool) -> dict[str, np.ndarray]:
    """{"W1": ..., "b1": ..., "W2": ...}, float64.

    Raises:
        HypothesisError: a weight is no float64 number and `rounded` is not set, or it
            is too large for one; names the first.
    """
    return {name: _floats(a, name, rounded) for name, a in _named(network)}


def _named(network: Network) -> Iterator[tuple[str, np.ndarray]]:
    for k, layer in enumerate(network.layers, start=1):
        yield f"W{k}", layer.weight
        yield f"b{k}", layer.bias


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
