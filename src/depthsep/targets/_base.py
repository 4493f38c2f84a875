"""What every target offers, whatever its inputs are."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.laws import AbstractLaw, Segment

LARGEST_EXPONENT = 100
HUGE = fmpq(10) ** LARGEST_EXPONENT


class AbstractTarget(ABC):
    """A function to be approximated. Immutable; equal if its text is equal.

    Targets on an interval extend `AbstractLineTarget`, those on a box
    `AbstractBoxTarget`: their examiners ask for what those classes add.
    """

    settings: ClassVar[tuple[str, ...]]
    """The settings of the laws under which it can be approximated."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What the command line calls it; `target_from_text` reads it back."""

    @property
    @abstractmethod
    def in_dim(self) -> int:
        """Number of inputs."""

    @abstractmethod
    def floats(self, x: np.ndarray) -> np.ndarray:
        """Float64 values: shape (n,) for one input, (n, in_dim) otherwise, to (n,)."""

    @abstractmethod
    def default_law(self) -> AbstractLaw:
        """The law used when none is given."""

    def law_for(self, law: AbstractLaw) -> AbstractLaw:
        """What a given law means: an interval is meant for each of several inputs."""
        return law

    def check_law(self, law: AbstractLaw) -> None:
        """Refuse a law under which this is not a function.

        Raises:
            HypothesisError: another setting or another number of inputs.
        """
        if law.setting not in self.settings:
            raise HypothesisError(
                f"{self} is not defined on {law}; leave out the law to "
                f"use {self.default_law()}",
                parameter="law",
            )
        if law.in_dim != self.in_dim:
            raise HypothesisError(
                f"{self} and {law} must have the same number of inputs; "
                f"the target has {self.in_dim}"
            )

    def check_defined(self, sides: Sequence[Segment]) -> None:  # noqa: B027 (most are)
        """Refuse a formula that is not proved to be defined wherever the inputs live.

        Args:
            sides: an interval for each input, on an interval or a box; else none.

        Decided on the formula as it is written, before anything simplifies it.

        Raises:
            HypothesisError: with a point near which it is not, or may not be.
        """

    def check_means(self, law: AbstractLaw, norm: str) -> None:  # noqa: B027
        """Refuse a target whose l1 or l2 norm is not known to be finite.

        Raises:
            HypothesisError: with the remedy.
        """

    def check_range(self, law: AbstractLaw, accuracy: fmpq) -> None:
        """Refuse sizes that float64 exploration or display could not hold.

        Raises:
            HypothesisError: says what to rescale.
        """
        if accuracy > HUGE:
            raise self._out_of_range()

    def _out_of_range(self) -> HypothesisError:
        return HypothesisError(
            f"{self}: the accuracy or the length of the interval lies "
            f"outside 1e-{LARGEST_EXPONENT} to 1e{LARGEST_EXPONENT}, or "
            f"an end of the interval is beyond 1e{LARGEST_EXPONENT} in "
            "absolute value; rescale the problem"
        )

    def known_constant(self, norm: str) -> tuple[fmpq, fmpq] | None:
        """A constant, and its exact error in this norm (l2: rounded up), if known."""
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
