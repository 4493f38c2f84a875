"""Choose which kinks two hidden layers hold in the first of them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

Ends = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Kinks:
    """The kinks 1, ..., n of a piecewise-affine function, upwards or downwards.

    The ends of the interval have the numbers 0 and n + 1 and are not kinks.
    """

    upward: np.ndarray

    @property
    def count(self) -> int:
        """n."""
        return len(self.upward)

    @cached_property
    def sums(self) -> tuple[np.ndarray, np.ndarray]:
        """How many of the kinks 1, ..., k go up, and how many down."""
        up = np.concatenate([[0], np.cumsum(self.upward)])
        return up, np.arange(self.count + 1) - up

    @cached_property
    def _last(self) -> tuple[np.ndarray, np.ndarray]:
        """The last d such that at most v of the kinks 1, ..., d - 1 go up, or down."""
        up, down = (
            np.searchsorted(sums, np.arange(sums[-1] + 1), side="right")
            for sums in self.sums
        )
        return up, down

    def last_end(
        self, before: np.ndarray, between: np.ndarray, most: tuple[int, int]
    ) -> np.ndarray:
        """The last d so that kinks in (before, d), but for `between`, are few enough.

        Args:
            before, between: kinks, before <= between.
            most: kinks that may go up, and down.
        """
        found = np.full(len(between), self.count + 1)
        for limit, sums, last in zip(most, self.sums, self._last, strict=True):
            own = (sums[between] - sums[between - 1]) * (between > before)
            allowed = np.minimum(limit + sums[before] + own, sums[-1])
            found = np.minimum(found, last[allowed])
        return found


def farthest(kinks: Kinks, start: int, intervals: int, most: tuple[int, int]) -> Ends:
    """Ends of coarse intervals that reach as far right of `start` as is possible.

    Between neighbouring ends but one there are, besides the end between them, at most
    `most` kinks that go up, and down. The kinks inside neighbouring intervals then
    fit into as many units of the second layer.

    A programme over pairs of neighbouring ends: for each end c that i intervals can
    reach, only the last possible end before c matters, and only ends c beyond all that
    i - 1 intervals can reach.

    Returns:
        start, c_1, c_2, ..., at most `intervals` of them after `start`; the last is
        n + 1 where all kinks are held.
    """
    steps = [(start, np.array([start]))]
    for _ in range(intervals):
        first, before = steps[-1]
        beyond = first + len(before)
        between = np.arange(first, beyond)
        last = kinks.last_end(before, between, most)
        serves = last >= beyond
        best = np.full(last.max() - beyond + 1, start)
        best[last[serves] - beyond] = between[serves]  # the last of equals is kept
        steps.append((beyond, np.maximum.accumulate(best[::-1])[::-1]))
        if last.max() > kinks.count:
            break
    ends = [steps[-1][0] + len(steps[-1][1]) - 1]
    for first, before in reversed(steps[1:]):
        ends.append(int(before[ends[-1] - first]))
    return tuple(reversed(ends))


def splits(kinks: Kinks, start: int, units: int) -> list[tuple[int, int]]:
    """The ways to divide `units` among both directions, the most promising first."""
    up, down = (int(sums[-1] - sums[start]) for sums in kinks.sums)
    if min(up, down) == 0:
        return [(units, 0) if up else (0, units)]
    share = units * up / (up + down)
    ordered = sorted(range(units + 1), key=lambda a: abs(a - share))
    return [(a, units - a) for a in ordered]


def farthest_of_splits(kinks: Kinks, start: int, intervals: int, units: int) -> Ends:
    """The farthest that any division of the second layer's units can reach."""
    best: Ends = (start,)
    for most in splits(kinks, start, units):
        if not _may_reach(kinks, start, best[-1], intervals, most):
            continue
        found = farthest(kinks, start, intervals, most)
        if found[-1] > best[-1]:
            best = found
        if best[-1] > kinks.count:
            break
    return best


def _may_reach(
    kinks: Kinks, start: int, beyond: int, intervals: int, most: tuple[int, int]
) -> bool:
    """Whether a count of kinks leaves it open that these units reach farther."""
    pairs = -(-intervals // 2)
    inside = [int(sums[min(beyond, kinks.count)] - sums[start]) for sums in kinks.sums]
    spare = [max(0, n - pairs * m) for n, m in zip(inside, most, strict=True)]
    return sum(spare) <= intervals - 1
