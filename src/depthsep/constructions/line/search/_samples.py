"""What a search looks at: the target, scaled, at points where a network may miss it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from depthsep.constructions.line.search._runs import runs_of
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

# where a residual without kinks is looked at between two knots
BETWEEN = np.array([1e-6, 0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.98, 1 - 1e-6])
FIXED = 192
NEAR_LARGEST, MOST_ROWS = 0.15, 700  # of the rows of a linear programme
MOST_KNOTS = 3000
POINTS_A_PIECE, FEWEST_POINTS, MOST_POINTS = 10, 160, 1200


@dataclass(frozen=True, eq=False)
class Sampled(Samples):
    """A target on [-1, 1]; the grid has equal integrals of sqrt|f''| between points."""

    @cached_property
    def shares(self) -> np.ndarray:
        """How much each point of the grid counts.

        In l1 and l2 its part of the interval. In linf as much as all others: where f
        bends more there are more of them.
        """
        if self.norm == "linf":
            return super().shares
        gaps = np.diff(self.grid) / 2
        return (np.append(gaps, 0.0) + np.append(0.0, gaps)) / 2

    def points(self, weights: Weights) -> np.ndarray:
        """Where to look for the largest error: a row for each gap between knots.

        Knots are looked at from both sides, where the derivatives differ; a few more
        points divide long gaps.
        """
        knots = weights.knots(-1.0, 1.0)
        few = self.grid[:: max(1, len(self.grid) // FIXED)]
        ends = np.unique(np.concatenate([knots[:MOST_KNOTS], few, [1.0]]))
        return ends[:-1, None] + np.diff(ends)[:, None] * BETWEEN

    def residuals(self, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
        """Points, and the network less the target there: a row for each gap.

        The last two points of a row are near the largest and the least residual.
        """
        x = self.points(weights)
        r = self._off(weights, x)
        extremes = [
            _vertices(x, r, r.argmax(axis=1)),
            _vertices(x, r, r.argmin(axis=1)),
        ]
        more = np.stack(extremes, axis=1)
        return np.hstack([x, more]), np.hstack([r, self._off(weights, more)])

    def _off(self, weights: Weights, x: np.ndarray) -> np.ndarray:
        flat = x.ravel()
        return (weights(flat) - self.f(flat)).reshape(x.shape)

    def peaks(self, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
        """The largest and least residual of each gap, if not far below the worst."""
        x, r = self.residuals(weights)
        gaps = np.arange(len(r)) * r.shape[1]
        rows = np.concatenate([gaps + r.argmax(axis=1), gaps + r.argmin(axis=1)])
        size = np.abs(r.ravel()[rows])
        rows = rows[size >= NEAR_LARGEST * size.max()]
        if len(rows) > MOST_ROWS:
            rows = rows[np.argsort(-np.abs(r.ravel()[rows]))[:MOST_ROWS]]
        rows = np.unique(rows)
        return x.ravel()[rows], r.ravel()[rows]

    def error(self, weights: Weights) -> float:
        """In the norm, of the accuracy; infinite where it is not a number."""
        x, r = (part.ravel() for part in self.residuals(weights))
        if self.norm == "linf":
            found = float(np.abs(r).max())
        elif self.norm == "l1":
            found = float(np.trapezoid(np.abs(r), x)) / 2
        else:
            found = float(np.sqrt(np.trapezoid(r * r, x) / 2))
        return found if np.isfinite(found) else float("inf")

    def thinned(self, left_out: int) -> "Sampled":
        """With so many points of the grid left out for each one kept."""
        if not left_out:
            return self
        grid = np.append(self.grid[: -1 : left_out + 1], self.grid[-1])
        return Sampled(grid, self.norm, self.f)

    def on(self, start: float, stop: float) -> "Sampled":
        """The same target on a part of the interval, which becomes [-1, 1]."""
        f = self.f

        def part(t: np.ndarray) -> np.ndarray:
            return f(start + (stop - start) * (t + 1) / 2)

        return Sampled.of(part, self.norm)

    @staticmethod
    def of(f: Callable[[np.ndarray], np.ndarray], norm: str) -> "Sampled":
        """With points where the function bends, and some everywhere."""
        runs = runs_of(f)
        # a piece of the best interpolant with error 1 has mass 4
        points = int(POINTS_A_PIECE * runs.whole / 4)
        points = min(max(points, FEWEST_POINTS), MOST_POINTS)
        # flat parts too, where a network may still bend
        grid = np.unique(
            np.concatenate(
                [
                    runs.places(np.linspace(0, 1, points)),
                    np.linspace(-1, 1, points // 2),
                ]
            )
        )
        grid[0], grid[-1] = -1.0, 1.0
        return Sampled(grid, norm, f)


def _vertices(x: np.ndarray, r: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """In each row the vertex of the parabola through three points about the middle."""
    rows = np.arange(len(x))
    k = np.clip(middle, 1, x.shape[1] - 2)
    left, right = x[rows, k] - x[rows, k - 1], x[rows, k + 1] - x[rows, k]
    down, up = r[rows, k - 1] - r[rows, k], r[rows, k + 1] - r[rows, k]
    top = down * right**2 - up * left**2
    bottom = down * right + up * left
    with np.errstate(all="ignore"):
        shift = np.where(bottom != 0, top / bottom / 2, 0.0)
    shift = np.where(np.isfinite(shift), shift, 0.0)
    return x[rows, k] + np.clip(shift, -left, right)
