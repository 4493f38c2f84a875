"""Laws on an interval with a density that is not constant."""

from abc import abstractmethod
from functools import cached_property
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.exact import Jet, ball_upper, nearest_float
from depthsep.laws._on_interval import AbstractLineLaw

PRECISION = 128
SAMPLES = 8192
CELLS = 1024  # on which the extremes of a density are enclosed


class AbstractDensityLaw(AbstractLineLaw):
    """A law with a density, given up to a factor; l1 and l2 are means under it.

    `density` and `range_of_density` are relative to the uniform law on `interval`: 1
    where a point is as likely as there.
    """

    is_weighted: bool = True

    @abstractmethod
    def shape(self, x: arb) -> Jet:
        """The density up to a factor, with two derivatives, over a ball."""

    @abstractmethod
    def shape_mass(self, start: fmpq, stop: fmpq) -> arb:
        """The integral of `shape` over a part of the interval, enclosed."""

    @abstractmethod
    def shape_floats(self, x: np.ndarray) -> np.ndarray:
        """`shape` at points of the interval, float64."""

    def whole_mass(self) -> arb:
        """The integral of `shape` over all numbers, enclosed."""
        return self.shape_mass(self.interval.start, self.interval.stop)

    def moment_beyond(self, side: int, rate: fmpq) -> arb | None:
        """E exp(rate y), y > 0 how far x lies beyond an end of `interval`, enclosed.

        Args:
            side: -1 for the start, 1 for the end.

        Returns:
            None where it is infinite; 0 for laws that live on `interval`.
        """
        return arb(0)

    @property
    def gentle_rate(self) -> fmpq:
        """A rate at which functions may grow beyond `interval` and add little."""
        return fmpq(1)

    @cached_property
    def _whole(self) -> arb:
        with ctx.workprec(PRECISION):
            return self.whole_mass()

    @property
    def _factor(self) -> arb:
        return arb(self.interval.length) / self._whole

    def mass(self, start: fmpq, stop: fmpq) -> arb:
        """The probability of a part of the interval, enclosed."""
        return self.shape_mass(start, stop) / self._whole

    def density(self, x: arb) -> Jet:
        """The relative density with two derivatives, over a ball."""
        shape, factor = self.shape(x), self._factor
        return Jet(shape.value * factor, shape.first * factor, shape.second * factor)

    def density_floats(self, x: np.ndarray) -> np.ndarray:
        """The relative density at points of the interval, float64."""
        with np.errstate(all="ignore"):
            return self.shape_floats(x) * float(self._factor.mid())

    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        # from the density at many points
        on = self.interval
        ends = nearest_float(on.start), nearest_float(on.stop)
        x = np.linspace(*ends, SAMPLES + 1)
        density = np.nan_to_num(self.shape_floats(x), posinf=0.0).clip(0)
        mass = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
        return np.interp(shares, mass / mass[-1], x)

    def least_density(self, start: fmpq, stop: fmpq) -> fmpq:
        """What the relative density is at least between two points."""
        return lower_end(self.density(arb(start).union(arb(stop))).value)

    @property
    def range_of_density(self) -> tuple[fmpq, fmpq | None]:
        return self._range

    @cached_property
    def _range(self) -> tuple[fmpq, fmpq | None]:
        on = self.interval
        ends = [on.start + on.length * fmpq(k, CELLS) for k in range(CELLS + 1)]
        with ctx.workprec(PRECISION):
            found = [
                self.density(arb(a).union(arb(b))).value for a, b in pairwise(ends)
            ]
            least = min(self.least_density(a, b) for a, b in pairwise(ends))
            if not all(value.is_finite() for value in found):
                return least, None
            return least, max(ball_upper(value) for value in found)


def lower_end(density: arb) -> fmpq:
    """What a density is at least, given an enclosure of it."""
    if not density.is_finite():
        return fmpq(0)
    return max(fmpq(0), -ball_upper(-density))


def split(a: fmpq, b: fmpq, at: fmpq) -> list[tuple[fmpq, fmpq]]:
    """The parts of [a, b] before and after a point."""
    ends = sorted({a, b, min(max(a, at), b)})
    return list(pairwise(ends))
