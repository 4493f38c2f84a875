"""Where a function of one variable rises and falls, and its total variation."""

from dataclasses import dataclass
from itertools import pairwise

from flint import acb, arb, ctx, fmpq, fmpq_poly, fmpz, fmpz_poly

from depthsep._errors import HypothesisError
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import ball_upper, total
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget, interval_ball

PRECISION = 128
SLIVER = fmpq(1, 2**60)
MAX_CELLS = 100_000


@dataclass(frozen=True)
class Run:
    """An interval on which the target is monotone: direction 1, -1, or 0 (constant).

    Direction None: a sliver around a turning point where that was not decided; the
    target's slopes there are at most `steepest` in size.
    """

    start: fmpq
    stop: fmpq
    direction: int | None
    steepest: fmpq = fmpq(0)  # noqa: RUF009 (fmpq is immutable)


def monotone_runs(target: AbstractLineTarget, on: Segment) -> tuple[Run, ...]:
    """The interval as runs from left to right, neighbours of one direction merged.

    Polynomials whose turning points are rational: exactly, without slivers. All else by
    the sign of the derivative in balls, halving until it is decided or the piece is
    2^-60 of the interval.

    Raises:
        HypothesisError: the target jumps, has a pole, or turns too often.
    """
    turns = rational_turns(target, on)
    if turns is not None:
        ends, f = [on.start, *turns, on.stop], fmpq_poly(target.polynomial() or [])
        return tuple(Run(a, b, _rise(f, a, b)) for a, b in pairwise(ends))
    with ctx.workprec(PRECISION):
        return _merged(_cells(target, on))


def rational_turns(target: AbstractLineTarget, on: Segment) -> list[fmpq] | None:
    """The zeros of f' inside, if f is a polynomial and they are all rational."""
    coefficients = target.polynomial()
    if coefficients is None:
        return None
    slope = fmpq_poly(coefficients).derivative()
    if slope.degree() < 1:
        return []
    inside = []
    for factor, _ in slope.numer().factor()[1]:
        if factor.degree() == 1:
            inside.append(-fmpq(factor[0], factor[1]))
        elif any(_may_lie_in(root, on) for root in _roots(factor)):
            return None
    return sorted(x for x in inside if on.start < x < on.stop)


def total_variation(target: AbstractLineTarget, on: Segment) -> Enclosure:
    """The total variation over the interval: exact for rational turning points."""
    runs, coefficients = monotone_runs(target, on), target.polynomial()
    if coefficients is not None and all(r.direction is not None for r in runs):
        f = fmpq_poly(coefficients)
        exact = total(abs(fmpq(f(r.stop)) - fmpq(f(r.start))) for r in runs)
        return Enclosure(exact, exact, Rigour.EXACT)
    with ctx.workprec(PRECISION):
        value = sum((_variation(target, r) for r in runs), arb(0))
        low = -ball_upper(-value)
        return Enclosure(max(low, fmpq(0)), ball_upper(value), Rigour.ENCLOSED)


def _variation(target: AbstractLineTarget, run: Run) -> arb:
    if run.direction is None:
        return arb(0).union(arb((run.stop - run.start) * run.steepest))
    values = [target.jet(arb(x)).value for x in (run.start, run.stop)]
    return run.direction * (values[1] - values[0])


def _rise(f: fmpq_poly, start: fmpq, stop: fmpq) -> int:
    """The direction on a run of a polynomial: f is monotone there."""
    change = fmpq(f(stop)) - fmpq(f(start))
    return 0 if change == 0 else 1 if change > 0 else -1


def _roots(factor: fmpz_poly) -> list[acb]:
    return [root for root, _ in factor.complex_roots()]  # type: ignore[misc]


def _may_lie_in(root: acb, on: Segment) -> bool:
    if not root.imag.contains(fmpz(0)):
        return False
    return not (root.real < arb(on.start) or root.real > arb(on.stop))


def _cells(target: AbstractLineTarget, on: Segment) -> list[Run]:
    stack, found = [(on.start, on.stop)], []
    while stack:
        if len(stack) + len(found) > MAX_CELLS:
            raise HypothesisError(
                f"{target} may have too many turning points on the "
                "interval to be enclosed one by one"
            )
        start, stop = stack.pop()
        slope = target.jet(interval_ball(start, stop)).first
        direction = 1 if slope > 0 else -1 if slope < 0 else 0 if slope == 0 else None
        if direction is not None:
            found.append(Run(start, stop, direction))
        elif stop - start > SLIVER * on.length:
            middle = (start + stop) / 2
            stack += [(middle, stop), (start, middle)]
        elif slope.is_finite():
            found.append(Run(start, stop, None, ball_upper(abs(slope))))
        else:
            x = float(arb(start).mid())
            raise HypothesisError(
                f"{target} jumps near x = {x:.6g}, or its slope could "
                "not be bounded there"
            )
    return found


def _merged(cells: list[Run]) -> tuple[Run, ...]:
    out: list[Run] = []
    for cell in cells:
        if out and out[-1].direction == cell.direction:
            steepest = max(out[-1].steepest, cell.steepest)
            out[-1] = Run(out[-1].start, cell.stop, cell.direction, steepest)
        else:
            out.append(cell)
    return tuple(out)
