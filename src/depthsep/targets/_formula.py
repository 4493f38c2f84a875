"""Formulas in x: parsed from a whitelisted syntax tree, never evaluated as code."""

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from depthsep._errors import HypothesisError
from depthsep.exact import rational
from depthsep.targets._evaluate import constant_ball

if TYPE_CHECKING:
    import sympy

MAX_CHARACTERS = 20_000
MAX_NESTING = 60
MAX_EXPONENT = 1000
MAX_BITS = 20_000
MAX_DIGITS = 100
FUNCTIONS = (
    *("sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "ln", "sqrt", "erf", "abs", "sign", "min", "max"),
)
_VARIABLE = re.compile(r"\bx([1-9][0-9]{0,2})\b")
_SYMPY_NAMES = {"abs": "Abs", "min": "Min", "max": "Max", "ln": "log"}


def parse_formula(written: str, variables: Sequence[str] = ("x",)) -> "sympy.Expr":
    """The sympy expression, in real symbols of these names, that a formula denotes.

    Allowed: the variables, numbers (decimals are read exactly), pi, e, + - * / **,
    parentheses and the functions in `FUNCTIONS`. sympy's own parser is not used: it
    runs Python code.

    Raises:
        HypothesisError: anything else, with the offending part and the remedy.
    """
    if len(written) > MAX_CHARACTERS:
        raise HypothesisError(f"the formula is longer than {MAX_CHARACTERS} characters")
    try:
        tree = ast.parse(written.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = getattr(error, "msg", None) or str(error)
        raise HypothesisError(
            f"cannot read the formula {written[:60]!r}: {reason}; "
            "write for example sin(20*x) or x**2 + 1/3"
        ) from None
    return _Builder(written.strip(), variables).build(tree.body, 0)


def variables_of(written: str) -> list[str]:
    """The names x1, x2, ... that a formula mentions, in order of their numbers."""
    found = {int(n) for n in _VARIABLE.findall(written)}
    return [f"x{n}" for n in sorted(found)]


def inputs_of(formula: str, dim: int | None, most: int, kind: str) -> int:
    """The number of inputs of a formula in x1, x2, ...: its largest index, or `dim`.

    Raises:
        HypothesisError: one variable only, or more than `most`.
    """
    names = variables_of(formula)
    largest = int(names[-1][1:]) if names else 0
    inputs = max(largest, 2) if dim is None else dim
    if not max(2, largest) <= inputs <= most:
        raise HypothesisError(
            f"{kind}:{formula[:40]} in {inputs} inputs: give 2 to {most}, at least the "
            "largest index; for one variable use expr: and x"
        )
    return inputs


class _Builder:
    """Walks the syntax tree and builds the sympy expression node by node."""

    def __init__(self, source: str, variables: Sequence[str]) -> None:
        import sympy

        self.sympy = sympy
        self.source = source
        self.variables = {v: sympy.Symbol(v, real=True) for v in variables}

    def build(self, node: ast.expr, level: int) -> "sympy.Expr":
        if level > MAX_NESTING:
            raise HypothesisError(f"the formula is nested deeper than {MAX_NESTING}")
        if isinstance(node, ast.Constant):
            return self.number(node)
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            operand = self.build(node.operand, level + 1)
            return -operand if isinstance(node.op, ast.USub) else operand
        if isinstance(node, ast.BinOp):
            return self.operation(node, level)
        if isinstance(node, ast.Call):
            return self.call(node, level)
        raise self.refused(node)

    def refused(self, node: ast.AST, hint: str = "") -> HypothesisError:
        part = ast.get_source_segment(self.source, node) or type(node).__name__
        names, inputs = ", ".join(FUNCTIONS), ", ".join(self.variables)
        return HypothesisError(
            f"the formula contains {part[:40]!r}, which is not allowed{hint}; "
            f"use {inputs}, numbers, pi, e, + - * / ** and {names}"
        )

    def number(self, node: ast.Constant) -> "sympy.Expr":
        written = ast.get_source_segment(self.source, node) or ""
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise self.refused(node)
        value = rational(written.replace("_", ""), name="a number in the formula")
        return self.bounded(self.sympy.Rational(int(value.p), int(value.q)), node)

    def name(self, node: ast.Name) -> "sympy.Expr":
        constants = {"pi": self.sympy.pi, "e": self.sympy.E, "E": self.sympy.E}
        known = {**constants, **self.variables}
        if node.id not in known:
            raise self.refused(node)
        return known[node.id]

    def operation(self, node: ast.BinOp, level: int) -> "sympy.Expr":
        if isinstance(node.op, ast.BitXor):
            raise self.refused(node, " (write ** for a power)")
        left, right = (
            self.build(node.left, level + 1),
            self.build(node.right, level + 1),
        )
        if isinstance(node.op, ast.Add):
            result = left + right
        elif isinstance(node.op, ast.Sub):
            result = left - right
        elif isinstance(node.op, ast.Mult):
            result = left * right
        elif isinstance(node.op, ast.Div):
            if right.is_zero:
                raise HypothesisError("the formula divides by zero")
            result = left / right
        elif isinstance(node.op, ast.Pow):
            result = self.power(left, right, node)
        else:
            raise self.refused(node)
        return self.bounded(result, node)

    def power(
        self, base: "sympy.Expr", exponent: "sympy.Expr", node: ast.BinOp
    ) -> "sympy.Expr":
        if exponent.is_number:
            if not exponent.is_real or abs(exponent) > MAX_EXPONENT:
                raise self.refused(node, f" (exponents up to {MAX_EXPONENT})")
            if base.is_negative and not exponent.is_Integer:
                raise self.refused(node, " (it is not real)")
            size = _bits(base) * abs(float(exponent)) if base.is_Rational else 0
            if size > MAX_BITS:
                raise self.refused(node, " (the number is too large)")
        elif base.is_number and base.is_negative:
            raise self.refused(node, " (a negative base needs a fixed exponent)")
        return base**exponent

    def call(self, node: ast.Call, level: int) -> "sympy.Expr":
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS or node.keywords:
            raise self.refused(node)
        if len(node.args) != 1 and name not in ("min", "max"):
            raise HypothesisError(f"{name} takes one argument, not {len(node.args)}")
        if not 1 <= len(node.args) <= 20:
            raise HypothesisError(f"{name} takes 1 to 20 arguments")
        arguments = [self.build(a, level + 1) for a in node.args]
        result = getattr(self.sympy, _SYMPY_NAMES.get(name, name))(*arguments)
        return self.bounded(result, node)

    def bounded(self, result: "sympy.Expr", node: ast.AST) -> "sympy.Expr":
        s = self.sympy
        if result.has(s.zoo, s.nan, s.oo, -s.oo, s.I):
            raise self.refused(node, " (it is infinite or not real)")
        if result.is_Rational and _bits(result) > MAX_BITS:
            raise self.refused(node, " (the number is too large)")
        if result.is_number and not result.is_Rational:
            # sympy compares constants by evaluating them: keep that cheap
            size = abs(constant_ball(result))
            if not size < 10**MAX_DIGITS:
                raise self.refused(node, " (the number is too large)")
        return result


def _bits(number: "sympy.Expr") -> int:
    """Bits of the larger of numerator and denominator of a sympy rational."""
    top, bottom = number.as_numer_denom()
    return max(abs(int(top)), abs(int(bottom))).bit_length()
