r"""Means of |network - f| and of its square over a box.

On a small box network - f = c + sum_k s_k t_k + r, t uniform on [-1, 1]^d, |r| <= e.
The root of its mean square is within e of sqrt(c^2 + sum s_k^2 / 3). The mean of its
size is at least |c| - e; at most |c| + e where |c| >= sum |s_k|, that root + e
elsewhere. Boxes where the two sides are far apart are cut until the limit is decided.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from math import prod
from time import monotonic

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._progress import tell
from depthsep.analysis.box.followed._affine_forms import (
    TINY,
    UNIT,
    Stages,
    boxes_to_forms,
)
from depthsep.analysis.box.followed._branch_and_bound import (
    BATCH,
    misfit,
    not_followed,
    outward,
    time_limit,
)
from depthsep.analysis.box.followed._nodes import MOST_HALVINGS, Node, OpenNode
from depthsep.analysis.box.followed._shared_forms import weights_of
from depthsep.analysis.box.followed._taylor_model import LocalModel
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import nearest_float, rational, sqrt_upper
from depthsep.laws import Box
from depthsep.networks import Network, as_relu
from depthsep.targets import AbstractBoxTarget, Formula

MOST_NODES = 1024
FEW_WEIGHTS = 2_000
MOST_CELLS = 1 << 18
REST = 16  # models may leave out this share of the limit
THIN = 4  # sides this much shorter than others are not cut
SHARE = 0.6  # of what is open, in the cells that are cut at once


@dataclass
class _Cells:
    """Parts of one open node, with both bounds of a mean over each."""

    stages: Stages
    model: LocalModel
    squared: bool
    low: np.ndarray
    high: np.ndarray
    below: np.ndarray
    above: np.ndarray

    @staticmethod
    def of(found: OpenNode, squared: bool) -> "_Cells":
        low, high = found.node.low[None], found.node.high[None]
        cells = _Cells(
            found.stages, found.model, squared, low, high, low[:, 0], low[:, 0]
        )
        cells.below, cells.above = cells.bounds(low, high)
        return cells

    @property
    def volumes(self) -> np.ndarray:
        return np.prod(self.high - self.low, axis=1)

    @property
    def open(self) -> np.ndarray:
        """Volume times the distance of the two bounds."""
        return self.volumes * (self.above - self.below)

    def bounds(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, ...]:
        """Of the mean over each box, from below and above."""
        step = max(1, BATCH // (self.stages.widest * (low.shape[1] + 3)))
        below, above = np.empty(len(low)), np.empty(len(low))
        for at in range(0, len(low), step):
            part = slice(at, at + step)
            net = self.stages(boxes_to_forms(low[part], high[part]))
            found = self.model.differences(low[part], high[part], net)
            below[part], above[part] = _means(*found, self.squared)
        return below, above

    def cut(self, chosen: np.ndarray) -> None:
        """Halve boxes, each across the axis that leaves least open, no thin ones."""
        low, high, volume = self.low[chosen], self.high[chosen], self.volumes[chosen]
        ways = [self._halved(low, high, axis) for axis in range(low.shape[1])]
        left = np.array([_open_in_halves(volume, *way[2:]) for way in ways])
        length = (high - low) / (self.model.reach + TINY)
        left[length.max(axis=1) > THIN * length.T] = np.inf
        axis, rows = left.argmin(axis=0), np.arange(len(low))
        both = np.concatenate([rows, rows + len(rows)]), np.tile(axis, 2)
        kept = (self.low, self.high, self.below, self.above)
        self.low, self.high, self.below, self.above = (
            np.concatenate([old[~chosen], np.stack(new)[both[1], both[0]]])
            for old, new in zip(kept, zip(*ways, strict=True), strict=True)
        )

    def _halved(
        self, low: np.ndarray, high: np.ndarray, axis: int
    ) -> tuple[np.ndarray, ...]:
        """Corners of all left halves, then all right ones; bounds on each."""
        starts, ends = np.concatenate([low, low]), np.concatenate([high, high])
        middle = (low[:, axis] + high[:, axis]) / 2
        ends[: len(low), axis] = middle
        starts[len(low) :, axis] = middle
        return starts, ends, *self.bounds(starts, ends)


def _open_in_halves(
    volume: np.ndarray, below: np.ndarray, above: np.ndarray
) -> np.ndarray:
    width = np.nan_to_num(above - below, nan=np.inf).reshape(2, -1)
    return volume * width.sum(0)


def _means(
    centre: np.ndarray, slopes: np.ndarray, error: np.ndarray, squared: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the mean of |c + s t + r|, or of its square."""
    size, reach = np.abs(centre), np.abs(slopes).sum(1)
    root = np.sqrt(centre**2 + (slopes**2).sum(1) / 3)
    slack = 8 * (slopes.shape[1] + 4) * UNIT * (size + reach)
    error = error + slack
    if squared:
        return np.maximum(root - error, 0.0) ** 2, (root + error) ** 2
    above = np.where(size >= reach, size, root)
    return np.maximum(size - error, 0.0), above + error


