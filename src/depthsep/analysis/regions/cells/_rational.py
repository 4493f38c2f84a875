"""Vertices in rational arithmetic: integers over one denominator each."""

from collections.abc import Sequence
from copy import copy

import numpy as np
from flint import fmpq

from depthsep.analysis.regions.cells._points import homogeneous
from depthsep.exact import matmul, narrow, wide
from depthsep.networks import Affine


class RationalVertices:
    """Vertices of a complex as rows [q, q x, q z]: exact, whatever the weights.

    Attributes:
        rows: (count, 1 + n + units), int64 while it suffices, else Python's integers.
    """

    def __init__(
        self, corners: Sequence[Sequence[fmpq]], layers: Sequence[Affine]
    ) -> None:
        self.layers = layers
        self.level, self.dim = 0, len(corners[0])
        self.tally = [0]  # no sign is ever open
        points = np.stack([homogeneous(corner) for corner in corners])
        self._enter(points, points[:, 1:])

    @staticmethod
    def of_rows(
        rows: np.ndarray,
        dim: int,
        layers: Sequence[Affine],
        level: int,
        tally: list[int],
    ) -> "RationalVertices":
        """Vertices whose rows at a level are known."""
        new = RationalVertices.__new__(RationalVertices)
        new.layers, new.level, new.dim, new.tally = layers, level, dim, tally
        new.rows = _reduced(rows)
        return new

    @property
    def count(self) -> int:
        """Vertices."""
        return len(self.rows)

    @property
    def is_long(self) -> bool:
        """Whether some number exceeds what int64 holds comfortably."""
        return self.rows.dtype == object

    @property
    def share_of_zeros(self) -> float:
        """How many of the present layer's preactivations are exactly 0."""
        return float((self.rows[:, 1 + self.dim :] == 0).mean())

    @property
    def units(self) -> int:
        """Of the present layer."""
        return self.rows.shape[1] - 1 - self.dim

    def signs(self, unit: int) -> np.ndarray:
        """Exact signs of a unit at all vertices."""
        column = self.rows[:, 1 + self.dim + unit]
        return (column > 0).astype(np.int8) - (column < 0).astype(np.int8)

    def cross(self, first: np.ndarray, last: np.ndarray, unit: int) -> np.ndarray:
        """New vertices on chords whose ends have opposite signs."""
        place = 1 + self.dim + unit
        before, after = (np.abs(self.rows[at, place]) for at in (first, last))
        common = np.gcd(before, after)
        b, a = (before // common)[:, None], (after // common)[:, None]
        both, ends = wide(
            np.concatenate([b, a]),
            np.concatenate([self.rows[first], self.rows[last]]),
            terms=2,
        )
        n = len(first)
        new = _reduced(both[n:] * ends[:n] + both[:n] * ends[n:])
        old = self.count
        self.rows = np.concatenate([self.rows, new])
        return np.arange(old, old + n)

    def next_level(self) -> None:
        """From the present hidden layer's preactivations to the next one's."""
        points = self.rows[:, : 1 + self.dim]
        self.level += 1
        self._enter(points, np.maximum(self.rows[:, 1 + self.dim :], 0))

    def part(self, vertices: np.ndarray) -> "RationalVertices":
        """Some of the vertices, in the order given."""
        part = copy(self)
        part.rows = self.rows[vertices]
        return part

    def places(self) -> np.ndarray:
        """About where the vertices are."""
        rows = self.rows[:, : 1 + self.dim]
        return (rows[:, 1:] / rows[:, :1]).astype(np.float64)

    def all_signs(self) -> np.ndarray:
        """Of every unit, (vertices, units)."""
        z = self.rows[:, 1 + self.dim :]
        return (z > 0).astype(np.int8) - (z < 0).astype(np.int8)

    def exact_point(self, vertex: int) -> np.ndarray:
        """[q, q x] of a vertex, integers."""
        return self.rows[vertex, : 1 + self.dim]

    def point(self, vertex: int) -> tuple[fmpq, ...]:
        """A vertex."""
        q, *x = self.rows[vertex, : 1 + self.dim].tolist()
        return tuple(fmpq(v, q) for v in x)

    def outputs(self, unit: int) -> list[fmpq]:
        """The values of a unit at all vertices."""
        table = self.rows[:, [0, 1 + self.dim + unit]].tolist()
        return [fmpq(z, q) for q, z in table]

    def _enter(self, points: np.ndarray, inputs: np.ndarray) -> None:
        """[q, q x] and q z become [s q, s q x, q (W z + b)] with W / s, b / s exact."""
        weight, bias, scale = self.layers[self.level].integers
        kept, width = points.shape[1], inputs.shape[1]
        matrix = np.zeros((kept + width, kept + len(bias)), dtype=object)
        matrix[:kept, :kept] = np.eye(kept, dtype=object) * scale
        matrix[0, kept:] = bias
        matrix[kept:, kept:] = weight.T
        whole = np.concatenate([points, inputs], axis=1)
        self.rows = _reduced(matmul(whole, narrow(matrix)))


def _reduced(rows: np.ndarray) -> np.ndarray:
    common = np.gcd.reduce(rows, axis=1)
    return narrow(rows // np.maximum(common, 1)[:, None])
