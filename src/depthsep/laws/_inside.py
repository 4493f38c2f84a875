"""A radial law within a ball: the law of x, given that |x| <= R."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float, readable, text
from depthsep.laws._radial import FARTHEST, AbstractRadialLaw, turned
from depthsep.laws._radius import (
    BallRadii,
    RadiusDensity,
    RadiusShape,
    Shells,
    Support,
    UniformRadii,
)

LEAST_MASS = fmpq(1, 1000)  # samples are drawn by rejection
CELLS = 512  # of a moment, between the values of the distribution function
FEWEST_NODES = 1024
PRECISION = 96


@dataclass(frozen=True)
class Inside(AbstractRadialLaw):
    """``inside:R:LAW``: a radial law cut at |x| = R, and scaled to mass 1.

    phi^2 has no mean; within a ball it has all moments, so that networks whose units
    grow have a finite loss.

    Raises:
        HypothesisError: a radius that is not positive, or a ball of mass below 1/1000.
    """

    law: AbstractRadialLaw
    radius: fmpq

    def __post_init__(self) -> None:
        if not isinstance(self.law, AbstractRadialLaw):
            raise HypothesisError(
                f"inside:R:LAW needs a radial law as LAW, and {self.law} is not one"
            )
        if not 0 < self.radius <= FARTHEST:
            raise HypothesisError(
                f"the radius R of inside:R:LAW is {readable(self.radius)}; it must be "
                "positive and at most 1e9"
            )
        if self.mass <= LEAST_MASS or not self.mass.upper() > LEAST_MASS:
            raise HypothesisError(
                f"{self.law} has at most 1/1000 of its mass within |x| "
                f"<= {text(self.radius)}; give a larger radius"
            )

    @cached_property
    def mass(self) -> arb:
        """P(|x| <= R) under the law that is cut."""
        return self.law.cdf(self.radius)

    @property
    def dim(self) -> int:  # type: ignore[override]
        """The dimension of the law that is cut."""
        return self.law.dim

    @property
    def text(self) -> str:
        return f"inside:{text(self.radius)}:{self.law.text}"

    def __str__(self) -> str:
        return f"{self.law}, given |x| <= {text(self.radius)}"

    def cdf(self, radius: fmpq) -> arb:
        if radius >= self.radius:
            return arb(1)
        with ctx.workprec(PRECISION):
            return (self.law.cdf(radius) / self.mass).min(arb(1))

    def least_density(self, start: fmpq, stop: fmpq) -> arb:
        if stop > self.radius:
            return arb(0)
        with ctx.workprec(PRECISION):
            return (self.law.least_density(start, stop) / self.mass).lower()

    @property
    def support(self) -> Support | None:
        found = self.law.support
        if found is None or found[0] >= self.radius:
            return None
        start, stop = found
        return start, self.radius if stop is None else min(stop, self.radius)

    @property
    def is_in_unit_ball(self) -> bool:
        return self.radius <= 1 or self.law.is_in_unit_ball

    def moment(self, power: fmpq) -> arb:
        """E |x|^power, power >= 0, enclosed.

        On a cell of radii the power lies between those at its ends, so the enclosure is
        about R^power times power / 512 wide: rough where R is far beyond the mass.

        Raises:
            HypothesisError: a negative power, which is not bounded near 0.
        """
        if power < 0:
            raise HypothesisError(
                f"for the law {self}, only means of |x|^s with s >= 0 "
                f"are supported; here s is {text(power)}"
            )
        with ctx.workprec(PRECISION):
            step, before = self.radius / CELLS, self.cdf(fmpq(0))
            left = arb(1) if power == 0 else arb(0)
            total = before * left
            for k in range(1, CELLS + 1):
                after, right = self.cdf(step * k), arb(step * k) ** arb(power)
                total += (after - before).max(arb(0)) * left.union(right)
                before, left = after, right
            return total

    def radii(self) -> RadiusShape:
        shape, stop = self.law.radii(), nearest_float(self.radius)
        match shape:
            case UniformRadii():
                return UniformRadii(shape.start, min(shape.stop, stop))
            case BallRadii(dim):
                return shape if stop >= 1 else _ball(dim, stop)
            case Shells():
                return Shells(tuple(r for r in shape.radii if r <= stop))
            case RadiusDensity():
                return _cut(shape, stop)

    def draw_radii(self, count: int, rng: np.random.Generator) -> np.ndarray:
        found, missing, stop = [], count, nearest_float(self.radius)
        share = float(self.mass.mid())
        while missing > 0:
            drawn = self.law.draw_radii(int(missing / share * 1.1) + 16, rng)
            found.append(drawn[drawn <= stop][:missing])
            missing -= len(found[-1])
        return np.concatenate([np.empty(0), *found])

    def sample(self, count: int, seed: int) -> np.ndarray:
        return turned(self, count, seed)


def _ball(dim: int, stop: float) -> RadiusDensity:
    """A ball of another radius than 1."""
    return RadiusDensity(lambda r: dim * (r / stop) ** (dim - 1) / stop, 0.0, stop)


def _cut(shape: RadiusDensity, stop: float) -> RadiusDensity:
    """The density up to the cut, to be normalised anew."""
    reach = min(stop, shape.reach) if not shape.tail else stop
    share = (reach - shape.start) / (shape.reach - shape.start)
    nodes = max(int(shape.nodes * share), FEWEST_NODES) if shape.nodes else 0
    return RadiusDensity(shape.density, shape.start, reach, 0.0, nodes)
