"""Knots anywhere: the fewest links of a tunnel."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep._deadline import check_time
from depthsep.approximation import Link, tunnel_links
from depthsep.exact import nearest_float, rational, rounded
from depthsep.tables._room import Room
from depthsep.tables._tunnel import Tunnel
from depthsep.tables.plans._plan import AbstractPlan, Pieces, pieces_on
from depthsep.targets import PointSet

MOST_PLACES = 30
HALVINGS = 6
SHARES = [fmpq(1, 2), fmpq(1, 4), fmpq(3, 4), fmpq(1, 8), fmpq(7, 8), fmpq(0), fmpq(1)]


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
        knots = [tunnel.x[0], *(rational(link.stop) for link in links)]
        return pieces_on(tunnel, knots, jumps=self.jumps)

    def shortened(self, pieces: Pieces, room: Room, error: fmpq) -> Pieces:
        """From knots of a smaller error, which leave room to be rounded."""
        tunnel = room.inside(error)
        first, last = tunnel.x[0], tunnel.x[-1]
        inner = self._with_room(room, error, len(pieces))
        if isinstance(room.target, PointSet) and inner:
            inner = self._between_points(room.target, tunnel, inner)
        for places in range(MOST_PLACES):
            knots = [first, *(rounded(x, places) for x in inner or ()), last]
            if inner and all(a < b for a, b in pairwise(knots)):
                found = pieces_on(tunnel, knots, jumps=self.jumps)
                if found is not None:
                    return found
        return pieces

    def _with_room(self, room: Room, error: fmpq, count: int) -> list[fmpq]:
        """Inner knots for an error between the least and what is allowed: floats."""
        low, high = fmpq(0), error
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            found = self._in_floats(room.inside(middle), count)
            low, high = (middle, high) if found is None else (low, middle)
        return self._in_floats(room.inside((high + error) / 2), count) or []

    def _between_points(
        self, points: PointSet, tunnel: Tunnel, inner: list[fmpq]
    ) -> list[fmpq]:
        """Knots in the middle of gaps, or as near to it as a table allows.

        A sweep puts them as far to the right as it can, where pieces are steep.
        """
        ends, places = (tunnel.x[0], tunnel.x[-1]), points.x
        for k, knot in enumerate(inner):
            at = int(np.searchsorted(places, nearest_float(knot), "right"))
            if not 0 < at < len(places):
                continue
            left, right = (rational(float(v)) for v in places[at - 1 : at + 1])
            for share in SHARES:
                moved = [*inner[:k], left + (right - left) * share, *inner[k + 1 :]]
                knots = [ends[0], *moved, ends[1]]
                if all(a < b for a, b in pairwise(knots)) and pieces_on(
                    tunnel, knots, jumps=self.jumps
                ):
                    inner = moved
                    break
        return inner

    def _in_floats(self, tunnel: Tunnel, count: int) -> list[fmpq] | None:
        x, floor, ceiling = (values.tolist() for values in tunnel.floats)
        if not all(a < b for a, b in zip(floor, ceiling, strict=True)):
            return None
        try:
            links = tunnel_links(
                x, floor, ceiling, continuous=not self.jumps, limit=count
            )
        except ZeroDivisionError:  # knots that are one float
            return None
        if len(links) != count:
            return None
        return [rational(link.stop) for link in links[:-1]]

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
