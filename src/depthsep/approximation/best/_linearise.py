"""A target replaced by an interpolant whose sup error is proved."""

from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.exact import PiecewiseAffine, ball_upper, dyadic_near, rational
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget, interval_ball

MAX_KNOTS = 1 << 18
SMALLEST = fmpq(1, 2**100)


@dataclass(frozen=True)
class Linearisation:
    """`function` differs from the target by at most `error` on the interval."""

    function: PiecewiseAffine
    error: fmpq


def linearise(
    target: AbstractLineTarget,
    on: Segment,
    error: object,
    *,
    max_knots: int = MAX_KNOTS,
) -> Linearisation:
    r"""Interpolate a target of one variable, adaptively, up to a proved sup error.

    A formula that is piecewise affine is taken as it is, without an error.

    On a cell of length h the chord of f is off by at most $\sup|f''| h^2/8$; where f''
    is unbounded, slopes in [d, D] give $(D - d) h / 4$, and values alone their range.

    Raises:
        HypothesisError: an error that is not positive; the target jumps or is not
            finite on the interval.
        TooLargeError: more than `max_knots` knots would be needed.
    """
    allowed = rational(error, name="the error")
    if allowed <= 0:
        raise HypothesisError(f"the error is {allowed}; it must be positive")
    exact = target.affine_pieces(on)
    if exact is not None:
        return Linearisation(exact, fmpq(0))
    bits = _bits(allowed) + 12
    with ctx.workprec(bits + 80):
        knots, values = [on.start], [_value(target, on.start, bits)]
        step = _short(on.length / 64)
        while knots[-1] < on.stop:
            stop, step = _next_knot(target, knots[-1], on, allowed * fmpq(63, 64), step)
            knots.append(stop)
            values.append(_value(target, stop, bits))
            if len(knots) > max_knots:
                raise TooLargeError(
                    f"interpolating {target} within {float(arb(allowed)):.3g} in this "
                    f"way takes more than {max_knots} knots"
                )
    return Linearisation(PiecewiseAffine.through(knots, values), allowed)


def _bits(error: fmpq) -> int:
    return max(0, int(error.q).bit_length() - int(error.p).bit_length()) + 1


def _value(target: AbstractLineTarget, x: fmpq, bits: int) -> fmpq:
    """f(x) to within 2**-bits."""
    ball = target.jet(arb(x)).value
    if not ball.is_finite():
        raise HypothesisError(
            f"{target} could not be proved finite at x = {float(arb(x)):.6g}; it must "
            "be finite on the whole interval",
            parameter="law",
        )
    if ball.rad() > fmpq(1, 1 << (bits + 1)):
        raise HypothesisError(
            f"{target} cannot be evaluated to the required accuracy "
            f"near x = {float(arb(x)):.6g}: its values may be too "
            "large; rescale the formula or choose another interval",
            parameter="law",
        )
    return dyadic_near(ball_upper(arb(ball.mid())), bits + 1)


def _next_knot(
    target: AbstractLineTarget, start: fmpq, on: Segment, error: fmpq, step: fmpq
) -> tuple[fmpq, fmpq]:
    """A knot far enough, and the step to try next: doubled when there is room."""
    while True:
        stop = start + step
        is_last = stop >= on.stop
        stop = on.stop if is_last else stop
        off = chord_error(target, start, stop)
        if off is not None and off <= error:
            roomy = 4 * off <= error and not is_last
            return stop, step * 2 if roomy else _short(step * fmpq(65, 64))
        if step < SMALLEST * on.length:
            raise HypothesisError(
                f"{target} cannot be approximated near x = {float(arb(start)):.6g}: "
                "it may jump or be infinite there; choose another interval",
                parameter="law",
            )
        step = _smaller(step, off, error)


def _smaller(step: fmpq, off: arb | None, error: fmpq) -> fmpq:
    """Shrink by about the root of the excess, in sixteenths, to keep few bits."""
    if off is None:
        return step / 2
    share = (arb(error) / off).sqrt() * 16
    sixteenths = int(ball_upper(arb(share.lower())).floor()) if share > 1 else 1
    return _short(step * fmpq(min(15, max(4, sixteenths)), 16))


def _short(step: fmpq) -> fmpq:
    """Rounded down to 8 significant bits, so that knots stay short."""
    bits = int(step.q).bit_length() - int(step.p).bit_length() + 8
    unit = fmpq(1, 1 << bits) if bits >= 0 else fmpq(1 << -bits)
    return unit * (step / unit).floor()


def chord_error(target: AbstractLineTarget, start: fmpq, stop: fmpq) -> arb | None:
    """A bound on the distance of the target from its chord; None if unbounded."""
    error, _ = cell_error(target, start, stop, 1)
    return error if error.is_finite() else None


def cell_error(
    target: AbstractLineTarget, start: fmpq, stop: fmpq, power: int
) -> tuple[arb, fmpq]:
    """Bounds on |f - chord|: the largest E, infinite if unbounded, and a share s.

    The mean of |f - chord|^power over the cell is at most s E^power: under a parabola,
    which is above |f - chord| where |f''| is bounded, s is 2/3 or 8/15.
    """
    jet = target.jet(interval_ball(start, stop))
    h = arb(stop - start)
    if jet.second.is_finite():
        share = fmpq(2, 3) if power == 1 else fmpq(8, 15)
        return abs(jet.second).upper() * h * h / 8, share
    if jet.first.is_finite():
        return 2 * jet.first.rad() * h / 4, fmpq(1)
    off = 2 * jet.value.rad() if jet.value.is_finite() else arb("inf")
    return arb(off), fmpq(1)
