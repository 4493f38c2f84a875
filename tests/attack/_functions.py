"""Arithmetic and functions on numbers that are exact where they can be.

A number is a `Fraction` or an mpf at mpmath's current precision.
"""

import ast
import math
from collections.abc import Callable
from fractions import Fraction

from mpmath import mp, mpf

Number = Fraction | mpf
SMALL, HUGE = mpf(10) ** -35, mpf(10) ** 100
DIGITS = 150
"""Work at this precision: then sizes between `SMALL` and `HUGE` have sure signs."""
_BITS = 4000


class Undefined(Exception):
    """The formula has no real value here."""


class Doubtful(Exception):
    """The digits at hand do not tell, or the numbers are too large."""


def real(x: Number) -> mpf:
    """The number as an mpf, rounded to the current precision."""
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


def sign(x: Number) -> int:
    """-1, 0 or 1, where that is certain."""
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    if abs(x) < SMALL:
        raise Doubtful
    return 1 if x > 0 else -1


def checked(x: Number) -> Number:
    """The number, rounded if it is long; refused if it is enormous."""
    if isinstance(x, Fraction):
        size = x.numerator.bit_length() + x.denominator.bit_length()
        return x if size < _BITS else checked(real(x))
    if not abs(x) < HUGE:
        raise Doubtful
    return x


def _both(exact: Callable, rounded: Callable) -> Callable[[Number, Number], Number]:
    def operation(a: Number, b: Number) -> Number:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return exact(a, b)
        return rounded(real(a), real(b))

    return operation


def _divide(a: Number, b: Number) -> Number:
    if sign(b) == 0:
        raise Undefined
    return _both(lambda p, q: p / q, lambda p, q: p / q)(a, b)


def _power(a: Number, b: Number) -> Number:
    if isinstance(b, Fraction) and b.denominator == 1:
        if b <= 0 and sign(a) == 0:
            raise Undefined if b < 0 else Doubtful
        if isinstance(a, Fraction) and abs(b) <= 64:
            return a**b
        return mp.power(real(a), int(b))
    if abs(real(b) - mp.nint(real(b))) < SMALL:
        raise Doubtful
    side = sign(a)
    if side < 0 or (side == 0 and b < 0):
        raise Undefined
    return mp.power(real(a), real(b)) if side else Fraction(0)


def _smooth(
    name: str, at_zero: int, *, most: float = math.inf
) -> Callable[[Number], Number]:
    function = getattr(mp, name)

    def evaluate(x: Number) -> Number:
        if x == 0:
            return Fraction(at_zero)
        if abs(real(x)) > most:
            raise Doubtful
        return function(real(x))

    return evaluate


def _within(margin: Callable, inner: Callable, *, strict: bool) -> Callable:
    """The function where the margin is positive; where it is 0 unless strict."""

    def evaluate(x: Number) -> Number:
        side = sign(margin(x))
        if side < 0 or (strict and side == 0):
            raise Undefined
        return inner(x)

    return evaluate


def _sqrt(x: Number) -> Number:
    if isinstance(x, Fraction):
        root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
        if root * root == x:
            return root
    return mp.sqrt(real(x))


def _log(x: Number) -> Number:
    return Fraction(0) if x == 1 else mp.log(real(x))


def _itself(x: Number) -> Number:
    return x


def _inside(x: Number) -> Number:
    return 1 - abs(x)


def _cosine(x: Number) -> Number:
    return mp.cos(real(x))


OPERATIONS = {
    ast.Add: _both(lambda a, b: a + b, lambda a, b: a + b),
    ast.Sub: _both(lambda a, b: a - b, lambda a, b: a - b),
    ast.Mult: _both(lambda a, b: a * b, lambda a, b: a * b),
    ast.Div: _divide,
    ast.Pow: _power,
}
MARGINS = {
    "sqrt": ("nonnegative", _itself),
    "log": ("positive", _itself),
    "ln": ("positive", _itself),
    "asin": ("nonnegative", _inside),
    "acos": ("nonnegative", _inside),
    "acosh": ("nonnegative", lambda x: x - 1),
    "atanh": ("positive", _inside),
    "tan": ("nonzero", _cosine),
}
FUNCTIONS: dict[str, Callable[[Number], Number]] = {
    "sqrt": _within(_itself, _sqrt, strict=False),
    "log": _within(_itself, _log, strict=True),
    "ln": _within(_itself, _log, strict=True),
    "asin": _within(_inside, _smooth("asin", 0), strict=False),
    "acos": _within(_inside, lambda x: mp.acos(real(x)), strict=False),
    "acosh": _within(lambda x: x - 1, lambda x: mp.acosh(real(x)), strict=False),
    "atanh": _within(_inside, _smooth("atanh", 0), strict=True),
    "tan": _within(lambda x: abs(_cosine(x)), _smooth("tan", 0), strict=True),
    "sin": _smooth("sin", 0),
    "cos": _smooth("cos", 1),
    "atan": _smooth("atan", 0),
    "sinh": _smooth("sinh", 0, most=200),
    "cosh": _smooth("cosh", 1, most=200),
    "tanh": _smooth("tanh", 0),
    "asinh": _smooth("asinh", 0),
    "exp": _smooth("exp", 1, most=200),
    "erf": _smooth("erf", 0),
    "abs": abs,
    "sign": lambda x: Fraction(sign(x)),
}
