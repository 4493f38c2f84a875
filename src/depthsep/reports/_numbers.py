"""Numbers for readers: short, and rounded to the side on which they stay true."""

import math
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

import numpy as np
from flint import fmpq

PLAIN_BELOW = 10**6


def power_of_two(n: int) -> int | None:
    """k with n = 2**k, for powers too long to write out; None for all else."""
    if n < PLAIN_BELOW or n & (n - 1):
        return None
    return n.bit_length() - 1


def compact(n: int, *, upward: bool) -> str:
    """An integer in few characters: ``353``, ``2^60`` or ``8.19e17``.

    Rounded up or down as told, so that "at least" and "at most" remain true.
    """
    if abs(n) < PLAIN_BELOW:
        return str(n)
    exponent = power_of_two(n)
    if exponent is not None:
        return f"2^{exponent}"
    rounding = ROUND_CEILING if upward else ROUND_FLOOR
    return _written(Context(prec=3, rounding=rounding).plus(Decimal(n)))


def error_words(error: fmpq, accuracy: fmpq) -> str:
    """A proved error, rounded up but not beyond the accuracy that it meets."""
    digits = _quotient(error, Context(prec=3, rounding=ROUND_CEILING))
    if error <= accuracy < fmpq(*map(int, digits.as_integer_ratio())):
        return readable(accuracy)
    return _written(digits)


def readable(value: fmpq) -> str:
    """The value as people write it: exact where that is short, else ``about 3.14``."""
    near = _quotient(value, Context(prec=12, rounding=ROUND_HALF_EVEN))
    if fmpq(*map(int, near.as_integer_ratio())) == value:
        return _written(near)
    if len(str(value)) <= 9:
        return str(value)
    return f"about {_written(Context(prec=6).plus(near))}"


def as_floats(values: Iterable[fmpq]) -> np.ndarray:
    """Nearest floats, for pictures; infinite where there is none."""
    return np.array([_as_float(v) for v in values])


def _as_float(value: fmpq) -> float:
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return math.copysign(math.inf, int(value.p))


def _quotient(value: fmpq, context: Context) -> Decimal:
    return context.divide(Decimal(int(value.p)), Decimal(int(value.q)))


def _written(value: Decimal) -> str:
    """``0.05`` near 1, ``9.98e-7`` far from it, no trailing zeros."""
    if value == 0:
        return "0"
    short = value.normalize()
    if -3 <= short.adjusted() < max(6, len(short.as_tuple().digits)):
        return f"{short:f}"
    digits = "".join(map(str, short.as_tuple().digits))
    mantissa = digits[0] + ("." + digits[1:] if digits[1:] else "")
    return f"{'-' * short.is_signed()}{mantissa}e{short.adjusted()}"
