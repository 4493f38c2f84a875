"""Exponential laws, on [0, inf) or cut off."""

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Jet, nearest_float, rational, text
from depthsep.laws._density import AbstractDensityLaw
from depthsep.laws._domains import Segment

REACH = 80  # of the interval that holds all but e^-80 of the mass


@dataclass(frozen=True)
class Exponential(AbstractDensityLaw):
    """``exponential:r``: density r e^(-r x) for x >= 0; cut off by a second number.

    `interval` ends where all but e^-80 of the mass is, if the law is not cut off.

    Raises:
        HypothesisError: a rate or an end that is not positive.
    """

    rate: fmpq
    stop: fmpq | None

    def __init__(self, rate: object, stop: object = None) -> None:
        r = rational(rate, name="the rate of exponential:r")
        end = (
            None
            if stop is None
            else rational(stop, name="the end B of exponential:r,B")
        )
        if r <= 0 or (end is not None and end <= 0):
            raise HypothesisError(
                "exponential:r,B: the rate r and the end B must be positive"
            )
        object.__setattr__(self, "rate", r)
        object.__setattr__(self, "stop", end)

    @property
    def ends(self) -> tuple[fmpq | None, fmpq | None]:
        return fmpq(0), self.stop

    @property
    def gentle_rate(self) -> fmpq:
        return self.rate / 8

    @property
    def interval(self) -> Segment:
        return Segment(0, self.stop or REACH / self.rate)

    @property
    def text(self) -> str:
        end = "" if self.stop is None else f",{text(self.stop)}"
        return f"exponential:{text(self.rate)}{end}"

    @property
    def words(self) -> str:
        return f"[0, inf) under {self.text}" if self.has_open_ends else super().words

    def shape(self, x: arb) -> Jet:
        r = arb(self.rate)
        value = (-r * x).exp()
        return Jet(value, -r * value, r * r * value)

    def shape_mass(self, start: fmpq, stop: fmpq) -> arb:
        r = arb(self.rate)
        return (-r * start).exp() * (-(-r * (stop - start)).expm1()) / r

    def whole_mass(self) -> arb:
        return 1 / arb(self.rate) if self.has_open_ends else super().whole_mass()

    def moment_beyond(self, side: int, rate: fmpq) -> arb | None:
        if side < 0 or not self.has_open_ends:
            return arb(0)
        if rate >= self.rate:
            return None
        return arb(-self.rate * self.interval.stop).exp() / (1 - arb(rate / self.rate))

    def shape_floats(self, x: np.ndarray) -> np.ndarray:
        return np.exp(-nearest_float(self.rate) * x)

    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        rate, whole = nearest_float(self.rate), 1.0
        if self.stop is not None:
            whole = -np.expm1(-rate * nearest_float(self.stop))
        return -np.log1p(-shares * whole) / rate
