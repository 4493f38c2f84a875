"""Knots anywhere: the fewest links of a tunnel."""

from dataclasses import dataclass
from itertools import pairwise

from flint import fmpq

from depthsep._deadline import check_time
from depthsep.approximation import Link, tunnel_links
from depthsep.tables._room import Room
from depthsep.tables._short import rounded
from depthsep.tables._tunnel import Tunnel
from depthsep.tables.plans._plan import AbstractPlan, Pieces, pieces_on

MOST_PLACES = 30
HALVINGS = 6


@dataclass(frozen=True)
class FreeKnots(AbstractPlan):
    """Knots anywhere; continuous, or with jumps."""

    jumps: bool = False

    def needed(self, room: Room, error: fmpq, limit: int) -> int:
        return len(self._links(room.outside(error), limit, 1))

    def laid(self, room: Room, error: fmpq, limit: int) -> Pieces | None:
        tunnel = room.inside(error)
        links = self._links(tunnel, limit, -1)
        if len(links) > limit:
            return None
        knots = [tunnel.x[0], *(link.stop for link in links)]
        return pieces_on(tunnel, knots, jumps=self.jumps)

    def shortened(self, pieces: Pieces, room: Room, error: fmpq) -> Pieces:
        """From knots of a smaller error, which leave room to be rounded."""
        smaller = self._with_room(pieces, room, error)
        tunnel = room.inside(error)
        first, last = tunnel.x[0], tunnel.x[-1]
        inner = [piece.stop for piece in smaller[:-1]]
        for places in range(MOST_PLACES):
            knots = [first, *(rounded(x, places) for x in inner), last]
            if all(a < b for a, b in pairwise(knots)):
                found = pieces_on(tunnel, knots, jumps=self.jumps)
                if found is not None:
                    return found
        return pieces

    def _with_room(self, pieces: Pieces, room: Room, error: fmpq) -> Pieces:
        low, high = fmpq(0), error
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            found = self.laid(room, middle, len(pieces)) if middle > 0 else None
            low, high = (middle, high) if found is None else (low, middle)
        return self.laid(room, (high + error) / 2, len(pieces)) or pieces

    def _links(self, tunnel: Tunnel, limit: int, rounding: int) -> list[Link]:
        check_time()
        return tunnel_links(
            tunnel.x,
            tunnel.floor,
            tunnel.ceiling,
            continuous=not self.jumps,
            limit=limit,
            rounding=rounding,
        )
