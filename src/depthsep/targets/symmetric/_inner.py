"""Functions of the inner product of two points of a sphere."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from flint import arb, fmpq

from depthsep.exact import Interval
from depthsep.formulas import (
    check_defined,
    constant_ball,
    exact_value,
    number,
    read_formula,
    variable,
)
from depthsep.laws import AbstractLaw, Segment, SpherePair
from depthsep.targets._base import AbstractTarget
from depthsep.targets.line._expression import Expression

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Wave:
    """offset + amplitude * sin(a t), or cos: the number a is made at any precision."""

    shape: str
    amplitude: fmpq
    offset: fmpq
    frequency: "sympy.Expr"

    def argument(self, precision: int = 1024) -> arb:
        """a, enclosed."""
        return constant_ball(self.frequency, precision)

    def half_turns(self) -> fmpq | None:
        """a / pi, if that is a rational number."""
        import sympy

        ratio = self.frequency / sympy.pi
        return exact_value(ratio) if ratio.is_Rational else None


@dataclass(frozen=True)
class InnerProduct(AbstractTarget):
    """(x, x') -> f(<x, x'>), f a formula in t and the dimension d.

    ``inner:sin(pi*d**3*t)``; x and x' are points of the sphere in R^d.

    Raises:
        HypothesisError: what formulas refuse; no dimension.
    """

    settings: ClassVar[tuple[str, ...]] = ("spheres",)

    formula: str
    dim: int

    def __post_init__(self) -> None:
        _ = self.profile.expression

    @property
    def text(self) -> str:
        return f"inner:{self.formula}"

    @property
    def in_dim(self) -> int:
        return 2 * self.dim

    @cached_property
    def profile(self) -> Expression:
        """f as a formula in x, on [-1, 1], the dimension put in."""
        written = read_formula(self.formula, ["t", "d"])
        moved = written.replaced({"d": number(self.dim), "t": variable("x")})
        return Expression.of(moved)

    def default_law(self) -> AbstractLaw:
        return SpherePair(self.dim)

    def check_defined(self, sides: Sequence[Segment]) -> None:
        side = Interval(fmpq(-1), fmpq(1))
        check_defined(self.profile.syntax, {"x": side}, self.text)

    @cached_property
    def wave(self) -> Wave | None:
        """f as a sine or cosine, if it is one."""
        import sympy

        amplitude, function, offset = self._parts
        x = sympy.Symbol("x", real=True)
        if amplitude is None or type(function).__name__ not in ("sin", "cos"):
            return None
        frequency = function.args[0] / x
        if frequency.free_symbols:
            return None
        if frequency.is_negative:
            frequency = -frequency
        return Wave(type(function).__name__, abs(amplitude), offset, frequency)

    @cached_property
    def kink(self) -> tuple[str, fmpq] | None:
        """The name "Abs" or "sign", and a size.

        Up to a constant, f is that multiple of |t| or sign(t); None for others.
        """
        amplitude, function, _ = self._parts
        name = type(function).__name__
        plain = name in ("Abs", "sign") and str(function.args[0]) == "x"
        return (name, abs(amplitude)) if plain and amplitude is not None else None

    @cached_property
    def _parts(self) -> tuple[fmpq | None, "sympy.Expr", fmpq]:
        """f = offset + amplitude * function; the amplitude None if not rational."""
        import sympy

        x = sympy.Symbol("x", real=True)
        offset, rest = self.profile.expression.as_independent(x, as_Add=True)
        amplitude, function = rest.as_independent(x, as_Add=False)
        if not (amplitude.is_Rational and offset.is_Rational):
            return None, function, fmpq(0)
        return exact_value(amplitude), function, exact_value(offset)

    def floats(self, x: np.ndarray) -> np.ndarray:
        d = self.dim
        inner = np.clip((x[:, :d] * x[:, d:]).sum(axis=1), -1, 1)
        return self.profile.floats(inner)

    def __str__(self) -> str:
        return f"inner:{self.formula} for d = {self.dim}"
