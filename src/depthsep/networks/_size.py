"""Size of a network: units, weights, magnitudes, bits."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.exact import rational
from depthsep.networks._network import Network
from depthsep.networks._skips import SkipNetwork


@dataclass(frozen=True)
class Size:
    """Sizes of a network.

    Attributes:
        depth: affine layers.
        widths: units of each hidden layer.
        width: most units in one hidden layer.
        units: hidden units together.
        weights: nonzero weights and biases.
        largest_weight: largest absolute weight or bias, exact.
        distinct: different values among these, as for shared parameters.
        bits: most bits in a numerator or denominator of a weight or bias.
    """

    depth: int
    widths: tuple[int, ...]
    width: int
    units: int
    weights: int
    largest_weight: fmpq
    bits: int
    distinct: int


def size(network: Network | SkipNetwork) -> Size:
    """Measure a network exactly."""
    arrays = [x for layer in network.layers for x in (layer.weight, layer.bias)]
    values = _distinct(arrays)
    return Size(
        depth=network.depth,
        widths=network.widths,
        width=network.width,
        units=network.units,
        weights=sum(int((x != 0).sum()) for x in arrays),
        largest_weight=max(abs(v) for v in values),
        bits=max(_bits(v) for v in values),
        distinct=sum(v != 0 for v in values),
    )


def _distinct(arrays: list[np.ndarray]) -> list[fmpq]:
    # hashing two integers takes a fifth of the time of hashing their quotient
    found: dict[tuple[int, int], fmpq] = {}
    for x in arrays:
        for v in x.ravel().tolist() if x.dtype == object else np.unique(x).tolist():
            value = rational(v)
            found[int(value.p), int(value.q)] = value
    return list(found.values())


def _bits(value: fmpq) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())
