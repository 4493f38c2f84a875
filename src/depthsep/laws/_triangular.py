"""Triangular laws."""

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Jet, jets, nearest_float, rational
from depthsep.exact import text as written
from depthsep.laws._density import AbstractDensityLaw, split
from depthsep.laws._domains import Segment


@dataclass(frozen=True)
class Triangular(AbstractDensityLaw):
    """``triangular:A,MODE,B``: a density that rises to the mode and falls to 0.

    Raises:
        HypothesisError: a mode outside of [A, B], or an empty interval.
    """

    start: fmpq
    mode: fmpq
    stop: fmpq

    def __init__(
        self, start: object = 0, mode: object = fmpq(1, 2), stop: object = 1
    ) -> None:
        on, top = Segment(start, stop), rational(mode, name="the mode")
        if not on.start <= top <= on.stop:
            raise HypothesisError(f"triangular: the mode {top} is not in {on}")
        for name, value in (("start", on.start), ("mode", top), ("stop", on.stop)):
            object.__setattr__(self, name, value)

    @property
    def interval(self) -> Segment:
        return Segment(self.start, self.stop)

    @property
    def text(self) -> str:
        ends = (self.start, self.mode, self.stop)
        return f"triangular:{','.join(written(e) for e in ends)}"

    def shape(self, x: arb) -> Jet:
        ends = [end for end in (self.start, self.stop) if end != self.mode]
        sides = [_line(x, end, 1 / (self.mode - end)) for end in ends]
        return sides[0] if len(sides) == 1 else jets.larger(sides[0], sides[1], -1)

    def shape_mass(self, start: fmpq, stop: fmpq) -> arb:
        # exact: the density is affine on both sides of the mode
        parts = split(start, stop, self.mode)
        ends = [(b - a) * (self._at(a, b) + self._at(b, a)) / 2 for a, b in parts]
        return sum((arb(part) for part in ends), arb(0))

    def _at(self, x: fmpq, other: fmpq) -> fmpq:
        """The density at x, on the side of the mode where `other` lies."""
        if min(x, other) >= self.mode:
            return (self.stop - x) / (self.stop - self.mode)
        return (x - self.start) / (self.mode - self.start)

    def shape_floats(self, x: np.ndarray) -> np.ndarray:
        a, c, b = (nearest_float(e) for e in (self.start, self.mode, self.stop))
        up = (x - a) / (c - a) if c > a else np.ones_like(x)
        down = (b - x) / (b - c) if c < b else np.ones_like(x)
        return np.minimum(up, down)

    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        a, c, b = (nearest_float(e) for e in (self.start, self.mode, self.stop))
        low = a + np.sqrt(shares * (b - a) * (c - a))
        high = b - np.sqrt((1 - shares) * (b - a) * (b - c))
        return np.where(shares * (b - a) < c - a, low, high)


def _line(x: arb, zero: fmpq, slope: fmpq) -> Jet:
    return Jet((x - arb(zero)) * arb(slope), arb(slope), arb(0))
