"""Networks of continuous piecewise affine units, written with ReLUs only."""

import numpy as np
from flint import fmpq

from depthsep.exact import rational_array as exact
from depthsep.exact import rationals
from depthsep.networks._affine import Affine
from depthsep.networks._algebra import added, joined, scaled
from depthsep.networks._network import Network
from depthsep.networks.activations._activations import RELU, Activation


def as_relu(network: Network) -> Network:
    """The same function, exactly: |z|, leaky ReLUs and clips become two ReLUs each.

    |z| = relu(z) + relu(-z), leaky(z) = relu(z) - a relu(-z), and clip(z) = low +
    relu(z - low) - relu(z - high). Other activations stay as they are.
    """
    layers, activations = list(network.layers), list(network.activations)
    for k, activation in enumerate(activations):
        if activation is not RELU and activation.relus:
            layers[k : k + 2] = _rewritten(activation, *layers[k : k + 2])
            activations[k] = RELU
    return Network(layers, activations)


def _rewritten(activation: Activation, inner: Affine, outer: Affine) -> list[Affine]:
    parts = activation.relus
    weight = joined([inner.weight if p.sign > 0 else -inner.weight for p in parts])
    bias = joined([_moved(p.sign * inner.bias, p.offset) for p in parts])
    reading = joined([scaled(outer.weight, p.factor) for p in parts], 1)
    start = [sum(row, fmpq(0)) * activation.start for row in rationals(outer.weight)]
    return [Affine(weight, bias), Affine(reading, added(outer.bias, exact(start)))]


def _moved(bias: np.ndarray, offset: fmpq) -> np.ndarray:
    return added(bias, exact([offset] * len(bias))) if offset else bias
