"""How many links, each meeting the next, cross a tunnel closed at two knots.

Between the two knots a link is flat, so that the two sides can be crossed
independently; and up to the knot before, the sweep is that of the open tunnel.
"""

from bisect import bisect_left
from collections.abc import Sequence

from depthsep.approximation.best._fewest_links import Block, Sweeps


class ClosedTunnels:
    """A tunnel (see `tunnel_links`), in floats, closed at one place at a time.

    Counts are those of whole sweeps, up to rounding where an extreme line just touches
    a wall.
    """

    def __init__(
        self, x: Sequence[float], floor: Sequence[float], ceiling: Sequence[float]
    ) -> None:
        self._forth = _Side(list(x), list(floor), list(ceiling))
        back = [-t for t in reversed(x)]
        self._back = _Side(back, list(reversed(floor)), list(reversed(ceiling)))

    def links(self, at: int, level: float) -> int:
        """The fewest, if it is closed at `level` at the knots `at` and `at + 1`."""
        other = len(self._forth.x) - 2 - at
        return self._forth.links(at, level) + self._back.links(other, level) - 1


class _Side:
    def __init__(
        self, x: list[float], floor: list[float], ceiling: list[float]
    ) -> None:
        self.x, self.floor, self.ceiling = x, floor, ceiling
        self.blocks: list[Block] = []
        sweeps = Sweeps(x, floor, ceiling)
        while (block := sweeps.block()) is not None:
            self.blocks.append(block)

    def links(self, at: int, level: float) -> int:
        """From the left end up to and including the flat one."""
        floor, ceiling = (
            [*wall[:at], level, level] for wall in (self.floor, self.ceiling)
        )
        same = bisect_left(self.blocks, at, key=lambda block: block.k)
        after = self.blocks[same - 1] if same else None
        sweeps, count = Sweeps(self.x[: at + 2], floor, ceiling, after=after), same + 1
        while (block := sweeps.block()) is not None and block.stop < self.x[at + 1]:
            count += 1
        return count
