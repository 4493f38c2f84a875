r"""The error of any ReLU network of two points of a circle or a sphere, enclosed.

On each cell of parameters t in [-1, 1]^k network - f = c + sum_j s_j t_j +- e, and the
law is uniform in t: the mean square of the affine part is c^2 + sum s_j^2 / 3. Cells
whose bounds are widest apart are halved.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from depthsep._deadline import end_after, is_over
from depthsep._progress import tell
from depthsep.analysis.box.followed._affine_forms import TINY, Forms, Stages
from depthsep.analysis.box.followed._branch_and_bound import not_followed
from depthsep.analysis.box.followed._shared_forms import layers_on, stages
from depthsep.analysis.line._examine import Effort
from depthsep.analysis.symmetric.followed._cells import PARAMETERS, Cells
from depthsep.analysis.symmetric.followed._profile import ProfileTable
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import nearest_float, rational
from depthsep.laws import Box, Segment
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import InnerProduct

BATCH = 1 << 21  # numbers held at once for one layer
MOST_CELLS = 3_000_000
GROWTH = 1 << 17  # cells halved in one round
ROUND = 8  # batches in one round, after which the clock is looked at
SHORTEST = 2.0**-48  # half width of a cell that is still halved: centres stay exact
NARROW = 0.01  # bounds so near each other are enough
SUMMED = 1e-9  # relative rounding of sums over all cells
EDGE = 1.0 + 2.0**-20


def followed_error(
    network: Network, problem: Problem, effort: Effort
) -> Enclosure | Inapplicable:
    """The error in the problem's norm, for points of R^2 and R^3.

    Stops when the accuracy is met or missed, when the bounds are within 1 %, or when
    the time is over; the enclosure holds in every case.
    """
    target = problem.target_as(InnerProduct)
    if target.dim not in PARAMETERS:
        return Inapplicable(
            "networks of general form are examined only on spheres in "
            f"R^2 and R^3, not in R^{target.dim}"
        )
    cube = Box([Segment(rational(-EDGE), rational(EDGE))] * (2 * target.dim))
    reason = not_followed(network, cube)
    if reason:
        return Inapplicable(reason)
    low, high = np.full(2 * target.dim, -EDGE), np.full(2 * target.dim, EDGE)
    with np.errstate(all="ignore"):
        net = stages(layers_on(network, low, high))[0]
        off = _Difference(net, ProfileTable.of(target.profile), target.dim)
        return _enclosed(off, problem, effort)


@dataclass(frozen=True)
class _Difference:
    """network - f on cells, as affine forms of one value."""

    net: Stages
    profile: ProfileTable
    dim: int

    def __call__(self, cells: Cells) -> Forms:
        step = self.batch
        parts = [
            self._of(cells.chosen(np.arange(at, min(at + step, len(cells.half)))))
            for at in range(0, len(cells.half), step)
        ]
        return Forms(
            np.concatenate([p.centre for p in parts]),
            np.concatenate([p.slopes for p in parts], axis=1),
            np.concatenate([p.error for p in parts]),
        )

    @property
    def batch(self) -> int:
        """How many cells are followed at once."""
        width = max(1, self.net.widest) * (PARAMETERS[self.dim] + 3)
        return max(1, BATCH // width)

    def _of(self, cells: Cells) -> Forms:
        both, u = cells.forms()
        net, f = self.net(both), self.profile(u)
        error = net.error + f.error
        error += 1e-14 * (np.abs(net.centre) + np.abs(f.centre) + error)
        return Forms(net.centre - f.centre, net.slopes - f.slopes, error)


@dataclass(frozen=True)
class _Bounded:
    """Cells with bounds of |difference| on each: its largest value, or its p-norm.

    Attributes:
        low, high: (B,) of sup |.|, of its mean, or of the root of its mean square.
        axis: (B,) where to halve.
    """

    cells: Cells
    low: np.ndarray
    high: np.ndarray
    axis: np.ndarray

    def chosen(self, which: np.ndarray) -> "_Bounded":
        """Some of them."""
        return _Bounded(
            self.cells.chosen(which),
            self.low[which],
            self.high[which],
            self.axis[which],
        )

    def joined(self, other: "_Bounded") -> "_Bounded":
        """These and others."""
        cells = Cells(
            np.vstack([self.cells.centre, other.cells.centre]),
            np.vstack([self.cells.half, other.cells.half]),
        )
        return _Bounded(
            cells,
            np.concatenate([self.low, other.low]),
            np.concatenate([self.high, other.high]),
            np.concatenate([self.axis, other.axis]),
        )


def _bounded(cells: Cells, off: _Difference, norm: str) -> _Bounded:
    forms = off(cells)
    centre, error = np.abs(forms.centre[:, 0]), forms.error[:, 0]
    slopes = np.abs(forms.slopes[:, :, 0])
    low, high = SIZES[norm](centre, slopes, error)
    high = np.where(np.isnan(high), np.inf, high)
    low = np.nan_to_num(low, nan=0.0, posinf=0.0)
    longest = cells.half.max(axis=1, keepdims=True)
    spread = np.nan_to_num(error, nan=1.0, posinf=1.0)[:, None]
    score = slopes.T + (spread + 1e-300) * (cells.half / longest) ** 2
    return _Bounded(cells, low, high, np.nan_to_num(score).argmax(axis=1))


def _sup(c: np.ndarray, s: np.ndarray, e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.maximum(c - e, 0.0), c + s.sum(0) + e


def _mean(c: np.ndarray, s: np.ndarray, e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    # |mean| <= mean of |.| <= root of the mean square, for the affine part
    return np.maximum(c - e, 0.0), _root(c, s, e)[1]


def _root(c: np.ndarray, s: np.ndarray, e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    size = np.maximum(c + s.sum(0), TINY)  # squares of tiny numbers would be 0
    root = size * np.sqrt((c / size) ** 2 + ((s / size) ** 2).sum(0) / 3)
    slack = 1e-14 * root + TINY
    return np.maximum(root - slack - e, 0.0), root + slack + e


SIZES: dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]] = {
    "linf": _sup,
    "l1": _mean,
    "l2": _root,
}


def _enclosed(
    off: _Difference, problem: Problem, effort: Effort
) -> Enclosure | Inapplicable:
    norm, stop_at = problem.norm, end_after(effort.seconds)
    limit, most = nearest_float(problem.accuracy), min(GROWTH, ROUND * off.batch)
    found = _bounded(Cells.whole(off.dim), off, norm)
    best = 0.0  # what points show of a sup
    while True:
        low, high = _ends(found, norm)
        best = max(best, low)
        narrow = np.isfinite(high) and high - best <= NARROW * high
        decided = high < limit * (1 - 4 * SUMMED) or best > limit * (1 + 4 * SUMMED)
        if narrow or decided or is_over(stop_at) or len(found.low) > MOST_CELLS:
            break
        chosen = _widest(found, norm, best, most)
        if not chosen.any():
            break
        parts = found.chosen(chosen)
        halves = _bounded(parts.cells.halved(parts.axis), off, norm)
        found = found.chosen(~chosen).joined(halves)
        tell(min(1.0, len(found.low) / MOST_CELLS), "cells")
    if not np.isfinite(high):
        return Inapplicable(
            "no bound on the error was found, as some numbers are too large for float64"
        )
    rounding = rational(SUMMED)
    upper = rational(high) * (1 + rounding)
    return Enclosure(rational(best) * (1 - rounding), upper, Rigour.ENCLOSED)


def _ends(found: _Bounded, norm: str) -> tuple[float, float]:
    if norm == "linf":
        return float(found.low.max()), float(found.high.max())
    share = found.cells.measure
    if norm == "l1":
        return float(found.low @ share), float(found.high @ share)
    return _whole_root(found.low, share), _whole_root(found.high, share)


def _whole_root(sizes: np.ndarray, share: np.ndarray) -> float:
    """The root of the mean of squares, which do not leave float64."""
    top = float(sizes.max())
    if not np.isfinite(top) or top == 0:
        return top
    return top * float((sizes / top) ** 2 @ share) ** 0.5


def _widest(found: _Bounded, norm: str, best: float, most: int) -> np.ndarray:
    """The cells to halve: those that hold most of what is not known."""
    if norm == "linf":
        gap = np.where(found.high > best, found.high, 0.0)
    else:
        gap = (found.high - found.low) * found.cells.measure
        if norm == "l2":
            gap *= (found.high + found.low) / max(float(found.low.max()), TINY)
    gap = np.where(np.isfinite(gap), gap, np.finfo(float).max)
    rows = np.arange(len(gap))
    gap[found.cells.half[rows, found.axis] < SHORTEST] = 0.0
    order = np.argsort(-gap)[: max(1, min(most, len(gap) // 2))]
    chosen = np.zeros(len(gap), dtype=bool)
    chosen[order] = True
    return chosen & (gap > 0)
