"""Decisions by ball arithmetic: refine until decided, never guess."""

from collections.abc import Callable
from math import inf, nextafter

from flint import arb, ctx, fmpq, fmpz

from depthsep._errors import UndecidedError

LARGEST_EXPONENT = 1 << 16


def compare(
    build: Callable[[], arb], limit: fmpq, *, prec: int = 64, max_prec: int = 4096
) -> int:
    """-1 or 1: whether the real number that `build` encloses is below or above.

    `build` is called again at doubled precision until the ball excludes `limit`.

    Raises:
        UndecidedError: still undecided at `max_prec` bits (the two may be equal).
    """
    ball = arb(0)
    while prec <= max_prec:
        with ctx.workprec(prec):
            ball = build()
            if ball < limit:
                return -1
            if ball > limit:
                return 1
        prec *= 2
    raise UndecidedError(
        f"with {max_prec} bits of precision it could not be decided "
        f"whether {ball} is below or above {limit}"
    )


def is_below(build: Callable[[], arb], limit: fmpq, **precision: int) -> bool:
    """Whether the real number that `build` encloses is strictly below `limit`."""
    return compare(build, limit, **precision) < 0


def midpoint(ball: arb) -> fmpq:
    """The middle of a ball, exactly."""
    man, exp = ball.mid().man_exp()
    return fmpq(int(man)) * fmpq(2) ** int(exp)


def float_above(x: fmpq) -> float:
    """A float that is not below x, next to it or equal."""
    with ctx.workprec(53):
        return upper_float(arb(x))


def upper_float(ball: arb) -> float:
    """A float that no number of a ball exceeds."""
    if not ball.is_finite():
        return inf
    end = ball.upper()
    near = float(end)  # to the nearest float
    return nextafter(near, inf) if arb(near) < end else near


def ball_upper(ball: arb) -> fmpq:
    """A rational that is >= every number in `ball`: exact, as balls are dyadic.

    Numbers below 2^-65536 in size are replaced by that bound, or 0.

    Raises:
        UndecidedError: the ball is unbounded, or beyond 2^65536.
    """
    if not ball.is_finite():
        raise UndecidedError(f"a value could not be bounded: {ball}")
    top = ball.upper()
    mantissa, exponent = top.man_exp()
    magnitude = int(mantissa).bit_length() + int(exponent)
    if magnitude > LARGEST_EXPONENT:
        raise UndecidedError(
            "the absolute value of a number could not be bounded by "
            f"2^{LARGEST_EXPONENT}, which is the limit"
        )
    if magnitude < -LARGEST_EXPONENT:
        return fmpq(1, fmpz(1) << LARGEST_EXPONENT) if top > 0 else fmpq(0)
    if exponent >= 0:
        return fmpq(mantissa << int(exponent))
    return fmpq(mantissa, fmpz(1) << int(-exponent))


def ball_text(lower: fmpq, upper: fmpq, digits: int = 30) -> str:
    """``[mid +/- rad]``: a ball that holds the interval, to so many digits."""
    with ctx.workprec(4 * digits + 64):
        return arb(lower).union(arb(upper)).str(digits)
