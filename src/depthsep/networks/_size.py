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
        bits: most bits in a numerator or denominator of a weight or bias.
    """

    depth: int
    widths: tuple[int, ...]
    width: int
    units: int
    weights: int
    largest_weight: fmpq
    bits: int


def size(network: Network | SkipNetwork) -> Size:
    """Measure a network exactly."""
    arrays = [x for layer in network.layers for x in (layer.weight, layer.bias)]
    return Size(
        depth=network.depth,
        widths=network.widths,
        width=network.width,
        units=network.units,
        weights=sum(int((x != 0).sum()) for x in arrays),
        largest_weight=max(rational(np.abs(x).max()) for x in arrays),
        bits=max(_bits(x) for x in arrays),
    )


def _bits(values: np.ndarray) -> int:
    distinct = set(values.ravel().tolist())
    exact = (rational(x) for x in distinct)
    return max(max(int(x.p).bit_length(), int(x.q).bit_length()) for x in exact)
