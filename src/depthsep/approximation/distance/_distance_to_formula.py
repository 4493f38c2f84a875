r"""Enclosed distance from a piecewise-affine function to a smooth or kinked one.

On a cell with centre m and half-width w, Taylor with the second derivative enclosed,
f'' in [s, S], gives r(m+u) in r(m) + r'(m) u + [s, S] u^2 / 2. Where f'' is unbounded
(a kink, a root), slopes or plain values serve. The cell that contributes most
uncertainty is halved until the whole error bar is small.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._deadline import check_time, end_after, is_over
from depthsep._errors import HypothesisError
from depthsep.approximation.distance._distance import Cell, cells
from depthsep.evidence import Enclosure, Rigour, weakest
from depthsep.exact import PiecewiseAffine, ball_upper, sqrt_upper
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget, interval_ball

PRECISION = 128
MAX_CELLS = 400_000
PATIENCE = 20_000
SMALLEST = fmpq(1, 2**120)
Progress = Callable[[int, float], None]


@dataclass(frozen=True)
class Bar:
    """Bounds on one cell's part of the norm."""

    low: arb
    high: arb


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
) -> Enclosure:
    """The distance of f to a target that is known through its jets.

    Args:
        f: piecewise affine, exact (else the result is `sampled`).
        norm: linf, l1 or l2, with respect to the uniform law `on`.
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
    with ctx.workprec(PRECISION):
        search = _Search(target, norm, on)
        for end in (on.start, on.stop):
            search.check_finite(end)
        for cell in cells(f, on.start, on.stop):
            search.add(cell)
        limit = None if enough is None else _powered(enough, norm, on)
        small = _powered(negligible, norm, on)
        low, high = search.refined(relative, small, max_cells, limit)
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

    def __init__(self, target: AbstractLineTarget, norm: str, on: Segment) -> None:
        self.target, self.norm, self.on = target, norm, on
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
            urgency = -_float(bar.high)
        else:
            urgency = _float(bar.low) - _float(bar.high)
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
                f"{self.target} is not finite near x = {_float(arb(cell.start)):.6g}; "
                "it must be on the whole interval",
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
            x = _float(arb(cell.start))
            raise HypothesisError(
                f"{self.target} cannot be followed near x = {x:.6g}: it jumps or is "
                "not finite there; leave that point out of the interval",
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
                f"{self.target} is not finite at x = {_float(arb(x)):.6g}; "
                "it must be on the whole interval",
                parameter="law",
            )

    def bar(self, cell: Cell) -> Bar:
        """Bounds on the cell's part, by the sharpest expansion that is finite."""
        middle, half = (cell.start + cell.stop) / 2, arb(cell.stop - cell.start) / 2
        here = self.target.jet(arb(middle))
        if not here.value.is_finite():
            self.check_finite(middle)
        over = self.target.jet(interval_ball(cell.start, cell.stop))
        r0 = here.value - arb(cell.slope * middle + cell.level)
        if over.second.is_finite() and here.first.is_finite():
            r1 = here.first - arb(cell.slope)
            sharp = _parabola_bar(self.norm, r0, r1, over.second / 2, half)
            if sharp.high <= 4 * sharp.low:
                return sharp
        elif over.first.is_finite():
            reach = abs(over.first - arb(cell.slope)).upper() * half
            sharp = _range_bar(self.norm, r0, r0 + arb(0, 1) * reach, half)
        else:
            sharp = Bar(arb(0), arb("inf"))
        line = arb(cell.slope) * interval_ball(cell.start, cell.stop)
        values = over.value - line - arb(cell.level)
        plain = _range_bar(self.norm, r0, values, half)
        return Bar(sharp.low.max(plain.low), sharp.high.min(plain.high))


def _range_bar(norm: str, r0: arb, values: arb, half: arb) -> Bar:
    """Bounds from one value and an enclosure of all values."""
    if not values.is_finite():
        return Bar(arb(0), arb("inf"))
    size = abs(values)
    if norm == "linf":
        return Bar(arb(abs(r0).lower()).max(arb(0)), arb(size.upper()))
    power = 1 if norm == "l1" else 2
    low, high = arb(size.abs_lower()) ** power, arb(size.upper()) ** power
    return Bar(2 * half * low, 2 * half * high)


def _parabola_bar(norm: str, r0: arb, r1: arb, q: arb, half: arb) -> Bar:
    """Bounds for r0 + r1 u + q(u) u^2, |u| <= half, q(u) anywhere in the ball q."""
    if norm == "linf":
        high = _largest(r0, r1, q, half).max(_largest(-r0, -r1, -q, half))
        ends = [r0 + s * r1 * half + q * half * half for s in (-1, 1)]
        low = max((arb(abs(v).abs_lower()) for v in (r0, *ends)), key=_float)
        return Bar(low, arb(high.upper()))
    if norm == "l2":
        return _square_bar(r0, r1, q, half)
    return _absolute_bar(r0, r1, q, half)


def _largest(a: arb, b: arb, q: arb, w: arb) -> arb:
    """An upper bound of a + b u + q u^2 on |u| <= w."""
    b, q = arb(abs(b).upper()), arb(q.upper())
    at_end = a + b * w + q * w * w
    if q >= 0:
        return at_end
    if b > -2 * q * w:
        return at_end
    # the vertex may lie inside: the unconstrained maximum bounds in every case
    return a - b * b / (4 * q)


def _square_bar(a: arb, b: arb, q: arb, w: arb) -> Bar:
    cross = arb(0, 1) * (abs(b) * q.rad() * w**4).upper()
    integral = (
        2 * a * a * w
        + 2 * (b * b + 2 * a * q) * w**3 / 3
        + 2 * q * q * w**5 / 5
        + cross
    )
    low = arb(integral.lower())
    return Bar(low if low > 0 else arb(0), arb(integral.upper()))


def _absolute_bar(a: arb, b: arb, q: arb, w: arb) -> Bar:
    top = _largest(a, b, q, w)
    bottom = -_largest(-a, -b, -q, w)
    whole = 2 * a * w + 2 * q * w**3 / 3
    if bottom >= 0 or top <= 0:
        size = abs(whole)
        return Bar(arb(size.abs_lower()), arb(size.upper()))
    largest = top.max(-bottom)
    return Bar(arb(abs(whole).abs_lower()), arb((2 * w * largest).upper()))


def _float(x: arb) -> float:
    return float(x.mid()) if not x.is_nan() else float("inf")
