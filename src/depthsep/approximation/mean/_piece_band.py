r"""The graph of pieces between the knots of a grid, with corrected costs.

Let g have knots anywhere. Two knots in one cell of the grid move apart to its ends, as
the piece between them stays free: so let each cell have one at most. Take its cell
[a, b], of length H, and t in it. As functions of t, the costs C(s, t) and C(t, e) of
the pieces beside t have second derivatives of at most some K, so they lie above their
chords over [a, b] less K H^2 / 8; and the sum of two chords is least at a or b. Moving
one knot after another to knots of the grid, g costs no less than a path through them
whose pieces pay C - K H^2 / 8 for each of their ends.

A bound of what a piece costs is chosen by the two cells its ends are in: if C less the
drops is negative at one of their four corners, or if the cells are neighbours, so that
the piece may vanish, it is 0, which is constant (K = 0). So no drop is ever lost.

A piece that costs more than `threshold` is long. It pays for what lies inside, wherever
its ends are in their cells: that is constant and needs no correction. It is followed in
hops, from knot to knot, as its parts together cost no more than the whole.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import fmpq

from depthsep.approximation.mean._grid_function import GridFunction
from depthsep.approximation.mean._piece_drops import Diagonal, Drops
from depthsep.approximation.mean._weighted_costs import Costs
from depthsep.exact import nearest_float

UNITS = 1 << 40  # the error allowed, in the integers of a band
NEVER = 1 << 60
FREE = 2.0**50  # a drop below which no cost is left


@dataclass(frozen=True, eq=False)
class Band:
    """Costs in units of 1/UNITS of the error that is allowed.

    Attributes:
        short: shape (knots, widest + 1): of the piece that ends at knot j and has k
            cells; NEVER where it is long.
        long: what a long piece pays up to the knot `opens`, for each knot to begin at.
        opens: up to where; the number of knots if no piece from there is long.
        hop: what it pays on the way from each knot to `closed`.
        closed: the end of the hop; the last knot if a piece gets there before.
    """

    short: np.ndarray
    long: np.ndarray
    opens: np.ndarray
    hop: np.ndarray
    closed: np.ndarray


@dataclass(eq=False)
class _Growing:
    """A band while it grows by diagonals: all pieces of 1, 2, 3, ... cells."""

    h: GridFunction
    costs: Costs
    unit: fmpq
    threshold: int
    widest: int

    def __post_init__(self) -> None:
        self.count = len(self.h.knots)
        # least costs so far of the longest piece from each knot, and where it ends
        self.reached = np.zeros(self.count, dtype=np.int64)
        self.closed = np.full(self.count, self.count - 1)
        # from where on a piece is long; never if one reaches the end before
        self.far = np.full(self.count, self.count)
        self.diagonals: list[Diagonal] = []
        # costs so far by cells and first knot, 0 where they were not needed
        cells = min(self.widest, self.count - 1)
        self.known = np.zeros((cells + 1, self.count), dtype=np.int64)

    def grow(self) -> None:
        """Diagonals until all pieces are over the threshold, or too wide."""
        active = np.arange(self.count - 1)
        before = np.zeros(self.count, dtype=np.int64)
        for width in range(1, self.widest + 1):
            active = active[active + width < self.count]
            if not len(active):
                break
            found = np.full(self.count, -1, dtype=np.int64)
            slopes, off = np.full((2, self.count), np.nan)
            exact = self.costs.of(active, active + width, self.unit)
            slopes[active], off[active] = exact.slopes, exact.off
            capped = np.minimum(exact.costs, NEVER).astype(np.int64)
            inside = np.maximum(before[active], before[active + 1])
            found[active] = np.maximum(capped, inside)
            self._split(found, active, width)
            self.diagonals.append(Diagonal(found, slopes, off))
            self.reached[active] = found[active]
            over = found[active] >= self.threshold
            self._close(active[over], width)
            active = active[~over]
            before = self.known[width] = np.maximum(found, 0)
        self._close(active[active + self.widest < self.count - 1], self.widest)

    def _close(self, i: np.ndarray, width: int) -> None:
        self.closed[i] = self.far[i] = i + width

    def _split(self, found: np.ndarray, active: np.ndarray, width: int) -> None:
        """Across an inflection the parts cost no more than the whole."""
        ends = active + width
        for middle in (self._first_turn[active], self._last_turn[ends]):
            inner = (middle > active) & (middle < ends)
            i, r, j = active[inner], middle[inner], ends[inner]
            if len(i):
                parts = self.known[r - i, i] + self.known[j - r, r]
                found[i] = np.maximum(found[i], parts)

    @cached_property
    def _turns(self) -> np.ndarray:
        """Knots at which h changes from convex to concave or back."""
        rising, falling = self.h.monotone_until
        found, cell = [], 0
        while (cell := int(max(rising[cell], falling[cell])) + 1) < self.count - 1:
            found.append(cell)
        return np.array([0, *found, self.count - 1])

    @cached_property
    def _first_turn(self) -> np.ndarray:
        after = np.searchsorted(self._turns, np.arange(self.count), "right")
        return self._turns[np.minimum(after, len(self._turns) - 1)]

    @cached_property
    def _last_turn(self) -> np.ndarray:
        before = np.searchsorted(self._turns, np.arange(self.count), "left") - 1
        return self._turns[np.maximum(before, 0)]

    def corrected(self) -> Band:
        """What is paid for the pieces when knots move to the grid."""
        last = self.count - 1
        following = np.append(self.closed[1:], last)
        until = np.maximum(self.closed, following)
        widest = int((until - np.arange(self.count)).max())
        short = np.full((self.count, widest + 1), NEVER, dtype=np.int64)
        drops = Drops(self.costs, self.diagonals)
        per_unit = nearest_float(1 / self.unit)
        for width in range(1, widest + 1):
            i = np.flatnonzero(until - np.arange(self.count) >= width)
            i = i[i + width <= last]
            costs = self._cost(i, width)
            drop = np.nan_to_num(drops.of(i, width) * per_unit, nan=FREE)
            drop = np.ceil(np.minimum(drop, FREE))
            short[i + width, width] = costs - drop.astype(np.int64)
        short[_free(short)] = 0
        long = np.minimum(self.reached, np.append(self.reached[1:], 0))
        opens = np.minimum(self.far, np.append(self.far[1:], self.count))
        return Band(short, long, opens, self.reached, self.closed)

    def _cost(self, i: np.ndarray, width: int) -> np.ndarray:
        """Beyond where a knot is closed, what was reached there."""
        out = self.reached[i]
        if width <= len(self.diagonals):
            found = self.diagonals[width - 1].costs[i]
            out = np.where(found >= 0, found, out)
        return out


def _free(short: np.ndarray) -> np.ndarray:
    """Pieces of which a neighbour, by one knot at either end, costs less than 0.

    A piece of no cells does. Laid out as in `Band`.
    """
    count, widths = short.shape
    negative = np.zeros((count + 2, widths + 4), dtype=bool)
    negative[1:-1, 2:-2] = short < 0
    # of no cells, or turned round: at every knot, the ends of the interval included
    negative[1:-1, :3] = True
    free = np.zeros_like(short, dtype=bool)
    for start in (-1, 0, 1):
        for stop in (-1, 0, 1):
            wider = 2 + stop - start
            free |= negative[1 + stop : 1 + stop + count, wider : wider + widths]
    free[:, 0] = False
    return free & (short < NEVER)


def piece_band(
    h: GridFunction, costs: Costs, allowed: fmpq, threshold: int, widest: int
) -> Band:
    """All pieces of h that cost at most `threshold`, and what longer ones cost.

    Args:
        allowed: the integral of |f - g|, or its square, in units of h: UNITS of costs.
        threshold: in those units.
        widest: no piece has more cells; what it costs is followed no further.
    """
    growing = _Growing(h, costs, allowed / UNITS, threshold, widest)
    growing.grow()
    return growing.corrected()
