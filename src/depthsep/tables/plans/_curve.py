"""Knots on the curve itself: tables that interpolate."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._deadline import check_time
from depthsep._errors import HypothesisError
from depthsep.approximation import Link, convex_runs, tunnel_links
from depthsep.exact import (
    ball_upper,
    nearest_float,
    rational,
    rounded,
    shortest_between,
)
from depthsep.tables._room import Room
from depthsep.tables._tunnel import Tunnel
from depthsep.tables._windows import Gate
from depthsep.tables.plans._plan import AbstractPlan, Piece, Pieces
from depthsep.targets import AbstractLineTarget, PointSet

DENSE = 200  # places for a knot in a piece
MOST_KNOTS = 200_000
WINDOW = 512  # places that are looked at first
VALUES = fmpq(1, 1000)  # of the error: how well values lie on the curve
TIGHT = fmpq(1, 300)  # of the error, that the broken line may be off by
MOST_PLACES = 30
BITS = 40


@dataclass(frozen=True)
class OnCurve(AbstractPlan):
    """The table has the target's values at its knots (to a thousandth of the error).

    Where f is convex a chord lies above it. So a piece inside a convex part lies in
    [f, f + E], in a concave one in [f - E, f]; and pieces across an inflection are
    within E. Counted one after the other, as far as they get, jumps allowed, or as far
    as a piece from before the convex part gets: fewer are not possible. For convex f
    that is the optimum.
    """

    def needed(self, room: Room, error: fmpq, limit: int) -> int:
        target = _checked(room)
        wide = room.outside(error * (1 + VALUES))
        line = room.followed(error).outside
        slack, most = error * VALUES, error * (1 + VALUES)
        start, last, count = wide.x[0], wide.x[-1], 0
        runs = convex_runs(target, room.on)
        while start < last and count <= limit:
            check_time()
            free = _reach(wide, start)
            run = next((r for r in runs if r.start <= start < r.stop), None)
            if run is not None and free <= run.stop:
                down, up = (slack, most) if run.sign > 0 else (most, slack)
                floor, ceiling = (
                    [v - down for v in line.low],
                    [v + up for v in line.high],
                )
                narrow = Tunnel(line.x, floor, ceiling)
                far = _reach(narrow, start)
                if run.start > wide.x[0]:  # a piece may come from before the run
                    far = max(far, _reach(wide, run.start))
                start = min(free, far)
            else:
                start = free
            count += 1
        return count

    def laid(self, room: Room, error: fmpq, limit: int) -> Pieces | None:
        _checked(room)
        inside = room.inside(error)
        places = _places(room, inside)
        way = _shortest_way(room, nearest_float(error * (1 - 3 * TIGHT)), places)
        if way is None or len(way) - 1 > limit:
            return None
        inner = [rational(float(places[k])) for k in way[1:-1]]
        return self._through(room, error, [room.on.start, *inner, room.on.stop])

    def shortened(self, pieces: Pieces, room: Room, error: fmpq) -> Pieces:
        inner = [piece.stop for piece in pieces[:-1]]
        for places in range(MOST_PLACES):
            short = [rounded(x, places) for x in inner]
            knots = [room.on.start, *short, room.on.stop]
            if all(a < b for a, b in pairwise(knots)):
                found = self._through(room, error, knots)
                if found is not None:
                    return found
        return pieces

    def _through(self, room: Room, error: fmpq, knots: list[fmpq]) -> Pieces | None:
        """Through points of the curve, with short values; None if that is too far."""
        inside, values = room.inside(error), [_near(room, x, error) for x in knots]
        found = []
        for (a, b), (v, w) in zip(pairwise(knots), pairwise(values), strict=True):
            gate = Gate.across(inside, a, b)
            low, high = gate.ends(v)
            if not (low <= w <= high and gate.left[0] <= v <= gate.left[1]):
                return None
            found.append(Piece(a, b, v, w))
        return found


def _checked(room: Room) -> AbstractLineTarget:
    if room.side != "both" or room.relative or isinstance(room.target, PointSet):
        raise HypothesisError(
            "--interpolate is only for functions, not for points, and only with "
            "absolute errors on both sides; leave out --interpolate"
        )
    return room.target


def _near(room: Room, x: fmpq, error: fmpq) -> fmpq:
    """A short number within a thousandth of the error of f(x)."""
    assert isinstance(room.target, AbstractLineTarget)
    with ctx.workprec(BITS + 64):
        ball = room.target.jet(arb(x)).value
        low, high = -ball_upper(-ball), ball_upper(ball)
    return shortest_between(high - error * VALUES, low + error * VALUES)


def _links(tunnel: Tunnel, limit: int) -> list[Link]:
    return tunnel_links(
        tunnel.x,
        tunnel.floor,
        tunnel.ceiling,
        continuous=False,
        limit=limit,
        rounding=1,
    )


def _reach(tunnel: Tunnel, start: fmpq) -> fmpq:
    """How far a line from a place gets in a tunnel."""
    stop = _links(tunnel.between(start, tunnel.x[-1]), 0)[0].stop
    assert isinstance(stop, fmpq), "the tunnel is exact"
    return stop


def _places(room: Room, inside: Tunnel) -> np.ndarray:
    """Where knots may be: as many in each piece of a table with free knots."""
    ends = [room.on.start, *(link.stop for link in _links(inside, 1 << 60))]
    near = [nearest_float(rational(end)) for end in ends]
    dense = min(max(DENSE, 2 * DENSE // len(near)), MOST_KNOTS // len(near))
    share = np.linspace(0, 1, dense, endpoint=False)
    parts = [a + (b - a) * share for a, b in pairwise(near)]
    return np.unique(np.append(np.concatenate(parts), near[-1]))


def _shortest_way(room: Room, error: float, x: np.ndarray) -> list[int] | None:
    """Of places, the knots of the fewest chords within an error: floats."""
    many, f = len(x) - 1, room.target.floats(x)
    count, back = np.full(many + 1, many + 1), np.full(many + 1, -1)
    count[0] = 0
    for k in range(many):
        if k % 1000 == 0:
            check_time()
        if count[k] > many:
            continue
        reach = _chords(x, f, k, error)
        better = count[k] + 1 < count[reach]
        count[reach[better]], back[reach[better]] = count[k] + 1, k
    if count[many] > many:
        return None
    way = [many]
    while way[-1]:
        way.append(int(back[way[-1]]))
    return way[::-1]


def _chords(x: np.ndarray, f: np.ndarray, k: int, error: float) -> np.ndarray:
    """Places to which the chord from place k is within the error."""
    ahead = WINDOW
    while True:
        part = slice(k + 1, k + 1 + ahead)
        gap, rise = x[part] - x[k], f[part] - f[k]
        least = np.maximum.accumulate((rise - error) / gap)
        most = np.minimum.accumulate((rise + error) / gap)
        open_until = int((least <= most).sum())
        if open_until < len(gap) or k + 1 + ahead > len(x):
            break
        ahead *= 4
    chord = rise / gap
    return k + 1 + np.flatnonzero((chord >= least) & (chord <= most) & (least <= most))
