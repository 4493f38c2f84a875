"""Formulas as sympy expressions: built node by node, never evaluated as code."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from depthsep._errors import HypothesisError
from depthsep.exact import MAX_STEPS, few_steps
from depthsep.formulas._evaluate import constant_ball
from depthsep.formulas._reader import read_formula, refusal
from depthsep.formulas._syntax import CONSTANTS, Syntax

if TYPE_CHECKING:
    import sympy

MAX_EXPONENT = 1000
MAX_BITS = 20_000
MAX_DIGITS = 100
_SYMPY_NAMES = {"abs": "Abs", "min": "Min", "max": "Max"}


def parse_formula(written: str, variables: Sequence[str] = ("x",)) -> "sympy.Expr":
    """The sympy expression, in real symbols of these names, that a formula denotes.

    sympy's own parser is not used: it runs Python code.

    Raises:
        HypothesisError: what `read_formula` refuses, numbers that are infinite, not
            real or too large, and formulas that take too many steps to simplify.
    """
    return expression_of(read_formula(written, variables), variables)


def expression_of(formula: Syntax, variables: Sequence[str] = ("x",)) -> "sympy.Expr":
    """The sympy expression of a syntax tree, simplified as sympy does."""
    import sympy

    symbols: dict[str, sympy.Expr] = {v: sympy.Symbol(v, real=True) for v in variables}
    symbols |= dict(zip(CONSTANTS, (sympy.pi, sympy.E, sympy.E), strict=True))
    with few_steps("the formula", MAX_STEPS):
        return _Builder(symbols, tuple(variables)).build(formula)


class _Builder:
    """Builds the sympy expression node by node, bounded at each."""

    def __init__(
        self, symbols: "dict[str, sympy.Expr]", variables: tuple[str, ...]
    ) -> None:
        import sympy

        self.sympy = sympy
        self.symbols = symbols
        self.variables = variables

    def build(self, node: Syntax) -> "sympy.Expr":
        """The expression of a node, its parts first."""
        if node.kind == "number":
            value = node.value
            return self.bounded(self.sympy.Rational(int(value.p), int(value.q)), node)
        if node.kind == "name":
            return self.symbols[node.name]
        parts = [self.build(part) for part in node.parts]
        return self.bounded(self.applied(node, parts), node)

    def refused(self, node: Syntax, hint: str) -> HypothesisError:
        return refusal(node.written, hint, self.variables)

    def applied(self, node: Syntax, parts: "list[sympy.Expr]") -> "sympy.Expr":
        """The operation or function of a node."""
        plain: dict[str, Callable[..., sympy.Expr]] = {
            "neg": lambda a: -a,
            "+": lambda a, b: a + b,
            "-": lambda a, b: a - b,
            "*": lambda a, b: a * b,
        }
        if node.kind in plain:
            return plain[node.kind](*parts)
        if node.kind == "/":
            if parts[1].is_zero:
                raise HypothesisError("the formula divides by zero")
            return parts[0] / parts[1]
        if node.kind == "**":
            return self.power(parts[0], parts[1], node)
        if node.kind == "sqrt":
            return self.power(parts[0], self.sympy.S.Half, node)
        if node.kind in ("min", "max"):
            return self.extreme(_SYMPY_NAMES[node.kind], parts)
        return getattr(self.sympy, _SYMPY_NAMES.get(node.kind, node.kind))(*parts)

    def extreme(self, name: str, parts: "list[sympy.Expr]") -> "sympy.Expr":
        """max or min; by absolute values where sympy cannot compare constants."""
        try:
            return getattr(self.sympy, name)(*parts)
        except (ValueError, TypeError):
            sign = 1 if name == "Max" else -1
            return reduce(
                lambda a, b: (a + b + sign * self.sympy.Abs(a - b)) / 2, parts
            )

    def power(
        self, base: "sympy.Expr", exponent: "sympy.Expr", node: Syntax
    ) -> "sympy.Expr":
        """base**exponent; refused before it is computed if it is not real or huge."""
        if exponent.is_number:
            if not exponent.is_real or abs(exponent) > MAX_EXPONENT:
                raise self.refused(
                    node,
                    " (exponents must be real, and at most "
                    f"{MAX_EXPONENT} in absolute value)",
                )
            if base.is_negative and not exponent.is_Integer:
                raise self.refused(node, " (it is not real)")
            size = _bits(base) * abs(float(exponent)) if base.is_Rational else 0
            if size > MAX_BITS:
                raise self.refused(node, " (the number has too many digits)")
            if base.is_Pow and base.args[1].is_Rational and not exponent.is_Integer:
                return self.power_of_power(base, exponent)
        elif base.is_number and base.is_negative:
            raise self.refused(node, " (a negative number needs a constant exponent)")
        return base**exponent

    def power_of_power(
        self, base: "sympy.Expr", exponent: "sympy.Expr"
    ) -> "sympy.Expr":
        """(b**n)**r for b**n >= 0: |b|**(n r) if n is even, else b**(n r).

        For sympy this is a question about the sign of b, at each of nested powers.
        """
        inner, n = base.args
        even = n.is_Integer and int(str(n)) % 2 == 0
        return (self.sympy.Abs(inner) if even else inner) ** (n * exponent)

    def bounded(self, result: "sympy.Expr", node: Syntax) -> "sympy.Expr":
        """The result; refused where it is a constant that is not real, or too large."""
        s = self.sympy
        if result.has(s.zoo, s.nan, s.oo, -s.oo, s.I):
            raise self.refused(node, " (it is infinite or not real)")
        if result.is_Rational and _bits(result) > MAX_BITS:
            raise self.refused(node, " (the number has too many digits)")
        if result.is_number and not result.is_Rational:
            # sympy compares constants by evaluating them: keep that cheap
            size = abs(constant_ball(result))
            if size.is_nan():
                raise self.refused(node, " (it is not defined)")
            if not size < 10**MAX_DIGITS:
                raise self.refused(node, " (the number is too large)")
        return result


def _bits(number: "sympy.Expr") -> int:
    """Bits of the larger of numerator and denominator of a sympy rational."""
    top, bottom = number.as_numer_denom()
    return max(abs(int(top)), abs(int(bottom))).bit_length()
