r"""The largest value of a function on a box: boxes are bounded and halved, many a step.

What is asked of the function is a bound from above on boxes and values at points. A
threshold ends the search early: the maximum is at most that, or a point exceeds it.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import NamedTuple, TypeVar

import numpy as np

from depthsep._cores import cores
from depthsep._deadline import is_over
from depthsep._progress import tell
from depthsep.analysis.bounds._balls import FLOOR, known
from depthsep.analysis.bounds._followed import Followed

CORES = cores()
FEW = 16  # boxes that are not worth a thread
LOOSE = 2.0
SLIM = 1 / 16  # a side, as a share of the longest, that is not cut
MOST_TOGETHER = 1024
MOST_BOXES = 1 << 21
BATCH = 1 << 24  # numbers of one step

Found = TypeVar("Found")


class OnBoxes(NamedTuple):
    """What is known of B boxes.

    Attributes:
        upper: (B,) bounds of the function.
        scores: (B, n) how much a cut of each axis may help.
        points: (B, n) where it may be large, a point of each box.
    """

    upper: np.ndarray
    scores: np.ndarray
    points: np.ndarray


class AbstractBounded(ABC):
    """A function on boxes, bounded by what is known of a network there.

    Attributes:
        net: whose size says how many boxes fit into memory.
    """

    net: Followed

    @property
    def together(self) -> int:
        """Boxes that are halved in one step."""
        widest, n = self.net.widest, self.net.in_dim
        return max(1, min(MOST_TOGETHER, BATCH // (2 * widest * (widest + n))))

    @property
    def tries(self) -> bool:
        """Whether a loose box is cut across every axis before one is chosen."""
        return False

    def on(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        """Bounds on boxes with (B, n) corners, a part of them on every core."""
        parts = self._on_every_core(self.on_few, low, high)
        columns = (np.concatenate(column) for column in zip(*parts, strict=True))
        found = OnBoxes(*columns)
        return found._replace(upper=known(found.upper, inf))

    def gains(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """By how much each cut lowers bounds more than the worst cut, (B, n)."""
        sums = []
        for axis in range(low.shape[1]):
            which = np.full(len(low), axis)
            parts = self._on_every_core(self.above, *halves(low, high, which))
            sums.append(np.concatenate(parts).reshape(2, -1).sum(0))
        worst = np.nan_to_num(np.stack(sums, axis=1), nan=inf)
        return worst.max(1, keepdims=True) - worst

    def _on_every_core(
        self, bound: Callable[..., Found], low: np.ndarray, high: np.ndarray
    ) -> list[Found]:
        step = max(1, min(2 * self.together, -(-len(low) // CORES)))
        starts = range(0, len(low), step)

        def quietly(at: int) -> Found:  # each thread has its own way with warnings
            with np.errstate(all="ignore"):
                return bound(low[at : at + step], high[at : at + step])

        if len(starts) < 2 or len(low) < FEW:
            return [quietly(at) for at in starts]
        return list(_threads().map(quietly, starts))

    @abstractmethod
    def on_few(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        """Bounds on boxes with (B, n) corners, all at once."""

    def above(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Quick bounds, (B,), to compare ways to cut a box; asked for by `tries`."""
        raise NotImplementedError

    @abstractmethod
    def at(self, points: np.ndarray) -> np.ndarray:
        """Values at (m, n) points, near enough to compare them."""


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(CORES, thread_name_prefix="bounds")


# threads do not outlive a fork: the child makes its own
os.register_at_fork(after_in_child=_threads.cache_clear)


@dataclass
class Cuts:
    """The boxes that a search has cut, for those who check it.

    Attributes:
        made: of each box that was cut its number, the axis, the place, and the numbers
            of its halves. The first box is number 0.
    """

    made: list[tuple[int, int, float, int, int]] = field(default_factory=list)
    count: int = 1

    def cut(
        self, numbers: np.ndarray, left_high: np.ndarray, high: np.ndarray
    ) -> np.ndarray:
        """Note that boxes were cut; the numbers of the lower halves, then the upper."""
        axis = (left_high != high).argmax(axis=1)
        count = len(numbers)
        new = self.count + np.arange(2 * count)
        self.count += 2 * count
        places = left_high[np.arange(count), axis]
        columns = (numbers, axis, places, new[:count], new[count:])
        self.made += list(zip(*(c.tolist() for c in columns), strict=True))
        return new


@dataclass
class Largest:
    """What a search has found.

    Attributes:
        upper: nothing on the box is above; proved.
        value, point: the largest value seen, near, and where.
        boxes: how many were looked at.
        settled: whether the threshold or the tolerance ended it, not the time.
    """

    upper: float
    value: float
    point: np.ndarray
    boxes: int = 0
    settled: bool = False


