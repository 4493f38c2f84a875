"""Two independent uniform points on a sphere."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.laws._base import AbstractLaw

MAX_DIM = 1000


@dataclass(frozen=True)
class SpherePair(AbstractLaw):
    """(x, x') independent and uniform on S^{d-1}, as one input of 2 d numbers."""

    setting: ClassVar[str] = "spheres"

    dim: int

    def __post_init__(self) -> None:
        if not 2 <= self.dim <= MAX_DIM:
            raise HypothesisError(
                f"spheres in R^{self.dim} are not supported; give 2 to "
                f"{MAX_DIM} dimensions",
                parameter="dim",
            )

    @property
    def text(self) -> str:
        return f"spheres:{self.dim}"

    @property
    def in_dim(self) -> int:
        return 2 * self.dim

    @property
    def dimension(self) -> int:
        return self.dim

    def sample(self, count: int, seed: int) -> np.ndarray:
        z = np.random.default_rng(seed).standard_normal((count, 2, self.dim))
        return (z / np.linalg.norm(z, axis=2, keepdims=True)).reshape(count, -1)

    def __str__(self) -> str:
        return f"two points of the sphere in R^{self.dim}"
