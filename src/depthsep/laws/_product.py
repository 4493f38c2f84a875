"""Independent inputs on a box: a law on an interval for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from depthsep.laws._base import AbstractLaw
from depthsep.laws._domains import Box, Segment
from depthsep.laws._on_interval import AbstractLineLaw
from depthsep.laws._uniform import Uniform


@dataclass(frozen=True)
class ProductLaw(AbstractLaw):
    """Independent inputs, each under a law on an interval."""

    setting: ClassVar[str] = "box"

    inputs: tuple[AbstractLineLaw, ...]

    def __init__(self, inputs: Sequence[AbstractLineLaw]) -> None:
        object.__setattr__(self, "inputs", tuple(inputs))
        _ = self.box  # has two sides or more

    @property
    def box(self) -> Box:
        return Box(self.sides)

    @property
    def sides(self) -> tuple[Segment, ...]:
        return tuple(law.interval for law in self.inputs)

    @property
    def is_weighted(self) -> bool:  # type: ignore[override]
        return any(law.is_weighted for law in self.inputs)

    @property
    def has_open_ends(self) -> bool:  # type: ignore[override]
        return any(law.has_open_ends for law in self.inputs)

    @property
    def words(self) -> str:
        return f"{self} under {self.text}" if self.is_weighted else str(self)

    @property
    def text(self) -> str:
        return "box:" + ";".join(i.text.removeprefix("uniform:") for i in self.inputs)

    @property
    def in_dim(self) -> int:
        return len(self.inputs)

    def sample(self, count: int, seed: int) -> np.ndarray:
        shares = np.random.default_rng(seed).random((count, self.in_dim))
        columns = zip(self.inputs, shares.T, strict=True)
        return np.column_stack([law.quantiles(column) for law, column in columns])

    def __str__(self) -> str:
        return str(self.box)


def uniform_on(domain: Segment | Box) -> AbstractLaw:
    """The uniform law on an interval or a box."""
    if isinstance(domain, Segment):
        return Uniform(domain.start, domain.stop)
    return ProductLaw([Uniform(side.start, side.stop) for side in domain.sides])
