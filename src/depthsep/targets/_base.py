"""What every target offers: values in balls and floats, and its exact structure."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Jet, PiecewiseAffine
from depthsep.laws import AbstractLaw, Box, Uniform


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


class AbstractTarget(ABC):
    """A function to be approximated. Immutable; equal if its text is equal."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What the command line calls it; `target_from_text` reads it back."""

    @property
    @abstractmethod
    def in_dim(self) -> int:
        """Number of inputs."""

    @property
    @abstractmethod
    def default_interval(self) -> tuple[fmpq, fmpq]:
        """The interval (of each input) used when none is given."""

    @abstractmethod
    def floats(self, x: np.ndarray) -> np.ndarray:
        """Float64 values: shape (n,) for one input, (n, in_dim) otherwise, to (n,)."""

    @abstractmethod
    def jet(self, x: arb) -> Jet:
        """Enclosures over a ball, at flint's current precision. One input only."""

    settings: ClassVar[tuple[str, ...]] = ("line", "box")
    """The settings of the laws under which it can be approximated."""

    def default_law(self) -> AbstractLaw:
        """The law used when none is given: uniform on the default interval."""
        return self.law_for(Uniform(*self.default_interval))

    def law_for(self, law: AbstractLaw) -> AbstractLaw:
        """What a given law means: an interval is meant for each of several inputs."""
        if isinstance(law, Uniform) and self.in_dim > 1 and "box" in self.settings:
            return Box.cube(law, self.in_dim)
        return law

    def check_law(self, law: AbstractLaw) -> None:
        """Refuse a law under which this is not a function.

        Raises:
            HypothesisError: another setting or another number of inputs.
        """
        if law.setting not in self.settings:
            raise HypothesisError(
                f"{self} does not live on {law}; leave the law out for "
                f"{self.default_law()}",
                parameter="law",
            )
        if law.in_dim != self.in_dim:
            raise HypothesisError(
                f"{self} has {self.in_dim} inputs, {law} another number"
            )

    def check_defined(self, law: AbstractLaw) -> None:  # noqa: B027 (most are)
        """Refuse a formula that is not proved to be defined wherever `law` lives.

        Decided on the formula as it is written, before anything simplifies it.

        Raises:
            HypothesisError: with a point near which it is not, or may not be.
        """

    def exact_form(self) -> ExactForm | None:
        """The target as an `ExactForm`, if it is one."""
        return None

    def piecewise(self, limit: int) -> PiecewiseAffine | None:
        """The target on its default interval, if piecewise affine with few pieces."""
        return None

    @property
    def words(self) -> str:
        """The target as short as mathematics writes it, such as ``x^2``."""
        return self.text

    words_are_formula: ClassVar[bool] = True
    """Whether `words` is a formula or a name, and not an English phrase."""

    @property
    def remark(self) -> str:
        """A sentence about a target that `words` does not explain; else empty."""
        return ""

    def __str__(self) -> str:
        return self.text


def interval_ball(start: fmpq, stop: fmpq) -> arb:
    """The smallest ball, at the current precision, around the interval."""
    return arb(start).union(arb(stop))
