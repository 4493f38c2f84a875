"""Formulas that are piecewise affine with rational numbers, followed exactly."""

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING

from flint import fmpq

from depthsep.exact import PiecewiseAffine
from depthsep.formulas._evaluate import exact_value

if TYPE_CHECKING:
    import sympy

MAX_KNOTS = 2048


class _NotAffineError(Exception):
    """The formula is not seen to be piecewise affine."""


def affine_pieces(
    node: "sympy.Basic", start: fmpq, stop: fmpq
) -> PiecewiseAffine | None:
    """The formula on [start, stop], made of x, abs, max, min, sums and multiples.

    None for other formulas and for more than 2,048 knots.
    """
    try:
        return _followed(node, start, stop).simplified()
    except _NotAffineError:
        return None


def _followed(node: "sympy.Basic", start: fmpq, stop: fmpq) -> PiecewiseAffine:
    if node.is_Symbol:
        return PiecewiseAffine.through([start, stop], [start, stop])
    if node.is_Rational:
        value = exact_value(node)
        return PiecewiseAffine.through([start, stop], [value, value])
    name = type(node).__name__
    if name not in ("Add", "Mul", "Abs", "Max", "Min"):
        raise _NotAffineError
    parts = [_followed(part, start, stop) for part in node.args]
    if name == "Add":
        return reduce(lambda f, g: _joined(f, g, lambda a, b: a + b), parts)
    if name == "Mul":
        if sum(len(set(f.values.tolist())) > 1 for f in parts) > 1:
            raise _NotAffineError
        return reduce(lambda f, g: _joined(f, g, lambda a, b: a * b), parts)
    if name == "Abs":
        zero = PiecewiseAffine.through([start, stop], [fmpq(0), fmpq(0)])
        return _joined(_cut(parts[0], zero), zero, lambda a, b: abs(a))
    choose = max if name == "Max" else min
    return reduce(lambda f, g: _joined(_cut(f, g), g, choose), parts)


def _joined(
    f: PiecewiseAffine, g: PiecewiseAffine, combine: Callable[[fmpq, fmpq], fmpq]
) -> PiecewiseAffine:
    knots = sorted({*f.knots.tolist(), *g.knots.tolist()})
    if len(knots) > MAX_KNOTS:
        raise _NotAffineError
    return PiecewiseAffine.through(knots, [combine(f(x), g(x)) for x in knots])


def _cut(f: PiecewiseAffine, g: PiecewiseAffine) -> PiecewiseAffine:
    """f with more knots: those of g, and where the two cross."""
    gap = _joined(f, g, lambda a, b: a - b)
    x, v = gap.knots.tolist(), gap.values.tolist()
    knots = list(x)
    for k in range(len(x) - 1):
        if v[k] * v[k + 1] < 0:
            knots.append(x[k] + (x[k + 1] - x[k]) * v[k] / (v[k] - v[k + 1]))
    knots.sort()
    return PiecewiseAffine.through(knots, [f(t) for t in knots])
