"""Units of two networks of one depth, brought into one order and one number.

Whichever units are paired, both networks stay the functions that they are. The nearer
pairs are, the sharper are bounds of the difference.
"""

import numpy as np

from depthsep.analysis.bounds._followed import LARGEST
from depthsep.networks import Affine, Network

MOST_UNITS = 2048  # of a layer that are paired by their weights; others stay in order


def paired(first: Network, second: Network) -> tuple[Network, Network]:
    """The same functions with equal widths: missing units are 0 and read by nobody."""
    places = np.arange(first.in_dim), np.arange(second.in_dim)
    width, layers = first.in_dim, (list[Affine](), list[Affine]())
    nets = first, second
    for k in range(first.depth):
        here = [
            _columns(n.layers[k], p, width) for n, p in zip(nets, places, strict=True)
        ]
        if k == first.depth - 1:
            width = first.out_dim
            places = np.arange(width), np.arange(width)
        else:
            width = max(len(layer.bias) for layer in here)
            places = _places(*here)
        for found, layer, place in zip(layers, here, places, strict=True):
            found.append(_rows(layer, place, width))
    return (
        Network(layers[0], first.activations),
        Network(layers[1], second.activations),
    )


def _columns(layer: Affine, places: np.ndarray, width: int) -> Affine:
    weight = np.zeros((layer.shape[0], width), dtype=layer.weight.dtype)
    weight[:, places] = layer.weight
    return Affine(weight, layer.bias)


def _rows(layer: Affine, places: np.ndarray, width: int) -> Affine:
    weight = np.zeros((width, layer.shape[1]), dtype=layer.weight.dtype)
    bias = np.zeros(width, dtype=layer.bias.dtype)
    weight[places], bias[places] = layer.weight, layer.bias
    return Affine(weight, bias)


def _places(first: Affine, second: Affine) -> tuple[np.ndarray, np.ndarray]:
    """Where the units of both go: those of the larger stay, the others go beside."""
    if len(first.bias) < len(second.bias):
        theirs, ours = _places(second, first)
        return ours, theirs
    stay = np.arange(len(first.bias))
    theirs, ours = (np.column_stack(layer.as_floats) for layer in (second, first))
    largest = max(np.abs(theirs).max(), np.abs(ours).max())
    if len(stay) > MOST_UNITS or largest > LARGEST:  # whose squares overflow
        return stay, stay[: len(second.bias)]
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    return stay, linear_sum_assignment(cdist(theirs, ours))[1]
