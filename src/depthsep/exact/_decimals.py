"""Rationals for readers: the nearest float, and few digits rounded to a chosen side."""

import math
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
)

from flint import fmpq

MOST_DIGITS = 12
PLAIN_BELOW = 10**30


def nearest_float(value: fmpq) -> float:
    """The nearest float64; infinite beyond the largest. For display and heuristics."""
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def decimal(value: fmpq, digits: int, *, upward: bool | None = None) -> Decimal:
    """`value` to so many digits: rounded up, down, or (None) to the nearest."""
    rounding = {True: ROUND_CEILING, False: ROUND_FLOOR, None: ROUND_HALF_EVEN}[upward]
    context = Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
    return context.divide(Decimal(int(value.p)), Decimal(int(value.q)))


def readable(value: fmpq) -> str:
    """The value as people write it: exact where that is short, else ``about 3.14``."""
    near = decimal(value, 12)
    if fmpq(*map(int, near.as_integer_ratio())) == value:
        return plain(near)
    if len(str(value)) <= 9:
        return str(value)
    return f"about {plain(Context(prec=6).plus(near))}"


def integer_words(n: int | None) -> str:
    """All digits where they are few, else about how large; none of what is missing."""
    if n is None:
        return "none"
    return str(n) if n < PLAIN_BELOW else readable(fmpq(n))


def between(lower: fmpq, upper: fmpq) -> str:
    """``between 0.0116 and 0.0117``: both ends, rounded outward to what they share.

    Digits beyond the first two in which the ends differ say nothing, and are left out.
    """
    ends = (
        plain(decimal(value, _shared(lower, upper), upward=up))
        for value, up in ((lower, False), (upper, True))
    )
    return "between " + " and ".join(ends)


def _shared(lower: fmpq, upper: fmpq) -> int:
    """How many significant digits of the larger end the width leaves meaning to."""
    size, width = max(abs(lower), abs(upper)), upper - lower
    if size == 0 or width == 0:
        return MOST_DIGITS
    orders = decimal(size, 3).adjusted() - decimal(width, 3).adjusted()
    return min(max(orders + 2, 2), MOST_DIGITS)


def plain(value: Decimal) -> str:
    """``0.05`` near 1, ``9.98e-7`` far from it, no trailing zeros."""
    if value == 0:
        return "0"
    short = value.normalize()
    if -3 <= short.adjusted() < max(6, len(short.as_tuple().digits)):
        return f"{short:f}"
    digits = "".join(map(str, short.as_tuple().digits))
    mantissa = digits[0] + ("." + digits[1:] if digits[1:] else "")
    return f"{'-' * short.is_signed()}{mantissa}e{short.adjusted()}"
