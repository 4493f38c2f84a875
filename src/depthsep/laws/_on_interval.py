"""What laws of one number offer."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from depthsep.laws._base import AbstractLaw
from depthsep.laws._domains import Segment


class AbstractLineLaw(AbstractLaw):
    """A law on an interval."""

    setting: ClassVar[str] = "line"

    @property
    @abstractmethod
    def interval(self) -> Segment:
        """Where it lives."""

    @property
    def sides(self) -> tuple[Segment, ...]:
        return (self.interval,)

    @property
    def in_dim(self) -> int:
        return 1

    @property
    def words(self) -> str:
        return str(self.interval)

    @abstractmethod
    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        """The numbers below which these shares of the mass lie, any shape, float64."""

    def sample(self, count: int, seed: int) -> np.ndarray:
        return self.quantiles(np.random.default_rng(seed).random((count, 1)))
