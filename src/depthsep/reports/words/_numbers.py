"""Numbers for readers: short, and rounded to the side on which they stay true."""

from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

import numpy as np
from flint import fmpq

from depthsep.exact import decimal, nearest_float, plain, rational, readable

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
    return plain(Context(prec=3, rounding=rounding).plus(Decimal(n)))


def error_words(error: fmpq, accuracy: fmpq) -> str:
    """A proved error, rounded up but not beyond the accuracy that it meets."""
    digits = decimal(error, 3, upward=True)
    if error <= accuracy < rational(digits):
        return readable(accuracy)
    return plain(digits)


def as_floats(values: Iterable[fmpq]) -> np.ndarray:
    """Nearest floats, for pictures; infinite where there is none."""
    return np.array([nearest_float(v) for v in values])
