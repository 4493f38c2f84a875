"""Taylor series of formulas in x, in balls."""

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING

from flint import arb, arb_series, ctx

from depthsep.formulas._evaluate import constant_ball

if TYPE_CHECKING:
    import sympy

Series = arb_series
Rule = Callable[[Series], Series]


def taylor_series(node: "sympy.Basic", around: arb, order: int) -> list[arb] | None:
    """The first `order` Taylor coefficients at every point of a ball, enclosed.

    None where the formula is not proved to be analytic there.
    """
    before, ctx.cap = ctx.cap, order
    try:
        found = _series(node, arb_series([around, 1], prec=order), order)
    except (ValueError, ZeroDivisionError, KeyError):
        return None
    finally:
        ctx.cap = before
    coefficients = found.coeffs()
    coefficients += [arb(0)] * (order - len(coefficients))
    return coefficients if all(c.is_finite() for c in coefficients) else None


def _series(node: "sympy.Basic", x: Series, order: int) -> Series:
    if node.is_Symbol:
        return x
    if not node.free_symbols:
        return arb_series([constant_ball(node, ctx.prec)], prec=order)
    if node.is_Pow:
        return _power(node, x, order)
    parts = [_series(part, x, order) for part in node.args]
    if node.is_Add:
        return reduce(lambda f, g: f + g, parts)
    if node.is_Mul:
        return reduce(lambda f, g: f * g, parts)
    name = type(node).__name__
    if name in ("Max", "Min"):
        return reduce(lambda f, g: _larger(f, g, name == "Max"), parts)
    return _RULES[name](parts[0])


def _power(node: "sympy.Basic", x: Series, order: int) -> Series:
    base, exponent = node.args
    f = _series(base, x, order)
    if exponent.is_Integer:
        n = int(str(exponent))
        whole = _whole_power(f, abs(n), order)
        return whole if n >= 0 else 1 / whole
    if str(exponent) in ("1/2", "-1/2"):
        return f.sqrt() if str(exponent) == "1/2" else f.rsqrt()
    return (_series(exponent, x, order) * f.log()).exp()


def _whole_power(f: Series, n: int, order: int) -> Series:
    found = arb_series([1], prec=order)
    while n:
        if n % 2:
            found = found * f
        f, n = f * f, n // 2
    return found


def _larger(f: Series, g: Series, is_largest: bool) -> Series:
    """The one of two that is larger on the whole ball."""
    gap = _value(f) - _value(g)
    if gap > 0 or gap < 0:
        return f if (gap > 0) == is_largest else g
    raise ValueError("neither is larger on the whole ball")


def _absolute(f: Series) -> Series:
    if _value(f) > 0:
        return f
    if _value(f) < 0:
        return -f
    raise ValueError("the sign changes on the ball")


def _value(f: Series) -> arb:
    coefficients = f.coeffs()
    return coefficients[0] if coefficients else arb(0)


def _exp(f: Series) -> Series:
    return f.exp()


_RULES: dict[str, Rule] = {
    "Abs": _absolute,
    "exp": _exp,
    "log": lambda f: f.log(),
    "sqrt": lambda f: f.sqrt(),
    "sin": lambda f: f.sin(),
    "cos": lambda f: f.cos(),
    "tan": lambda f: f.tan(),
    "cot": lambda f: f.cos() / f.sin(),
    "asin": lambda f: f.asin(),
    "acos": lambda f: f.acos(),
    "atan": lambda f: f.atan(),
    "sinh": lambda f: (_exp(f) - _exp(-f)) / 2,
    "cosh": lambda f: (_exp(f) + _exp(-f)) / 2,
    "tanh": lambda f: 1 - 2 / (_exp(2 * f) + 1),
    "asinh": lambda f: (f + (f * f + 1).sqrt()).log(),
    "acosh": lambda f: (f + (f * f - 1).sqrt()).log(),
    "atanh": lambda f: ((1 + f) / (1 - f)).log() / 2,
    "erf": lambda f: f.erf(),
    "sinc": lambda f: f.sin() / f,
}
