"""What laws of one number offer."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.laws._base import AbstractLaw
from depthsep.laws._domains import Segment


class AbstractLineLaw(AbstractLaw):
    """A law on an interval."""

    setting: ClassVar[str] = "line"

    @property
    @abstractmethod
    def interval(self) -> Segment:
        """Where it lives; of the whole line a part with nearly all of its mass."""

    @property
    def ends(self) -> tuple[fmpq | None, fmpq | None]:
        """The ends of where it lives, None where it goes on beyond `interval`."""
        return self.interval.start, self.interval.stop

    @property
    def open_ends(self) -> list[tuple[int, fmpq]]:
        """Ends of `interval` beyond which it goes on, with their sides, -1 or 1."""
        on = self.interval
        pairs = zip((-1, 1), (on.start, on.stop), self.ends, strict=True)
        return [(side, end) for side, end, known in pairs if known is None]

    @property
    def has_open_ends(self) -> bool:  # type: ignore[override]
        return None in self.ends

    @property
    def sides(self) -> tuple[Segment, ...]:
        return (self.interval,)

    @property
    def in_dim(self) -> int:
        return 1

    @property
    def words(self) -> str:
        plain = str(self.interval)
        return f"{plain} under {self.text}" if self.is_weighted else plain

    def least_density(self, start: fmpq, stop: fmpq) -> fmpq:
        """What the density is at least between two points, 1 for the uniform law."""
        return fmpq(1)

    @property
    def range_of_density(self) -> tuple[fmpq, fmpq | None]:
        """Bounds of the density; no upper one where it is unbounded."""
        return fmpq(1), fmpq(1)

    @abstractmethod
    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        """The numbers below which these shares of the mass lie, any shape, float64."""

    def sample(self, count: int, seed: int) -> np.ndarray:
        return self.quantiles(np.random.default_rng(seed).random((count, 1)))
