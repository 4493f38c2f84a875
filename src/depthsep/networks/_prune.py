"""Remove units that do nothing, without changing the function."""

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.exact import rational, rationals
from depthsep.networks._affine import Affine
from depthsep.networks._network import Network
from depthsep.networks._ranges import Range, image, image_of
from depthsep.networks.activations._activations import Activation


def prune(
    network: Network, box: Sequence[tuple[object, object]] | None = None
) -> Network:
    """The same function without dead units.

    Dead are units that nothing reads, and units that are constant: because no input
    reaches them or, if `box` (one (low, high) pair per input) is given, because exact
    interval bounds show them constant on the box. Constants move into the next bias.
    Every hidden layer keeps at least one unit, so the depth does not change.
    """
    layers, activations = list(network.layers), network.activations
    ranges = _input_ranges(network, box)
    for k, activation in enumerate(activations):
        outputs = None
        if ranges is not None:
            ranges = [image(row, b, ranges) for row, b in layers[k].rational_rows()]
            outputs = [image_of(activation, *ends) for ends in ranges]
        keep, constants = _live_units(layers[k], outputs, activation)
        ranges = None if outputs is None else [outputs[i] for i in keep]
        layers[k], layers[k + 1] = _without(layers[k], layers[k + 1], keep, constants)
    for k in range(len(layers) - 2, -1, -1):
        read = np.flatnonzero((layers[k + 1].weight != 0).any(axis=0)).tolist()
        keep = read or [0]
        layers[k] = Affine(layers[k].weight[keep], layers[k].bias[keep])
        layers[k + 1] = Affine(layers[k + 1].weight[:, keep], layers[k + 1].bias)
        if not read:  # a unit for the depth's sake: it need not read anything
            layers[k] = Affine(*map(np.zeros_like, (layers[k].weight, layers[k].bias)))
    return Network(layers, activations)


def _input_ranges(
    network: Network, box: Sequence[tuple[object, object]] | None
) -> list[Range] | None:
    if box is None:
        return None
    if len(box) != network.in_dim:
        raise HypothesisError(
            f"the box has {plural(len(box), 'side')}; the network needs "
            f"{network.in_dim}"
        )
    ranges = [(rational(a, name="a side"), rational(b, name="a side")) for a, b in box]
    if any(a > b for a, b in ranges):
        raise HypothesisError("a side of the box is reversed; give low before high")
    return ranges


def _live_units(
    layer: Affine, outputs: list[Range] | None, activation: Activation
) -> tuple[list[int], dict[int, fmpq]]:
    """Units to keep, one at least, and the values of the constant ones."""
    keep, constants = [], {}
    reached = (layer.weight != 0).any(axis=1)
    for i in range(layer.shape[0]):
        if not reached[i]:
            constants[i] = activation.exact(rational(layer.bias[i]))
        elif outputs is not None and outputs[i][0] == outputs[i][1]:
            constants[i] = outputs[i][0]
        else:
            keep.append(i)
    return keep or [0], constants


def _without(
    layer: Affine, following: Affine, keep: list[int], constants: dict[int, fmpq]
) -> tuple[Affine, Affine]:
    bias = following.bias
    moved = {i: c for i, c in constants.items() if c != 0}
    if moved:
        columns = rationals(following.weight[:, list(moved)])
        bias = rationals(bias) + columns @ np.array(list(moved.values()), dtype=object)
    weight = following.weight[:, keep]
    if keep[0] in constants:  # the only one left, and its value has moved
        weight = np.zeros_like(weight)
    return Affine(layer.weight[keep], layer.bias[keep]), Affine(weight, bias)
