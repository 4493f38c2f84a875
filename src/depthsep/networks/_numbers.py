"""Which numbers the weights of a network are."""

import numpy as np

from depthsep.exact import AbstractWeights, rational
from depthsep.networks._affine import Affine
from depthsep.networks._layered import Layered


def has_weights(network: Layered, numbers: AbstractWeights) -> bool:
    """Whether all weights and biases are such numbers; slopes of units do not count."""
    return all(
        numbers.has(*layer.as_floats) and _is_as_floats(layer)
        for layer in network.layers
    )


def _is_as_floats(layer: Affine) -> bool:
    """Whether rational weights are float64, too."""
    pairs = zip((layer.weight, layer.bias), layer.as_floats, strict=True)
    return layer.is_float or all(
        rational(a) == rational(b)
        for exact, near in pairs
        for a, b in zip(np.ravel(exact), np.ravel(near).tolist(), strict=True)
    )
