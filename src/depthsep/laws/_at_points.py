"""The points of a file, each with its weight."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.laws._base import AbstractLaw
from depthsep.laws._domains import Segment


@dataclass(frozen=True)
class AtPoints(AbstractLaw):
    """One number, at the points that a target has: a law with finite support.

    Attributes:
        x: (n,) the places.
        weight: (n,) positive.
    """

    setting: ClassVar[str] = "points"

    x: np.ndarray = field(default_factory=lambda: np.empty(0), compare=False)
    weight: np.ndarray = field(default_factory=lambda: np.empty(0), compare=False)

    @staticmethod
    def read(rest: str) -> "AtPoints":
        """The places come from the target."""
        if rest:
            raise HypothesisError(
                f"points:{rest[:40]} is a target; the law is written as "
                "the word points alone, without a file",
                parameter="law",
            )
        return AtPoints()

    @property
    def text(self) -> str:
        return "points"

    @property
    def words(self) -> str:
        return "these points"

    @property
    def in_dim(self) -> int:
        return 1

    @property
    def sides(self) -> tuple[Segment, ...]:
        """From the first point to the last."""
        return (Segment(self.x.min(), self.x.max()),) if len(self.x) else ()

    def sample(self, count: int, seed: int) -> np.ndarray:
        share = self.weight / self.weight.sum()
        chosen = np.random.default_rng(seed).choice(len(self.x), count, p=share)
        return self.x[chosen][:, None]
