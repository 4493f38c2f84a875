"""Turn sympy expressions in real symbols into functions: jets of balls, float64."""

import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Jet, jets

if TYPE_CHECKING:
    import sympy

PRECISION = 256  # bits of constants, which are evaluated once
JetFunction = Callable[[Mapping[str, Jet]], Jet]
FloatFunction = Callable[[Mapping[str, np.ndarray]], np.ndarray]
FOLDS = {
    "Add": operator.add,
    "Mul": operator.mul,
    "Pow": operator.pow,
    "Max": np.maximum,
    "Min": np.minimum,
}


def constant_ball(node: "sympy.Basic", precision: int = 64) -> arb:
    """An enclosure of a constant expression; not finite where it overflows."""
    with ctx.workprec(precision):
        return _combined(node)({}).value


def exact_value(node: "sympy.Basic") -> fmpq:
    """A rational constant of sympy, of any length."""
    return fmpq(int(node.p), int(node.q))  # type: ignore[attr-defined]


def jet_function(node: "sympy.Basic") -> JetFunction:
    """The expression as a function of the jets of its symbols, by name."""
    if node.is_Symbol:
        name = str(node)
        return lambda x: x[name]
    if not node.free_symbols:
        fixed = jets.constant(constant_ball(node, PRECISION))
        return lambda x: fixed
    return _combined(node)


def _combined(node: "sympy.Basic") -> JetFunction:
    """The outermost operation applied to the functions of the arguments."""
    if not node.args:
        fixed = jets.constant(_number(node))
        return lambda x: fixed
    if node.is_Pow:
        return _power(node)
    if node.is_Add or node.is_Mul:
        return _fold(node)
    parts = [jet_function(part) for part in node.args]
    name = type(node).__name__
    if name in ("Max", "Min"):
        sign = 1 if name == "Max" else -1
        return lambda x: reduce(
            lambda f, g: jets.larger(f, g, sign), [part(x) for part in parts]
        )
    function = _known(name)
    if len(parts) != 1:
        raise HypothesisError(f"{name} of {len(parts)} arguments is not supported")
    return lambda x: jets.apply(function, parts[0](x))


def _fold(node: "sympy.Basic") -> JetFunction:
    """A sum or a product; its numbers are put together once."""
    both, one = (jets.add, jets.shift) if node.is_Add else (jets.multiply, jets.scale)
    fixed = [part for part in node.args if not part.free_symbols]
    parts = [jet_function(part) for part in node.args if part.free_symbols]
    if not fixed:
        return lambda x: reduce(both, [part(x) for part in parts])
    with ctx.workprec(PRECISION):
        number = reduce(both, [jet_function(part)({}) for part in fixed]).value
    if not parts:
        return lambda x: jets.constant(number)
    first, *others = parts
    return lambda x: reduce(both, [p(x) for p in others], one(number, first(x)))


def _number(node: "sympy.Basic") -> arb:
    if node.is_Rational:
        return arb(exact_value(node))
    name = str(node)
    if name == "pi":
        return arb.pi()
    if name == "E":
        return arb(1).exp()
    raise HypothesisError(f"the formula contains {name}, which is not a real number")


def _power(node: "sympy.Basic") -> JetFunction:
    base, exponent = (jet_function(part) for part in node.args)
    written = node.args[1]
    if written.is_Integer:
        n = int(str(written))
        return lambda x: jets.integer_power(base(x), n)
    if str(written) == "1/2":
        return lambda x: jets.apply(jets.FUNCTIONS["sqrt"], base(x))
    if written.is_number:
        return lambda x: jets.real_power(base(x), exponent(x).value)
    log, exp = jets.FUNCTIONS["log"], jets.FUNCTIONS["exp"]
    return lambda x: jets.apply(
        exp, jets.multiply(exponent(x), jets.apply(log, base(x)))
    )


def float_function(node: "sympy.Basic") -> FloatFunction:
    """The values at arrays of its symbols, rounded: for exploration and pictures."""
    if node.is_Symbol:
        name = str(node)
        return lambda x: x[name]
    if not node.args:
        number = np.asarray(float(_number(node)))
        return lambda x: number
    combined = _of_floats(node)
    if node.free_symbols:
        return combined
    with np.errstate(all="ignore"):
        fixed = combined({})
    return lambda x: fixed


def _of_floats(node: "sympy.Basic") -> FloatFunction:
    """The outermost operation applied to the functions of the arguments."""
    if node.is_Pow and node.args[1].is_Integer:
        base, n = float_function(node.args[0]), int(str(node.args[1]))
        return lambda x: base(x) ** n
    parts = [float_function(part) for part in node.args]
    name = type(node).__name__
    if name in FOLDS:
        fold = FOLDS[name]
        return lambda x: reduce(fold, [part(x) for part in parts])
    function = _known(name).floats
    return lambda x: function(parts[0](x))


def _known(name: str) -> jets.Function:
    if name not in jets.FUNCTIONS:
        raise HypothesisError(
            f"the simplified formula contains {name}, which is not supported"
        )
    return jets.FUNCTIONS[name]
