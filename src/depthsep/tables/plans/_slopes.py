"""Slopes that are 0 or a power of two: a shift in place of a product."""

from bisect import bisect_right
from dataclasses import dataclass

from flint import fmpq

from depthsep._deadline import check_time
from depthsep._errors import HypothesisError
from depthsep.exact import shortest_between
from depthsep.tables._room import Room
from depthsep.tables._tunnel import Tunnel
from depthsep.tables.plans._plan import AbstractPlan, Piece, Pieces

FLAT = fmpq(1, 1000)  # of the room: by so much slopes that are not tried may rise
QUARTER = fmpq(1, 4)
Reach = tuple[fmpq, fmpq, fmpq, fmpq]
"""Where a piece ends; its slope; the least and the largest level at x = 0."""


@dataclass(frozen=True)
class PowerSlopes(AbstractPlan):
    """Every piece has its own level, and a slope of 0, 2^k or -2^k."""

    def needed(self, room: Room, error: fmpq, limit: int) -> int:
        outside = room.outside(error)
        least = _least_power(outside)
        off = 2 * least * (outside.x[-1] - outside.x[0])
        wider = Tunnel(
            outside.x,
            [v - off for v in outside.floor],
            [v + off for v in outside.ceiling],
        )
        return len(_laid(wider, limit, least, 1))

    def laid(self, room: Room, error: fmpq, limit: int) -> Pieces | None:
        inside = room.inside(error)
        found = _laid(inside, limit, _least_power(inside), -1)
        return found if len(found) <= limit else None


def _least_power(tunnel: Tunnel) -> fmpq:
    """A power of two whose slope is nearly flat in this tunnel."""
    room = min(b - a for a, b in zip(tunnel.floor, tunnel.ceiling, strict=True))
    if room <= 0:
        raise HypothesisError(
            "at some x at most one value is found to be within the error, but tables "
            "whose slopes are powers of two need an interval of values at every x; "
            "give a larger error"
        )
    least, most = fmpq(1), FLAT * room / (tunnel.x[-1] - tunnel.x[0])
    while least > most:
        least /= 2
    return least


def _laid(tunnel: Tunnel, limit: int, least: fmpq, rounding: int) -> Pieces:
    """The longest piece again and again; jumps make that the fewest."""
    found: Pieces = []
    start, last = tunnel.x[0], tunnel.x[-1]
    span = max(tunnel.ceiling) - min(tunnel.floor)
    while start < last and len(found) <= limit:
        check_time()
        stop, slope, low, high = _longest(tunnel, start, least, span)
        if stop < last:
            unit = _unit(stop - start, rounding)
            whole = (stop / unit).ceil() if rounding > 0 else (stop / unit).floor()
            stop = unit * whole
        room = (high - low) * QUARTER
        level = shortest_between(low + room, high - room)
        left, right = level + slope * start, level + slope * stop
        found.append(Piece(start, stop, left, right))
        start = stop
    return found


def _unit(length: fmpq, rounding: int) -> fmpq:
    """Of which a stop is a multiple: ends that exist have few digits."""
    base, share = (2, fmpq(1, 1 << 24)) if rounding > 0 else (10, fmpq(1, 500))
    unit = fmpq(1)
    while unit > length * share:
        unit /= base
    return unit


def _longest(tunnel: Tunnel, start: fmpq, least: fmpq, span: fmpq) -> Reach:
    """The piece from a start that gets furthest."""
    best = _reach(tunnel, start, fmpq(0))
    power = least
    # a slope beyond span / length leaves the tunnel sooner than the best so far
    while power * (best[0] - start) <= span:
        for slope in (power, -power):
            best = max(best, _reach(tunnel, start, slope), key=lambda found: found[0])
        power *= 2
    return best


def _reach(tunnel: Tunnel, start: fmpq, slope: fmpq) -> Reach:
    """Where lines of a slope leave the tunnel; and the levels of those that last."""
    floor, ceiling = tunnel.at(start)
    low, high = floor - slope * start, ceiling - slope * start
    before, walls = start, (low, high)
    for k in range(bisect_right(tunnel.x, start), len(tunnel.x)):
        x = tunnel.x[k]
        floor, ceiling = tunnel.floor[k] - slope * x, tunnel.ceiling[k] - slope * x
        shares = []
        if floor > high:
            shares.append((high - walls[0]) / (floor - walls[0]))
        if ceiling < low:
            shares.append((walls[1] - low) / (walls[1] - ceiling))
        if shares:
            share = min(shares)
            low = max(low, walls[0] + (floor - walls[0]) * share)
            high = min(high, walls[1] + (ceiling - walls[1]) * share)
            return before + (x - before) * share, slope, low, max(low, high)
        low, high = max(low, floor), min(high, ceiling)
        before, walls = x, (floor, ceiling)
    return tunnel.x[-1], slope, low, high
