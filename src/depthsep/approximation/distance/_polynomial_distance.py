"""Sup of |p - f| over a box, p a polynomial: branch and bound in balls."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from flint import arb, ctx, fmpq

from depthsep._deadline import end_after, is_over
from depthsep._errors import HypothesisError, UndecidedError
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import Jet, ball_upper, jets, nearest_float
from depthsep.laws import Box, Segment
from depthsep.targets import Formula, interval_ball

PRECISION = 64
MAX_CELLS = 3000
SMALLEST = fmpq(1, 2**40)
ROUNDING = 2.0**-12


@dataclass(frozen=True)
class Expanded:
    """A polynomial as a nested table of Horner's scheme, last variable innermost.

    Expanded, because sums of ridges cancel and balls would not see it.
    """

    table: list

    @staticmethod
    def of(terms: Mapping[tuple[int, ...], fmpq], dim: int) -> "Expanded":
        """From coefficients by exponents."""
        return Expanded(_nested(terms, dim))

    def along(self, direction: Sequence[int], x: Sequence[arb]) -> Jet:
        """Enclosures of the value and two derivatives in a direction, over a box."""
        inputs = [jets.variable(v, k) for v, k in zip(x, direction, strict=True)]
        return _horner(self.table, inputs)


def _nested(terms: Mapping[tuple[int, ...], fmpq], dim: int) -> list:
    if dim == 1:
        most = max((e for (e,) in terms), default=0)
        return [terms.get((k,), fmpq(0)) for k in range(most + 1)]
    by_power: dict[int, dict[tuple[int, ...], fmpq]] = {}
    for exponents, c in terms.items():
        by_power.setdefault(exponents[0], {})[exponents[1:]] = c
    most = max(by_power, default=0)
    return [_nested(by_power.get(k, {}), dim - 1) for k in range(most + 1)]


def _horner(table: list, inputs: Sequence[Jet]) -> Jet:
    x, rest = inputs[0], inputs[1:]
    if not rest:
        return _horner_of_numbers(table, x)
    total = _horner(table[-1], rest)
    for inner in reversed(table[:-1]):
        c = _horner(inner, rest)
        total = Jet(
            total.value * x.value + c.value,
            total.first * x.value + total.value * x.first + c.first,
            total.second * x.value + 2 * total.first * x.first + c.second,
        )
    return total


def _horner_of_numbers(coefficients: Sequence[fmpq], x: Jet) -> Jet:
    at, slope = x.value, x.first
    value, first, second = arb(coefficients[-1]), arb(0), arb(0)
    for c in reversed(coefficients[:-1]):
        if not slope.is_zero():  # else both derivatives stay 0
            second = second * at + 2 * first * slope
            first = first * at + value * slope
        value = value * at + c
    return Jet(value, first, second)


Cell = tuple[tuple[fmpq, fmpq], ...]
Entry = tuple[float, int, fmpq, Cell, fmpq | None]


class Directed(Protocol):
    """What is enclosed, with two derivatives in a direction, over a box of balls."""

    def along(self, direction: Sequence[int], box: Sequence[arb], /) -> Jet: ...


def sup_distance(
    p: Directed,
    target: Directed,
    sides: Sequence[Segment],
    *,
    enough: fmpq | None,
    negligible: fmpq,
    seconds: float = 60.0,
) -> Enclosure:
    """sup |p - f| over the box, enclosed: mean values with gradients in balls.

    On a cell with centre m and half-widths h, |r| <= |r(m)| + sum_k |d_k r(cell)| h_k,
    or with d_k r(m) and second derivatives over the cell, whichever is smaller. The
    cell of the largest bound is halved across its most uncertain axis.

    Args:
        enough: stop as soon as the sup is known to be at most this, or above it.
        negligible: or once the bar is no wider than this.
        seconds: or after so long, or 3,000 cells: the bar is then wider, and still a
            proof.

    Raises:
        HypothesisError: the target is not finite, or not proved to be defined,
            somewhere on the box.
    """
    whole = tuple((side.start, side.stop) for side in sides)
    count, stop_at = 0, end_after(seconds)
    with ctx.workprec(PRECISION):
        r = _Difference(p, target, sides)
        heap = [r.entry(whole, count)]
        best = heap[0][2]
        while True:
            high = -heap[0][0]
            if high < float("inf"):
                slack = high - nearest_float(best) <= nearest_float(negligible)
                decided = enough is not None and (
                    high <= nearest_float(enough) or best > enough
                )
                late = count > MAX_CELLS or is_over(stop_at)
                if slack or decided or late:
                    break
            elif count > MAX_CELLS:
                raise _undefined(target, heap[0][3])
            cell = heapq.heappop(heap)[3]
            for half in r.halves(cell):
                count += 1
                entry = r.entry(half, count)
                best = max(best, entry[2])
                heapq.heappush(heap, entry)
        upper = max(item[4] for item in heap if item[4] is not None)
    return Enclosure(min(best, upper), upper, Rigour.ENCLOSED)


class _Difference:
    """r = p - f on cells: jets, bounds, and where to cut."""

    def __init__(self, p: Directed, target: Directed, sides: Sequence[Segment]) -> None:
        self.p, self.target, self.sides = p, target, sides
        self.axes = [_unit(len(sides), i) for i in range(len(sides))]

    def jet(self, direction: Sequence[int], x: Sequence[arb]) -> Jet:
        a, b = self.p.along(direction, x), self.target.along(direction, x)
        first, second = a.first - b.first, a.second - b.second
        return Jet(a.value - b.value, first, second)

    def entry(self, cell: Cell, count: int) -> Entry:
        """(-upper as float, order, lower, cell, upper) for the heap."""
        middle = [arb((a + b) / 2) for a, b in cell]
        here = [self.jet(axis, middle) for axis in self.axes]
        if here[0].value.is_nan():
            raise _undefined(self.target, cell)
        at = abs(here[0].value)
        upper = self._bound(cell, at, here)
        if upper is None:
            # the newest first: down to a pole, not all along it
            return float("-inf"), -count, fmpq(0), cell, None
        lower = max(fmpq(0), -ball_upper(-at))
        return -nearest_float(upper), count, lower, cell, upper

    def _bound(self, cell: Cell, at: arb, here: Sequence[Jet]) -> fmpq | None:
        """|r| on the cell, and |r(m)| + sum |d_k r| h_k, or with second derivatives."""
        balls = [interval_ball(a, b) for a, b in cell]
        half = [arb(b - a) / 2 for a, b in cell]
        over = [self.jet(axis, balls) for axis in self.axes]
        bounds = [abs(over[0].value)]  # of sqrt at 0, say, there is no slope
        if all(j.first.is_finite() for j in over):
            slopes = zip(over, half, strict=True)
            bounds.append(sum((abs(j.first).upper() * h for j, h in slopes), at))
        if all(j.second.is_finite() for j in over):
            sharp = at + self._bend(balls, half, over)
            for j, h in zip(here, half, strict=True):
                sharp += abs(j.first).upper() * h
            bounds.append(sharp)
        known = [b for b in map(_upper, bounds) if b is not None]
        return min(known, default=None)

    def _bend(
        self, balls: Sequence[arb], half: Sequence[arb], over: Sequence[Jet]
    ) -> arb:
        """A bound of x' H x / 2 on the cell; mixed derivatives by polarisation."""
        whole = arb(0)
        for j, h in zip(over, half, strict=True):
            whole += abs(j.second).upper() * h * h / 2
        for i, k in combinations(range(len(half)), 2):
            plus, minus = list(self.axes[i]), list(self.axes[i])
            plus[k], minus[k] = 1, -1
            mixed = (self.jet(plus, balls).second - self.jet(minus, balls).second) / 4
            whole += abs(mixed).upper() * half[i] * half[k]
        return whole

    def halves(self, cell: Cell) -> list[Cell]:
        """The cell cut across its most uncertain axis."""
        balls = [interval_ball(a, b) for a, b in cell]
        spread = []
        for axis, (a, b), side in zip(self.axes, cell, self.sides, strict=True):
            slope, share = self.jet(axis, balls).first, (b - a) / side.length
            reach = (
                slope.rad() * arb(b - a) if slope.is_finite() else arb(10**9 * share)
            )
            spread.append((float(arb(reach).mid()), nearest_float(share)))
        chosen = max(range(len(cell)), key=lambda k: spread[k])
        shares = [share for _, share in spread]
        if shares[chosen] < ROUNDING * max(shares):
            # what is left of the others is rounding
            chosen = shares.index(max(shares))
        a, b = cell[chosen]
        if b - a < SMALLEST * self.sides[chosen].length:
            raise _undefined(self.target, cell)
        ends = ((a, (a + b) / 2), ((a + b) / 2, b))
        return [(*cell[:chosen], e, *cell[chosen + 1 :]) for e in ends]


def _upper(ball: arb) -> fmpq | None:
    """The upper end; None if it is not finite, or beyond all bounds."""
    try:
        return ball_upper(ball)
    except UndecidedError:
        return None


def _unit(dim: int, axis: int) -> tuple[int, ...]:
    return tuple(int(i == axis) for i in range(dim))


def _undefined(target: object, cell: Cell) -> HypothesisError:
    near = ", ".join(f"{float(arb((a + b) / 2).mid()):.4g}" for a, b in cell)
    return HypothesisError(
        f"{target} is not finite or cannot be bounded near ({near}); "
        "choose a box without that point",
        parameter="law",
    )


def check_bounded(target: Formula, box: Box) -> None:
    """Refuse a target that is not finite, or not proved to be, everywhere on a box.

    Raises:
        HypothesisError: with a point near which that fails.
    """
    anything = fmpq(10) ** 60
    zero = Expanded.of({}, box.in_dim)
    sup_distance(zero, target, box.sides, enough=anything, negligible=anything)
