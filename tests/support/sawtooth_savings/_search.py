"""Boxes of intervals, and the branch and bound over them that both norms share.

By symmetry (step 2 of docs/proofs/sawtooth-savings.md) starts in [0, 1] are enough,
and long intervals are excluded by argument (steps 6 and 11).
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from flint import fmpq

LONG = 5  # tooth units: longer intervals are excluded by argument


class Box(NamedTuple):
    """All intervals with start in [s0, s1] and end in [e0, e1]."""

    s0: fmpq
    s1: fmpq
    e0: fmpq
    e1: fmpq

    @property
    def centre(self) -> tuple[fmpq, fmpq]:
        """Start and end of the interval in the middle."""
        return (self.s0 + self.s1) / 2, (self.e0 + self.e1) / 2

    @property
    def longest(self) -> fmpq:
        """The length of the union of all intervals."""
        return self.e1 - self.s0

    @property
    def shortest(self) -> fmpq:
        """The length of what all intervals share; negative if nothing."""
        return self.e0 - self.s1

    def halves(self) -> tuple["Box", "Box"]:
        """The box cut across its longer side."""
        s0, s1, e0, e1 = self
        s, e = self.centre
        if s1 - s0 > e1 - e0:
            return Box(s0, s, e0, e1), Box(s, s1, e0, e1)
        return Box(s0, s1, e0, e), Box(s0, s1, e, e1)


class Tree(NamedTuple):
    """Boxes proved, bisections of the deepest box, and a box that failed, if any."""

    boxes: int
    depth: int
    failed: Box | None


def cells() -> list[Box]:
    """Starts in [0, 1] and lengths up to LONG, cut where the end is an integer."""
    zero, one = fmpq(0), fmpq(1)
    return [Box(zero, one, fmpq(n), fmpq(n + 1)) for n in range(LONG + 1)]


def search(
    boxes: Iterable[Box],
    is_proved: Callable[[Box], bool],
    is_refuted: Callable[[Box], bool],
    *,
    max_depth: int,
    max_boxes: int,
) -> Tree:
    """Bisect, breadth first, until all are proved, one is refuted or a limit met."""
    queue = deque((box, 0) for box in boxes)
    proved = depth = 0
    while queue:
        box, depth = queue.popleft()
        if is_proved(box):
            proved += 1
        elif depth == max_depth or len(queue) > max_boxes or is_refuted(box):
            return Tree(proved, depth, box)
        else:
            queue.extend((half, depth + 1) for half in box.halves())
    return Tree(proved, depth, None)
