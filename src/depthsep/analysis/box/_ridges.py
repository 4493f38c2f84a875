r"""Split a network of several inputs into functions of one variable each.

A network whose first layer looks along few directions w_1, ..., w_J, and whose later
units each see one of them, is a sum of ridges G_1(w_1 . x) + ... + G_J(w_J . x) + c. A
unit that sees several is allowed if it only carries: its argument is nowhere negative
on the box (then it passes a sum, which is split and lifted so that each part is >= 0),
or nowhere positive (then it is dead). Both are decided exactly, from the minima of the
parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import gcd, lcm

import numpy as np
from flint import fmpq

from depthsep.analysis.line.pieces._enumerate import on_interval
from depthsep.laws import Box, Segment
from depthsep.networks import RELU, Affine, Network
from depthsep.targets import power_coefficients

Direction = tuple[int, ...]
MAX_DIRECTIONS = 512
MAX_PIECES = 1 << 16


@dataclass(frozen=True)
class Ridge:
    """x -> network(direction . x), with direction . x in `on` for x in the box."""

    direction: Direction
    network: Network
    on: Segment


@dataclass(frozen=True)
class RidgeSum:
    """The sum of the ridges and a constant, equal to the network on the box."""

    ridges: tuple[Ridge, ...]
    constant: fmpq


@dataclass
class _Part:
    """One direction, while its network is built layer by layer."""

    on: Segment
    layers: list[tuple[list[list[fmpq]], list[fmpq]]] = field(default_factory=list)
    rows: list[list[fmpq]] = field(default_factory=list)
    biases: list[fmpq] = field(default_factory=list)

    def add(self, row: list[fmpq], bias: fmpq) -> int:
        self.rows.append(row)
        self.biases.append(bias)
        return len(self.rows) - 1

    def close(self) -> None:
        self.layers.append((self.rows, self.biases))
        self.rows, self.biases = [], []

    def network(self, row: list[fmpq], bias: fmpq) -> Network:
        maps = [Affine(_matrix(rows), _vector(biases)) for rows, biases in self.layers]
        return Network([*maps, Affine(_matrix([row]), _vector([bias]))])


@dataclass(frozen=True)
class _Unit:
    """A unit as a sum of units of the parts (direction, index) and a constant."""

    terms: tuple[tuple[Direction, int], ...]
    constant: fmpq = fmpq(0)  # noqa: RUF009 (fmpq is immutable)


def ridge_sum(network: Network, box: Box) -> RidgeSum | None:
    """The network on the box as a sum of ridges; None if it is not seen to be one.

    Raises:
        TooLargeError: a carried part has too many pieces to find its minimum.
    """
    if network.out_dim != 1 or any(a is not RELU for a in network.activations):
        return None
    if network.depth == 1:
        return _affine(network, box)
    parts: dict[Direction, _Part] = {}
    units = _first_layer(network.layers[0], box, parts)
    if units is None:
        return None
    for layer in network.layers[1:-1]:
        for part in parts.values():
            part.close()
        units = _next_layer(layer, units, parts)
        if units is None:
            return None
        parts = {w: part for w, part in parts.items() if part.rows}
    for part in parts.values():
        part.close()
    ((row, bias),) = network.layers[-1].rational_rows()
    seen, constant = _collected(row, bias, units, parts)
    ridges = [
        Ridge(w, parts[w].network(weights, fmpq(0)), parts[w].on)
        for w, weights in seen.items()
    ]
    return RidgeSum(tuple(ridges), constant)


def _affine(network: Network, box: Box) -> RidgeSum:
    ((row, bias),) = network.layers[0].rational_rows()
    direction, factor = primitive(row)
    if factor == 0:
        return RidgeSum((), bias)
    on = Segment(*box.range_of([fmpq(w) for w in direction]))
    line = Network([Affine(_matrix([[factor]]), _vector([fmpq(0)]))])
    return RidgeSum((Ridge(direction, line, on),), bias)


def primitive(row: Sequence[fmpq]) -> tuple[Direction, fmpq]:
    """(w, c) with row = c w, w integers without common divisor, first nonzero > 0."""
    scale = lcm(*(int(v.q) for v in row))
    whole = [int((v * scale).p) for v in row]
    divisor = gcd(*whole)
    if divisor == 0:
        return tuple(whole), fmpq(0)
    if next(v for v in whole if v) < 0:
        divisor = -divisor
    return tuple(v // divisor for v in whole), fmpq(divisor, scale)


def _first_layer(
    layer: Affine, box: Box, parts: dict[Direction, _Part]
) -> list[_Unit] | None:
    rows = list(layer.rational_rows())
    ends = [_range(row, bias, box) for row, bias in rows]
    for (row, _), (low, high) in zip(rows, ends, strict=True):
        if low < 0 < high:
            _part_of(primitive(row)[0], box, parts)
    bent = list(parts)
    if len(bent) > MAX_DIRECTIONS:
        return None
    units = []
    for (row, bias), (low, high) in zip(rows, ends, strict=True):
        direction, factor = primitive(row)
        linear = low >= 0 and direction not in parts
        shares = _shares(row, bent) if linear else None
        if high <= 0 or factor == 0:
            units.append(_Unit((), max(bias, fmpq(0)) if factor == 0 else fmpq(0)))
        elif shares is None:
            index = _part_of(direction, box, parts).add([factor], bias)
            units.append(_Unit(((direction, index),)))
        else:
            units.append(_spread(shares, bias, parts))
    return None if len(parts) > MAX_DIRECTIONS else units


def _range(row: list[fmpq], bias: fmpq, box: Box) -> tuple[fmpq, fmpq]:
    low, high = box.range_of(row)
    return low + bias, high + bias


def _part_of(direction: Direction, box: Box, parts: dict[Direction, _Part]) -> _Part:
    if direction not in parts:
        parts[direction] = _Part(Segment(*box.range_of([fmpq(v) for v in direction])))
    return parts[direction]


def _shares(row: list[fmpq], bent: list[Direction]) -> dict[Direction, fmpq] | None:
    """A linear form as a sum of multiples of the forms along which units bend."""
    dim = len(row)
    axes = [tuple(int(i == k) for i in range(dim)) for k in range(dim)]
    part = {axis: v for axis, v in zip(axes, row, strict=True) if v != 0}
    found = power_coefficients(bent, part, 1) if bent else None
    if found is None:
        return None
    return {w: c for w, c in zip(bent, found, strict=True) if c != 0}


def _spread(
    shares: dict[Direction, fmpq], bias: fmpq, parts: dict[Direction, _Part]
) -> _Unit:
    """A unit that is never off, as a unit of every part that is never off either."""
    terms = []
    for direction, c in shares.items():
        on = parts[direction].on
        least = min(c * on.start, c * on.stop)
        terms.append((direction, parts[direction].add([c], -least)))
        bias = bias + least
    return _Unit(tuple(terms), bias)


def _next_layer(
    layer: Affine, units: list[_Unit], parts: dict[Direction, _Part]
) -> list[_Unit] | None:
    out = []
    for row, bias in layer.rational_rows():
        seen, constant = _collected(row, bias, units, parts)
        if len(seen) <= 1:
            out.append(_pure(seen, constant, parts))
            continue
        unit = _carried(seen, constant, parts)
        if unit is None:
            return None
        out.append(unit)
    return out


def _pure(
    seen: dict[Direction, list[fmpq]], constant: fmpq, parts: dict[Direction, _Part]
) -> _Unit:
    for direction, row in seen.items():
        return _Unit(((direction, parts[direction].add(row, constant)),))
    return _Unit((), max(constant, fmpq(0)))


def _carried(
    seen: dict[Direction, list[fmpq]], constant: fmpq, parts: dict[Direction, _Part]
) -> _Unit | None:
    """The unit if it is linear on the whole box: its parts, each lifted to >= 0."""
    extremes = {w: _extremes(parts[w], row) for w, row in seen.items()}
    least = sum((low for low, _ in extremes.values()), constant)
    most = sum((high for _, high in extremes.values()), constant)
    if most <= 0:
        return _Unit(())
    if least < 0:
        return None
    terms = tuple((w, parts[w].add(row, -extremes[w][0])) for w, row in seen.items())
    return _Unit(terms, least)


def _extremes(part: _Part, row: list[fmpq]) -> tuple[fmpq, fmpq]:
    f = on_interval(
        part.network(row, fmpq(0)), part.on.start, part.on.stop, max_pieces=MAX_PIECES
    )
    return min(f.values.tolist()), max(f.values.tolist())


def _collected(
    row: list[fmpq], bias: fmpq, units: list[_Unit], parts: dict[Direction, _Part]
) -> tuple[dict[Direction, list[fmpq]], fmpq]:
    """What a row sees: by direction, weights on units of that part; and the rest."""
    seen: dict[Direction, list[fmpq]] = {}
    for weight, unit in zip(row, units, strict=True):
        if weight == 0:
            continue
        bias = bias + weight * unit.constant
        for direction, index in unit.terms:
            if direction not in seen:
                width = len(parts[direction].layers[-1][1])
                seen[direction] = [fmpq(0)] * width
            seen[direction][index] += weight
    return {w: r for w, r in seen.items() if any(v != 0 for v in r)}, bias


def _matrix(rows: list[list[fmpq]]) -> np.ndarray:
    out = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        out[i, :] = row
    return out


def _vector(values: list[fmpq]) -> np.ndarray:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
