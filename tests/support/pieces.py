"""Best approximation by pieces with jumps, by a plain dynamic programme in floats."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

Values = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Midpoints:
    """Points in the middle of small parts of cells, shape (cells, each).

    Attributes:
        x, y: the points, and a function there.
        shares: of the interval, of the parts; 1 in all.
    """

    x: np.ndarray
    y: np.ndarray
    shares: np.ndarray


def midpoints(
    f: Values, start: float, stop: float, cells: int, each: int = 8
) -> Midpoints:
    """Of equal parts."""
    t = (np.arange(cells * each) + 0.5).reshape(cells, each) / (cells * each)
    x = start + (stop - start) * t
    return Midpoints(x, f(x), np.full_like(x, 1 / x.size))


def square_costs(at: Midpoints) -> np.ndarray:
    """The sum of squared residuals over cells i, ..., j - 1, by their shares."""
    cells, x, y, w = len(at.x), at.x - at.x.mean(), at.y, at.shares
    moments = [w, w * x, w * x * x, w * y, w * x * y, w * y * y]
    sums = np.array([np.concatenate([[0], np.cumsum(m.sum(axis=1))]) for m in moments])
    costs = np.full((cells + 1, cells + 1), np.inf)
    for i in range(cells):
        n, sx, sxx, sy, sxy, syy = sums[:, i + 1 :] - sums[:, i : i + 1]
        dx, dxy, dy = sxx - sx * sx / n, sxy - sx * sy / n, syy - sy * sy / n
        costs[i, i + 1 :] = np.maximum(dy - dxy**2 / dx, 0)
    return costs


def best_knots(costs: np.ndarray, pieces: int) -> tuple[float, list[int]]:
    """The least sum of so many costs, and the cells at which pieces begin and end."""
    least, picks = costs[0].copy(), []
    for _ in range(pieces - 1):
        through = least[:, None] + costs
        picks.append(through.argmin(axis=0))
        least = np.minimum(through.min(axis=0), np.inf)
    knots = [len(costs) - 1]
    for pick in reversed(picks):
        knots.append(int(pick[knots[-1]]))
    return float(least[-1]), [0, *reversed(knots)]


def absolute_error(at: Midpoints, knots: list[int]) -> float:
    """The mean of |y - p| with a nearly best line on each piece: an upper side."""
    return sum(_line_error(at, i, j) for i, j in pairwise(knots) if j > i)


def _line_error(at: Midpoints, i: int, j: int) -> float:
    """By least squares, again and again with weights."""
    x, y, shares = (part[i:j].ravel() for part in (at.x, at.y, at.shares))
    u = (x - x.mean()) / np.ptp(x)
    rows, weights, best = np.stack([np.ones_like(u), u], axis=1), shares, np.inf
    for _ in range(40):
        root = np.sqrt(weights)
        line = np.linalg.lstsq(rows * root[:, None], y * root, rcond=None)[0]
        off = np.abs(y - rows @ line)
        best = min(best, float(shares @ off))
        weights = shares / np.maximum(off, 1e-3 * off.mean() + 1e-300)
    return best


def weighed(at: Midpoints, density: Values) -> Midpoints:
    """The same points, with shares of the mass of a density; 1 in all."""
    shares = density(at.x)
    return Midpoints(at.x, at.y, shares / shares.sum())
