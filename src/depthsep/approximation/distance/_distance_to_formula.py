r"""Enclosed distance from a piecewise-affine function to a smooth or kinked one.

On a cell with centre m and half-width w, Taylor with the second derivative enclosed,
f'' in [s, S], gives r(m+u) in r(m) + r'(m) u + [s, S] u^2 / 2. Where f'' is unbounded
(a kink, a root), slopes or plain values serve. The cell that contributes most
uncertainty is halved until the whole error bar is small.
"""

import heapq
from collections.abc import Callable

from flint import arb, ctx, fmpq

from depthsep._deadline import check_time, end_after, is_over
from depthsep._errors import HypothesisError
from depthsep.approximation.distance._cell_bars import (
    Bar,
    Expansion,
    parabola_bar,
    range_bar,
    rough,
)
from depthsep.approximation.distance._distance import Cell, cells
from depthsep.approximation.distance._tails import tails
from depthsep.evidence import Enclosure, Rigour, weakest
from depthsep.exact import PiecewiseAffine, ball_upper, sqrt_upper
from depthsep.laws import AbstractDensityLaw, Segment
from depthsep.targets import AbstractLineTarget, interval_ball

PRECISION = 128
MAX_CELLS = 400_000
PATIENCE = 20_000
SMALLEST = fmpq(1, 2**120)
Progress = Callable[[int, float], None]


def distance_to_target(
    f: PiecewiseAffine,
    target: AbstractLineTarget,
    norm: str,
    on: Segment,
    *,
    relative: float = 1e-3,
    negligible: fmpq = SMALLEST,
    max_cells: int = MAX_CELLS,
    enough: fmpq | None = None,
    weight: AbstractDensityLaw | None = None,
) -> Enclosure:
    """The distance of f to a target that is known through its jets.

    Args:
        f: piecewise affine, exact (else the result is `sampled`).
        norm: linf, l1 or l2, with respect to the uniform law `on`, or to `weight`.
        relative: stop when the error bar is below this share of the value ...
        negligible: ... or below this absolute size.
        max_cells: give up refining after so many cells, or at the deadline; the bar is
            then wider, and still a proof.
        enough: once `PATIENCE` cells were added, stop as soon as the distance is known
            to be at most this, or above it.

    Raises:
        HypothesisError: the target is not finite somewhere on the interval.
    """
    target.check_defined([on])
    if norm == "linf":
        weight = None
    with ctx.workprec(PRECISION):
        search = _Search(target, norm, on, weight)
        for end in (on.start, on.stop):
            search.check_finite(end)
        for cell in cells(f, on.start, on.stop):
            search.add(cell)
        limit = None if enough is None else _powered(enough, norm, on)
        small = _powered(negligible, norm, on)
        low, high = search.refined(relative, small, max_cells, limit)
        if weight is not None:
            power = 1 if norm == "l1" else 2
            high += tails(f, target, power, weight) * on.length
    rigour = Rigour.ENCLOSED if f.is_exact else Rigour.SAMPLED
    return _enclosure(low, high, norm, on, weakest(rigour, Rigour.ENCLOSED))


def _powered(value: fmpq, norm: str, on: Segment) -> fmpq:
    """The norm's value as the search sums it: an integral, of a square for l2."""
    if norm == "linf":
        return value
    return (value if norm == "l1" else value * value) * on.length


def _enclosure(
    low: arb, high: arb, norm: str, on: Segment, rigour: Rigour
) -> Enclosure:
    a, b = max(fmpq(0), -ball_upper(-low)), ball_upper(high)
    if norm != "linf":
        a, b = a / on.length, b / on.length
    if norm == "l2":
        root = sqrt_upper(a)
        a, b = (a / root if root != 0 else root), sqrt_upper(b)
    return Enclosure(a, b, rigour)


