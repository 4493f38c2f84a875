"""Fewest affine pieces inside a tunnel: the exact answer, by one sweep.

A tunnel is a floor and a ceiling, piecewise affine with common knots. A *link* is a
line; what it can still do while sweeping right is known from its two extreme lines,
the steepest and the flattest that meet all constraints so far (each touches the floor
and the ceiling). A link ends where an extreme line leaves the tunnel. Discontinuous
approximants start afresh there; continuous ones must cross the window that the
extreme line leaves open (Imai and Iri's shortest path with fewest links). The same code
runs on rationals, where the count is exact, and on floats, to explore.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

from flint import fmpq


class Number(Protocol):
    """What the sweep needs of a number: rationals and floats both have it."""

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self | int, /) -> Self: ...
    def __truediv__(self, other: Self | int, /) -> Self: ...
    def __lt__(self, other: Self | int, /) -> bool: ...
    def __gt__(self, other: Self | int, /) -> bool: ...
    def __le__(self, other: Self | int, /) -> bool: ...
    def __ge__(self, other: Self | int, /) -> bool: ...


Point = tuple[Number, Number]


class Line(NamedTuple):  # millions are made for a table
    """Through (x, y) with the given slope."""

    x: Number
    y: Number
    slope: Number

    def at(self, t: Number) -> Number:
        """The value at t."""
        return self.y + self.slope * (t - self.x)


@dataclass(frozen=True)
class Link:
    """A line used from the end of the link before up to `stop`."""

    line: Line
    stop: Number


class Block(NamedTuple):
    """Where a link ends: an extreme line meets a wall at `stop`, up to knot `k`."""

    k: int
    stop: Number
    line: Line
    is_steepest: bool


class _Hull:
    """Points from left to right; only those on the upper (or lower) hull are kept."""

    def __init__(self, sign: int) -> None:
        self.sign = sign
        self.points: list[Point] = []
        self.touching = 0

    def add(self, point: Point) -> None:
        """Append a point, and drop those that are no longer on the hull."""
        kept, upper = self.points, self.sign > 0
        x, y = point
        while len(kept) > 1:
            (ax, ay), (bx, by) = kept[-2], kept[-1]
            cross = (by - ay) * (x - ax) - (y - ay) * (bx - ax)
            if not ((cross <= 0) if upper else (cross >= 0)):
                break
            kept.pop()
        kept.append(point)

    def tangent(self, point: Point) -> Line | None:
        """The flattest line (steepest, for a lower hull) from the hull to `point`.

        Extreme lines only turn one way, so the point they touch only ever moves right.
        """
        kept, upper, (x, y) = self.points, self.sign > 0, point
        last = len(kept) - (2 if kept and kept[-1][0] == x else 1)
        if last < 0:
            return None
        at = min(self.touching, last)
        px, py = kept[at]
        while at < last:
            bx, by = kept[at + 1]
            cross = (by - py) * (x - bx) - (y - by) * (bx - px)
            if not ((cross > 0) if upper else (cross < 0)):
                break
            at, px, py = at + 1, bx, by
        self.touching = at
        return Line(x, y, (y - py) / (x - px))


class _Sweep:
    """The lines that one link can still be."""

    def __init__(self) -> None:
        self.floors, self.ceilings = _Hull(1), _Hull(-1)
        self.steepest: Line | None = None
        self.flattest: Line | None = None

    def add_ceiling(self, point: Point) -> None:
        steepest = self.steepest
        if steepest is None or steepest.at(point[0]) > point[1]:
            self.steepest = self.floors.tangent(point)
        self.ceilings.add(point)

    def add_floor(self, point: Point) -> None:
        flattest = self.flattest
        if flattest is None or flattest.at(point[0]) < point[1]:
            self.flattest = self.ceilings.tangent(point)
        self.floors.add(point)

    def passes(self, x: Number, low: Number, high: Number) -> bool:
        """Add the walls at x; False, and no change, if an extreme line is outside."""
        up, down = self.steepest, self.flattest
        above = below = True  # does the ceiling, does the floor tighten a line?
        if up is not None:
            top = up.y + up.slope * (x - up.x)
            if top < low:
                return False
            above = top > high
        if down is not None:
            bottom = down.y + down.slope * (x - down.x)
            if bottom > high:
                return False
            below = bottom < low
        roof, ground = (x, high), (x, low)
        if above:
            self.steepest = self.floors.tangent(roof)
        self.ceilings.add(roof)
        if below:
            self.flattest = self.ceilings.tangent(ground)
        self.floors.add(ground)
        return True

    def any_line(self, x: Number, low: Number, high: Number) -> Line:
        """One that meets all constraints; the middle at x if there are none."""
        if self.steepest is not None and self.flattest is not None:
            a, b = self.steepest, self.flattest
            if a.slope == b.slope:
                return a
            # the two extreme lines cross; every line between them through there fits
            cross = b.x + (a.at(b.x) - b.y) / (b.slope - a.slope)
            return Line(cross, a.at(cross), (a.slope + b.slope) / 2)
        return self.steepest or self.flattest or Line(x, (low + high) / 2, low - low)


def tunnel_links(
    x: Sequence[Number],
    floor: Sequence[Number],
    ceiling: Sequence[Number],
    *,
    continuous: bool,
    limit: int | None = None,
    rounding: int = 0,
) -> list[Link]:
    """The fewest links from the first to the last knot, each inside the tunnel.

    Args:
        x: strictly increasing knots; floor <= ceiling at each.
        continuous: whether consecutive links have to meet.
        limit: stop early, with more than `limit` links, once more are needed.
        rounding: 0 to stay exact. Rational stops grow by some bits with every link;
            1 moves each stop right to a fine grid, which can only save links (a lower
            bound), -1 moves it left (links that exist: an upper bound).

    Returns:
        The links; for `continuous` each stops where the next one crosses it.
    """
    sweeps = Sweeps(x, floor, ceiling, continuous=continuous, rounding=rounding)
    links: list[Link] = []
    while (block := sweeps.block()) is not None:
        links = _joined(links, block.line, continuous)
        links.append(Link(block.line, block.stop))
        if block.stop == x[-1] or (limit is not None and len(links) > limit):
            return links
    line = sweeps.sweep.any_line(x[-1], floor[-1], ceiling[-1])
    return [*_joined(links, line, continuous), Link(line, x[-1])]


def _joined(links: list[Link], line: Line, continuous: bool) -> list[Link]:
    """Let the last link stop where `line` crosses it."""
    if not links or not continuous:
        return links
    last = links[-1]
    turn = last.line.slope - line.slope
    if turn == 0:
        return links
    crossing = last.line.x + (line.at(last.line.x) - last.line.y) / turn
    return [*links[:-1], Link(last.line, crossing)] if links else links


class Sweeps:
    """One sweep after the other, from left to right: see `tunnel_links`.

    Args:
        after: where another run was blocked, to continue from there; the walls must
            be the same up to it.
    """

    def __init__(
        self,
        x: Sequence[Number],
        floor: Sequence[Number],
        ceiling: Sequence[Number],
        *,
        continuous: bool = True,
        rounding: int = 0,
        after: Block | None = None,
    ) -> None:
        self.tunnel, self.continuous = _Tunnel(x, floor, ceiling), continuous
        self.rounding = rounding
        self.window: Number | None = None
        self.sweep, self.k = self.tunnel.fresh(x[0], 0), 1
        if after is not None:
            self._begin(after)

    def block(self) -> Block | None:
        """Where this link ends and the next one begins; None if it reaches the end."""
        found = self.tunnel.advance(self.sweep, self.k, start=self.window)
        if found is None:
            return None
        if self.rounding:
            least = found.line.x if self.continuous else self.tunnel.x[0]
            stop = self.tunnel.rounded(found.stop, found.k, self.rounding, least)
            found = found._replace(stop=stop)
        self._begin(found)
        return found

    def _begin(self, block: Block) -> None:
        self.window, self.k = block.stop, block.k
        if self.continuous:
            self.sweep = self.tunnel.through_window(block)
        else:
            self.sweep = self.tunnel.fresh(block.stop, block.k)
        if block.stop == self.tunnel.x[block.k]:  # the sweep has the walls there
            self.k += 1


class _Tunnel:
    def __init__(
        self, x: Sequence[Number], floor: Sequence[Number], ceiling: Sequence[Number]
    ) -> None:
        self.x, self.floor, self.ceiling = x, floor, ceiling

    def level(self, values: Sequence[Number], t: Number, k: int) -> Number:
        """The floor or ceiling at t, in the cell that ends at knot k."""
        if k == 0 or t == self.x[k]:
            return values[k]
        a, b = self.x[k - 1], self.x[k]
        return values[k - 1] + (values[k] - values[k - 1]) * ((t - a) / (b - a))

    def rounded(self, stop: Number, k: int, direction: int, least: Number) -> Number:
        """The next multiple of a 2**-24th of the cell, within the cell."""
        unit = (self.x[k] - self.x[k - 1]) / (1 << 24)
        steps = (stop - self.x[k - 1]) / unit
        assert isinstance(steps, fmpq), "only rational stops are rounded"
        whole = steps.ceil() if direction > 0 else steps.floor()
        moved = self.x[k - 1] + unit * int(whole)
        return moved if moved > least or direction > 0 else stop

    def fresh(self, start: Number, k: int) -> _Sweep:
        sweep = _Sweep()
        sweep.add_ceiling((start, self.level(self.ceiling, start, k)))
        sweep.add_floor((start, self.level(self.floor, start, k)))
        return sweep

    def through_window(self, block: Block) -> _Sweep:
        """Constraints for the link after the one that was blocked.

        A steepest line touches the ceiling last (at line.x) and is blocked by the
        floor: the next link crosses it upwards, so it obeys the ceiling from line.x on
        and the floor from `stop` on. Mirrored for a flattest line.
        """
        k, stop, line, is_steepest = block
        sweep = _Sweep()
        touched = self.ceiling if is_steepest else self.floor
        blocking = self.floor if is_steepest else self.ceiling
        add_touched = sweep.add_ceiling if is_steepest else sweep.add_floor
        add_blocking = sweep.add_floor if is_steepest else sweep.add_ceiling
        add_touched((line.x, line.y))
        between = []
        i = k if stop == self.x[k] else k - 1
        while i >= 0 and self.x[i] > line.x:
            between.append((self.x[i], touched[i]))
            i -= 1
        for point in reversed(between):
            add_touched(point)
        add_blocking((stop, self.level(blocking, stop, k)))
        return sweep

    def advance(self, sweep: _Sweep, k: int, start: Number | None) -> Block | None:
        """Sweep right from knot k until blocked."""
        x = self.x
        before = x[k - 1] if start is None else max(start, x[k - 1])
        for i in range(k, len(x)):
            if not sweep.passes(x[i], self.floor[i], self.ceiling[i]):
                return self._block(sweep, i, before)
            before = x[i]
        return None

    def _block(self, sweep: _Sweep, i: int, before: Number) -> Block:
        """Where an extreme line leaves the tunnel, in the cell that ends at knot i."""
        found = []
        for line, wall, sign in (
            (sweep.steepest, self.floor, 1),
            (sweep.flattest, self.ceiling, -1),
        ):
            if line is None:
                continue
            gap = (line.at(self.x[i]) - wall[i]) * sign
            if gap < 0:
                first = (line.at(before) - self.level(wall, before, i)) * sign
                first = first if first > 0 else first - first
                stop = before + (self.x[i] - before) * (first / (first - gap))
                found.append(Block(i, stop, line, sign > 0))
        return min(found, key=lambda f: f.stop)
