"""A formula in x as a target."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, fmpq

from depthsep.exact import Interval, Jet, PiecewiseAffine, few_steps, jets, text
from depthsep.formulas import (
    FloatFunction,
    Growth,
    JetFunction,
    Syntax,
    affine_pieces,
    check_defined,
    exact_value,
    expression_of,
    float_function,
    growth_of,
    jet_function,
    number,
    read_formula,
    sign_changes_of,
    taylor_series,
    with_signs_on,
)
from depthsep.laws import Segment
from depthsep.targets.line._on_line import AbstractLineTarget, ExactForm

if TYPE_CHECKING:
    import sympy

MAX_DEGREE = 64


@dataclass(frozen=True)
class Expression(AbstractLineTarget):
    """A formula such as ``sin(20*x)``, evaluated in balls.

    Raises:
        HypothesisError: a formula with anything but x, numbers and known functions.
    """

    formula: str

    def __post_init__(self) -> None:
        _ = self.expression

    @staticmethod
    def of(syntax: Syntax) -> "Expression":
        """A formula in x that was read already."""
        made = object.__new__(Expression)
        object.__setattr__(made, "formula", syntax.text)
        object.__setattr__(made, "syntax", syntax)
        return made

    @property
    def text(self) -> str:
        return f"expr:{self.formula}"

    @cached_property
    def sign_changes(self) -> frozenset[fmpq]:
        """Where signs of affine functions change: the formula may jump there."""
        return frozenset(sign_changes_of(self.syntax, "x"))

    def inside(self, on: Segment) -> "Expression":
        """The formula as it is inside an interval: it does not jump at its ends."""
        return Expression.of(with_signs_on(self.syntax, "x", on.start, on.stop))

    @property
    def words(self) -> str:
        return self.formula

    @cached_property
    def syntax(self) -> Syntax:
        """The formula as it is written."""
        return read_formula(self.formula)

    def check_defined(self, sides: Sequence[Segment]) -> None:
        (side,) = sides
        on = Interval(side.start, side.stop)
        check_defined(self.syntax, {"x": on}, self.text, parameter="law")

    @cached_property
    def expression(self) -> "sympy.Expr":
        """The formula as a sympy expression in a real symbol x."""
        return expression_of(self.syntax)

    @cached_property
    def _jets(self) -> JetFunction:
        return jet_function(self.expression)

    @cached_property
    def _floats(self) -> FloatFunction:
        return float_function(self.expression)

    def jet(self, x: arb) -> Jet:
        return self._jets({"x": jets.variable(x, 1)})

    def taylor(self, around: arb, order: int) -> list[arb] | None:
        """Its first Taylor coefficients at every point of a ball, enclosed.

        None where it is not proved to be analytic.
        """
        return taylor_series(self.expression, around, order)

    def floats(self, x: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            inputs = {"x": np.asarray(x, dtype=np.float64)}
            values = self._floats(inputs)
        return np.broadcast_to(values, np.shape(x)).astype(np.float64)

    def exact_form(self) -> ExactForm | None:
        """The formula as a quadratic with rational coefficients, if it is one."""
        coefficients = self.polynomial()
        if coefficients is None or len(coefficients) > 3:
            return None
        gamma, beta, alpha = coefficients + [fmpq(0)] * (3 - len(coefficients))
        return ExactForm(alpha, beta, gamma)

    def affine_pieces(self, on: Segment) -> PiecewiseAffine | None:
        return affine_pieces(self.expression, on.start, on.stop)

    def growth(self, end: fmpq, side: int, gentle: fmpq) -> Growth | None:
        return growth_of(self.syntax, end, side, gentle)

    def vanishes_at(self, x: fmpq) -> bool:
        """Whether it is proved to be 0 at a rational point."""
        value = self.jet(arb(x)).value
        if not value.contains(0):
            return False
        there = self.syntax.replaced({"x": number(x)})
        return bool(value.is_zero() or expression_of(there).is_zero)

    def polynomial(self) -> list[fmpq] | None:
        import sympy

        if not 0 <= _degree(self.expression) <= MAX_DEGREE:
            return None
        x = sympy.Symbol("x", real=True)
        try:
            with few_steps(self.text):
                poly = sympy.Poly(self.expression, x)
        except sympy.PolynomialError:
            return None
        if not all(c.is_Rational for c in poly.all_coeffs()):
            return None
        return [exact_value(c) for c in reversed(poly.all_coeffs())]


def polynomial_expression(coefficients: Sequence[fmpq]) -> Expression:
    """The polynomial in x with these coefficients, constant first."""
    terms = [
        f"({text(c)})*x**{k}" if k else f"({text(c)})"
        for k, c in enumerate(coefficients)
        if c != 0
    ]
    return Expression(" + ".join(terms) or "0")


def _degree(node: "sympy.Basic") -> int:
    """A bound on the degree as a polynomial, without expanding; -1 if it is none."""
    if not node.free_symbols:
        return 0
    if node.is_Symbol:
        return 1
    if node.is_Pow and node.args[1].is_Integer:
        exponent = int(str(node.args[1]))
        return _degree(node.args[0]) * exponent if exponent >= 0 else -1
    parts = [_degree(part) for part in node.args]
    if min(parts) < 0 or not (node.is_Add or node.is_Mul):
        return -1
    return max(parts) if node.is_Add else sum(parts)