class _Search:
    """Cells in a heap, the most uncertain first."""

    def __init__(
        self,
        target: AbstractLineTarget,
        norm: str,
        on: Segment,
        weight: AbstractDensityLaw | None,
    ) -> None:
        self.target, self.norm, self.on, self.weight = target, norm, on, weight
        self.heap: list[tuple[float, int, Cell, Bar]] = []
        self.count = 0
        self.low, self.high = arb(0), arb(0)
        self.unbounded = 0
        self.next_total = 1024

    def add(self, cell: Cell) -> None:
        """Bound a cell and count it in."""
        bar = self.bar(cell)
        self._count(bar, 1)
        if self.norm == "linf":
            self.low = self.low.max(bar.low)
            urgency = -rough(bar.high)
        else:
            urgency = rough(bar.low) - rough(bar.high)
        heapq.heappush(self.heap, (urgency, self.count, cell, bar))
        self.count += 1

    def refined(
        self, relative: float, negligible: fmpq, max_cells: int, limit: fmpq | None
    ) -> tuple[arb, arb]:
        """Halve the most uncertain cell until the bar is narrow, or decided."""
        patience, cell = self.count + PATIENCE, self.heap[0][2]
        stop_at = end_after()
        while self.count < max_cells and not is_over(stop_at):
            if self.count >= self.next_total:
                self.total_again()
            _, _, cell, bar = self.heap[0]
            high = bar.high if self.norm == "linf" else self.high
            gap = high - self.low
            if self.unbounded == 0 and (
                gap <= relative * self.low or gap <= negligible
            ):
                break
            decided = limit is not None and (high <= limit or self.low > limit)
            if decided and self.count > patience and self.unbounded == 0:
                break
            if cell.stop - cell.start < SMALLEST and bar.high.is_finite():
                break  # a jump: the bar stays as wide as the jump makes it
            self.split(heapq.heappop(self.heap)[2], bar)
        if self.norm == "linf":
            # the heap is ordered by floats; the bound is the largest of all balls
            for item in self.heap:
                self.high = self.high.max(item[3].high)
        if self.unbounded:
            check_time()
            raise HypothesisError(
                f"{self.target} could not be proved finite near x = "
                f"{rough(arb(cell.start)):.6g}; it must be finite on "
                "the whole interval",
                parameter="law",
            )
        return self.low, self.high

    def total_again(self) -> None:
        """Sum afresh: running sums keep the rounding of cells long since refined."""
        self.next_total = 2 * self.count
        if self.norm != "linf":
            bars = [bar for _, _, _, bar in self.heap if bar.high.is_finite()]
            self.low = sum((bar.low for bar in bars), arb(0))
            self.high = sum((bar.high for bar in bars), arb(0))

    def split(self, cell: Cell, bar: Bar) -> None:
        """Put two halves in place of a cell; refuse one that is too small to halve."""
        if cell.stop - cell.start < SMALLEST:
            x = rough(arb(cell.start))
            raise HypothesisError(
                f"{self.target} cannot be bounded near x = {x:.6g}: it may jump or be "
                "infinite there; leave that point out of the interval",
                parameter="law",
            )
        self._count(bar, -1)
        middle = (cell.start + cell.stop) / 2
        self.add(Cell(cell.start, middle, cell.slope, cell.level))
        self.add(Cell(middle, cell.stop, cell.slope, cell.level))

    def _count(self, bar: Bar, sign: int) -> None:
        """Add or take away a cell's part of the total (for linf: if unbounded)."""
        if not bar.high.is_finite():
            self.unbounded += sign
        elif self.norm != "linf":
            self.low, self.high = self.low + sign * bar.low, self.high + sign * bar.high

    def check_finite(self, x: fmpq) -> None:
        """Refuse a target that has no finite value at x (1/x at 0 included)."""
        if not self.target.jet(arb(x)).value.is_finite():
            raise HypothesisError(
                f"{self.target} could not be proved finite at x = "
                f"{rough(arb(x)):.6g}; it must be finite on the whole interval",
                parameter="law",
            )

    def bar(self, cell: Cell) -> Bar:
        """Bounds on the cell's part, by the sharpest expansion that is finite."""
        middle, half = (cell.start + cell.stop) / 2, arb(cell.stop - cell.start) / 2
        here = self.target.jet(arb(middle))
        if not here.value.is_finite():
            self.check_finite(middle)
        over = self.target.jet(interval_ball(cell.start, cell.stop))
        mass, density = self.density(cell, middle)
        r0 = here.value - arb(cell.slope * middle + cell.level)
        sharp = Bar(arb(0), arb("inf"))
        if over.second.is_finite() and here.first.is_finite():
            r1 = here.first - arb(cell.slope)
            if self.weight is None or density is not None:
                r = r0, r1, over.second / 2
                sharp = parabola_bar(self.norm, r, half, density)
                if sharp.high <= 4 * sharp.low:
                    return sharp
        elif over.first.is_finite():
            reach = abs(over.first - arb(cell.slope)).upper() * half
            sharp = range_bar(self.norm, r0, r0 + arb(0, 1) * reach, mass)
        line = arb(cell.slope) * interval_ball(cell.start, cell.stop)
        values = over.value - line - arb(cell.level)
        plain = range_bar(self.norm, r0, values, mass)
        return Bar(sharp.low.max(plain.low), sharp.high.min(plain.high))

    def density(self, cell: Cell, middle: fmpq) -> tuple[arb, Expansion | None]:
        """Its integral over a cell, and its expansion there if that is finite."""
        length = arb(cell.stop - cell.start)
        if self.weight is None:
            return length, None
        here = self.weight.density(arb(middle))
        over = self.weight.density(interval_ball(cell.start, cell.stop))
        if over.second.is_finite():
            return over.value * length, (here.value, here.first, over.second / 2)
        return self.weight.mass(cell.start, cell.stop) * self.on.length, None
