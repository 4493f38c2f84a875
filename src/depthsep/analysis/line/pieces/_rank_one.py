"""Split a network where the map between hidden layers has rank one, or rank two.

Rank one: the next hidden layer sees a single number y. Rank two with a carried sum:
all units but one see only y, the remaining unit carries a number c >= 0, so its ReLU
does nothing. Either way the network on an interval is

    f = phi_1(y_0) + phi_2(y_1) + ... + phi_L(y_{L-1}),     y_j = g_j(y_{j-1}),

with piecewise-affine g_j and phi_j of one variable, each read off exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.analysis.line.pieces._sums_of_ramps import sum_of_ramps
from depthsep.exact import rationals, scaled_integers, wide
from depthsep.networks import RELU, Affine, Network

MAX_READINGS = 1 << 13
MAX_BITS = 1 << 18


@dataclass(frozen=True)
class Block:
    """One hidden layer as functions of one variable, given at common knots.

    Attributes:
        knots: sorted, covering the range of y_{j-1}.
        inner: g_j at the knots; None for the last block.
        outer: what the layer adds to the carried sum, at the knots.
        gain: factor of the carried sum on its way through this layer.
    """

    knots: list[fmpq]
    inner: list[fmpq] | None
    outer: list[fmpq]
    gain: fmpq


@dataclass(frozen=True)
class _Layer:
    """A hidden layer seen as units relu(u y + b) and perhaps one carry unit."""

    units: np.ndarray
    slopes: np.ndarray
    offsets: np.ndarray
    carry: int | None


def split(network: Network, start: fmpq, stop: fmpq) -> list[Block] | None:
    """The blocks of a network of one input and output, or None if it does not split.

    The caller has yet to check that what the carry units carry is never negative.
    """
    if network.in_dim != 1 or network.out_dim != 1 or network.depth < 2:
        return None
    if any(a is not RELU for a in network.activations):
        return None
    first = network.layers[0]
    m = first.shape[0]
    layer = _Layer(
        np.arange(m), rationals(first.weight[:, 0]), rationals(first.bias), None
    )
    return _blocks(list(network.layers[1:]), layer, start, stop)


def _blocks(
    rest: list[Affine], layer: _Layer, start: fmpq, stop: fmpq
) -> list[Block] | None:
    """Depth first through the ways to read each layer; so many of them at most."""
    if len(rest) == 1:
        return [_last_block(rest[0], layer, start, stop)]
    found: list[Block] = []
    ways = [_ways(rest[0], layer, start, stop)]
    for _ in range(MAX_READINGS):
        while (way := next(ways[-1], None)) is None:
            ways.pop()
            if not ways:
                return None
        block, following, low, high = way
        found[len(ways) - 1 :] = [block]
        if len(ways) == len(rest) - 1:
            return [*found, _last_block(rest[-1], following, low, high)]
        ways.append(_ways(rest[len(ways)], following, low, high))
    return None


def _last_block(affine: Affine, layer: _Layer, start: fmpq, stop: fmpq) -> Block:
    row, bias = rationals(affine.weight[0]), rationals(affine.bias)[0]
    return _block(layer, None, (row, bias), start, stop)


def _ways(
    affine: Affine, layer: _Layer, start: fmpq, stop: fmpq
) -> Iterator[tuple[Block, _Layer, fmpq, fmpq]]:
    """A block, and what follows it with the range of its variable."""
    for y_row, following, c_row in _readings(affine, layer.carry):
        block = _block(layer, y_row, c_row, start, stop)
        assert block.inner is not None
        low, high = min(block.inner), max(block.inner)
        if max(low.height_bits(), high.height_bits()) <= MAX_BITS:
            yield block, following, low, high if high > low else low + 1


def _readings(
    affine: Affine, carry: int | None
) -> Iterator[tuple[np.ndarray, _Layer, tuple[np.ndarray, fmpq] | None]]:
    """Ways to read a layer as one variable and at most one carry unit."""
    groups = _parallel_rows(affine)
    if groups is None:
        return
    (*lines, flat) = groups
    for variable, carried in _roles(lines):
        row = rationals(affine.weight[lines[variable][0]])
        if variable == carried:
            # the only unit left carries the sum; the variable is not read any more
            row = np.full(len(row), fmpq(0), dtype=object)
        elif carry is not None and row[carry] != 0:
            continue
        units = flat if variable == carried else np.concatenate([lines[variable], flat])
        units = units.astype(int)
        layer = _Layer(
            units,
            _multiples(affine, units, row),
            rationals(affine.bias[units]),
            None if carried is None else int(lines[carried][0]),
        )
        yield row, layer, _sum_row(affine, layer.carry)


def _roles(lines: list[np.ndarray]) -> list[tuple[int, int | None]]:
    """Which group of rows reads the variable, which single row carries the sum."""
    if len(lines) == 1:
        return [(0, None), (0, 0)] if len(lines[0]) == 1 else [(0, None)]
    roles = [(0, 1), (1, 0)]
    roles.sort(key=lambda role: -len(lines[role[0]]))
    return [(v, c) for v, c in roles if len(lines[c]) == 1]


def _sum_row(affine: Affine, carry: int | None) -> tuple[np.ndarray, fmpq] | None:
    if carry is None:
        return None
    return rationals(affine.weight[carry]), rationals(affine.bias[carry : carry + 1])[0]


def _parallel_rows(affine: Affine) -> list[np.ndarray] | None:
    """Rows grouped by direction: one or two groups, then the zero rows."""
    distinct, which = _distinct_rows(affine.weight)
    groups = _parallel_integers(scaled_integers(distinct)[0])
    if groups is None:
        return None
    return [np.flatnonzero(np.isin(which, group)) for group in groups]


def _distinct_rows(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows, and for each row which of them it is."""
    numbers: dict[object, int] = {}
    firsts, which = [], []
    is_float = weight.dtype != object
    # adding 0 turns -0.0 into 0.0: equal rows then have equal bytes
    rows = weight + 0.0 if is_float else weight
    for i, row in enumerate(rows):
        key = row.tobytes() if is_float else tuple(map(str, row))
        if key not in numbers:
            numbers[key] = len(numbers)
            firsts.append(i)
        which.append(numbers[key])
    return weight[firsts], np.array(which)