def mean_error(
    network: Network,
    target: AbstractBoxTarget,
    box: Box,
    *,
    norm: str,
    limit: object,
    seconds: float = 60.0,
) -> Enclosure:
    r"""The l1 or l2 error on a box under its uniform law, enclosed; few inputs best.

    Stops when it is known whether the error is at most the limit, or when the time or
    2^18 boxes are used up; the enclosure holds in every case.

    Args:
        norm: "l1" or "l2".

    Raises:
        HypothesisError: units that are not piecewise affine and continuous, several
            outputs, inputs that do not fit, another norm, a limit that is not positive,
            a formula that no ball encloses, numbers beyond 1e-100 to 1e100.
    """
    if norm not in ("l1", "l2"):
        raise HypothesisError(f"means are taken in l1 and l2, not {norm}")
    network, formula = as_relu(network), target.as_formula()
    reason = not_followed(network, box) or misfit(network, formula, box)
    if reason:
        raise HypothesisError(reason)
    most = rational(limit, name="limit")
    if most <= 0:
        raise HypothesisError(f"the limit is {most}; it must be positive")
    squared = norm == "l2"
    stop_at = monotonic() + time_limit(seconds)
    with np.errstate(all="ignore"):
        opened = _opened(network, formula, box, most, stop_at)
        parts = [_Cells.of(found, squared) for found in opened]
        return _refined(parts, box, most**2 if squared else most, squared, stop_at)


def _opened(
    network: Network, formula: Formula, box: Box, limit: fmpq, stop_at: float
) -> list[OpenNode]:
    """Parts where models leave out little and little of a large network is left."""
    room = nearest_float(limit) / REST
    first = Node.whole(network, *outward(box)).opened(formula)
    accurate = _cut_most(
        [first], lambda found: found.model.rest, formula, room, stop_at
    )
    return _cut_most(accurate, _compressible, formula, FEW_WEIGHTS, stop_at)


def _compressible(found: OpenNode) -> float:
    """Weights, where cutting lessens them."""
    light = found.node.halvings > 1 and found.is_incompressible
    return 0.0 if light else float(weights_of(found.layers))


def _cut_most(
    opened: list[OpenNode],
    size: Callable[[OpenNode], float],
    formula: Formula,
    small: float,
    stop_at: float,
) -> list[OpenNode]:
    """Cut where share times size is largest, until their sum is small or it is late."""
    ticket = count()

    def entry(found: OpenNode) -> tuple[float, int, OpenNode]:
        return -found.node.share * size(found), next(ticket), found

    heap = [entry(found) for found in opened]
    heapq.heapify(heap)
    total = -sum(first for first, *_ in heap)
    while total > small and len(heap) < MOST_NODES and monotonic() < stop_at:
        if heap[0][-1].node.halvings >= MOST_HALVINGS:
            break
        lost, _, worst = heapq.heappop(heap)
        new = [entry(node.opened(formula)) for node in worst.cut()]
        total += lost - sum(first for first, *_ in new)
        for found in new:
            heapq.heappush(heap, found)
    return [found for *_, found in heap]


def _refined(
    parts: list[_Cells], box: Box, limit: fmpq, squared: bool, stop_at: float
) -> Enclosure:
    """Cut where most is open until the limit is decided."""
    volume = prod((side.length for side in box.sides), start=fmpq(1))
    while True:
        low, high = _sums(parts, volume)
        cells = sum(len(p.low) for p in parts)
        decided = high <= limit or low > limit
        if decided or cells >= MOST_CELLS or monotonic() > stop_at:
            break
        tell(min(1.0, nearest_float(limit / high)), "the mean")
        _cut_worst(parts)
    if squared:
        low, high = (low / sqrt_upper(low) if low > 0 else low), sqrt_upper(high)
    return Enclosure(max(low, fmpq(0)), high, Rigour.ENCLOSED)


def _cut_worst(parts: list[_Cells]) -> None:
    """Cut the cells that together make up most of what is open."""
    open_now = np.concatenate([p.open for p in parts])
    open_now = np.where(np.isfinite(open_now), open_now, np.finfo(float).max / 1e9)
    order = np.argsort(-open_now, kind="stable")
    grown = np.cumsum(open_now[order])
    enough = int(np.searchsorted(grown, SHARE * grown[-1])) + 1
    chosen = np.zeros(len(open_now), dtype=bool)
    chosen[order[:enough]] = True
    at = 0
    for part in parts:
        mine = chosen[at : at + len(part.low)]
        at += len(mine)
        if mine.any():
            part.cut(mine)


def _sums(parts: list[_Cells], volume: fmpq) -> tuple[fmpq, fmpq]:
    """The means over the whole box from below and above, rounding included.

    The cells cover the box and may reach a little beyond it.
    """
    volumes = np.concatenate([p.volumes for p in parts])
    below = np.concatenate([p.below for p in parts])
    above = np.concatenate([p.above for p in parts])
    if not (np.isfinite(below).all() and np.isfinite(above).all()):
        raise HypothesisError(
            "the target is not finite on the box, as far as is proved"
        )
    slack = fmpq(len(volumes) + 64, 1 << 52)
    high = rational(float(volumes @ above)) * (1 + slack) / volume
    covered = rational(float(volumes.sum())) * (1 + slack) / volume
    beyond = max(covered - 1, fmpq(0)) * rational(float(above.max()))
    low = rational(float(volumes @ below)) * (1 - slack) / volume - beyond
    return low, high
