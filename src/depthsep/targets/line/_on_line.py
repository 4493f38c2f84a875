"""What targets of one variable offer: values in balls, and their exact structure."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Jet, PiecewiseAffine
from depthsep.formulas import Growth
from depthsep.laws import AbstractDensityLaw, AbstractLaw, Segment, Uniform
from depthsep.targets._base import HUGE, AbstractTarget


@dataclass(frozen=True)
class ExactForm:
    r"""x -> alpha x^2 + beta x + gamma + amplitude * D^folds(rho x + sigma).

    D is the tent map; with ``amplitude = 0`` this is a quadratic. The class is closed
    under affine substitution and under adding affine functions, which is what lets
    errors of composed networks be followed exactly.
    """

    alpha: fmpq
    beta: fmpq
    gamma: fmpq
    amplitude: fmpq = fmpq(0)  # noqa: RUF009 (fmpq is immutable)
    folds: int = 0
    rho: fmpq = fmpq(0)  # noqa: RUF009
    sigma: fmpq = fmpq(0)  # noqa: RUF009

    @property
    def is_affine(self) -> bool:
        """Whether it is beta x + gamma."""
        return self.alpha == 0 and self.amplitude == 0


class AbstractLineTarget(AbstractTarget):
    """A function of one variable, on an interval."""

    settings: ClassVar[tuple[str, ...]] = ("line",)
    default_interval: ClassVar[tuple[fmpq, fmpq]] = (fmpq(0), fmpq(1))
    """The interval used when none is given."""

    @property
    def in_dim(self) -> int:
        return 1

    @abstractmethod
    def jet(self, x: arb) -> Jet:
        """Enclosures over a ball, at flint's current precision."""

    def exact_form(self) -> ExactForm | None:
        """The target as an `ExactForm`, if it is one."""
        return None

    def affine_pieces(self, on: Segment) -> PiecewiseAffine | None:
        """The target on an interval, if it is piecewise affine and known exactly."""
        return None

    def polynomial(self) -> list[fmpq] | None:
        """Rational coefficients, constant first, if the target is a polynomial."""
        form = self.exact_form()
        if form is None or form.amplitude != 0:
            return None
        return [form.gamma, form.beta, form.alpha]

    def growth(self, end: fmpq, side: int, gentle: fmpq) -> Growth | None:
        """A bound at end + side * y for all y >= 0; None if none is known.

        Args:
            gentle: a rate at which an affine function may be said to grow.
        """
        coefficients = self.polynomial()
        if coefficients is None:
            return None
        x, total = Growth.of_line(end, fmpq(1), gentle), Growth(fmpq(0), fmpq(0))
        for c in reversed(coefficients):
            total = total * x + Growth(abs(c), fmpq(0))
        return total

    def default_law(self) -> AbstractLaw:
        return Uniform(*self.default_interval)

    def check_means(self, law: AbstractLaw, norm: str) -> None:
        if not isinstance(law, AbstractDensityLaw):
            return
        for side, end in law.open_ends:
            growth = self.growth(end, side, law.gentle_rate)
            power = 1 if norm == "l1" else 2
            if growth is None or law.moment_beyond(side, power * growth.rate) is None:
                raise HypothesisError(
                    f"{self} is not known to have a finite {norm} norm "
                    f"under {law}; use a law with bounded support",
                    parameter="law",
                )

    def check_range(self, law: AbstractLaw, accuracy: fmpq) -> None:
        form, on = self.exact_form(), law.interval
        followed_exactly = form is not None and not form.is_affine
        farthest = max(abs(on.start), abs(on.stop))
        if not followed_exactly and on.length < farthest / 10**9:
            raise HypothesisError(
                f"{self}: the interval is shorter than 1e-9 times the distance of its "
                "farther end from 0, which is too short for computations in float64; "
                "substitute x = a + t, where a is its left end"
            )
        small = min(accuracy, on.length) < 1 / HUGE
        large = max(accuracy, on.length, farthest) > HUGE
        if large or (small and not followed_exactly):
            raise self._out_of_range()


def interval_ball(start: fmpq, stop: fmpq) -> arb:
    """The smallest ball, at the current precision, around the interval."""
    return arb(start).union(arb(stop))
