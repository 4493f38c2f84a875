r"""The largest value of a function on a box: boxes are bounded and halved, many a step.

What is asked of the function is a bound from above on boxes and values at points. A
threshold ends the search early: the maximum is at most that, or a point exceeds it.
"""

import os
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import NamedTuple

import numpy as np

from depthsep._deadline import is_over
from depthsep._progress import tell
from depthsep.analysis.bounds._followed import Followed

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
FEW = 16  # boxes that are not worth a thread
MOST_TOGETHER = 1024
MOST_BOXES = 1 << 21
BATCH = 1 << 24  # numbers of one step


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

    def on(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        """Bounds on boxes with (B, n) corners, a part of them on every core."""
        step = max(1, min(2 * self.together, -(-len(low) // CORES)))
        starts = range(0, len(low), step)
        if len(starts) < 2 or len(low) < FEW:
            return self._quietly(low, high)
        parts = _pool().map(
            lambda at: self._quietly(low[at : at + step], high[at : at + step]), starts
        )
        return OnBoxes(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _quietly(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        """What overflows is no bound; each thread has its own way with warnings."""
        with np.errstate(all="ignore"):
            return self.on_few(low, high)

    @abstractmethod
    def on_few(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        """Bounds on boxes with (B, n) corners, all at once."""

    @abstractmethod
    def at(self, points: np.ndarray) -> np.ndarray:
        """Values at (m, n) points, near enough to compare them."""


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(CORES, thread_name_prefix="bounds")


# threads do not outlive a fork: the child makes its own
os.register_at_fork(after_in_child=_pool.cache_clear)


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
    seen: int
    whole: float
    numbers: np.ndarray
    cuts: Cuts | None = None

    @staticmethod
    def of(function: AbstractBounded, low: np.ndarray, high: np.ndarray) -> "_Pool":
        """The first boxes."""
        found = _known(function.on(low, high))
        pool = _Pool(
            *(function, low, high, found.upper, found.scores),
            *(-inf, low[0], len(low), float(found.upper.max()), np.arange(len(low))),
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

    def look_at(self, points: np.ndarray) -> None:
        """Values at points, of which the largest is kept."""
        values = self.function.at(points)
        values = np.where(np.isfinite(values), values, -inf)
        best = int(values.argmax())
        if values[best] > self.value:
            self.value, self.point = float(values[best]), points[best]

    def halve(self, above: float) -> None:
        """The boxes with the largest bounds, each across its best axis.

        Those whose bounds are not above a number are left as they are.
        """
        open_ = int((self.bounds > above).sum())
        count = max(1, min(self.function.together, open_))
        order = np.argpartition(-self.bounds, count - 1)
        chosen, rest = order[:count], order[count:]
        low, high = _halves(self.low[chosen], self.high[chosen], self.scores[chosen])
        numbers = np.zeros(len(low), dtype=np.int64)
        if self.cuts is not None:
            numbers = self.cuts.cut(
                self.numbers[chosen], high[:count], self.high[chosen]
            )
        found = _known(self.function.on(low, high))
        before = np.concatenate([self.bounds[chosen]] * 2)
        bounds = np.minimum(found.upper, before)
        self.seen += len(low)
        self.look_at(found.points)
        kept = bounds > self.value
        rest = rest[self.bounds[rest] > self.value]
        self.low = np.concatenate([self.low[rest], low[kept]])
        self.high = np.concatenate([self.high[rest], high[kept]])
        self.bounds = np.concatenate([self.bounds[rest], bounds[kept]])
        self.scores = np.concatenate([self.scores[rest], found.scores[kept]])
        self.numbers = np.concatenate([self.numbers[rest], numbers[kept]])


def _known(found: OnBoxes) -> OnBoxes:
    """What is not a number is no bound."""
    return found._replace(upper=np.where(np.isnan(found.upper), inf, found.upper))


def _halves(
    low: np.ndarray, high: np.ndarray, scores: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Each box cut at the middle of the axis with the largest score."""
    length = high - low
    finite = np.where(np.isfinite(scores), scores, 0.0)
    share = length / np.maximum(length.max(axis=1, keepdims=True), 1e-300)
    top = finite.max(axis=1, keepdims=True)
    weighted = np.where(top > 0, finite + top * share / 16, share)
    axis = np.where(length > 0, weighted, -1.0).argmax(axis=1)
    rows = np.arange(len(low))
    middle = low[rows, axis] + length[rows, axis] / 2
    left, right = high.copy(), low.copy()
    left[rows, axis], right[rows, axis] = middle, middle
    return np.concatenate([low, right]), np.concatenate([left, high])
