"""Values of parameters as numbers: a study file may write 0.01 as "1/100"."""

import math
from fractions import Fraction

from depthsep._errors import HypothesisError
from depthsep.exact import rational

LONGEST = 40  # characters of a number in quotes


def number_of(value: object) -> float | None:
    """The number that a value of a parameter denotes; None for words and truths.

    A number beyond the floats is infinite.
    """
    if isinstance(value, str):
        return _read(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float_of(value)


def float_of(value: int | float | Fraction) -> float:
    """The number; infinite where it is beyond the floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _read(written: str) -> float | None:
    if len(written) > LONGEST or not written.lstrip("+-.")[:1].isdecimal():
        return None
    try:
        exact = rational(written)
    except HypothesisError:
        return None
    return float_of(Fraction(int(exact.p), int(exact.q)))
