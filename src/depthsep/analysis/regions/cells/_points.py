"""Exact vertices: rational points, and the network's preactivations there."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from flint import fmpq

from depthsep.exact import matmul, narrow
from depthsep.networks import Affine

Row = np.ndarray


class Origin(NamedTuple):
    """Where a vertex is: a unit of a level is 0 there, between two other vertices."""

    first: int
    last: int
    level: int
    unit: int


class Origins:
    """The origins of vertices by number, those of the first ones unused."""

    def __init__(self, count: int) -> None:
        self.table = np.zeros((count, 4), dtype=np.int64)

    def set(self, new: np.ndarray, where: tuple[np.ndarray | int, ...]) -> None:
        """Of new vertices: numbers or arrays in the order of `Origin`."""
        if new[-1] >= len(self.table):
            more = max(len(self.table) // 2, int(new[-1]) + 1 - len(self.table), 256)
            room = np.zeros((more, 4), dtype=np.int64)
            self.table = np.concatenate([self.table, room])
        for column, values in enumerate(where):
            self.table[new, column] = values

    def __getitem__(self, vertex: int) -> Origin:
        return Origin(*self.table[vertex].tolist())


class ExactPoints:
    """Rational points by number, and rows [q, q x, q z] of preactivations at them.

    Args:
        corners: the first points.
        layers: all layers.
        origins: of every later vertex; asked for only when its point is needed.
        inherited: the first points instead, if they are vertices of a larger complex.
    """

    def __init__(
        self,
        corners: Sequence[Sequence[fmpq]],
        layers: Sequence[Affine],
        origins: Origins,
        inherited: tuple["ExactPoints", np.ndarray] | None = None,
    ) -> None:
        self.layers = layers
        self.points = {k: homogeneous(corner) for k, corner in enumerate(corners)}
        self.origins = origins
        self.inherited = inherited
        self.rows: dict[tuple[int, int], Row] = {}

    def forget_rows(self) -> None:
        """Free the rows of earlier levels; they are found again if need be."""
        self.rows = {}

    def row(self, vertex: int, level: int) -> Row:
        """[q, q x_1, ..., q x_n, q z_1, ..., q z_m], integers, q > 0."""
        known = self.rows.get((vertex, level))
        if known is None:
            known = self.rows[vertex, level] = self.table([vertex], level)[0]
        return known

    def table(self, vertices: Sequence[int], level: int) -> np.ndarray:
        """Their rows, found together and not kept."""
        return self._forward(np.stack([self.point(v) for v in vertices]), level)

    def point(self, vertex: int) -> Row:
        """[q, q x], integers without a common factor, q > 0."""
        pending = [vertex]
        while pending:
            now = pending[-1]
            if now not in self.points:
                missing = self._unknown_ends(now)
                if missing:
                    pending += missing
                    continue
                self.points[now] = self._found(now)
            pending.pop()
        return self.points[vertex]

    def _unknown_ends(self, vertex: int) -> list[int]:
        if self._is_inherited(vertex):
            return []
        where = self.origins[vertex]
        return [v for v in (where.first, where.last) if v not in self.points]

    def _is_inherited(self, vertex: int) -> bool:
        return self.inherited is not None and vertex < len(self.inherited[1])

    def _found(self, vertex: int) -> Row:
        if self.inherited is not None and self._is_inherited(vertex):
            larger, names = self.inherited
            return larger.point(int(names[vertex]))
        return self._crossing(self.origins[vertex])

    def _crossing(self, where: Origin) -> Row:
        a, b = self.row(where.first, where.level), self.row(where.last, where.level)
        n = len(self.point(where.first))
        before, after = abs(int(a[n + where.unit])), abs(int(b[n + where.unit]))
        mixed = after * a[:n] + before * b[:n]
        return mixed // math.gcd(*(int(x) for x in mixed))

    def _forward(self, points: np.ndarray, level: int) -> np.ndarray:
        values, scale = points[:, 1:], 1
        for k, layer in enumerate(self.layers[: level + 1]):
            weight, bias, s = layer.integers
            inputs = values if k == 0 else np.maximum(values, 0)
            constants = points[:, :1] * (bias.astype(object) * scale)
            values = matmul(narrow(inputs), weight.T) + constants
            scale *= s
        return np.concatenate([points * scale, values], axis=1)


def homogeneous(corner: Sequence[fmpq]) -> Row:
    """[q, q x] of a rational point."""
    q = math.lcm(*(int(x.q) for x in corner))
    row = np.empty(len(corner) + 1, dtype=object)
    row[:] = [q, *(int((x * q).p) for x in corner)]
    return row
