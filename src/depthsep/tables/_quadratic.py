"""Quadratics: equal pieces are best, exactly."""

from itertools import pairwise

from flint import fmpq

from depthsep.tables._room import Room
from depthsep.tables.plans import AbstractPlan, FreeKnots, Piece, Pieces
from depthsep.targets import PointSet


def pieces_of_quadratic(
    room: Room, plan: AbstractPlan, error: fmpq, count: int
) -> Pieces | None:
    """Equal pieces of a quadratic, if so many are within the error.

    On a cell of length h a line is off by |alpha| h^2 / 8 on both sides, or by twice
    as much on one: the tunnel of a broken line cannot see that a bound is met exactly.
    """
    if isinstance(room.target, PointSet) or not isinstance(plan, FreeKnots):
        return None
    form = room.target.exact_form()
    if form is None or form.amplitude != 0 or room.relative:
        return None
    h = room.on.length / count
    swing = form.alpha * h * h / 4  # of f below its chord
    off = abs(swing) / 2 if room.side == "both" else abs(swing)
    if off > error:
        return None
    chord_is_above = form.alpha > 0
    shift = {
        "both": -swing / 2,
        "above": fmpq(0) if chord_is_above else -swing,
        "below": -swing if chord_is_above else fmpq(0),
    }[room.side]
    knots = [room.on.start + h * k for k in range(count + 1)]
    values = [(form.alpha * x + form.beta) * x + form.gamma + shift for x in knots]
    ends = zip(pairwise(knots), pairwise(values), strict=True)
    return [Piece(a, b, v, w) for (a, b), (v, w) in ends]
