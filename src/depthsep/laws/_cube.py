"""Independent signs."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.laws._base import AbstractLaw


@dataclass(frozen=True)
class SignCube(AbstractLaw):
    """Uniform on {-1, 1}^dim."""

    setting: ClassVar[str] = "signs"

    dim: int

    def __post_init__(self) -> None:
        if self.dim < 1:
            raise HypothesisError(
                f"signs:{self.dim} has no inputs; give signs:D with D at least 1"
            )

    @property
    def text(self) -> str:
        return f"signs:{self.dim}"

    @property
    def words(self) -> str:
        return f"{{-1, 1}}^{self.dim}"

    @property
    def in_dim(self) -> int:
        return self.dim

    def sample(self, count: int, seed: int) -> np.ndarray:
        signs = np.random.default_rng(seed).integers(0, 2, (count, self.dim))
        return 2.0 * signs - 1.0
