"""The uniform law on a box."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float
from depthsep.laws._base import AbstractLaw
from depthsep.laws._uniform import Uniform


@dataclass(frozen=True)
class Box(AbstractLaw):
    """Uniform on a product of intervals, one for each of two or more inputs."""

    setting: ClassVar[str] = "box"

    sides: tuple[Uniform, ...]

    def __init__(self, sides: Sequence[Uniform]) -> None:
        if len(sides) < 2:
            raise HypothesisError("a box needs two sides or more; use uniform:A,B")
        object.__setattr__(self, "sides", tuple(sides))

    @staticmethod
    def cube(side: Uniform, dim: int) -> "Box":
        """The same interval for every input."""
        return Box([side] * dim)

    @property
    def box(self) -> "Box":
        return self

    @property
    def text(self) -> str:
        return "box:" + ";".join(s.text.removeprefix("uniform:") for s in self.sides)

    @property
    def in_dim(self) -> int:
        return len(self.sides)

    @property
    def starts(self) -> list[fmpq]:
        """The lower corner."""
        return [side.start for side in self.sides]

    @property
    def stops(self) -> list[fmpq]:
        """The upper corner."""
        return [side.stop for side in self.sides]

    def range_of(self, direction: Sequence[fmpq]) -> tuple[fmpq, fmpq]:
        """The least and the largest value of direction . x on the box."""
        pairs = [
            sorted((w * side.start, w * side.stop))
            for w, side in zip(direction, self.sides, strict=True)
        ]
        zero = fmpq(0)
        return sum((p[0] for p in pairs), zero), sum((p[1] for p in pairs), zero)

    def sample(self, count: int, seed: int) -> np.ndarray:
        start = np.array([nearest_float(side.start) for side in self.sides])
        length = np.array([nearest_float(side.length) for side in self.sides])
        rng = np.random.default_rng(seed)
        return start + length * rng.random((count, self.in_dim))

    def __str__(self) -> str:
        first = self.sides[0]
        if all(side == first for side in self.sides):
            return f"[{first.start}, {first.stop}]^{self.in_dim}"
        return " x ".join(f"[{s.start}, {s.stop}]" for s in self.sides)
