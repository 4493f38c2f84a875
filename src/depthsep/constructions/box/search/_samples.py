"""A target on a box at the points of a regular grid."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

POINTS = {2: 41, 3: 13, 4: 7}  # along each side; a finer grid is looked at for peaks
FINER = {2: 161, 3: 33, 4: 15}
NEAR_LARGEST, MOST_ROWS = 0.5, 700  # of the rows of a linear programme
AROUND = {2: 5, 3: 3, 4: 3}  # points along each side of the neighbourhood of a peak
# between these points, of a step of the grid
STEPS = 0.5, 0.5, 0.25, 0.25, 0.12, 0.12, 0.06, 0.03
FOLLOWED, LARGE = 80, 0.8  # peaks that are looked at closely, and their share


@dataclass(frozen=True, eq=False)
class BoxSampled(Samples):
    """A target on [-1, 1]^d.

    In linf the grid has points on the boundary; in l1 and l2 they are midpoints of
    cells of equal size.

    Attributes:
        side: points along each side of the grid.
        fine: the same on a finer grid, on which peaks are looked for; None on it.
    """

    side: int
    fine: "BoxSampled | None" = None

    @staticmethod
    def of(
        f: Callable[[np.ndarray], np.ndarray], dim: int, norm: str = "linf"
    ) -> "BoxSampled":
        """With both grids, for 2 to 4 dimensions."""
        fine = BoxSampled(_grid(dim, FINER[dim], norm), norm, f, FINER[dim])
        return BoxSampled(_grid(dim, POINTS[dim], norm), norm, f, POINTS[dim], fine)

    @property
    def dim(self) -> int:
        """Of the box."""
        return self.grid.shape[1]

    def thinned(self, left_out: int) -> "BoxSampled":
        """A coarser grid; never fewer than 5 points along a side."""
        if not left_out:
            return self
        side = max(5, self.side // (left_out + 1) + 1)
        grid = _grid(self.dim, side, self.norm)
        return BoxSampled(grid, self.norm, self.f, side, self.fine)

    def error(self, weights: Weights) -> float:
        """The largest on the fine grid and near its peaks; in l1 and l2 the mean."""
        if self.norm == "linf":
            found = float(np.abs(self.peaks(weights)[1]).max())
        else:
            off = np.abs(self._off(weights))
            power = 1 if self.norm == "l1" else 2
            found = float(np.mean(off**power) ** (1 / power))
        return found if np.isfinite(found) else float("inf")

    def peaks(self, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
        """Local maxima of the error on the fine grid, if not far below the largest.

        The largest of them are followed to where they are between points of the grid.
        """
        from scipy.ndimage import maximum_filter

        seen = self.fine or self
        r = self._off(weights)
        size = np.abs(r).reshape((seen.side,) * self.dim)
        high = (maximum_filter(size, 3) == size) & (size > NEAR_LARGEST * size.max())
        rows = np.flatnonzero(high)
        rows = rows[np.argsort(-np.abs(r[rows]))[:MOST_ROWS]]
        x, r = seen.grid[rows], r[rows]
        if len(rows):
            largest = np.abs(r[:FOLLOWED]) >= LARGE * np.abs(r[0])
            last = int(np.count_nonzero(largest))
            x[:last], r[:last] = self._followed(weights, x[:last], r[:last])
        return x, r

    def _off(self, weights: Weights) -> np.ndarray:
        seen = self.fine or self
        return weights(seen.grid) - seen.values

    def _followed(
        self, weights: Weights, x: np.ndarray, r: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The peaks in ever smaller neighbourhoods of points x, (n, d), and r there."""
        seen = self.fine or self
        few = np.arange(AROUND[self.dim]) - AROUND[self.dim] // 2
        around = np.stack(np.meshgrid(*[few] * self.dim, indexing="ij"), axis=-1)
        around = around.reshape(1, -1, self.dim) * 2 / (seen.side - 1)
        for step in STEPS:
            near = np.clip(x[:, None] + step * around, -1, 1)
            flat = near.reshape(-1, self.dim)
            off = (weights(flat) - self.f(flat)).reshape(len(x), -1)
            best = np.abs(off).argmax(axis=1)
            places = np.arange(len(x))
            x, r = near[places, best], off[places, best]
        return x, r


def _grid(dim: int, side: int, norm: str) -> np.ndarray:
    """Points (side^dim, dim) of [-1, 1]^dim."""
    end = 1 if norm == "linf" else 1 - 1 / side
    axes = np.meshgrid(*[np.linspace(-end, end, side)] * dim, indexing="ij")
    return np.stack(axes, axis=-1).reshape(-1, dim)
