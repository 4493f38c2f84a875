"""From a layered network to one with skip connections: units that pass on go."""

from dataclasses import dataclass, field

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.networks._affine import Affine
from depthsep.networks._circuit import Wire, affine_of
from depthsep.networks._network import Network
from depthsep.networks._skips import SkipNetwork
from depthsep.networks.activations._activations import RELU
from depthsep.networks.activations._relu_form import as_relu

MOST_WEIGHTS = 1 << 18


@dataclass(frozen=True)
class _Sum:
    """An affine function of inputs (nodes 0 to d - 1) and units (the others)."""

    terms: dict[int, fmpq]
    constant: fmpq

    def plus(self, other: "_Sum", factor: fmpq) -> "_Sum":
        terms = dict(self.terms)
        for node, w in other.terms.items():
            terms[node] = terms.get(node, fmpq(0)) + factor * w
        kept = {node: w for node, w in terms.items() if w != 0}
        return _Sum(kept, self.constant + factor * other.constant)

    def times(self, factor: fmpq) -> "_Sum":
        return _Sum({}, fmpq(0)).plus(self, factor)

    @property
    def key(self) -> tuple[tuple[tuple[int, fmpq], ...], fmpq, fmpq]:
        """The same for positive multiples; the last number is the factor."""
        terms = sorted(self.terms.items())
        scale = abs(terms[0][1])
        return tuple((n, w / scale) for n, w in terms), self.constant / scale, scale


@dataclass
class _Graph:
    """Units found so far, each a ReLU of a sum; and sums that are never negative."""

    in_dim: int
    rows: list[_Sum] = field(default_factory=list)
    units: dict[object, tuple[_Sum, fmpq]] = field(default_factory=dict)
    positive: set[object] = field(default_factory=set)

    def relu(self, inner: _Sum) -> _Sum:
        """max(inner, 0) without a new unit where one is not needed."""
        if not inner.terms:
            return _Sum({}, max(inner.constant, fmpq(0)))
        if self._is_positive(inner):
            return inner
        minus = inner.times(fmpq(-1))
        if self._is_positive(minus):
            return _Sum({}, fmpq(0))
        *key, scale = inner.key
        if tuple(key) in self.units:
            unit, before = self.units[tuple(key)]
            return unit.times(scale / before)
        *other, scale = minus.key
        if tuple(other) in self.units:
            unit, before = self.units[tuple(other)]
            # relu(z) = relu(-z) + z
            found = unit.times(scale / before).plus(inner, fmpq(1))
            if found.terms:
                self.positive.add(tuple(found.key[:2]))
            return found
        self.rows.append(inner)
        unit = _Sum({self.in_dim + len(self.rows) - 1: fmpq(1)}, fmpq(0))
        self.units[tuple(key)] = (unit, inner.key[2])
        return unit

    def _is_positive(self, value: _Sum) -> bool:
        """Whether that is seen at once: units with positive weights, or known."""
        if value.constant >= 0 and all(
            node >= self.in_dim and w > 0 for node, w in value.terms.items()
        ):
            return True
        return tuple(value.key[:2]) in self.positive


def with_skips(network: Network) -> SkipNetwork:
    """The same function with skip connections in place of units that pass values on.

    Units that copy another, sums of units with positive weights, and one of relu(z) and
    relu(-z) are read off others, exactly; units that nothing reads go. The inverse of
    `SkipNetwork.layered` wherever those carry values as it does.

    Raises:
        HypothesisError: units other than ReLUs, leaky ones and absolute values.
        TooLargeError: more than 2^18 weights.
    """
    network = as_relu(network)
    if any(a is not RELU for a in network.activations):
        raise HypothesisError(
            "a form with skip connections can be found only for "
            "networks of ReLUs, leaky ReLUs, absolute values or clips"
        )
    if sum(layer.weight.size for layer in network.layers) > MOST_WEIGHTS:
        raise TooLargeError(
            "a form with skip connections can be found only for "
            f"networks of up to {MOST_WEIGHTS} weights"
        )
    graph, d = _Graph(network.in_dim), network.in_dim
    values = [_Sum({i: fmpq(1)}, fmpq(0)) for i in range(d)]
    for k, layer in enumerate(network.layers):
        sums = [_combined(values, row) for row in layer.rational_rows()]
        last = k == network.depth - 1
        values = sums if last else [graph.relu(value) for value in sums]
    return _by_layers(d, graph.rows, values)


def _combined(values: list[_Sum], row: tuple[list[fmpq], fmpq]) -> _Sum:
    weights, constant = row
    terms: dict[int, fmpq] = {}
    for w, value in zip(weights, values, strict=True):
        if w == 0:
            continue
        constant += w * value.constant
        for node, v in value.terms.items():
            terms[node] = terms.get(node, fmpq(0)) + w * v
    return _Sum({node: w for node, w in terms.items() if w != 0}, constant)


def _by_layers(d: int, rows: list[_Sum], outputs: list[_Sum]) -> SkipNetwork:
    """Units that are read, each in the first layer where all it reads is known."""
    level = dict.fromkeys(range(d), 0)
    for unit, row in enumerate(rows, start=d):
        level[unit] = 1 + max(level[node] for node in row.terms)
    read, waiting = set(), [node for output in outputs for node in output.terms]
    while waiting:
        node = waiting.pop()
        if node >= d and node not in read:
            read.add(node)
            waiting += rows[node - d].terms
    order = sorted(read, key=lambda unit: (level[unit], unit))
    place = {node: k for k, node in enumerate([*range(d), *order])}
    layers = []
    for depth in sorted({level[unit] for unit in order}):
        before = d + sum(level[unit] < depth for unit in order)
        here = [rows[unit - d] for unit in order if level[unit] == depth]
        layers.append(_layer(here, place, before))
    return SkipNetwork(d, [*layers, _layer(outputs, place, d + len(order))])


def _layer(rows: list[_Sum], place: dict[int, int], inputs: int) -> Affine:
    moved = [{place[node]: w for node, w in row.terms.items()} for row in rows]
    wires = [Wire(0, t, row.constant) for t, row in zip(moved, rows, strict=True)]
    return affine_of(wires, inputs)
