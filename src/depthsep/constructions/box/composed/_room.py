"""How far off an argument may be, if a function may be off by so much."""

from dataclasses import dataclass

from flint import ctx, fmpq

from depthsep.exact import Interval, ball_upper
from depthsep.formulas import Syntax, range_of
from depthsep.laws import Segment
from depthsep.targets import Expression, interval_ball

BEYOND = fmpq(1, 64)  # of an interval
CELLS, PRECISION = 64, 64


def around(on: Interval, room: fmpq) -> Segment:
    return Segment(on.low - room, on.high + room)


@dataclass(frozen=True)
class Room:
    """How far off x may be, where g(x) may be off by so much.

    Attributes:
        accuracy: of x, which is moved up by `shift` before g is applied.
        on: where g is applied.
    """

    accuracy: fmpq
    on: Segment
    shift: fmpq = fmpq(0)  # noqa: RUF009 (fmpq is immutable)


def room_of(profile: Syntax, on: Interval, allowed: fmpq) -> Room | None:
    """By a bound of g' a little beyond the interval; for roots by |a - b|^(1/n)."""
    steep = steepest_slope(Expression.of(profile), on)
    if steep is not None:
        room = min(allowed / steep, (on.high - on.low) * BEYOND)
        return Room(room, around(on, room))
    order = _order_of_root(profile)
    if order is None or on.low < 0:
        return None
    room = allowed**order / 2  # and so much up: never negative, off by twice that
    return Room(room, Segment(on.low, on.high + 2 * room), room)


def _order_of_root(profile: Syntax) -> int | None:
    """n for the n-th root of x."""
    if profile.kind == "sqrt":
        return 2
    if profile.kind != "**" or profile.parts[1].variables:
        return None
    exponent = range_of(profile.parts[1], {})
    is_root = exponent.is_point and exponent.low.p == 1 and exponent.low.q > 1
    return int(exponent.low.q) if is_root else None


def steepest_slope(target: Expression, on: Interval) -> fmpq | None:
    """A bound of |g'| on the interval and a little beyond; None if there is none."""
    margin = (on.high - on.low) * BEYOND
    start, step = on.low - margin, (on.high - on.low + 2 * margin) / CELLS
    found = fmpq(0)
    with ctx.workprec(PRECISION):
        for k in range(CELLS):
            here = interval_ball(start + k * step, start + (k + 1) * step)
            slope = abs(target.jet(here).first)
            if not slope.is_finite():
                return None
            found = max(found, ball_upper(slope))
    return found or None
