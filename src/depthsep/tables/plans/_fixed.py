"""Tables for fixed point: knots, levels and slopes are whole numbers of units."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep._deadline import check_time
from depthsep._errors import HypothesisError
from depthsep.exact import rational, readable
from depthsep.tables._room import Room
from depthsep.tables._tunnel import Tunnel
from depthsep.tables._windows import Gate, piece_values
from depthsep.tables.plans._free import FreeKnots
from depthsep.tables.plans._grid import GridKnots
from depthsep.tables.plans._plan import AbstractPlan, Piece, Pieces

SHORTER = 16  # parts of a piece by which it is shortened where no whole numbers fit


@dataclass(frozen=True)
class FixedPoint(AbstractPlan):
    """Lines level + slope (x - start) in units; rounding costs half a unit.

    Attributes:
        unit: of knots and levels.
        bits: of a slope, without its sign.
    """

    unit: fmpq
    bits: int

    @property
    def hint(self) -> str:
        half = readable(self.unit / 2)
        return (
            f": rounding alone makes an error of up to {half}; give "
            "more bits after the binary point"
        )

    def needed(self, room: Room, error: fmpq, limit: int) -> int:
        self._check(error)
        return FreeKnots(jumps=True).needed(room, error, limit)

    def _check(self, error: fmpq) -> None:
        """Refuse what rounding alone takes up."""
        if error <= self.unit / 2:
            raise HypothesisError(
                f"an error of {readable(error)} is too small{self.hint}"
            )

    def laid(self, room: Room, error: fmpq, limit: int) -> Pieces | None:
        allowed = error - self.unit / 2
        if allowed <= 0:
            return None
        tunnel = room.inside(allowed)
        return self._rows(tunnel, self._slope_unit(tunnel), limit)

    def _rows(self, tunnel: Tunnel, slopes: fmpq, limit: int) -> Pieces | None:
        """The longest piece again and again."""
        found: Pieces = []
        start = (tunnel.x[0] / self.unit).ceil() * self.unit
        last = (tunnel.x[-1] / self.unit).floor() * self.unit
        while start < last:
            check_time()
            piece = self._longest(tunnel, start, last, slopes)
            if piece is None or len(found) == limit:
                return None
            found.append(piece)
            start = piece.stop
        return found

    def _slope_unit(self, tunnel: Tunnel) -> fmpq:
        """A power of two in which the steepest slope has so many bits."""
        x, low, high = tunnel.floats
        middle = (low + high) / 2
        with np.errstate(all="ignore"):
            slopes = np.abs(np.diff(middle) / np.diff(x))
        steepest = max(slopes[np.isfinite(slopes)].max(initial=0.0), 1e-30)
        unit = fmpq(1)
        while unit * (1 << self.bits) > 4 * rational(float(steepest)):
            unit /= 2
        return max(unit, fmpq(1, 1 << self.bits))

    def _longest(
        self, tunnel: Tunnel, start: fmpq, last: fmpq, slopes: fmpq
    ) -> Piece | None:
        grid = GridKnots(self.unit, jumps=True)
        stop = grid.furthest_from(tunnel.between(start, last), start)
        while stop > start:
            found = self._whole(tunnel, start, stop, slopes)
            if found is not None:
                return found
            step = max((stop - start) / SHORTER, self.unit)
            stop = ((stop - step) / self.unit).floor() * self.unit
        return None

    def _whole(
        self, tunnel: Tunnel, start: fmpq, stop: fmpq, slopes: fmpq
    ) -> Piece | None:
        """A line with whole numbers of units, near the middle of what is possible."""
        gate = Gate.across(tunnel, start, stop)
        window = gate.starts(gate.right)
        if window is None:
            return None
        middle = (window[0] + window[1]) / 2
        nearest = (middle / self.unit + fmpq(1, 2)).floor() * self.unit
        for level in (nearest, nearest + self.unit, nearest - self.unit):
            if not window[0] <= level <= window[1]:
                continue
            low, high = gate.ends(level)
            low, high = max(low, gate.right[0]), min(high, gate.right[1])
            rise = (low + high) / 2 - level
            slope = (rise / (stop - start) / slopes + fmpq(1, 2)).floor() * slopes
            end = level + slope * (stop - start)
            if low <= end <= high:
                return Piece(start, stop, level, end)
        return None


class FixedCells(FixedPoint):
    """Cells of 2^k units, so that the bits of x - start above k say which one it is."""

    def needed(self, room: Room, error: fmpq, limit: int) -> int:
        self._check(error)
        tunnel = room.outside(error)
        for cell in self._lengths(tunnel, limit):
            knots = self._knots(tunnel, cell)
            if all(piece_values(tunnel, a, b) for a, b in pairwise(knots)):
                return len(knots) - 1
        return limit + 1

    def _rows(self, tunnel: Tunnel, slopes: fmpq, limit: int) -> Pieces | None:
        for cell in self._lengths(tunnel, limit):
            found = self._filled(tunnel, cell, slopes)
            if found is not None:
                return found
        return None

    def _filled(self, tunnel: Tunnel, cell: fmpq, slopes: fmpq) -> Pieces | None:
        """A line in every cell."""
        found: Pieces = []
        for a, b in pairwise(self._knots(tunnel, cell)):
            check_time()
            piece = self._whole(tunnel, a, b, slopes)
            if piece is None:
                return None
            found.append(piece)
        return found

    def _lengths(self, tunnel: Tunnel, limit: int) -> Iterator[fmpq]:
        """The longest cell first, down to so many of them."""
        length = tunnel.x[-1] - tunnel.x[0]
        cell = self.unit
        while cell < length:
            cell *= 2
        while cell >= self.unit and length <= cell * limit:
            yield cell
            cell /= 2

    def _knots(self, tunnel: Tunnel, cell: fmpq) -> list[fmpq]:
        first, last = tunnel.x[0], tunnel.x[-1]
        count = int(((last - first) / cell).ceil())
        return [*(first + cell * k for k in range(count)), last]
