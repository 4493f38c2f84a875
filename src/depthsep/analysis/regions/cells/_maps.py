r"""The affine map of a network on cells of known patterns: near with bounds, and exact.

Inside a cell every hidden unit is on or off, so the slopes are a product of weight
matrices from which the rows of units that are off are dropped.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from flint import fmpq

from depthsep.analysis.regions.cells._filtered import SMALL, FloatLayer
from depthsep.exact import matmul, narrow
from depthsep.networks import Affine

Map = tuple[fmpq, ...]
BATCH = 1 << 22  # numbers of one layer at a time


class Slopes(NamedTuple):
    """Near slopes and bounds on how far off they are, (cells, n, outputs) each."""

    values: np.ndarray
    errors: np.ndarray


def slopes(layers: Sequence[Affine], patterns: Sequence[np.ndarray]) -> Slopes:
    """Of every cell, in float64; what overflows has an infinite bound or is NaN."""
    cells = len(patterns[0])
    floats = [FloatLayer(layer) for layer in layers]
    n = layers[0].shape[1]
    step = max(1, BATCH // (n * max(layer.shape[0] for layer in layers)))
    shape = (cells, n, layers[-1].shape[0])
    found = Slopes(np.empty(shape), np.empty(shape))
    for first in range(0, cells, step):
        at = slice(first, first + step)
        values, errors = _slopes(floats, [p[at] for p in patterns])
        found.values[at], found.errors[at] = values, errors
    return found


def _slopes(
    layers: Sequence[FloatLayer], patterns: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    start, count = layers[0].weight.T, len(patterns[0])
    n = len(start)
    values = np.tile(start, (count, 1))
    errors = np.abs(values) * layers[0].rounding + SMALL
    with np.errstate(all="ignore"):
        for layer, pattern in zip(layers[1:], patterns, strict=True):
            on = np.repeat(pattern, n, axis=0)
            values, errors = np.where(on, values, 0.0), np.where(on, errors, 0.0)
            values, errors = layer.linear(values, errors)
    return values.reshape(count, n, -1), errors.reshape(count, n, -1)


def exact_maps(
    layers: Sequence[Affine], patterns: Sequence[np.ndarray]
) -> tuple[np.ndarray, int]:
    """Integers (cells, outputs, 1 + n) and one denominator: constants, then slopes."""
    weight, bias, scale = layers[0].integers
    cells, n = len(patterns[0]) if patterns else 1, weight.shape[1]
    start = np.concatenate([bias[None], weight.T])
    rows = np.broadcast_to(start, (cells, *start.shape)).reshape(-1, start.shape[1])
    for layer, pattern in zip(layers[1:], patterns, strict=True):
        weight, bias, s = layer.integers
        on = np.repeat(pattern, n + 1, axis=0)
        rows = matmul(np.where(on, rows, 0), weight.T).astype(object)
        rows[:: n + 1] += bias.astype(object) * scale
        scale *= s
        rows = narrow(rows)
    return rows.reshape(cells, n + 1, -1).transpose(0, 2, 1), scale


def as_maps(table: np.ndarray, scale: int) -> list[Map]:
    """What `exact_maps` found, as rationals."""
    flat = table.reshape(len(table), -1).tolist()
    return [tuple(fmpq(int(x), scale) for x in row) for row in flat]


def same_maps(
    layers: Sequence[Affine], patterns: Sequence[np.ndarray], pairs: np.ndarray
) -> tuple[np.ndarray, int]:
    """Of pairs of cells, (2, pairs): whether their slopes are equal.

    Neighbours with equal slopes have one map, as the network is continuous. Also how
    many pairs had to be compared exactly.
    """
    near = slopes(layers, patterns)
    a, b = pairs
    with np.errstate(all="ignore"):  # what overflows stays open
        gap = np.abs(near.values[a] - near.values[b])
        apart = gap > (near.errors[a] + near.errors[b]) * (1 + 2.0**-20)
    same = np.asarray(~(apart & np.isfinite(gap)).any(axis=(1, 2)))
    open_ = np.flatnonzero(same)
    cells, place = np.unique(pairs[:, open_], return_inverse=True)
    place = place.reshape(2, -1)
    if len(cells):
        table, _ = exact_maps(layers, [p[cells] for p in patterns])
        steep = table[:, :, 1:]
        equal = steep[place[0]] == steep[place[1]]
        same[open_] = equal.astype(bool).all(axis=(1, 2))
    return same, len(open_)
