"""Laws whose density is a formula."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, NotDefinedError, UndecidedError
from depthsep.exact import Interval, Jet, jets, nearest_float
from depthsep.formulas import (
    FloatFunction,
    JetFunction,
    Syntax,
    check_defined,
    expression_of,
    float_function,
    integral_of,
    jet_function,
    read_formula,
)
from depthsep.laws._density import (
    PRECISION,
    AbstractDensityLaw,
)
from depthsep.laws._domains import Segment

if TYPE_CHECKING:
    import sympy

SAMPLES = 2048


@dataclass(frozen=True)
class FormulaLaw(AbstractDensityLaw):
    """``density:FORMULA on A,B``: proportional to a formula in x.

    Raises:
        HypothesisError: a formula that is not proved to be defined and nowhere negative
            on the interval, whose integral is 0 or not enclosed.
    """

    formula: str
    on: Segment

    def __post_init__(self) -> None:
        side = {"x": Interval(self.on.start, self.on.stop)}
        check_defined(self._syntax, side, self.text, parameter="law")
        root = Syntax("sqrt", (self._syntax,), f"sqrt({self.formula})")
        try:
            check_defined(root, side, self.text)
            is_positive = self._whole > 0
        except NotDefinedError:
            said = f"could not be proved to be nonnegative on {self.on}"
        except UndecidedError as refusal:
            said = f"is not usable as a density: {refusal}"
        else:
            said = (
                "" if is_positive else "could not be proved to have a positive integral"
            )
        if said:
            raise HypothesisError(f"{self.text} {said}", parameter="law")

    @property
    def interval(self) -> Segment:
        return self.on

    @property
    def text(self) -> str:
        return f"density:{self.formula} on {self.on.text}"

    @cached_property
    def _syntax(self) -> Syntax:
        return read_formula(self.formula)

    @cached_property
    def _expression(self) -> "sympy.Expr":
        return expression_of(self._syntax)

    @cached_property
    def _jets(self) -> JetFunction:
        return jet_function(self._expression)

    @cached_property
    def _floats(self) -> FloatFunction:
        return float_function(self._expression)

    def shape(self, x: arb) -> Jet:
        return self._jets({"x": jets.variable(x, 1)})

    def shape_mass(self, start: fmpq, stop: fmpq) -> arb:
        x = np.linspace(nearest_float(start), nearest_float(stop), SAMPLES + 1)
        size = float(np.abs(self.shape_floats(x)).mean() * (x[-1] - x[0]))
        with ctx.workprec(PRECISION):
            return integral_of(self._expression, self._values, start, stop, size)

    def _values(self, x: arb) -> arb:
        return self.shape(x).value

    def shape_floats(self, x: np.ndarray) -> np.ndarray:
        found = self._floats({"x": np.asarray(x, dtype=float)})
        return np.broadcast_to(found, np.shape(x)).astype(float)