def _parallel_integers(w: np.ndarray) -> list[np.ndarray] | None:
    nonzero = np.asarray((w != 0).any(axis=1), dtype=bool)
    flat, left, groups = np.flatnonzero(~nonzero), np.flatnonzero(nonzero), []
    while len(left):
        if len(groups) == 2:
            return None
        reference = w[left[0]]
        pivot = int(np.flatnonzero(reference != 0)[0])
        a, b = wide(w[left], reference, terms=1)
        same = np.all(a * b[pivot] == a[:, pivot : pivot + 1] * b, axis=1).astype(bool)
        groups.append(left[same])
        left = left[~same]
    return [*groups, flat] if groups else None


def _multiples(affine: Affine, units: np.ndarray, row: np.ndarray) -> np.ndarray:
    if not (row != 0).any():
        return np.full(len(units), fmpq(0), dtype=object)
    pivot = int(np.flatnonzero(row != 0)[0])
    return rationals(affine.weight[units, pivot]) / row[pivot]


def _block(
    layer: _Layer,
    y_row: np.ndarray | None,
    c_row: tuple[np.ndarray, fmpq] | None,
    start: fmpq,
    stop: fmpq,
) -> Block:
    rows = [] if y_row is None else [(y_row, fmpq(0))]
    gain = fmpq(0)
    if c_row is not None:
        rows.append(c_row)
        gain = c_row[0][layer.carry] if layer.carry is not None else fmpq(0)
    knots, values = _sampled(layer, rows, start, stop)
    inner = values[0] if y_row is not None else None
    outer = values[-1] if c_row is not None else [fmpq(0)] * len(knots)
    return Block(knots, inner, outer, gain)


def _sampled(
    layer: _Layer, rows: list[tuple[np.ndarray, fmpq]], start: fmpq, stop: fmpq
) -> tuple[list[fmpq], list[list[fmpq]]]:
    m = len(layer.units)
    parameters, s = scaled_integers(np.concatenate([layer.slopes, layer.offsets]))
    weights = np.array([row[layer.units] for row, _ in rows], dtype=object)
    constants = np.array([bias for _, bias in rows], dtype=object)
    joined, r = scaled_integers(np.concatenate([weights.ravel(), constants]))
    c, d = joined[: weights.size].reshape(weights.shape), joined[weights.size :]
    d = d.astype(object) * s
    table = sum_of_ramps(parameters[:m], parameters[m:], c, d, (start, stop)).tolist()
    knots = [fmpq(int(t), int(q)) for q, t, *_ in table]
    scale = s * r
    values = [
        [fmpq(int(row[2 + k]), int(row[0]) * scale) for row in table]
        for k in range(len(rows))
    ]
    return knots, values
