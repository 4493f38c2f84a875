"""Second-order jets in ball arithmetic, and the functions formulas may use.

Each unary function is given by enclosures of g, g' and g''; the chain rule does the
rest. At a kink g'' is unbounded and g' encloses both slopes. Parts of a formula that
do not change have ZERO itself as derivatives, and are not differentiated.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from flint import arb, fmpq

from depthsep.exact import Jet

Unary = Callable[[arb], arb]
ZERO = arb(0)
"""A derivative that is known to be 0: it is recognised by its identity."""


@dataclass(frozen=True)
class Function:
    """A unary function: balls for its value and two derivatives, and float64.

    A ball that sticks out of the domain is clipped to it.
    """

    value: Unary
    first: Unary
    second: Unary
    floats: Callable[[np.ndarray], np.ndarray]


def unbounded() -> arb:
    """The ball that contains every real number."""
    return arb(0, "inf")


def constant(c: arb) -> Jet:
    """The jet of a constant."""
    return Jet(c, ZERO, ZERO)


def variable(x: arb, step: int | fmpq) -> Jet:
    """The jet of x + t step at t = 0, for a number `step`."""
    return Jet(x, arb(step) if step else ZERO, ZERO)


def is_constant(f: Jet) -> bool:
    """Whether both derivatives are known to be 0."""
    return f.first is ZERO and f.second is ZERO


def _plus(a: arb, b: arb) -> arb:
    return b if a is ZERO else a if b is ZERO else a + b


def _times(a: arb, b: arb) -> arb:
    return ZERO if a is ZERO or b is ZERO else a * b


def add(f: Jet, g: Jet) -> Jet:
    """The sum."""
    return Jet(f.value + g.value, _plus(f.first, g.first), _plus(f.second, g.second))


def multiply(f: Jet, g: Jet) -> Jet:
    """The product."""
    value = f.value * g.value
    if is_constant(f):
        return Jet(value, _times(f.value, g.first), _times(f.value, g.second))
    if is_constant(g):
        return Jet(value, _times(g.value, f.first), _times(g.value, f.second))
    return Jet(
        value,
        f.first * g.value + f.value * g.first,
        f.second * g.value + 2 * f.first * g.first + f.value * g.second,
    )


def shift(c: arb, f: Jet) -> Jet:
    """c + f for a constant c."""
    return Jet(c + f.value, f.first, f.second)


def scale(c: arb, f: Jet) -> Jet:
    """c f for a constant c."""
    return Jet(c * f.value, _times(c, f.first), _times(c, f.second))


def undefined() -> Jet:
    """The jet of what has no value that is known."""
    nan = arb("nan")
    return Jet(nan, nan, nan)


def apply(function: Function, f: Jet) -> Jet:
    """function(f), by the chain rule; nothing is known of an unbounded argument."""
    x = f.value
    if not x.is_finite():
        return undefined()
    value = function.value(x)
    if is_constant(f) and value.is_finite():
        return constant(value)
    # exp is its own derivatives
    first, second = function.first, function.second
    slope = value if first is function.value else first(x)
    bend = value if second is function.value else second(x)
    turned = bend * f.first * f.first
    if f.second is not ZERO:
        turned += slope * f.second
    return Jet(value, slope * f.first, turned)


def integer_power(f: Jet, n: int) -> Jet:
    """f**n for any integer n."""
    x = f.value
    if n < 0 and not x.is_nan() and x.contains(0):
        return Jet(unbounded(), unbounded(), unbounded())
    return apply(_integer_powers(n), f)


@lru_cache(maxsize=64)
def _integer_powers(n: int) -> Function:
    return Function(
        lambda t: _tight_power(t, n),
        lambda t: n * _tight_power(t, n - 1) if n else arb(0),
        lambda t: n * (n - 1) * _tight_power(t, n - 2) if n * (n - 1) else arb(0),
        lambda t: t**n,
    )


def _tight_power(t: arb, n: int) -> arb:
    """t**n, from the ends of the ball: t * t would forget that squares are >= 0."""
    if n == 0:
        return arb(1)
    if n == 1:
        # t**1 is nan for balls that contain 0
        return t
    if t.rad() == 0 or not t.is_finite():
        return t**n
    ends = (arb(t.lower()) ** n).union(arb(t.upper()) ** n)
    return ends.union(arb(0)) if t.contains(0) else ends


def larger(f: Jet, g: Jet, sign: int) -> Jet:
    """max(f, g) for sign = 1, min(f, g) for sign = -1."""
    if f.value.is_nan() or g.value.is_nan():
        return undefined()
    gap = (f.value - g.value) * sign
    if gap > 0:
        return f
    if gap < 0:
        return g
    value = f.value.max(g.value) if sign > 0 else f.value.min(g.value)
    if is_constant(f) and is_constant(g):
        return constant(value)
    return Jet(value, f.first.union(g.first), unbounded())


def _absolute(x: arb) -> arb:
    # abs of a ball around 0 is the ball itself, negative half included
    return arb(0).union(arb(abs(x).upper())) if x.contains(0) else abs(x)


def _absolute_slope(x: arb) -> arb:
    return arb(1) if x > 0 else arb(-1) if x < 0 else arb(0, 1)


def _flat_off_zero(x: arb) -> arb:
    return arb(0) if x > 0 or x < 0 else unbounded()


def _sqrt(x: arb) -> arb:
    # a ball may stick out below 0 by rounding; the argument itself may not
    return arb("nan") if x < 0 else x.nonnegative_part().sqrt()


def _power(exponent: arb) -> Function:
    def derivative(order: int) -> Unary:
        factor = arb(1)
        for k in range(order):
            factor *= exponent - k
        return lambda x: factor * _real_power(x, exponent - order)

    e = float(exponent)
    return Function(
        lambda x: _real_power(x, exponent),
        derivative(1),
        derivative(2),
        lambda x: np.power(x, e),
    )


def _real_power(x: arb, exponent: arb) -> arb:
    """x**exponent for x >= 0; a ball may stick out below 0 by rounding."""
    if x > 0:
        return (x.log() * exponent).exp()
    if x < 0:
        return arb("nan")
    if not exponent > 0:
        return unbounded()
    top = arb(x.upper())
    return arb(0).union((top.log() * exponent).exp()) if top > 0 else arb(0)


def real_power(f: Jet, exponent: arb) -> Jet:
    """f**exponent for f >= 0 (undefined, not finite, where f < 0)."""
    return apply(_power(exponent), f)


def _acosh(x: arb) -> arb:
    if x < 1:
        return arb("nan")
    low = arb(x.lower()).acosh() if x.lower() > 1 else arb(0)
    high = arb(x.upper()).acosh() if x.upper() > 1 else arb(0)
    return low.union(high)


def _sech2(x: arb) -> arb:
    return 1 / x.cosh() ** 2


def _gauss(x: arb) -> arb:
    return 2 * (-x * x).exp() / arb.pi().sqrt()


def _unit(x: arb) -> arb:
    return 1 - x * x


def _inside(x: arb, inner: Unary) -> arb:
    """inner(x) clipped to the closed domain [-1, 1] of asin and acos."""
    if x > 1 or x < -1:
        return arb("nan")
    low = arb(-1) if not x.lower() > -1 else arb(x.lower())
    high = arb(1) if not x.upper() < 1 else arb(x.upper())
    return inner(low).union(inner(high))


def _sinc_slope(x: arb) -> arb:
    """-x/3 0F1(5/2; -x^2/4); at most 1/3 steep."""
    return _from_middle(x, lambda m: -m / 3 * _bessel(m, 5), arb(1) / 3)


def _sinc_bend(x: arb) -> arb:
    """-1/3 0F1(5/2; z) + x^2/15 0F1(7/2; z), z = -x^2/4; at most 1/4 steep."""
    return _from_middle(
        x, lambda m: -_bessel(m, 5) / 3 + m * m / 15 * _bessel(m, 7), arb(1) / 4
    )


def _bessel(x: arb, twice: int) -> arb:
    return (-x * x / 4).hypgeom_0f1(arb(twice) / 2)


def _from_middle(x: arb, function: Unary, steepest: arb) -> arb:
    """Around the value at the middle of a ball, by how steep the function can be."""
    return function(arb(x.mid())) + arb(0, 1) * arb(x.rad()) * steepest


FUNCTIONS: dict[str, Function] = {
    "sinc": Function(arb.sinc, _sinc_slope, _sinc_bend, lambda x: np.sinc(x / np.pi)),
    "sin": Function(arb.sin, arb.cos, lambda x: -x.sin(), np.sin),
    "cos": Function(arb.cos, lambda x: -x.sin(), lambda x: -x.cos(), np.cos),
    "tan": Function(
        arb.tan,
        lambda x: 1 + x.tan() ** 2,
        lambda x: 2 * x.tan() * (1 + x.tan() ** 2),
        np.tan,
    ),
    # sympy turns tan(x + pi/2) into a cotangent
    "cot": Function(
        arb.cot,
        lambda x: -1 - x.cot() ** 2,
        lambda x: 2 * x.cot() * (1 + x.cot() ** 2),
        lambda x: 1 / np.tan(x),
    ),
    "asin": Function(
        lambda x: _inside(x, arb.asin),
        lambda x: _unit(x).rsqrt(),
        lambda x: x * _unit(x).rsqrt() ** 3,
        np.arcsin,
    ),
    "acos": Function(
        lambda x: _inside(x, arb.acos),
        lambda x: -_unit(x).rsqrt(),
        lambda x: -x * _unit(x).rsqrt() ** 3,
        np.arccos,
    ),
    "atan": Function(
        arb.atan,
        lambda x: 1 / (1 + x * x),
        lambda x: -2 * x / (1 + x * x) ** 2,
        np.arctan,
    ),
    "sinh": Function(arb.sinh, arb.cosh, arb.sinh, np.sinh),
    "cosh": Function(arb.cosh, arb.sinh, arb.cosh, np.cosh),
    "tanh": Function(arb.tanh, _sech2, lambda x: -2 * x.tanh() * _sech2(x), np.tanh),
    "asinh": Function(
        arb.asinh,
        lambda x: (1 + x * x).rsqrt(),
        lambda x: -x * (1 + x * x).rsqrt() ** 3,
        np.arcsinh,
    ),
    "acosh": Function(
        _acosh,
        lambda x: (x * x - 1).rsqrt(),
        lambda x: -x * (x * x - 1).rsqrt() ** 3,
        np.arccosh,
    ),
    "atanh": Function(
        arb.atanh, lambda x: 1 / _unit(x), lambda x: 2 * x / _unit(x) ** 2, np.arctanh
    ),
    "exp": Function(arb.exp, arb.exp, arb.exp, np.exp),
    "log": Function(arb.log, lambda x: 1 / x, lambda x: -1 / (x * x), np.log),
    "sqrt": Function(
        _sqrt,
        lambda x: x.rsqrt() / 2 if x > 0 else unbounded(),
        lambda x: -(x.rsqrt() ** 3) / 4 if x > 0 else unbounded(),
        np.sqrt,
    ),
    "erf": Function(
        arb.erf, _gauss, lambda x: -2 * x * _gauss(x), np.vectorize(math.erf, "d")
    ),
    "Abs": Function(_absolute, _absolute_slope, _flat_off_zero, np.abs),
    "sign": Function(
        lambda x: arb(1) if x > 0 else arb(-1) if x < 0 else arb(0, 1),
        _flat_off_zero,
        _flat_off_zero,
        np.sign,
    ),
}
