"""A target on a box at the points of a regular grid."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

POINTS = {2: 41, 3: 13, 4: 7}  # along each side; a finer grid is looked at for peaks
FINER = {2: 113, 3: 45, 4: 21}
NEAR_LARGEST, MOST_ROWS = 0.5, 700  # of the rows of a linear programme


@dataclass(frozen=True, eq=False)
class BoxSampled(Samples):
    """A target on [-1, 1]^d, in linf.

    Attributes:
        side: points along each side of the grid.
        fine: the same on a finer grid, on which peaks are looked for; None on it.
    """

    side: int
    fine: "BoxSampled | None" = None

    @staticmethod
    def of(f: Callable[[np.ndarray], np.ndarray], dim: int) -> "BoxSampled":
        """With both grids, for 2 to 4 dimensions."""
        fine = _on_grid(f, dim, FINER[dim], None)
        return _on_grid(f, dim, POINTS[dim], fine)

    def thinned(self, left_out: int) -> "BoxSampled":
        """A coarser grid; never fewer than 5 points along a side."""
        if not left_out:
            return self
        side = max(5, self.side // (left_out + 1) + 1)
        return _on_grid(self.f, self.grid.shape[1], side, self.fine)

    def error(self, weights: Weights) -> float:
        """The largest on the fine grid."""
        seen = self.fine or self
        found = float(np.abs(weights(seen.grid) - seen.values).max())
        return found if np.isfinite(found) else float("inf")

    def peaks(self, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
        """Local maxima of the error on the fine grid, if not far below the largest."""
        from scipy.ndimage import maximum_filter

        seen = self.fine or self
        r = weights(seen.grid) - seen.values
        size = np.abs(r).reshape((seen.side,) * seen.grid.shape[1])
        high = (maximum_filter(size, 3) == size) & (size > NEAR_LARGEST * size.max())
        rows = np.flatnonzero(high)
        rows = rows[np.argsort(-np.abs(r[rows]))[:MOST_ROWS]]
        return seen.grid[rows], r[rows]


def _on_grid(
    f: Callable[[np.ndarray], np.ndarray],
    dim: int,
    side: int,
    fine: BoxSampled | None,
) -> BoxSampled:
    axes = np.meshgrid(*[np.linspace(-1, 1, side)] * dim, indexing="ij")
    grid = np.stack(axes, axis=-1).reshape(-1, dim)
    return BoxSampled(grid, "linf", f, side, fine)
