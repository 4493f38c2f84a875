"""Parity of signs: the product of d inputs, each -1 or 1."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.laws import AbstractLaw, SignCube
from depthsep.targets._base import AbstractTarget

MAX_INPUTS = 1 << 20


@dataclass(frozen=True)
class Parity(AbstractTarget):
    """x -> x_1 x_2 ... x_d on {-1, 1}^d."""

    settings: ClassVar[tuple[str, ...]] = ("signs",)
    words_are_formula: ClassVar[bool] = False

    inputs: int

    def __post_init__(self) -> None:
        if not 1 <= self.inputs <= MAX_INPUTS:
            raise HypothesisError(
                f"parity:{self.inputs} is out of range; use parity:D with D from 1 to "
                f"{MAX_INPUTS}"
            )

    @property
    def text(self) -> str:
        return f"parity:{self.inputs}"

    @property
    def words(self) -> str:
        return f"parity of {plural(self.inputs, 'sign')}"

    @property
    def remark(self) -> str:
        return (
            f"The parity is the product of {plural(self.inputs, 'input')}, each -1 "
            "or 1."
        )

    @property
    def in_dim(self) -> int:
        return self.inputs

    def default_law(self) -> AbstractLaw:
        return SignCube(self.inputs)

    def floats(self, x: np.ndarray) -> np.ndarray:
        return np.prod(x, axis=-1)

    def known_constant(self, norm: str) -> tuple[fmpq, fmpq]:
        return fmpq(0), fmpq(1)
