"""Which knots and lines a table may have, and how few pieces are enough then.

A plan counts pieces that every table within an error has, and lays a table. Both sides
of an answer come from it: counts in the tunnel outside, pieces in the one inside.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise

from flint import fmpq

from depthsep.tables._room import Room
from depthsep.tables._tunnel import Tunnel
from depthsep.tables._windows import continuous_values, piece_values


@dataclass(frozen=True)
class Piece:
    """A line from (start, left) to (stop, right)."""

    start: fmpq
    stop: fmpq
    left: fmpq
    right: fmpq

    @property
    def slope(self) -> fmpq:
        """Rise over run."""
        return (self.right - self.left) / (self.stop - self.start)

    def at(self, x: fmpq) -> fmpq:
        """The line's value, beyond the ends too."""
        return self.left + self.slope * (x - self.start)


Pieces = list[Piece]


class AbstractPlan(ABC):
    """A kind of tables."""

    @property
    def hint(self) -> str:
        """What may help where no table is found."""
        return ""

    @abstractmethod
    def needed(self, room: Room, error: fmpq, limit: int) -> int:
        """How many pieces every table has at least; counted up to limit + 1."""

    @abstractmethod
    def laid(self, room: Room, error: fmpq, limit: int) -> Pieces | None:
        """A table of at most `limit` pieces, or None."""

    def shortened(self, pieces: Pieces, room: Room, error: fmpq) -> Pieces:
        """With shorter numbers, where the knots are free."""
        return pieces


def pieces_on(tunnel: Tunnel, knots: list[fmpq], *, jumps: bool) -> Pieces | None:
    """Short values at given knots, from the tunnel's start to its end."""
    if not jumps:
        values = continuous_values(tunnel, knots)
        if values is None:
            return None
        ends = zip(pairwise(knots), pairwise(values), strict=True)
        return [Piece(a, b, v, w) for (a, b), (v, w) in ends]
    found = []
    for a, b in pairwise(knots):
        window = piece_values(tunnel, a, b)
        if window is None:
            return None
        found.append(Piece(a, b, *window))
    return found
