"""Knots at multiples of a step: floats look for the way, windows prove it."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._deadline import check_time
from depthsep._errors import HypothesisError, TooLargeError
from depthsep.approximation import tunnel_links
from depthsep.exact import nearest_float
from depthsep.tables._room import Room
from depthsep.tables._tunnel import Tunnel
from depthsep.tables.plans._plan import AbstractPlan, Pieces, pieces_on

LEVELS = 17  # values at a knot that are tried, across the tunnel
MOST_KNOTS = 100_000
TIGHT = 1e-9  # by so much of the room floats stay inside


@dataclass(frozen=True)
class GridKnots(AbstractPlan):
    """Knots at multiples of `step`, and at both ends."""

    step: fmpq
    jumps: bool = False

    def __post_init__(self) -> None:
        if self.step <= 0:
            raise HypothesisError(
                f"the step of knots is {self.step}; it must be positive"
            )

    @property
    def hint(self) -> str:
        return (
            "; perhaps no line stays within the error between two neighbouring knots: "
            "give a smaller step of knots"
        )

    def needed(self, room: Room, error: fmpq, limit: int) -> int:
        return len(self._furthest(room.outside(error), limit)) - 1

    def laid(self, room: Room, error: fmpq, limit: int) -> Pieces | None:
        inside = room.inside(error)
        if self.jumps:
            knots = self._furthest(inside, limit)
        else:
            knots = _shortest_way(inside, self.places(inside))
        if not knots or len(knots) - 1 > limit or knots[-1] != inside.x[-1]:
            return None
        return pieces_on(inside, knots, jumps=self.jumps)

    def places(self, tunnel: Tunnel) -> list[fmpq]:
        """All knots that are allowed."""
        first, last = tunnel.x[0], tunnel.x[-1]
        low, high = int((first / self.step).floor()) + 1, int((last / self.step).ceil())
        if high - low > MOST_KNOTS:
            raise TooLargeError(
                f"a step of {self.step} needs {high - low} knots; give "
                f"a larger step, with at most {MOST_KNOTS} knots"
            )
        return [first, *(self.step * k for k in range(low, high)), last]

    def furthest_from(self, part: Tunnel, start: fmpq) -> fmpq:
        """The last multiple of the step to which some line gets; or the part's end."""
        links = tunnel_links(
            part.x, part.floor, part.ceiling, continuous=False, limit=0
        )
        stop = links[0].stop
        assert isinstance(stop, fmpq), "the tunnel is exact"
        if stop == part.x[-1]:
            return stop
        return max(start, (stop / self.step).floor() * self.step)

    def _furthest(self, tunnel: Tunnel, limit: int) -> list[fmpq]:
        """Knots of the longest pieces, one after the other, if they may jump."""
        places, k, found = self.places(tunnel), 0, [tunnel.x[0]]
        while found[-1] < places[-1] and len(found) <= limit + 1:
            check_time()
            stop = self.furthest_from(tunnel.between(found[-1], places[-1]), found[-1])
            before = k
            while k + 1 < len(places) and places[k + 1] <= stop:
                k += 1
            if k == before:  # no line fits on a single step
                return found + [places[-1]] * (limit + 2)
            found.append(places[k])
        return found


def _shortest_way(tunnel: Tunnel, places: list[fmpq]) -> list[fmpq] | None:
    """Knots of a continuous table with the fewest pieces, among some values at each."""
    x, low, high = tunnel.floats
    room = (high - low) * TIGHT
    at = np.array([nearest_float(t) for t in places])
    fine = np.union1d(x, at)
    floor, ceiling = np.interp(fine, x, low + room), np.interp(fine, x, high - room)
    number = np.searchsorted(fine, at)
    share = np.linspace(0, 1, LEVELS)
    levels = floor[number][:, None] + (ceiling - floor)[number][:, None] * share
    count = np.full(levels.shape, np.iinfo(np.int64).max // 2)
    count[0], back = 0, np.full(levels.shape, -1)
    for k in range(len(at) - 1):
        check_time()
        useful = np.flatnonzero(count[k] <= count[k].min() + 1)
        if count[k].min() > len(at):
            continue
        _spread(k, useful, at, fine, floor, ceiling, number, levels, count, back)
    if count[-1].min() > len(at):
        return None
    return _traced(places, back, int(count[-1].argmin()))


def _spread(
    k: int,
    useful: np.ndarray,
    at: np.ndarray,
    fine: np.ndarray,
    floor: np.ndarray,
    ceiling: np.ndarray,
    number: np.ndarray,
    levels: np.ndarray,
    count: np.ndarray,
    back: np.ndarray,
) -> None:
    """Lines from the values at knot k to the values at later ones, inside."""
    start, v = number[k] + 1, levels[k][useful][:, None]
    gap = fine[start:] - at[k]
    least = np.maximum.accumulate((floor[start:] - v) / gap, axis=1)
    most = np.minimum.accumulate((ceiling[start:] - v) / gap, axis=1)
    open_until = int((least <= most).sum(axis=1).max())
    last = int(np.searchsorted(number, start + open_until))
    ahead = np.arange(k + 1, last)
    if not len(ahead):
        return
    column = number[ahead] - start
    slope = (levels[ahead][None] - v[:, :, None]) / gap[column][None, :, None]
    never = np.iinfo(np.int64).max // 2
    fits = (slope >= least[:, column][:, :, None]) & (
        slope <= most[:, column][:, :, None]
    )
    steps = np.where(fits, count[k][useful][:, None, None] + 1, never)
    best = steps.argmin(axis=0)
    found = steps.min(axis=0)
    better = found < count[ahead]
    count[ahead] = np.where(better, found, count[ahead])
    back[ahead] = np.where(better, k * LEVELS + useful[best], back[ahead])


def _traced(places: list[fmpq], back: np.ndarray, level: int) -> list[fmpq]:
    k, found = len(places) - 1, [places[-1]]
    while k > 0:
        k, level = divmod(int(back[k, level]), LEVELS)
        found.append(places[k])
    return found[::-1]
