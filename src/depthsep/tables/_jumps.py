"""Formulas that jump: tables side by side, with a knot at every jump."""

from itertools import pairwise

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import ball_upper
from depthsep.laws import Segment
from depthsep.tables._pieces import table_within
from depthsep.tables._room import Room
from depthsep.tables._table import PieceTable
from depthsep.tables.plans import FreeKnots
from depthsep.targets import AbstractLineTarget, Expression

PRECISION = 128
Part = tuple[AbstractLineTarget, Segment]


def parts_beside_jumps(target: AbstractLineTarget, on: Segment) -> list[Part]:
    """The target cut where it jumps; on each part it is the formula inside it."""
    if not isinstance(target, Expression):
        return [(target, on)]
    places = sorted(c for c in target.sign_changes if on.start < c < on.stop)
    sides = [Segment(a, b) for a, b in pairwise([on.start, *places, on.stop])]
    jumps = [
        right.start
        for left, right in pairwise(sides)
        if abs(_jump(target.inside(left), target.inside(right), right.start)) > 0
    ]
    if not jumps and target.sign_changes.isdisjoint((on.start, on.stop)):
        return [(target, on)]
    kept = [Segment(a, b) for a, b in pairwise([on.start, *jumps, on.stop])]
    return [(target.inside(part), part) for part in kept]


def _jump(left: AbstractLineTarget, right: AbstractLineTarget, place: fmpq) -> arb:
    with ctx.workprec(PRECISION):
        return right.jet(arb(place)).value - left.jet(arb(place)).value


def table_beside_jumps(
    parts: list[Part], room: Room, kind: str, error: fmpq
) -> PieceTable:
    """Tables of all parts, one after the other.

    A piece may go across a jump of at most twice the error (once, on one side): then
    two parts need one piece less than they do by themselves. At a jump itself the
    error is that of both sides.

    Raises:
        HypothesisError: a relative error.
    """
    if room.relative:
        raise HypothesisError(
            "the target has jumps, and for such targets errors are "
            "absolute; leave out --relative"
        )
    tables = [
        table_within(Room(target, on, room.side), FreeKnots(jumps=True), kind, error)
        for target, on in parts
    ]
    allowed = error * (2 if room.side == "both" else 1)
    shared = sum(
        not -ball_upper(-abs(_jump(a, b, on.start))) > allowed
        for (a, _), (b, on) in pairwise(parts)
    )
    needed = max(sum(t.needed for t in tables) - shared, 1)
    return PieceTable(
        room,
        kind,
        tuple(piece for table in tables for piece in table.pieces),
        tuple(off for table in tables for off in table.errors),
        needed,
        error,
        max((table.error for table in tables), key=lambda e: e.upper),
    )
