"""Exact vertices: rational points, and the network's preactivations there."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from flint import fmpq

from depthsep.exact import matmul
from depthsep.networks import Affine

Row = np.ndarray


class Origin(NamedTuple):
    """Where a vertex is: a unit of a level is 0 there, between two other vertices."""

    first: int
    last: int
    level: int
    unit: int


class ExactPoints:
    """Rational points by number, and rows [q, q x, q z] of preactivations at them.

    Args:
        corners: the first points.
        layers: all hidden layers.
        origin: of every other vertex; asked for only when its point is needed.
    """

    def __init__(
        self,
        corners: Sequence[Sequence[fmpq]],
        layers: Sequence[Affine],
        origin: Callable[[int], Origin],
    ) -> None:
        self.layers = [layer.integers for layer in layers]
        self.points = {k: homogeneous(corner) for k, corner in enumerate(corners)}
        self.origin = origin
        self.rows: dict[tuple[int, int], Row] = {}

    def forget_rows(self) -> None:
        """Free the rows of earlier levels; they are found again if need be."""
        self.rows = {}

    def row(self, vertex: int, level: int) -> Row:
        """[q, q x_1, ..., q x_n, q z_1, ..., q z_m], integers, q > 0."""
        known = self.rows.get((vertex, level))
        if known is None:
            known = self.rows[vertex, level] = self._forward(self.point(vertex), level)
        return known

    def point(self, vertex: int) -> Row:
        """[q, q x], integers without a common factor, q > 0."""
        known = self.points.get(vertex)
        if known is None:
            known = self.points[vertex] = self._crossing(self.origin(vertex))
        return known

    def _crossing(self, where: Origin) -> Row:
        a, b = self.row(where.first, where.level), self.row(where.last, where.level)
        n = len(self.point(where.first))
        before, after = abs(int(a[n + where.unit])), abs(int(b[n + where.unit]))
        mixed = after * a[:n] + before * b[:n]
        return mixed // math.gcd(*(int(x) for x in mixed))

    def _forward(self, point: Row, level: int) -> Row:
        values, scale = point[None, 1:], int(point[0])
        for k, (weight, bias, s) in enumerate(self.layers[: level + 1]):
            inputs = values if k == 0 else np.maximum(values, 0)
            values = matmul(inputs, weight.T) + bias.astype(object) * scale
            scale *= s
        return np.concatenate([point * (scale // int(point[0])), values[0]])


def homogeneous(corner: Sequence[fmpq]) -> Row:
    """[q, q x] of a rational point."""
    q = math.lcm(*(int(x.q) for x in corner))
    row = np.empty(len(corner) + 1, dtype=object)
    row[:] = [q, *(int((x * q).p) for x in corner)]
    return row
