r"""Vertices in float64 with proved error bounds; rationals where a sign is undecided.

Every vertex carries bounds for all its preactivations at the present level, in the
standard model of rounding. A sign is taken from float64 where the value exceeds the
bound, else from the exact vertex: so all signs, and what is built from them, are exact.
"""

from collections.abc import Sequence
from copy import copy

import numpy as np
from flint import fmpq

from depthsep.analysis.regions.cells._points import ExactPoints, Origins
from depthsep.analysis.regions.cells._rational import RationalVertices
from depthsep.exact import nearest_float
from depthsep.networks import Affine

UNIT = 2.0**-53
SLACK = 1 + 2.0**-20  # for the rounding of the bounds themselves
SMALL = 2.0**-1000  # beyond what underflows
UNKNOWN = 2


class FilteredVertices:
    """Vertices of a complex and one hidden layer's preactivations at a time.

    Attributes:
        count: of vertices; `tally`: [how many signs had to be found exactly].
        points: (capacity, n), near the vertices.
        values: (capacity, units); `errors`: (capacity, units), bounds on theirs.
    """

    def __init__(
        self, corners: Sequence[Sequence[fmpq]], layers: Sequence[Affine]
    ) -> None:
        self.origins = Origins(len(corners))
        self.exact = ExactPoints(corners, layers, self.origins)
        self.layers = [FloatLayer(layer) for layer in layers]
        self.level, self.tally = 0, [0]
        self.count = self.capacity = len(corners)
        self.points = np.array([[nearest_float(x) for x in c] for c in corners])
        self._enter(self.points, UNIT * np.abs(self.points) + SMALL)

    @staticmethod
    def of_rationals(vertices: RationalVertices) -> "FilteredVertices":
        """The same vertices, at the same level."""
        new = FilteredVertices.__new__(FilteredVertices)
        rows, n = vertices.rows.astype(object), vertices.dim
        count = new.count = new.capacity = len(rows)
        new.origins = Origins(count)
        new.exact = ExactPoints((), vertices.layers, new.origins)
        new.exact.points = dict(enumerate(rows[:, : 1 + n]))
        new.layers = [FloatLayer(layer) for layer in vertices.layers]
        new.level, new.tally = vertices.level, vertices.tally
        new.points = _quotients(rows[:, 1 : 1 + n], rows[:, :1])
        z = rows[:, 1 + n :]
        new.values = _quotients(z, rows[:, :1])
        new.errors = UNIT * np.abs(new.values) + SMALL
        new.table = _signs(z).T.copy()
        return new

    @property
    def units(self) -> int:
        """Of the present layer."""
        return self.values.shape[1]

    def signs(self, unit: int) -> np.ndarray:
        """Exact signs of a unit at all vertices."""
        return self.table[unit, : self.count]

    def cross(self, first: np.ndarray, last: np.ndarray, unit: int) -> np.ndarray:
        """New vertices on chords whose ends have opposite signs."""
        new = self._room_for(len(first))
        a, b = self.values[first], self.values[last]
        errors = np.maximum(self.errors[first], self.errors[last])
        with np.errstate(all="ignore"):  # what overflows stays undecided
            share, off = _share(a[:, unit], b[:, unit], errors[:, unit])
            across = b - a
            self.values[new] = a + share[:, None] * across
            most = np.maximum(np.abs(a), np.abs(b))
            moved = off[:, None] * (np.abs(across) + 2 * errors)
            self.errors[new] = (errors + moved + 10 * UNIT * most) * SLACK + SMALL
            p, q = self.points[first], self.points[last]
            self.points[new] = p + share[:, None] * (q - p)
        self.origins.set(new, (first, last, self.level, unit))
        zero = (self.table[:, first] == 0) & (self.table[:, last] == 0)
        zero[unit] = True
        self._decide(new, zero.T)
        return new

    def next_level(self) -> None:
        """From the present hidden layer's preactivations to the next one's."""
        n = self.count
        on = self.table[:, :n].T > 0
        values = np.where(on, np.maximum(self.values[:n], 0.0), 0.0)
        errors = np.where(on, self.errors[:n], 0.0)  # what is off is 0 exactly
        self.level += 1
        self.exact.forget_rows()
        self._enter(values, errors)

    @property
    def share_of_zeros(self) -> float:
        """How many of the present layer's preactivations are exactly 0."""
        return float((self.table[:, : self.count] == 0).mean())

    def in_rationals(self) -> RationalVertices:
        """The same vertices, at the same level."""
        rows = self.exact.table(range(self.count), self.level)
        dim = self.points.shape[1]
        return RationalVertices.of_rows(
            rows, dim, self.exact.layers, self.level, self.tally
        )

    def part(self, vertices: np.ndarray) -> "FilteredVertices":
        """Some of the vertices, in the order given."""
        part = copy(self)
        part.count = part.capacity = len(vertices)
        for name in ("points", "values", "errors"):
            setattr(part, name, getattr(self, name)[vertices])
        part.table = self.table[:, vertices]
        part.origins = Origins(len(vertices))
        inherited = (self.exact, vertices)
        part.exact = ExactPoints((), self.exact.layers, part.origins, inherited)
        return part

    def places(self) -> np.ndarray:
        """About where the vertices are."""
        return self.points[: self.count]

    def all_signs(self) -> np.ndarray:
        """Of every unit, (vertices, units)."""
        return self.table[:, : self.count].T

    def exact_point(self, vertex: int) -> np.ndarray:
        """[q, q x] of a vertex, integers."""
        return self.exact.point(vertex)

    def _enter(self, inputs: np.ndarray, errors: np.ndarray) -> None:
        layer, n = self.layers[self.level], self.count
        units = len(layer.bias)
        self.values = np.zeros((self.capacity, units))
        self.errors = np.zeros((self.capacity, units))
        with np.errstate(all="ignore"):
            self.values[:n], self.errors[:n] = layer(inputs, errors)
        self.table = np.zeros((units, self.capacity), dtype=np.int8)
        self._decide(np.arange(n), np.zeros((n, units), dtype=bool))

    def _decide(self, vertices: np.ndarray, zero: np.ndarray) -> None:
        """Signs from values, where they are 0 for sure, or exactly."""
        values, errors = self.values[vertices], self.errors[vertices]
        with np.errstate(invalid="ignore"):
            sign = (values > errors).astype(np.int8) - (values < -errors)
            known = np.isfinite(values) & (np.abs(values) > errors)
        known |= zero
        sign[zero] = 0
        open_ = np.flatnonzero(~known.all(axis=1))
        if len(open_):
            self.tally[0] += int((~known[open_]).sum())
            table = self.exact.table(vertices[open_].tolist(), self.level)
            z = table[:, self.points.shape[1] + 1 :]
            sign[open_] = _signs(z)
            values[open_] = _quotients(z, table[:, :1])
            self.errors[vertices[open_]] = UNIT * np.abs(values[open_]) + SMALL
        values[sign == 0] = 0.0
        self.values[vertices] = values
        self.table[:, vertices] = sign.T

    def _room_for(self, more: int) -> np.ndarray:
        new = np.arange(self.count, self.count + more)
        self.count += more
        if self.count > self.capacity:
            self.capacity = max(3 * self.capacity // 2, self.count, 256)
            for name in ("points", "values", "errors"):
                setattr(self, name, _grown(getattr(self, name), self.capacity, 0))
            self.table = _grown(self.table, self.capacity, 1)
        return new


class FloatLayer:
    """An affine layer in float64, and how far its values are from the exact ones."""

    def __init__(self, layer: Affine) -> None:
        self.weight, self.bias = _nearest(layer.weight), _nearest(layer.bias)
        inexact = object in (layer.weight.dtype, layer.bias.dtype)
        terms = self.weight.shape[1] + (4 if inexact else 2)
        sizes = np.abs(self.weight)
        self.sizes, self.offset = sizes.T, np.abs(self.bias)
        self.rounding = terms * UNIT * SLACK

    def __call__(
        self, inputs: np.ndarray, errors: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Outputs at rows of inputs that are known up to errors, and their bounds."""
        values, off = self.linear(inputs, errors)
        return values + self.bias, (off + self.rounding * self.offset) * SLACK

    def linear(
        self, inputs: np.ndarray, errors: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same without the bias."""
        most = np.abs(inputs)
        most_off = (most + errors).max(axis=-1, keepdims=True, initial=0.0)
        tiny = SMALL * (1 + most_off)
        off = (errors + self.rounding * most) @ self.sizes + tiny
        return inputs @ self.weight.T, off * SLACK


def _nearest(values: np.ndarray) -> np.ndarray:
    """float64; infinite beyond the largest, so that signs stay open there."""
    if values.dtype != object:
        return values
    flat = [nearest_float(x) for x in values.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(values.shape)


def _signs(values: np.ndarray) -> np.ndarray:
    return (values > 0).astype(np.int8) - (values < 0).astype(np.int8)


def _share(
    a: np.ndarray, b: np.ndarray, errors: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where a line from a to b is 0, and how far off that is: (n,) each.

    x / (x - y) moves by at most e (|x| + |y|) / (x - y)^2 with both ends by e, and of
    opposite signs |x| + |y| <= |x - y| + 2 e.
    """
    gap = np.abs(a - b)
    sure = np.maximum(gap - 2 * errors, SMALL)
    off = errors / sure * (1 + 4 * errors / sure)
    return a / (a - b), (off + 4 * UNIT * (np.abs(a) + np.abs(b)) / sure) * SLACK


def _quotients(tops: np.ndarray, bottoms: np.ndarray) -> np.ndarray:
    """The nearest floats; infinite beyond the floats."""
    try:
        return (tops / bottoms).astype(np.float64)
    except OverflowError:
        pairs = zip(tops.ravel(), (bottoms + 0 * tops).ravel(), strict=True)
        flat = [_quotient(int(top), int(bottom)) for top, bottom in pairs]
        return np.array(flat).reshape(tops.shape)


def _quotient(top: int, bottom: int) -> float:
    try:
        return top / bottom
    except OverflowError:
        return np.inf if top > 0 else -np.inf


def _grown(array: np.ndarray, capacity: int, axis: int) -> np.ndarray:
    shape = list(array.shape)
    shape[axis] = capacity
    grown = np.zeros(shape, dtype=array.dtype)
    grown[tuple(slice(0, s) for s in array.shape)] = array
    return grown
