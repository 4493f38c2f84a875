r"""Polynomials on the cells of a grid, glued by a partition of unity, as a network.

sum_v product(part_v(x), clip(q_v(x))): part_v is the product of the hats at the grid
point v, q_v a polynomial whose monomials are computed once for all v.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from itertools import product as cartesian

from flint import fmpq

from depthsep.networks import Circuit, Network, Wire
from depthsep.targets import exponents_of_degree

Node = tuple[int, ...]
Exponents = tuple[int, ...]


def product_wire(circuit: Circuit, a: Wire, b: Wire, levels: int) -> Wire:
    """a b of two wires with values in [0, 1]: h(u) - h(v), u, v = (a + b, |a - b|) / 2.

    Units 3, 4, 5, 5, ... in i + 2 layers; the same function as `product_network`.
    """
    up, down = circuit.relu(a - b), circuit.relu(b - a)
    y = [circuit.relu(a + b) * fmpq(1, 2), (up + down) * fmpq(1, 2)]
    carried = None
    for level in range(1, levels + 2):
        low = [circuit.relu(t) for t in y]
        high = [circuit.relu(t - fmpq(1, 2)) for t in y]
        tents = [2 * a - 4 * b for a, b in zip(low, high, strict=True)]
        step = (tents[0] - tents[1]) * fmpq(1, 4**level)
        # lifted by 1, so that it is seen to be positive
        before = low[0] - low[1] + 1 if carried is None else circuit.relu(carried)
        carried, y = before - step, tents
    assert carried is not None
    return carried - 1


def square_wire(circuit: Circuit, t: Wire, levels: int) -> Wire:
    """h_k(t), t in [0, 1]: t^2 at the multiples of 2^-k, in k layers."""
    carried, y = None, t
    for level in range(1, levels + 1):
        low, high = circuit.relu(y), circuit.relu(y - fmpq(1, 2))
        tent = 2 * low - 4 * high
        before = low if carried is None else circuit.relu(carried)
        carried, y = before - tent * fmpq(1, 4**level), tent
    return t if carried is None else carried


def product_layers(levels: int) -> int:
    """Hidden layers of `product_wire`."""
    return levels + 2


def product_widths(levels: int) -> list[int]:
    """Units of each of these layers: 7 + 5 i together."""
    return [3, 4, *[5] * levels]


def hats(circuit: Circuit, u: Wire, steps: int) -> list[Wire]:
    """The s + 1 hats of the grid {0, 1/s, ..., 1} on [0, 1], from s units.

    They sum to 1: with one sign of the printed Lemma 5.5 turned round.
    """
    rising = [circuit.relu(steps * u - j) for j in range(steps)]
    none = Wire(rising[0].layer, {})
    # relu(s u - j) for j = -1 and j = s, which are s u + 1 and 0 on [0, 1]
    ends = [rising[0] + 1, *rising, none, none]
    return [ends[j] - 2 * ends[j + 1] + ends[j + 2] for j in range(steps + 1)]


@dataclass(frozen=True)
class Shape:
    """All that fixes the size of the network.

    Attributes:
        dim: d.
        steps: s, cells in each direction; grid points are (s + 1)^d.
        degree: of the polynomials, r - 1.
        levels: i of every product.
        groups: how many times the units for grid points are used one after another,
            for a narrow network of many layers.
    """

    dim: int
    steps: int
    degree: int
    levels: int
    groups: int = 1

    @property
    def nodes(self) -> list[Node]:
        """The grid points, as multiples of 1/s."""
        return list(cartesian(range(self.steps + 1), repeat=self.dim))

    @property
    def points(self) -> int:
        """How many grid points there are."""
        return (self.steps + 1) ** self.dim

    @property
    def parts(self) -> Iterator[list[Node]]:
        """The grid points, group by group."""
        nodes = self.nodes
        size = -(-len(nodes) // self.groups)
        return (nodes[at : at + size] for at in range(0, len(nodes), size))

    @property
    def monomials(self) -> list[Exponents]:
        """Exponents of degree 0 to `degree`."""
        degrees = range(self.degree + 1)
        return [a for k in degrees for a in exponents_of_degree(self.dim, k)]

    @property
    def first_clip(self) -> int:
        """The layer of the first group's clips, after monomials and partition."""
        one = product_layers(self.levels)
        return max(1 + halvings(self.dim) * one, 2 + halvings(self.degree) * one)

    @property
    def period(self) -> int:
        """Layers from one group's clips to the next one's."""
        return (1 + halvings(self.dim)) * product_layers(self.levels)

    @property
    def hidden_layers(self) -> int:
        """Of the network."""
        size = -(-self.points // self.groups)
        groups = -(-self.points // size)
        last = self.first_clip + (groups - 1) * self.period
        return last + product_layers(self.levels)

    def widths(self) -> list[int]:
        """Units of every hidden layer, without building the network."""
        return _Count(self).widths


def halvings(count: int) -> int:
    """Levels of a balanced tree over this many factors: ceil(log2)."""
    return max(count - 1, 0).bit_length()


def halves(exponents: Exponents) -> tuple[Exponents, Exponents]:
    """Two factors of a monomial whose degrees differ by at most 1, the larger first."""
    picked = [i for i, e in enumerate(exponents) for _ in range(e)]
    first = picked[: -(-len(picked) // 2)]
    left = tuple(first.count(i) for i in range(len(exponents)))
    return left, tuple(e - a for e, a in zip(exponents, left, strict=True))


@dataclass(frozen=True)
class Glued:
    """low + span sum_v product(part_v, clip(q_v)), on a box.

    Attributes:
        box: (start, stop) of each input; u = (x - start) / (stop - start).
        polynomials: coefficients of q_v in u, by exponents, for each grid point.
    """

    shape: Shape
    box: Sequence[tuple[fmpq, fmpq]]
    polynomials: Mapping[Node, Mapping[Exponents, fmpq]]
    low: fmpq
    span: fmpq

    def network(self) -> Network:
        """The network."""
        circuit, shape = Circuit(self.shape.dim), self.shape
        u = [
            (x - a) * (1 / (b - a))
            for x, (a, b) in zip(circuit.inputs, self.box, strict=True)
        ]
        monomials = _monomials(circuit, u, shape)
        clip, total = shape.first_clip, None
        for nodes in shape.parts:
            parts = _parts(circuit, u, nodes, shape, clip)
            products = [
                self._product(circuit, parts[node], monomials, node, clip)
                for node in nodes
            ]
            added = circuit.sum(products)
            total = added if total is None else added + circuit.at(total, added.layer)
            clip += shape.period
        assert total is not None
        return circuit.network([self.span * total + self.low])

    def _product(
        self,
        circuit: Circuit,
        part: Wire,
        monomials: Mapping[Exponents, Wire],
        node: Node,
        clip: int,
    ) -> Wire:
        value = Wire(clip - 1, {}, fmpq(0))
        for exponents, c in self.polynomials[node].items():
            if any(exponents):
                value += c * circuit.at(monomials[exponents], clip - 1)
            else:
                value += c
        clipped = circuit.relu(value) - circuit.relu(value - 1)
        return product_wire(circuit, part, clipped, self.shape.levels)


def _monomials(
    circuit: Circuit, u: Sequence[Wire], shape: Shape
) -> dict[Exponents, Wire]:
    """All monomials of degree 1 to the degree, each from its two halves."""
    found = dict(zip(exponents_of_degree(shape.dim, 1), u, strict=True))
    one = product_layers(shape.levels)
    for exponents in shape.monomials:
        if sum(exponents) < 2:
            continue
        start = (halvings(sum(exponents)) - 1) * one
        a, b = (circuit.at(found[part], start) for part in halves(exponents))
        found[exponents] = product_wire(circuit, a, b, shape.levels)
    if shape.degree == 0:
        return {}
    return found


def _parts(
    circuit: Circuit, u: Sequence[Wire], nodes: Sequence[Node], shape: Shape, clip: int
) -> dict[Node, Wire]:
    """part_v for some grid points, as wires of the layer of the clips."""
    at = clip - halvings(shape.dim) * product_layers(shape.levels)
    values: list[dict[Node, Wire]] = []
    for axis, wire in enumerate(u):
        every = hats(circuit, circuit.at(wire, at - 1), shape.steps)
        used = sorted({node[axis] for node in nodes})
        values.append({(j,): every[j] for j in used})
    while len(values) > 1:
        at += product_layers(shape.levels)
        values = _paired(circuit, values, nodes, shape.levels, at)
    return values[0]


def _paired(
    circuit: Circuit,
    values: list[dict[Node, Wire]],
    nodes: Sequence[Node],
    levels: int,
    at: int,
) -> list[dict[Node, Wire]]:
    """Products of neighbours in the list of axes; the last one alone is carried."""
    starts = [0]
    for table in values:
        starts.append(starts[-1] + len(next(iter(table))))
    spans, joined = list(pairwise(starts)), []
    for (a, b), (left, right) in zip(
        zip(spans[::2], spans[1::2], strict=False),
        zip(values[::2], values[1::2], strict=False),
        strict=True,
    ):
        keys = sorted({node[a[0] : b[1]] for node in nodes})
        cut = a[1] - a[0]
        joined.append(
            {
                key: product_wire(circuit, left[key[:cut]], right[key[cut:]], levels)
                for key in keys
            }
        )
    if len(values) % 2:
        joined.append({key: circuit.at(w, at) for key, w in values[-1].items()})
    return joined


class _Count:
    """The widths of the network, from its shape alone."""

    def __init__(self, shape: Shape) -> None:
        self.shape, self.one = shape, product_layers(shape.levels)
        self.widths = [0] * shape.hidden_layers
        groups = list(shape.parts)
        clips = [shape.first_clip + g * shape.period for g in range(len(groups))]
        self._monomials(clips[-1])
        for clip, nodes in zip(clips, groups, strict=True):
            self._group(clip, nodes)
        # the running sum waits for the next group's
        for first, last in pairwise(clips):
            self._carry(first + self.one, last + self.one, 1)

    def _carry(self, start: int, stop: int, count: int) -> None:
        for layer in range(start, stop):
            self.widths[layer] += count

    def _product(self, start: int, count: int) -> None:
        for layer, units in enumerate(product_widths(self.shape.levels), start):
            self.widths[layer] += units * count

    def _monomials(self, last_clip: int) -> None:
        shape, d = self.shape, self.shape.dim
        hat = last_clip - halvings(d) * self.one
        self._carry(0, (last_clip if shape.degree else hat) - 1, d)
        for exponents in shape.monomials:
            if sum(exponents) < 2:
                continue
            level = halvings(sum(exponents))
            self._product((level - 1) * self.one, 1)
            self._carry(level * self.one, last_clip - 1, 1)

    def _group(self, clip: int, nodes: Sequence[Node]) -> None:
        shape = self.shape
        at = clip - halvings(shape.dim) * self.one
        self.widths[at - 1] += shape.dim * shape.steps
        blocks = [(k, k + 1) for k in range(shape.dim)]
        while len(blocks) > 1:
            pairs = [
                (a[0], b[1]) for a, b in zip(blocks[::2], blocks[1::2], strict=False)
            ]
            for a, b in pairs:
                self._product(at, len({node[a:b] for node in nodes}))
            if len(blocks) % 2:
                a, b = blocks[-1]
                pairs.append((a, b))
                alone = len({node[a:b] for node in nodes})
                self._carry(at, at + self.one, alone)
            blocks, at = pairs, at + self.one
        self.widths[clip - 1] += 2 * len(nodes)
        self._product(clip, len(nodes))
