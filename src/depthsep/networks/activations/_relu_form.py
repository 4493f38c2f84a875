"""Networks of piecewise-affine continuous units, written with ReLUs only."""

from flint import fmpq

from depthsep.exact import rational
from depthsep.networks._affine import Affine
from depthsep.networks._algebra import joined, scaled
from depthsep.networks._network import Network
from depthsep.networks.activations._activations import RELU, Activation
from depthsep.networks.activations._more_activations import ABS, LEAKY


def slope_below(activation: Activation) -> fmpq | None:
    """The factor of relu(-z) in |z| and leaky ReLUs as two ReLUs; None for others."""
    if activation is ABS:
        return fmpq(1)
    if activation.name.startswith(LEAKY):
        return -rational(activation.name.removeprefix(LEAKY))
    return None


def as_relu(network: Network) -> Network:
    """The same function, exactly: |z| and leaky ReLUs become two ReLUs each.

    |z| = relu(z) + relu(-z) and leaky(z) = relu(z) - a relu(-z). Other activations stay
    as they are.
    """
    layers, activations = list(network.layers), list(network.activations)
    for k, activation in enumerate(activations):
        below = slope_below(activation)
        if below is None:
            continue
        inner, outer = layers[k], layers[k + 1]
        layers[k] = Affine(
            joined([inner.weight, -inner.weight]), joined([inner.bias, -inner.bias])
        )
        both = joined([outer.weight, scaled(outer.weight, below)], 1)
        layers[k + 1] = Affine(both, outer.bias)
        activations[k] = RELU
    return Network(layers, activations)
