"""Cells whose address is read off: equal ones, or halves of halves."""

from dataclasses import dataclass
from itertools import pairwise

from flint import fmpq

from depthsep._deadline import check_time
from depthsep.approximation import tunnel_links
from depthsep.tables._room import Room
from depthsep.tables._tunnel import Tunnel
from depthsep.tables._windows import continuous_values, piece_values
from depthsep.tables.plans._plan import AbstractPlan, Pieces, pieces_on


@dataclass(frozen=True)
class EqualCells(AbstractPlan):
    """Cells of equal length, so that an address is a division; or 2^k of them."""

    jumps: bool = False
    power_of_two: bool = False

    def needed(self, room: Room, error: fmpq, limit: int) -> int:
        found = self._first(room.outside(error), limit)
        return limit + 1 if found is None else len(found)

    def laid(self, room: Room, error: fmpq, limit: int) -> Pieces | None:
        return self._first(room.inside(error), limit)

    def _first(self, tunnel: Tunnel, limit: int) -> Pieces | None:
        """Of the least number of cells with a table; none of fewer is left out.

        Where one cell is too long for a line, the next number is asked there first.
        """
        first, length = tunnel.x[0], tunnel.x[-1] - tunnel.x[0]
        hard: fmpq | None = None
        for count in self._counts(tunnel, limit):
            check_time()
            if hard is not None:
                k = (hard * count).floor()
                ends = (first + length * (k + i) / count for i in (0, 1))
                if piece_values(tunnel, *ends) is None:
                    continue
            knots = [first + length * k / count for k in range(count + 1)]
            found = pieces_on(tunnel, knots, jumps=self.jumps)
            if found is not None:
                return found
            cells = enumerate(pairwise(knots))
            hard = next(
                (
                    fmpq(2 * k + 1, 2 * count)
                    for k, cell in cells
                    if piece_values(tunnel, *cell) is None
                ),
                hard,
            )
        return None

    def _counts(self, tunnel: Tunnel, limit: int) -> list[int]:
        """Numbers of cells that are tried: from what free knots need on."""
        free = tunnel_links(
            tunnel.x, tunnel.floor, tunnel.ceiling, continuous=False, limit=limit
        )
        if not self.power_of_two:
            return list(range(len(free), limit + 1))
        powers = (1 << k for k in range(limit.bit_length()))
        return [n for n in powers if len(free) <= n <= limit]


@dataclass(frozen=True)
class DyadicCells(AbstractPlan):
    """Cells that are halves of halves of the interval: leading bits say which."""

    jumps: bool = False

    def needed(self, room: Room, error: fmpq, limit: int) -> int:
        return len(_halved(room.outside(error), limit))

    def laid(self, room: Room, error: fmpq, limit: int) -> Pieces | None:
        tunnel = room.inside(error)
        starts = _halved(tunnel, limit)
        while len(starts) <= limit:
            knots = [*starts, tunnel.x[-1]]
            found = pieces_on(tunnel, knots, jumps=self.jumps)
            if found is not None:
                return found
            starts = _finer(tunnel, knots)
        return None


def _halved(tunnel: Tunnel, limit: int) -> list[fmpq]:
    """Starts of the largest cells in each of which a line fits."""
    waiting, found = [(tunnel.x[0], tunnel.x[-1])], []
    while waiting and len(found) + len(waiting) <= limit:
        check_time()
        a, b = waiting.pop()
        if piece_values(tunnel, a, b) is not None:
            found.append(a)
        else:
            waiting += [((a + b) / 2, b), (a, (a + b) / 2)]
    return [*found, *(a for a, _ in reversed(waiting))]


def _finer(tunnel: Tunnel, knots: list[fmpq]) -> list[fmpq]:
    """With the last cell halved from whose start no continuous table gets through."""
    for k in reversed(range(len(knots) - 1)):
        part = tunnel.between(knots[k], knots[-1])
        if continuous_values(part, knots[k:]) is None:
            middle = (knots[k] + knots[k + 1]) / 2
            return [*knots[: k + 1], middle, *knots[k + 1 : -1]]
    raise AssertionError("a continuous table gets through every cell")
