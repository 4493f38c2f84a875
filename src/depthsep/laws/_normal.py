"""Normal laws, on the line or cut off."""

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Jet, nearest_float, rational, text
from depthsep.laws._density import AbstractDensityLaw
from depthsep.laws._domains import Segment

REACH = 16  # standard deviations, beyond which there is less than 1e-56 of the mass
LEAST_MASS = 1e-30  # of the uncut law, where it is cut off


@dataclass(frozen=True)
class Normal(AbstractDensityLaw):
    """``normal:m,s``: mean m, standard deviation s; cut off to [A, B] by two more.

    `interval` is m - 16 s to m + 16 s if the law is not cut off.

    Raises:
        HypothesisError: a deviation that is not positive, or an interval with less
            than 1e-30 of the mass.
    """

    mean: fmpq
    deviation: fmpq
    cut: Segment | None

    def __init__(self, mean: object, deviation: object, *ends: object) -> None:
        m = rational(mean, name="the mean of normal:m,s")
        s = rational(deviation, name="the standard deviation of normal:m,s")
        if s <= 0:
            raise HypothesisError(f"normal:m,s with s = {text(s)}; s must be positive")
        if len(ends) not in (0, 2):
            raise HypothesisError(
                "a normal law takes two or four numbers; give normal:m,s "
                "or normal:m,s,A,B"
            )
        object.__setattr__(self, "mean", m)
        object.__setattr__(self, "deviation", s)
        object.__setattr__(self, "cut", Segment(*ends) if ends else None)
        if not self.whole_mass() / self._scale > LEAST_MASS:
            raise HypothesisError(
                f"before the cut, {self.text} has less than "
                f"{LEAST_MASS:g} of its mass on {self.interval}; choose "
                "ends A,B with more of it between them"
            )

    @property
    def ends(self) -> tuple[fmpq | None, fmpq | None]:
        return (None, None) if self.cut is None else (self.cut.start, self.cut.stop)

    @property
    def gentle_rate(self) -> fmpq:
        return 1 / self.deviation

    @property
    def interval(self) -> Segment:
        far = REACH * self.deviation
        return self.cut or Segment(self.mean - far, self.mean + far)

    @property
    def text(self) -> str:
        ends = "" if self.cut is None else f",{self.cut.text}"
        return f"normal:{text(self.mean)},{text(self.deviation)}{ends}"

    @property
    def words(self) -> str:
        return f"R under {self.text}" if self.has_open_ends else super().words

    def _standard(self, x: arb | fmpq) -> arb:
        return (arb(x) - arb(self.mean)) / arb(self.deviation)

    @property
    def _scale(self) -> arb:
        """The integral of `shape` over all numbers, if the law is not cut off."""
        return arb(self.deviation) * (2 * arb.pi()).sqrt()

    def shape(self, x: arb) -> Jet:
        z, s = self._standard(x), arb(self.deviation)
        value = (-z * z / 2).exp()
        return Jet(value, -z / s * value, (z * z - 1) / (s * s) * value)

    def shape_mass(self, start: fmpq, stop: fmpq) -> arb:
        return self._scale * _between(self._standard(start), self._standard(stop))

    def whole_mass(self) -> arb:
        return self._scale if self.has_open_ends else super().whole_mass()

    def moment_beyond(self, side: int, rate: fmpq) -> arb | None:
        if not self.has_open_ends:
            return arb(0)
        # over z > 16 the integral of e^(r s (z - 16)) phi(z): complete the square
        moved = arb(rate * self.deviation)
        return (moved * moved / 2 - REACH * moved).exp() * _above(REACH - moved)

    def shape_floats(self, x: np.ndarray) -> np.ndarray:
        z = (x - nearest_float(self.mean)) / nearest_float(self.deviation)
        return np.exp(-z * z / 2)

    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        from scipy.special import ndtr, ndtri

        m, s = nearest_float(self.mean), nearest_float(self.deviation)
        if self.cut is None:
            return m + s * ndtri(shares)
        ends = np.array([nearest_float(e) for e in (self.cut.start, self.cut.stop)])
        low, high = ndtr((ends - m) / s)
        return np.clip(m + s * ndtri(low + (high - low) * shares), *ends)


def _above(z: arb) -> arb:
    """P(Z > z) of a standard normal."""
    return (z / arb(2).sqrt()).erfc() / 2


def _between(a: arb, b: arb) -> arb:
    """P(a < Z < b), without cancellation on one side of 0."""
    return _above(a) - _above(b) if a > 0 else _above(-b) - _above(-a)
