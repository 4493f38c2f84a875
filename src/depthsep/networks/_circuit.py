"""ReLU networks written unit by unit; values are carried to later layers by need."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import exact_column, rational, rationals
from depthsep.networks._affine import Affine
from depthsep.networks._network import Network


@dataclass(frozen=True, eq=False)
class Wire:
    """An affine function of the units of one layer (layer 0: the inputs)."""

    layer: int
    terms: Mapping[int, fmpq]
    constant: fmpq = fmpq(0)  # noqa: RUF009 (fmpq is immutable)

    def __mul__(self, factor: object) -> "Wire":
        c = rational(factor)
        terms = {unit: c * w for unit, w in self.terms.items() if w != 0}
        return Wire(self.layer, terms, c * self.constant)

    __rmul__ = __mul__

    def __add__(self, other: "Wire | int | fmpq") -> "Wire":
        if not isinstance(other, Wire):
            return Wire(self.layer, self.terms, self.constant + other)
        if other.layer != self.layer:
            raise HypothesisError(
                f"wires of layers {self.layer} and {other.layer} cannot be added"
            )
        terms = dict(self.terms)
        for unit, w in other.terms.items():
            terms[unit] = terms.get(unit, fmpq(0)) + w
        return Wire(self.layer, terms, self.constant + other.constant)

    def __sub__(self, other: "Wire | int | fmpq") -> "Wire":
        return self + -1 * other


Key = tuple[int, frozenset[tuple[int, fmpq]], fmpq]


class Circuit:
    """A ReLU network under construction. Units are never shared unless asked to be."""

    def __init__(self, in_dim: int) -> None:
        self.in_dim = in_dim
        self._layers: list[list[Wire]] = []
        self._carried: dict[Wire, Wire] = {}
        self._known: dict[Key, Wire] = {}

    @property
    def inputs(self) -> list[Wire]:
        """The inputs, as wires of layer 0."""
        return [Wire(0, {i: fmpq(1)}) for i in range(self.in_dim)]

    @property
    def widths(self) -> list[int]:
        """Units of each hidden layer so far."""
        return [len(rows) for rows in self._layers]

    def relu(self, wire: Wire) -> Wire:
        """A new unit, one layer on."""
        while len(self._layers) <= wire.layer:
            self._layers.append([])
        rows = self._layers[wire.layer]
        rows.append(wire)
        return Wire(wire.layer + 1, {len(rows) - 1: fmpq(1)})

    def shared_relu(self, wire: Wire) -> Wire:
        """The unit that computes this, made if there is none yet."""
        key = (wire.layer, frozenset(wire.terms.items()), wire.constant)
        if key not in self._known:
            self._known[key] = self.relu(wire)
        return self._known[key]

    def delayed(self, wire: Wire, layer: int) -> Wire:
        """Any wire, as one of a later layer: each of its units is carried, shared.

        Inputs may have any sign: x = relu(x) - relu(-x).
        """
        while wire.layer < layer:
            parts = [
                w * self._next(Wire(wire.layer, {unit: fmpq(1)}))
                for unit, w in wire.terms.items()
                if w != 0
            ]
            constant = wire.constant
            wire = self.sum(parts) if parts else Wire(wire.layer + 1, {})
            wire = wire + constant
        return wire

    def _next(self, unit: Wire) -> Wire:
        if unit.layer:
            return self.shared_relu(unit)
        return self.shared_relu(unit) - self.shared_relu(-1 * unit)

    def at(self, wire: Wire, layer: int) -> Wire:
        """A wire that is never negative, as one of a later layer: a unit each."""
        if wire.layer > layer:
            raise HypothesisError(
                f"a wire of layer {wire.layer} cannot be used as one of "
                f"layer {layer}, which comes before it"
            )
        while wire.layer < layer:
            if wire not in self._carried:
                self._carried[wire] = self.relu(wire)
            wire = self._carried[wire]
        return wire

    def sum(self, wires: Sequence[Wire]) -> Wire:
        """The sum of wires of one layer."""
        terms: dict[int, fmpq] = {}
        constant = fmpq(0)
        for wire in wires:
            constant += wire.constant
            for unit, w in wire.terms.items():
                terms[unit] = terms.get(unit, fmpq(0)) + w
        return Wire(wires[0].layer, terms, constant)

    def network(self, outputs: Sequence[Wire]) -> Network:
        """The network with these outputs, all of its last hidden layer."""
        before, layers = self.in_dim, []
        for rows in [*self._layers, list(outputs)]:
            layers.append(affine_of(rows, before))
            before = len(rows)
        return Network(layers)


def affine_of(rows: Sequence[Wire], inputs: int) -> Affine:
    """Float64 where that holds all weights exactly, rational else."""
    places = [(i, j) for i, row in enumerate(rows) for j in row.terms]
    values = [w for row in rows for w in row.terms.values()]
    weights = exact_column(values)
    bias = exact_column([row.constant for row in rows])
    if weights.dtype == object or bias.dtype == object:
        weights, bias = rationals(weights), rationals(bias)
        weight = np.full((len(rows), inputs), fmpq(0), dtype=object)
    else:
        weight = np.zeros((len(rows), inputs))
    for (i, j), w in zip(places, weights, strict=True):
        weight[i, j] = w
    return Affine(weight, bias)
