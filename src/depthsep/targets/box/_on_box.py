"""What targets of several variables offer."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.laws import AbstractLaw, AbstractLineLaw, ProductLaw, Segment, Uniform
from depthsep.targets._base import HUGE, LARGEST_EXPONENT, AbstractTarget
from depthsep.targets.line._expression import Expression

if TYPE_CHECKING:
    from depthsep.targets.box._formula_in_d import Formula
    from depthsep.targets.box._one_form import OfOneForm
    from depthsep.targets.box._polynomial import Polynomial

AffineForm = tuple[fmpq, ...]
"""Coefficients of the inputs, then the constant."""


class AbstractBoxTarget(AbstractTarget):
    """A function of two or more variables, on a box."""

    settings: ClassVar[tuple[str, ...]] = ("box",)

    @property
    def default_interval(self) -> tuple[fmpq, fmpq]:
        """The interval of each input, used when none is given."""
        return fmpq(0), fmpq(1)

    @abstractmethod
    def as_formula(self) -> "Formula":
        """A formula with the same values, for enclosures and derivatives.

        Raises:
            HypothesisError: it would be longer than formulas may be.
        """

    def as_polynomial(self) -> "Polynomial | None":
        """A polynomial with the same values, if it is one with rational coefficients;
        asked for before `as_formula`, since it is followed exactly.
        """
        return None

    def as_maximum(self) -> tuple[AffineForm, ...] | None:
        """Affine forms whose maximum is f, if it is one; asked for before `as_formula`,
        since it is followed exactly.
        """
        return None

    def as_one_form(self) -> "OfOneForm | None":
        """The function as one of a single linear form, if it is written as such."""
        try:
            formula = self.as_formula()
        except HypothesisError:
            return None
        return formula.one_form

    def on_line(self, start: Sequence[fmpq], stop: Sequence[fmpq]) -> Expression:
        """t -> f(start + t (stop - start)), as a formula in x."""
        return self.as_formula().on_line(start, stop)

    def check_defined(self, sides: Sequence[Segment]) -> None:
        self.as_formula().check_defined(sides)

    def default_law(self) -> AbstractLaw:
        return self.law_for(Uniform(*self.default_interval))

    def law_for(self, law: AbstractLaw) -> AbstractLaw:
        if isinstance(law, AbstractLineLaw):
            return ProductLaw([law] * self.in_dim)
        return law

    def check_law(self, law: AbstractLaw) -> None:
        super().check_law(law)
        if law.has_open_ends:
            raise HypothesisError(
                f"{self}: a target of several variables needs a bounded box; truncate "
                f"the law {law.text}, as in normal:0,1,-3,3",
                parameter="law",
            )

    def check_range(self, law: AbstractLaw, accuracy: fmpq) -> None:
        for side in law.box.sides:
            far = max(abs(side.start), abs(side.stop))
            if far > HUGE or side.length < 1 / HUGE or side.length < far / 10**9:
                raise HypothesisError(
                    f"{self}: a side of the box reaches beyond 1e{LARGEST_EXPONENT}, "
                    "is extremely short, or is shorter than 1e-9 times the distance "
                    "of its farther end from 0; rescale or shift the problem"
                )
        super().check_range(law, accuracy)
