"""Values of parameters as numbers: a study file may write 0.01 as "1/100"."""

import math

from depthsep._errors import HypothesisError
from depthsep.exact import rational

LONGEST = 40  # characters of a number in quotes


def number_of(value: object) -> float | None:
    """The number that a value of a parameter denotes; None for words and truths.

    A number beyond the floats is infinite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value) if not isinstance(value, str) else _read(value)
    except OverflowError:
        return math.inf
    except HypothesisError:
        return None


def _read(written: str) -> float | None:
    if len(written) > LONGEST or not written.lstrip("+-.")[:1].isdecimal():
        return None
    exact = rational(written)
    return int(exact.p) / int(exact.q)
