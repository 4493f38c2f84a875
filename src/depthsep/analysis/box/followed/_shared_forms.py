r"""From layers to `Stages`: units that read the same form are found and joined."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from depthsep.analysis.box.followed._affine_forms import (
    TINY,
    UNIT,
    Bends,
    Forms,
    Linear,
    Stages,
    boxes_to_forms,
)
from depthsep.networks import Network

MOST_TOGETHER = 32


@dataclass(frozen=True)
class Layer:
    """An affine map in float64 that is known up to `doubt`.

    Attributes:
        weight: (inputs, outputs).
        doubt: (outputs,) bounds of what the map leaves out, on the box it is for.
    """

    weight: np.ndarray
    bias: np.ndarray
    doubt: np.ndarray


@dataclass(frozen=True)
class Readers:
    """Which form each unit of a layer reads: sign * form + bias.

    Attributes:
        forms: (inputs, F) the distinct columns of weights, up to sign.
        reads: (units,) places in them.
        signs: (units,) 1 or -1.
    """

    forms: np.ndarray
    reads: np.ndarray
    signs: np.ndarray

    @staticmethod
    def of(layer: Layer) -> "Readers":
        """By the exact weights."""
        columns = np.ascontiguousarray(layer.weight.T) + 0.0
        leading = (columns != 0).argmax(axis=1)
        signs = np.sign(columns[np.arange(len(columns)), leading])
        signs[signs == 0] = 1.0
        places: dict[bytes, int] = {}
        turned = columns * signs[:, None] + 0.0
        reads = [places.setdefault(row.tobytes(), len(places)) for row in turned]
        chosen = np.unique(reads, return_index=True)[1]
        forms = np.ascontiguousarray(turned[chosen].T)
        return Readers(forms, np.array(reads), signs)

    def units(self, read: Forms, layer: Layer) -> Forms:
        """The forms of all units before their ReLUs."""
        r = read.chosen(self.reads)
        centre = self.signs * r.centre + layer.bias
        error = r.error + layer.doubt
        error = error + 4 * UNIT * (np.abs(r.centre) + np.abs(layer.bias) + error)
        return Forms(centre, self.signs * r.slopes, error)


def stages(layers: Sequence[Layer]) -> tuple[Stages, list[Readers]]:
    """The network ready to be followed on boxes."""
    maps, bends, readers = [], [], []
    after = Readers.of(layers[0])
    for layer, following in pairwise(layers):
        found, last = after, following is layers[-1]
        if not maps:
            maps.append(Linear(found.forms))
        after = Readers.of(following)
        weight = following.weight if last else after.forms
        bend, joined = _bends(layer, found, weight)
        readers.append(found)
        bends.append(bend)
        maps.append(Linear(joined))
    maps = maps or [Linear(layers[0].weight)]
    return Stages(maps, bends, layers[-1].bias, layers[-1].doubt), readers


def _bends(
    layer: Layer, readers: Readers, weight: np.ndarray
) -> tuple[Bends, np.ndarray]:
    """Functions of one form each, and the weights (functions, outputs) adding them."""
    groups: dict[int, list[int]] = {}
    for unit, form in enumerate(readers.reads.tolist()):
        groups.setdefault(form, []).append(unit)
    members, weights, rows, columns, scales = [], [], [], [], []
    for units in groups.values():
        for together in _chunks(units, layer, readers):
            shapes, places, outputs, factors = _shapes(weight[together])
            rows += [p + len(members) for p in places]
            columns += outputs
            scales += factors
            for shape in shapes:
                used = np.flatnonzero(shape)
                members.append([together[k] for k in used])
                weights.append(shape[used])
    joined = np.zeros((len(members), weight.shape[1]))
    joined[rows, columns] = scales
    return _padded(layer, readers, members, weights), joined


def _chunks(units: list[int], layer: Layer, readers: Readers) -> list[list[int]]:
    """Neighbours by where they bend, a bounded number at a time."""
    ordered = sorted(units, key=lambda j: -readers.signs[j] * layer.bias[j])
    return [
        ordered[at : at + MOST_TOGETHER] for at in range(0, len(units), MOST_TOGETHER)
    ]


Shapes = tuple[list[np.ndarray], list[int], list[int], list[float]]


def _shapes(block: np.ndarray) -> Shapes:
    """Distinct columns of (K, outputs) up to a factor: shapes, and who uses them.

    Where there are many, each unit for itself.
    """
    outputs = np.flatnonzero(block.any(axis=0)).tolist()
    if len(block) == 1:
        return [np.ones(1)], [0] * len(outputs), outputs, block[0, outputs].tolist()
    found: dict[bytes, int] = {}
    shapes, places, factors = [], [], []
    for i in outputs:
        column = block[:, i]
        factor = column[np.flatnonzero(column)[0]]
        shape = column / factor + 0.0
        key = shape.tobytes()
        if key not in found:
            found[key] = len(shapes)
            shapes.append(shape)
        places.append(found[key])
        factors.append(float(factor))
    if len(shapes) <= 2 * len(block) + 2:
        return shapes, places, outputs, factors
    alone = np.nonzero(block)
    return (
        list(np.eye(len(block))),
        alone[0].tolist(),
        alone[1].tolist(),
        block[alone].tolist(),
    )


def _padded(
    layer: Layer,
    readers: Readers,
    members: list[list[int]],
    weights: list[np.ndarray],
) -> Bends:
    most, count = max(map(len, members), default=1), len(members)
    signs, biases = np.ones((count, most)), np.zeros((count, most))
    padded, doubt = np.zeros((count, most)), np.zeros(count)
    reads = np.zeros(count, dtype=int)
    for p, (units, shape) in enumerate(zip(members, weights, strict=True)):
        n = len(units)
        reads[p] = readers.reads[units[0]]
        signs[p, :n], biases[p, :n] = readers.signs[units], layer.bias[units]
        padded[p, :n] = shape
        doubt[p] = (np.abs(shape) @ layer.doubt[units]) * (1 + 4 * (n + 2) * UNIT)
    return Bends(reads, signs, biases, padded, doubt)


def layers_on(network: Network, low: np.ndarray, high: np.ndarray) -> list[Layer]:
    """The layers in float64, for inputs in one box: what rounding changes is doubt."""
    size, layers = boxes_to_forms(low[None], high[None]), []
    most = (size.size + size.error)[0]
    for affine in network.layers:
        weight, bias = affine.as_floats
        layer = Layer(np.ascontiguousarray(weight.T), bias, np.zeros(len(bias)))
        reach = (most @ np.abs(layer.weight) + np.abs(bias)) * (1 + 1e-9)
        if not affine.is_float:
            layer = replace(layer, doubt=3 * UNIT * reach + TINY)
        layers.append(layer)
        most = reach + layer.doubt
    return layers


def weights_of(layers: Sequence[Layer]) -> int:
    """Entries of all weight matrices."""
    return sum(layer.weight.size for layer in layers)
