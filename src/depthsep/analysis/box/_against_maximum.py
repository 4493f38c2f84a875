"""The sup error against a maximum of affine functions, cell by cell, in rationals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from flint import fmpq

from depthsep._deadline import end_after, is_over
from depthsep._progress import tell
from depthsep.analysis.box._half_spaces import (
    CutBox,
    Row,
    nearest_point,
    range_on_box,
)
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.laws import Box, Segment, uniform_on
from depthsep.networks import Affine, Network
from depthsep.targets import AffineForm

FIRST_POINTS = 64
PATIENCE = 4  # times its share of the time, for one part of the box
Matrix = list[tuple[list[fmpq], fmpq]]


@dataclass
class _State:
    network: Network
    forms: tuple[AffineForm, ...]
    stop_at: float
    layers: list[Matrix] = field(default_factory=list)
    upper: fmpq = fmpq(0)  # noqa: RUF009 (fmpq is immutable)
    lower: fmpq = fmpq(0)  # noqa: RUF009

    def __post_init__(self) -> None:
        self.layers = [list(layer.rational_rows()) for layer in self.network.layers]


@dataclass(frozen=True, eq=False)
class _Node:
    """A cell on which the first `layer` layers are affine.

    Attributes:
        reads: what each unit of the next layer reads, as functions of the inputs.
        open: those of them whose sign is not known yet.
        target: the form that is the largest here.
    """

    cell: CutBox
    layer: int
    reads: tuple[Row, ...]
    open: tuple[int, ...]
    target: Row


def distance_to_maximum(
    network: Network,
    forms: tuple[AffineForm, ...],
    box: Box,
    seconds: float,
) -> Enclosure | Inapplicable:
    r"""sup |network - max_i forms_i| on a box, for a network of ReLUs.

    The box is cut by the forms and by the units: on each cell both sides are affine.
    Signs and differences are bounded by linear programmes, whose multipliers are
    checked in rationals. From below: values at the worst points, in rationals.
    """
    network, forms = _on_unit_cube(network, forms, box)
    box = Box.cube(Segment(0, 1), box.in_dim)
    state = _State(network, forms, end_after(seconds))
    points = uniform_on(box).sample(FIRST_POINTS, seed=0)
    for i, form in enumerate(forms):
        part_stop = end_after(PATIENCE * seconds / len(forms))
        rows = [_minus(form, other) for j, other in enumerate(forms) if j != i]
        cell = CutBox(box, (), points)
        for row in dict.fromkeys(rows):
            cell = cell.also(row)
        identity = tuple(_unit(box.in_dim, k) for k in range(box.in_dim))
        nodes = [_next_layer(_Node(cell, 0, (), (), form), identity, state)]
        while nodes:
            if is_over(min(state.stop_at, part_stop)):
                share = f"{i} of {len(forms)}"
                return Inapplicable(
                    f"time ran out after {share} parts of the box; allow more seconds"
                )
            nodes += _followed(nodes.pop(), state)
        tell((i + 1) / len(forms), "linear forms")
    assert state.lower <= state.upper, (state.lower, state.upper)
    exact = state.lower == state.upper
    rigour = Rigour.EXACT if exact else Rigour.ENCLOSED
    return Enclosure(state.lower, state.upper, rigour)


def _followed(node: _Node, state: _State) -> Iterator[_Node]:
    """The parts of a cell, one layer further; none from a last layer."""
    cell, reads, left = node.cell, list(node.reads), []
    for unit in node.open:
        sign, cell = _sign(reads[unit], cell)
        if sign < 0:
            reads[unit] = _zero(cell.box.in_dim)
        elif sign == 0:
            left.append(unit)
    if left:
        yield from _halves(node, cell, reads, left)
    elif node.layer < len(state.layers) - 1:
        deeper = _Node(cell, node.layer + 1, (), (), node.target)
        yield _next_layer(deeper, tuple(reads), state)
    else:
        _measure(_minus(reads[0], node.target), cell, state)


def _halves(
    node: _Node, cell: CutBox, reads: list[Row], left: list[int]
) -> Iterator[_Node]:
    """Both signs of the first unit that is left open."""
    first, *others = left
    row = reads[first]
    off = [*reads]
    off[first] = _zero(cell.box.in_dim)
    rest = tuple(others)
    yield _Node(cell.also(row), node.layer, tuple(reads), rest, node.target)
    negative = tuple(-v for v in row)
    yield _Node(cell.also(negative), node.layer, tuple(off), rest, node.target)


def _sign(row: Row, cell: CutBox) -> tuple[int, CutBox]:
    """1 or -1 if the row is proved not to take the other sign in the cell, else 0."""
    low, high = range_on_box(row, cell.box)
    if low >= 0 or high <= 0:
        return (1 if low >= 0 else -1), cell
    if cell.takes_both_signs(row):
        return 0, cell
    most, point = cell.at_most(row)
    if most <= 0:
        return -1, cell
    cell = cell.with_point(point)
    if cell.takes_both_signs(row):
        return 0, cell
    most, point = cell.at_most(tuple(-v for v in row))
    return (1 if most <= 0 else 0), cell.with_point(point)


def _next_layer(node: _Node, values: Sequence[Row], state: _State) -> _Node:
    """What the next layer reads, all of its units undecided; one output has no unit."""
    reads = []
    for weights, bias in state.layers[node.layer]:
        row = [*_zero(node.cell.box.in_dim)[:-1], bias]
        for w, value in zip(weights, values, strict=True):
            if w != 0:
                row = [a + w * v for a, v in zip(row, value, strict=True)]
        reads.append(tuple(row))
    is_last = node.layer == len(state.layers) - 1
    units = () if is_last else tuple(range(len(reads)))
    return _Node(node.cell, node.layer, tuple(reads), units, node.target)


def _measure(off: Row, cell: CutBox, state: _State) -> None:
    """Take in network - f on a cell where it is affine."""
    if not any(v != 0 for v in off):
        return
    for row in (off, tuple(-v for v in off)):
        most, point = cell.at_most(row)
        state.upper = max(state.upper, most)
        if most > state.lower:
            corners = cell.points[:1] if point is None else [point]
            for corner in corners:
                state.lower = max(state.lower, _error_at(corner, cell.box, state))


def _error_at(point: np.ndarray, box: Box, state: _State) -> fmpq:
    x = nearest_point(point, box)
    values = [
        sum((a * b for a, b in zip(f, x, strict=False)), f[-1]) for f in state.forms
    ]
    return abs(state.network(x)[0] - max(values))


def _on_unit_cube(
    network: Network, forms: tuple[AffineForm, ...], box: Box
) -> tuple[Network, tuple[AffineForm, ...]]:
    """The same functions of y, where x = start + length y."""
    lengths, starts = [s.length for s in box.sides], box.starts
    first, *others = network.layers
    rows = [_moved((*w, b), starts, lengths) for w, b in first.rational_rows()]
    moved = Affine([row[:-1] for row in rows], [row[-1] for row in rows])
    return Network([moved, *others]), tuple(_moved(f, starts, lengths) for f in forms)


def _moved(row: Row, starts: list[fmpq], lengths: list[fmpq]) -> Row:
    constant = sum((w * a for w, a in zip(row, starts, strict=False)), row[-1])
    return (*(w * h for w, h in zip(row, lengths, strict=False)), constant)


def _minus(a: Row, b: Row) -> Row:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _unit(dim: int, k: int) -> Row:
    return tuple(fmpq(int(i == k)) for i in range(dim + 1))


def _zero(dim: int) -> Row:
    return (fmpq(0),) * (dim + 1)