def largest(
    function: AbstractBounded,
    low: np.ndarray,
    high: np.ndarray,
    *,
    stop_at: float,
    threshold: float | None = None,
    share: float = 0.0,
    least: float = 0.0,
    cuts: Cuts | None = None,
    start: np.ndarray | None = None,
) -> Largest:
    """Search on a box, or on several, until time is over.

    Args:
        low, high: (B, n) corners.
        threshold: end as soon as the maximum is at most that, or a value above is seen.
        share, least: end where upper and value are so near: a share of the value's
            size, or a number.
        cuts: notes how a single box is cut.
        start: (m, n) points of the boxes where the function may be large.
    """
    boxes = _Pool.of(function, low, high)
    boxes.cuts = cuts
    if start is not None:
        boxes.look_at(start)
    while True:
        upper = boxes.upper
        near = upper - boxes.value <= max(least, share * abs(boxes.value))
        decided = threshold is not None and (
            upper <= threshold or boxes.value > threshold
        )
        done = near or decided
        if done or is_over(stop_at) or len(boxes.low) > MOST_BOXES:
            return Largest(upper, boxes.value, boxes.point, boxes.seen, done)
        boxes.halve(-inf if threshold is None else threshold)
        tell(boxes.progress(threshold), "boxes")


@dataclass
class _Pool:
    """Boxes that may hold the maximum."""

    function: AbstractBounded
    low: np.ndarray
    high: np.ndarray
    bounds: np.ndarray
    scores: np.ndarray
    value: float
    point: np.ndarray
    loose: np.ndarray
    seen: int
    whole: float
    numbers: np.ndarray
    cuts: Cuts | None = None

    @staticmethod
    def of(function: AbstractBounded, low: np.ndarray, high: np.ndarray) -> "_Pool":
        """The first boxes."""
        found = function.on(low, high)
        pool = _Pool(
            *(function, low, high, found.upper, found.scores),
            value=-inf,
            point=low[0],
            loose=np.ones(len(low), bool),
            seen=len(low),
            whole=float(found.upper.max()),
            numbers=np.arange(len(low)),
        )
        pool.look_at(np.concatenate([found.points, (low + high) / 2]))
        return pool

    @property
    def upper(self) -> float:
        """Of the function, over all boxes: those let go are below the value seen."""
        return max(float(self.bounds.max(initial=-inf)), self.value)

    def progress(self, threshold: float | None) -> float:
        """Of the way from the first bound to the threshold or the value."""
        goal = self.value if threshold is None else max(self.value, threshold)
        way = self.whole - goal
        return min(1.0, (self.whole - self.upper) / way) if way > 0 else 1.0

    def look_at(self, points: np.ndarray) -> np.ndarray:
        """Values at points, of which the largest is kept."""
        values = self.function.at(points)
        values = np.where(np.isfinite(values), values, -inf)
        best = int(values.argmax())
        if values[best] > self.value:
            self.value, self.point = float(values[best]), points[best]
        return values

    def halve(self, above: float) -> None:
        """The boxes with the largest bounds, each across its best axis.

        Those whose bounds are not above a number are left as they are.
        """
        open_ = int((self.bounds > above).sum())
        count = max(1, min(self.function.together, open_))
        order = np.argpartition(-self.bounds, count - 1)
        chosen, rest = order[:count], order[count:]
        low, high, scores = self.low[chosen], self.high[chosen], self.scores[chosen]
        loose = self.loose[chosen]
        if self.function.tries and loose.any():
            scores = scores.copy()
            scores[loose] = self.function.gains(low[loose], high[loose])
        low, high = halves(low, high, _axes(high - low, scores))
        numbers = np.zeros(len(low), dtype=np.int64)
        if self.cuts is not None:
            numbers = self.cuts.cut(
                self.numbers[chosen], high[:count], self.high[chosen]
            )
        found = self.function.on(low, high)
        before = np.concatenate([self.bounds[chosen]] * 2)
        bounds = np.minimum(found.upper, before)
        self.seen += len(low)
        loose = _are_loose(found, self.look_at(found.points))
        kept = bounds > self.value
        rest = rest[self.bounds[rest] > self.value]
        self.low = np.concatenate([self.low[rest], low[kept]])
        self.high = np.concatenate([self.high[rest], high[kept]])
        self.bounds = np.concatenate([self.bounds[rest], bounds[kept]])
        self.scores = np.concatenate([self.scores[rest], found.scores[kept]])
        self.loose = np.concatenate([self.loose[rest], loose[kept]])
        self.numbers = np.concatenate([self.numbers[rest], numbers[kept]])


def _are_loose(found: OnBoxes, values: np.ndarray) -> np.ndarray:
    """Whether bounds leave more open than what a linear function would change."""
    return found.upper - values > LOOSE * found.scores.sum(1)


def _axes(sides: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The axis with the largest score; of those alike the longest."""
    finite = np.where(np.isfinite(scores), scores, 0.0)
    share = sides / np.maximum(sides.max(axis=1, keepdims=True), FLOOR)
    top = np.maximum(finite.max(axis=1, keepdims=True), FLOOR)
    # greed alone cuts one axis for ever where no single cut helps
    weighted = np.where(share > SLIM, 1.0 + finite / top, 0.0) + share / 16
    return np.where(sides > 0, weighted, -1.0).argmax(axis=1)


def halves(
    low: np.ndarray, high: np.ndarray, axis: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Each box cut at the middle of an axis: the lower halves, then the upper."""
    rows = np.arange(len(low))
    middle = low[rows, axis] + (high[rows, axis] - low[rows, axis]) / 2
    left, right = high.copy(), low.copy()
    left[rows, axis], right[rows, axis] = middle, middle
    return np.concatenate([low, right]), np.concatenate([left, high])
