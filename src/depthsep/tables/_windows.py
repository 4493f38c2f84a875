"""Which values at fixed knots a table can have: intervals, exactly."""

from dataclasses import dataclass
from itertools import pairwise, product

from flint import fmpq

from depthsep.exact import shortest_between
from depthsep.tables._tunnel import Tunnel, hull

Window = tuple[fmpq, fmpq]
MARGIN = fmpq(1, 8)  # of a window, at both ends: values in the middle leave room


@dataclass(frozen=True)
class Gate:
    """Lines across one cell of knots, in terms of the values at its two ends.

    A line from v to w lies above the floor if w >= a - b v for all (a, b) of `least`,
    and below the ceiling if w <= a - b v for all of `most`.
    """

    left: Window
    right: Window
    least: list[tuple[fmpq, fmpq]]
    most: list[tuple[fmpq, fmpq]]

    @staticmethod
    def across(tunnel: Tunnel, start: fmpq, stop: fmpq) -> "Gate":
        """Of the part of a tunnel between two points."""
        part = tunnel.between(start, stop)

        def rows(values: list[fmpq], sign: int) -> list[tuple[fmpq, fmpq]]:
            found = []
            for x, y in hull(part.x, values, sign):
                t = (x - start) / (stop - start)
                if t > 0:
                    found.append((y / t, (1 - t) / t))
            return found

        left, right = ((part.floor[k], part.ceiling[k]) for k in (0, -1))
        return Gate(left, right, rows(part.floor, 1), rows(part.ceiling, -1))

    def ends(self, v: fmpq) -> Window:
        """The least and the largest w for a given v; reversed where there is none."""
        low = max(a - b * v for a, b in self.least)
        high = min(a - b * v for a, b in self.most)
        return low, high

    def starts(self, right: Window) -> Window | None:
        """The v for which some w in a window does: an interval."""
        low, high = self.left
        least = [*self.least, (right[0], fmpq(0))]
        most = [*self.most, (right[1], fmpq(0))]
        for (a, b), (c, d) in product(least, most):
            # a - b v <= c - d v
            turn, room = d - b, c - a
            if turn == 0:
                if room < 0:
                    return None
            elif turn > 0:
                high = min(high, room / turn)
            else:
                low = max(low, room / turn)
        return (low, high) if low <= high else None


def continuous_values(tunnel: Tunnel, knots: list[fmpq]) -> list[fmpq] | None:
    """Short values at the knots of a continuous table in the tunnel.

    None where there is no continuous table with these knots. From the end back, the
    values at every knot from which a table gets to the end are an interval.
    """
    gates, windows = [], []
    for a, b in reversed(list(pairwise(knots))):
        gate = Gate.across(tunnel, a, b)
        windows = windows or [gate.right]
        start = gate.starts(windows[-1])
        if start is None:
            return None
        gates.append(gate)
        windows.append(start)
    values = [_chosen(windows[-1])]
    for gate, window in zip(reversed(gates), reversed(windows[:-1]), strict=True):
        low, high = gate.ends(values[-1])
        values.append(_chosen((max(low, window[0]), min(high, window[1]))))
    return values


def piece_values(tunnel: Tunnel, start: fmpq, stop: fmpq) -> Window | None:
    """Short values at both ends of one line in the tunnel; None if there is no line."""
    gate = Gate.across(tunnel, start, stop)
    first = gate.starts(gate.right)
    if first is None:
        return None
    v = _chosen(first)
    low, high = gate.ends(v)
    return v, _chosen((max(low, gate.right[0]), min(high, gate.right[1])))


def _chosen(window: Window) -> fmpq:
    low, high = window
    room = (high - low) * MARGIN
    return shortest_between(low + room, high - room)
