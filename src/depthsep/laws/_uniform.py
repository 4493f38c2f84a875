"""The uniform law on an interval."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float, rational, readable, text
from depthsep.laws._base import AbstractLaw


@dataclass(frozen=True)
class Uniform(AbstractLaw):
    """Uniform on [start, stop]: l1 and l2 are means over the interval."""

    setting: ClassVar[str] = "line"

    start: fmpq
    stop: fmpq

    def __init__(self, start: object = 0, stop: object = 1) -> None:
        a = rational(start, name="the start of the interval")
        b = rational(stop, name="the end of the interval")
        if a >= b:
            raise HypothesisError(
                f"the interval [{a}, {b}] is reversed or empty; give start < end"
            )
        object.__setattr__(self, "start", a)
        object.__setattr__(self, "stop", b)

    @property
    def length(self) -> fmpq:
        """stop - start."""
        return self.stop - self.start

    @property
    def interval(self) -> "Uniform":
        return self

    @property
    def text(self) -> str:
        return f"uniform:{text(self.start)},{text(self.stop)}"

    @property
    def words(self) -> str:
        return f"[{readable(self.start)}, {readable(self.stop)}]"

    @property
    def in_dim(self) -> int:
        return 1

    def sample(self, count: int, seed: int) -> np.ndarray:
        a, length = nearest_float(self.start), nearest_float(self.length)
        return a + length * np.random.default_rng(seed).random((count, 1))
