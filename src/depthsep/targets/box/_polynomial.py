"""Polynomials in several variables, with rational coefficients."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product as cartesian
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq, fmpq_poly

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float, text, total
from depthsep.formulas import (
    Syntax,
    check_defined,
    exact_value,
    expression_of,
    inputs_of,
    read_formula,
    whole_exponent,
)
from depthsep.laws import AbstractLaw, Segment
from depthsep.targets._base import HUGE, LARGEST_EXPONENT
from depthsep.targets.box._formula_in_d import Formula
from depthsep.targets.box._on_box import AbstractBoxTarget
from depthsep.targets.line._expression import Expression, polynomial_expression

if TYPE_CHECKING:
    import sympy

MAX_DIM = 32
MAX_DEGREE = 24
MAX_TERMS = 4096
LIMITS = (MAX_DEGREE, 100_000)  # before terms are collected

Exponents = tuple[int, ...]
Terms = Mapping[Exponents, fmpq]


@dataclass(frozen=True)
class Polynomial(AbstractBoxTarget):
    """``poly:x1**2*x2 - 3*x2``, or ``product``: x1 x2.

    Args:
        formula: in x1, x2, ...; the number of inputs is the largest index, or `dim`.

    Raises:
        HypothesisError: one variable only (use expr:), no polynomial, coefficients that
            are not rational, more than 24 as degree or 32 inputs.
    """

    formula: str
    dim: int

    def __init__(self, formula: str, dim: int | None = None) -> None:
        inputs = inputs_of(formula, dim, MAX_DIM, "poly")
        object.__setattr__(self, "formula", formula)
        object.__setattr__(self, "dim", inputs)
        _ = self.terms

    @property
    def text(self) -> str:
        if self.is_product:
            return "product"
        return f"poly:{self.formula}"

    @property
    def words(self) -> str:
        return self.formula.replace("**", "^")

    @property
    def in_dim(self) -> int:
        return self.dim

    @property
    def default_interval(self) -> tuple[fmpq, fmpq]:
        return (fmpq(-1) if self.is_product else fmpq(0)), fmpq(1)

    @property
    def is_product(self) -> bool:
        """Whether this is x1 x2 of two inputs, which has a name of its own."""
        return self.formula == PRODUCT and self.dim == 2

    @cached_property
    def terms(self) -> dict[Exponents, fmpq]:
        """Nonzero rational coefficients by exponents."""
        import sympy

        names = [f"x{i}" for i in range(1, self.dim + 1)]
        written = read_formula(self.formula, names)
        expression = expression_of(written, names)
        if not _is_polynomial(written):
            raise self._not_polynomial()
        check_defined(written, {}, self.text)  # its conditions are on constants
        if any(n > most for n, most in zip(_growth(expression), LIMITS, strict=True)):
            raise self._too_large()
        symbols = [sympy.Symbol(n, real=True) for n in names]
        try:
            poly = sympy.Poly(expression, *symbols)
        except sympy.PolynomialError:
            raise self._not_polynomial() from None
        if not all(c.is_Rational for c in poly.coeffs()):
            raise HypothesisError(
                f"poly:{self.formula[:40]} has coefficients that are not rational; "
                "use rational coefficients, or expr: for formulas"
            )
        if poly.total_degree() > MAX_DEGREE or len(poly.terms()) > MAX_TERMS:
            raise self._too_large()
        return {e: exact_value(c) for e, c in poly.terms() if c != 0}

    def _not_polynomial(self) -> HypothesisError:
        return HypothesisError(
            f"poly:{self.formula[:40]} is not a polynomial; use expr: for formulas"
        )

    def _too_large(self) -> HypothesisError:
        return HypothesisError(
            f"poly:{self.formula[:40]} is too large, or has too many "
            "terms when it is multiplied out; at most degree "
            f"{MAX_DEGREE} and {MAX_TERMS} terms are supported"
        )

    @staticmethod
    def of(terms: Terms, dim: int) -> "Polynomial":
        """The polynomial with these coefficients by exponents."""
        written = [
            "*".join(
                [f"({text(c)})"] + [f"x{i}**{e}" for i, e in enumerate(exps, 1) if e]
            )
            for exps, c in terms.items()
        ]
        # not read back: with many terms the text is longer than formulas may be
        made = object.__new__(Polynomial)
        kept = {e: c for e, c in terms.items() if c != 0}
        for name, value in (("formula", _sum(written)), ("dim", dim), ("terms", kept)):
            object.__setattr__(made, name, value)
        return made

    @property
    def degree(self) -> int:
        """The total degree; 0 for constants."""
        return max((sum(e) for e in self.terms), default=0)

    def exact(self, x: list[fmpq]) -> fmpq:
        """The value at a rational point."""
        return total(c * _monomial(x, e) for e, c in self.terms.items())

    def moved(self, to: list[fmpq]) -> dict[Exponents, fmpq]:
        """Coefficients of y -> p(to + y)."""
        out: dict[Exponents, fmpq] = {}
        for exponents, c in self.terms.items():
            for lower in cartesian(*(range(e + 1) for e in exponents)):
                part = c
                for m, e, k in zip(to, exponents, lower, strict=True):
                    part *= comb(e, k) * m ** (e - k)
                out[lower] = out.get(lower, fmpq(0)) + part
        return out

    def as_formula(self) -> Formula:
        return Formula(self.formula, self.dim)

    def as_polynomial(self) -> "Polynomial":
        return self

    def check_defined(self, sides: Sequence[Segment]) -> None:
        """Polynomials are defined everywhere."""

    def check_range(self, law: AbstractLaw, accuracy: fmpq) -> None:
        super().check_range(law, accuracy)
        sizes = [abs(c) for c in self.terms.values()]
        if sizes and (max(sizes) > HUGE or min(sizes) < 1 / HUGE):
            raise HypothesisError(
                f"{self}: the size of a coefficient lies outside "
                f"1e-{LARGEST_EXPONENT} to 1e{LARGEST_EXPONENT}; rescale the problem"
            )

    def on_line(self, start: Sequence[fmpq], stop: Sequence[fmpq]) -> Expression:
        lines = [fmpq_poly([a, b - a]) for a, b in zip(start, stop, strict=True)]
        whole = fmpq_poly([])
        for exponents, c in self.terms.items():
            term = fmpq_poly([c])
            for line, e in zip(lines, exponents, strict=True):
                term *= line**e
            whole += term
        return polynomial_expression([fmpq(c) for c in whole.coeffs()])

    def floats(self, x: np.ndarray) -> np.ndarray:
        out = np.zeros(len(x))
        for exponents, c in self.terms.items():
            out += nearest_float(c) * np.prod(x ** np.array(exponents), axis=1)
        return out


PRODUCT = "x1*x2"


def _is_polynomial(node: Syntax) -> bool:
    """Whether it is written as one: variables in sums, products and whole powers."""
    if not node.variables or node.kind == "name":
        return True
    if node.kind == "/":
        return not node.parts[1].variables and _is_polynomial(node.parts[0])
    if node.kind == "**":
        n = None if node.parts[1].variables else whole_exponent(node)
        return n is not None and n >= 0 and _is_polynomial(node.parts[0])
    known = node.kind in ("neg", "+", "-", "*")
    return known and all(_is_polynomial(part) for part in node.parts)


def _growth(node: "sympy.Basic") -> tuple[int, int]:
    """Bounds of the degree and of the number of terms, before anything is expanded."""
    if not node.free_symbols:
        return 0, 1
    parts = [_growth(part) for part in node.args]
    if node.is_Add:
        return max(d for d, _ in parts), sum(n for _, n in parts)
    if node.is_Mul:
        return sum(d for d, _ in parts), prod(n for _, n in parts)
    if node.is_Pow and node.args[1].is_Integer and node.args[1].is_nonnegative:
        power, (degree, count) = int(str(node.args[1])), parts[0]
        return degree * power, comb(count + power - 1, power)
    return 1, 1


def _sum(written: list[str]) -> str:
    """A sum, nested evenly: formulas may not be nested deeply."""
    if len(written) <= 8:
        return " + ".join(written) or "0"
    half = len(written) // 2
    return f"({_sum(written[:half])}) + ({_sum(written[half:])})"


def _monomial(x: list[fmpq], exponents: Exponents) -> fmpq:
    value = fmpq(1)
    for v, e in zip(x, exponents, strict=True):
        value *= v**e
    return value
