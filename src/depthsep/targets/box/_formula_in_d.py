"""A formula in x1, x2, ... as a target on a box."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Interval, Jet, jets
from depthsep.formulas import (
    FloatFunction,
    JetFunction,
    Syntax,
    check_defined,
    expression_of,
    float_function,
    inputs_of,
    jet_function,
    line,
    read_formula,
)
from depthsep.laws import Segment
from depthsep.targets.box._on_box import AbstractBoxTarget
from depthsep.targets.box._one_form import OfOneForm, of_one_form
from depthsep.targets.line._expression import Expression

if TYPE_CHECKING:
    import sympy

    from depthsep.targets.box._polynomial import Polynomial

MAX_DIM = 8


@dataclass(frozen=True)
class Formula(AbstractBoxTarget):
    """``expr:exp(-x1**2-x2**2)``: any formula in x1, x2, ..., evaluated in balls.

    Args:
        formula: in x1, x2, ...; the number of inputs is the largest index, or `dim`.

    Raises:
        HypothesisError: what formulas of one variable refuse too; more than 8 inputs.
    """

    formula: str
    dim: int

    def __init__(self, formula: str, dim: int | None = None) -> None:
        inputs = inputs_of(formula, dim, MAX_DIM, "expr")
        object.__setattr__(self, "formula", formula)
        object.__setattr__(self, "dim", inputs)
        _ = self.expression

    @property
    def text(self) -> str:
        return f"expr:{self.formula}"

    @property
    def words(self) -> str:
        return self.formula

    @property
    def in_dim(self) -> int:
        return self.dim

    @cached_property
    def names(self) -> list[str]:
        """x1, ..., xd."""
        return [f"x{i}" for i in range(1, self.dim + 1)]

    @cached_property
    def syntax(self) -> Syntax:
        """The formula as it is written."""
        return read_formula(self.formula, self.names)

    def check_defined(self, sides: Sequence[Segment]) -> None:
        ranges = [Interval(side.start, side.stop) for side in sides]
        named = dict(zip(self.names, ranges, strict=True))
        check_defined(self.syntax, named, self.text, parameter="law")

    def as_formula(self) -> "Formula":
        return self

    def as_polynomial(self) -> "Polynomial | None":
        return self._polynomial

    @cached_property
    def _polynomial(self) -> "Polynomial | None":
        from depthsep.targets.box._polynomial import Polynomial  # it makes formulas

        try:
            return Polynomial(self.formula, self.dim)
        except HypothesisError:  # it is none, or too large to be expanded
            return None

    @cached_property
    def one_form(self) -> OfOneForm | None:
        """The formula as a function of one linear form, if it is written as one."""
        return of_one_form(self.syntax, self.names)

    @cached_property
    def expression(self) -> "sympy.Expr":
        """The formula as a sympy expression in real symbols."""
        return expression_of(self.syntax, self.names)

    @cached_property
    def _jets(self) -> JetFunction:
        return jet_function(self.expression)

    @cached_property
    def _floats(self) -> FloatFunction:
        return float_function(self.expression)

    def along(self, direction: Sequence[int | fmpq], box: Sequence[arb]) -> Jet:
        """Enclosures of f and two derivatives in a direction, over a box of balls."""
        return self._jets(
            {
                name: jets.variable(x, step)
                for name, step, x in zip(self.names, direction, box, strict=True)
            }
        )

    def hessian_of(
        self, axes: tuple[int, int], box: Sequence[arb]
    ) -> tuple[arb, arb, arb]:
        """f_ii, f_kk and f_ik enclosed over a box of balls, (i, k) the axes.

        f_ik is enclosed as a formula of its own where it is one: from second
        derivatives along (1, 1) and (1, -1) it would be known far less well.
        """
        pure = [self.along(self._step({axis: 1}), box).second for axis in axes]
        return pure[0], pure[1], self.mixed_of(axes, box)

    def mixed_of(self, axes: tuple[int, int], box: Sequence[arb]) -> arb:
        """f_ik enclosed over a box of balls, for two different axes."""
        i, k = axes
        if (mixed := self._mixed(i, k)) is not None:
            names = zip(self.names, box, strict=True)
            return mixed({n: jets.constant(x) for n, x in names}).value
        plus, minus = (
            self.along(self._step({i: 1, k: sign}), box).second for sign in (1, -1)
        )
        return (plus - minus) / 4

    def _step(self, along: dict[int, int]) -> list[int]:
        return [along.get(n, 0) for n in range(self.dim)]

    def _mixed(self, i: int, k: int) -> JetFunction | None:
        if (i, k) not in self._mixed_jets:
            import sympy

            names = [sympy.Symbol(self.names[n], real=True) for n in (i, k)]
            try:
                found = jet_function(sympy.diff(self.expression, *names))
            except HypothesisError:  # it has a kink
                found = None
            self._mixed_jets[i, k] = found
        return self._mixed_jets[i, k]

    @cached_property
    def _mixed_jets(self) -> dict[tuple[int, int], JetFunction | None]:
        return {}

    def on_line(self, start: Sequence[fmpq], stop: Sequence[fmpq]) -> Expression:
        lines = {
            name: line(a, b - a)
            for name, a, b in zip(self.names, start, stop, strict=True)
        }
        return Expression.of(self.syntax.replaced(lines))

    def floats(self, x: np.ndarray) -> np.ndarray:
        inputs = {name: x[:, i] for i, name in enumerate(self.names)}
        with np.errstate(all="ignore"):
            values = self._floats(inputs)
        return np.broadcast_to(values, len(x)).astype(np.float64)
