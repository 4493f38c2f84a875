"""What the targets of the command line mean, in the referee's own words."""

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from mpmath import mp

from ._evaluate import value
from ._functions import Number, real

Truth = Callable[[Sequence[Number]], Number]
_INPUT = re.compile(r"\bx[1-9]")


def truth(target: str, law: str) -> Truth | None:
    """The target as a function of its inputs; None if the referee does not know it."""
    name, _, rest = target.partition(":")
    if name == "square":
        return lambda x: x[0] * x[0]
    if name == "product":
        return lambda x: x[0] * x[1]
    if name == "sawtooth":
        return lambda x: sawtooth(int(rest), x[0])
    if name == "parity":
        return math.prod
    if name == "inner":
        return _inner(rest, int(law.partition(":")[2]))
    if name == "radial":
        return _radial(rest)
    if name in ("poly", "expr") and _INPUT.search(rest):
        return lambda x: value(rest, **{f"x{k}": v for k, v in enumerate(x, 1)})
    return (lambda x: value(rest, x=x[0])) if name == "expr" else None


def sawtooth(folds: int, x: Number) -> Number:
    """The tent map applied so many times."""
    for _ in range(folds):
        x = 2 * x if 2 * x <= 1 else 2 - 2 * x
    return x


def _inner(written: str, dim: int) -> Truth:
    def inner(x: Sequence[Number]) -> Number:
        t = sum((a * b for a, b in zip(x[:dim], x[dim:], strict=True)), Fraction(0))
        return value(written, t=max(-1, min(1, t)), d=Fraction(dim))

    return inner


def _radial(written: str) -> Truth | None:
    """FORMULA on A,B in r; the named profiles are not known here."""
    formula, _, ends = written.partition(" on ")
    if not ends:
        return None
    start, stop = (Fraction(end) for end in ends.split(","))

    def radial(x: Sequence[Number]) -> Number:
        r = mp.sqrt(sum((real(v * v) for v in x), mp.mpf(0)))
        inside = real(start) <= r <= real(stop)
        return value(formula, r=r) if inside else Fraction(0)

    return radial
