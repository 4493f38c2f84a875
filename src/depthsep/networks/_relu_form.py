"""Networks of piecewise-affine continuous units, written with ReLUs only."""

from flint import fmpq

from depthsep.exact import rational
from depthsep.networks._activations import RELU
from depthsep.networks._affine import Affine
from depthsep.networks._algebra import joined, scaled
from depthsep.networks._more_activations import ABS, LEAKY
from depthsep.networks._network import Network


def as_relu(network: Network) -> Network:
    """The same function, exactly: |z| and leaky ReLUs become two ReLUs each.

    |z| = relu(z) + relu(-z) and leaky(z) = relu(z) - a relu(-z). Other activations stay
    as they are.
    """
    layers, activations = list(network.layers), list(network.activations)
    for k, activation in enumerate(activations):
        if activation is ABS:
            below = fmpq(1)
        elif activation.name.startswith(LEAKY):
            below = -rational(activation.name.removeprefix(LEAKY))
        else:
            continue
        inner, outer = layers[k], layers[k + 1]
        layers[k] = Affine(
            joined([inner.weight, -inner.weight]), joined([inner.bias, -inner.bias])
        )
        both = joined([outer.weight, scaled(outer.weight, below)], 1)
        layers[k + 1] = Affine(both, outer.bias)
        activations[k] = RELU
    return Network(layers, activations)
