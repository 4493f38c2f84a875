"""What every input law offers."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from depthsep._errors import HypothesisError

if TYPE_CHECKING:
    from depthsep.laws._domains import Box, Segment


class AbstractLaw(ABC):
    """The probability law of the input; norms are taken with respect to it."""

    setting: ClassVar[str]
    """Where it lives: "line", "box", "signs", "spheres", "radial" or "points"."""

    has_mean: ClassVar[bool] = True
    """Whether |x| has a mean: without one, averages of samples never settle."""

    is_weighted: bool = False
    """Whether means under it weigh some parts of an interval or a box more."""

    has_open_ends: bool = False
    """Whether it goes on beyond its `interval`, or beyond its `box`."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What the command line calls it; `law_from_text` reads it back."""

    @property
    @abstractmethod
    def in_dim(self) -> int:
        """Dimension of a sample."""

    @property
    def dimension(self) -> int:
        """The dimension in its name: of the input, or d for a pair of points."""
        return self.in_dim

    @property
    def words(self) -> str:
        """Where the inputs live, as mathematics writes it: ``[0, 1]``."""
        return str(self)

    @property
    def sides(self) -> "tuple[Segment, ...]":
        """An interval for each input, of laws on an interval, a box or points."""
        return ()

    @property
    def domain(self) -> "Segment | Box":
        """Where a law on an interval or a box lives; raises what `box` does."""
        return self.interval if self.setting == "line" else self.box

    @property
    def interval(self) -> "Segment":
        """Where a law with the setting "line" lives.

        Raises:
            HypothesisError: another setting.
        """
        raise HypothesisError(f"{self} is not a law on an interval")

    @property
    def box(self) -> "Box":
        """Where a law with the setting "box" lives.

        Raises:
            HypothesisError: another setting.
        """
        raise HypothesisError(f"{self} is not a law on a box")

    @abstractmethod
    def sample(self, count: int, seed: int) -> np.ndarray:
        """`count` independent samples, shape (count, in_dim), float64."""

    def __str__(self) -> str:
        return self.text
