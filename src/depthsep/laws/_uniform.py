"""The uniform law on an interval."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.exact import nearest_float
from depthsep.laws._domains import Segment
from depthsep.laws._on_interval import AbstractLineLaw


@dataclass(frozen=True)
class Uniform(AbstractLineLaw):
    """Uniform on [start, stop]: l1 and l2 are means over the interval."""

    start: fmpq
    stop: fmpq

    def __init__(self, start: object = 0, stop: object = 1) -> None:
        on = Segment(start, stop)
        object.__setattr__(self, "start", on.start)
        object.__setattr__(self, "stop", on.stop)

    @property
    def interval(self) -> Segment:
        return Segment(self.start, self.stop)

    @property
    def text(self) -> str:
        return f"uniform:{self.interval.text}"

    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        on = self.interval
        return nearest_float(on.start) + nearest_float(on.length) * shares
