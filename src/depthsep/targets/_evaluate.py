"""Evaluate sympy expressions in one real symbol: in jets of balls, and in float64."""

from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx

from depthsep._errors import HypothesisError
from depthsep.exact import rational
from depthsep.targets import _jets as jets
from depthsep.targets._base import Jet

if TYPE_CHECKING:
    import sympy


def constant_ball(node: "sympy.Basic") -> arb:
    """An enclosure of a constant expression; not finite where it overflows."""
    with ctx.workprec(64):
        return expression_jet(node, jets.constant(arb("nan"))).value


def _number(node: "sympy.Basic") -> arb:
    if node.is_Rational:
        return arb(rational(str(node)))
    name = str(node)
    if name == "pi":
        return arb.pi()
    if name == "E":
        return arb(1).exp()
    raise HypothesisError(f"the formula contains {name}, which is not a real number")


def expression_jet(node: "sympy.Basic", x: Jet) -> Jet:
    if node.is_Symbol:
        return x
    if not node.args:
        return jets.constant(_number(node))
    name = type(node).__name__
    if node.is_Pow:
        return _power_jet(node, x)
    parts = [expression_jet(a, x) for a in node.args]
    result = parts[0]
    if node.is_Add or node.is_Mul:
        combine = jets.add if node.is_Add else jets.multiply
        for part in parts[1:]:
            result = combine(result, part)
        return result
    if name in ("Max", "Min"):
        for part in parts[1:]:
            result = jets.larger(result, part, 1 if name == "Max" else -1)
        return result
    return jets.apply(_known(name), result)


def _power_jet(node: "sympy.Basic", x: Jet) -> Jet:
    base, exponent = node.args
    if exponent.is_Integer:
        return jets.integer_power(expression_jet(base, x), int(str(exponent)))
    if str(exponent) == "1/2":
        return jets.apply(jets.FUNCTIONS["sqrt"], expression_jet(base, x))
    if exponent.is_number:
        return jets.real_power(
            expression_jet(base, x), expression_jet(exponent, x).value
        )
    log_base = jets.apply(jets.FUNCTIONS["log"], expression_jet(base, x))
    return jets.apply(
        jets.FUNCTIONS["exp"], jets.multiply(expression_jet(exponent, x), log_base)
    )


def expression_floats(node: "sympy.Basic", x: np.ndarray) -> np.ndarray:
    if node.is_Symbol:
        return x
    if not node.args:
        return np.float64(float(_number(node)))  # type: ignore[return-value]
    parts = [expression_floats(a, x) for a in node.args]
    name = type(node).__name__
    if node.is_Add:
        return sum(parts)  # type: ignore[return-value]
    if node.is_Mul:
        return np.prod(np.broadcast_arrays(*parts), axis=0)
    if node.is_Pow:
        exponent = node.args[1]
        return parts[0] ** (int(str(exponent)) if exponent.is_Integer else parts[1])
    if name in ("Max", "Min"):
        combine = np.maximum if name == "Max" else np.minimum
        return combine.reduce(np.broadcast_arrays(*parts))
    return _known(name).floats(parts[0])


def _known(name: str) -> jets.Function:
    if name not in jets.FUNCTIONS:
        raise HypothesisError(
            f"the formula simplifies to {name}, which is not supported"
        )
    return jets.FUNCTIONS[name]
