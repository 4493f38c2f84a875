"""Laws that turn every direction alike: a radius, times a uniform direction."""

import warnings
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.exact import ball_upper, bracket, rational, text
from depthsep.laws._base import AbstractLaw
from depthsep.laws._radius import (
    Radius,
    RadiusShape,
    Shells,
    Support,
    ball,
    chi,
    shells,
    uniform,
)

PRECISION = 96
BITS = 40
QUANTILES = 1024
MAX_DIM = 1000
MAX_SHELLS = 10_000
MOST_SHOWN = 4  # numbers of a law in sentences
FARTHEST = fmpq(10) ** 9


class AbstractRadialLaw(AbstractLaw):
    """The law of radius * direction in R^d."""

    setting: ClassVar[str] = "radial"

    dim: int

    @abstractmethod
    def cdf(self, radius: fmpq) -> arb:
        """P(|x| <= radius), enclosed."""

    @abstractmethod
    def moment(self, power: fmpq) -> arb:
        """E |x|^power, enclosed; infinite, with a warning, where there is none."""

    def least_density(self, start: fmpq, stop: fmpq) -> arb:
        """A bound from below of the density of |x| between two radii; by default 0."""
        return arb(0)

    @property
    def support(self) -> Support | None:
        """Radii between which every interval has mass, the second None if none ends it.

        None where no such radii are known.
        """
        return None

    @property
    def is_in_unit_ball(self) -> bool:
        """Whether |x| <= 1 is known to hold for sure."""
        return False

    @property
    def in_dim(self) -> int:
        return self.dim

    def draw_radii(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """`count` independent |x|, by default those of samples."""
        return np.linalg.norm(self.sample(count, int(rng.integers(2**31))), axis=1)

    def radii(self) -> RadiusShape:
        """How |x| is spread, in floats; by default its quantiles, equally likely."""
        levels = (fmpq(2 * k + 1, 2 * QUANTILES) for k in range(QUANTILES))
        return Shells(tuple(float(self.quantile(x).mid()) for x in levels))

    def quantile(self, level: fmpq) -> arb:
        """The r with P(|x| <= r) = level, enclosed to about 40 bits.

        Where the law has atoms, the smallest r with P(|x| <= r) >= level.
        """
        if not 0 < level < 1:
            raise HypothesisError(
                f"the level is {level}; it must be above 0 and below 1"
            )

        def is_before(radius: fmpq) -> bool | None:
            below = self.cdf(radius)
            return True if below < level else False if below >= level else None

        name = f"the quantile at level {level}"
        ends = bracket(is_before, fmpq(1), bits=BITS, farthest=FARTHEST, name=name)
        return arb(ends[0]).union(arb(ends[1]))


def turned(law: AbstractRadialLaw, count: int, seed: int) -> np.ndarray:
    """Samples as radii times independent uniform directions."""
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((count, law.dim))
    unit = z / np.linalg.norm(z, axis=1, keepdims=True)
    return law.draw_radii(count, rng)[:, None] * unit


def no_moment(power: fmpq, law: AbstractLaw) -> arb:
    """Infinity, with a warning: sampling would not settle down."""
    warnings.warn(
        f"|x|^{text(power)} has no mean under {law}: averages of "
        "samples do not converge",
        stacklevel=3,
    )
    return arb("inf")


@dataclass(frozen=True)
class RadialLaw(AbstractRadialLaw):
    """One of the radial laws with all moments.

    ``sphere:D``, ``ball:D`` (uniform in the unit ball), ``gaussian:D`` (standard),
    ``chi:D:K`` (a radius of law chi with K degrees of freedom), ``radius:D:A,B`` (a
    uniform radius) or ``shells:D:R1,R2,...`` (equally likely radii).

    Raises:
        HypothesisError: a dimension not from 1 to 1000, or parameters that do not fit.
    """

    kind: str
    dim: int  # pyrefly: ignore[bad-override] (frozen)
    numbers: tuple[fmpq, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.dim <= MAX_DIM:
            raise HypothesisError(
                f"the law has {self.dim} dimensions; give 1 to {MAX_DIM}"
            )
        count, valid = _PARAMETERS[self.kind]
        if len(self.numbers) > MAX_SHELLS or not (
            (count is None and self.numbers) or len(self.numbers) == count
        ):
            wanted = (
                f"1 to {MAX_SHELLS} numbers"
                if count is None
                else plural(count, "number")
            )
            raise HypothesisError(
                f"the law {self.kind} takes {wanted} after its dimension"
            )
        if not valid(self.numbers):
            raise HypothesisError(
                f"{self.kind} cannot have the parameters "
                f"{', '.join(map(text, self.numbers))}; chi and shells need numbers "
                "above 0, radius needs 0 <= A < B, and none may be above 1e9"
            )

    @property
    def text(self) -> str:
        rest = ",".join(map(text, self.numbers))
        return f"{self.kind}:{self.dim}" + (f":{rest}" if rest else "")

    @property
    def radius(self) -> Radius:
        """The law of |x|."""
        return _RADII[self.kind](self)

    def cdf(self, radius: fmpq) -> arb:
        with ctx.workprec(PRECISION):
            return self.radius.cdf(radius) if radius >= 0 else arb(0)

    def least_density(self, start: fmpq, stop: fmpq) -> arb:
        with ctx.workprec(PRECISION):
            return self.radius.least_density(arb(start), arb(stop)).lower()

    @property
    def support(self) -> Support | None:
        return self.radius.support

    @property
    def is_in_unit_ball(self) -> bool:
        inside = self.cdf(fmpq(1))
        return inside.is_exact() and inside == 1

    def moment(self, power: fmpq) -> arb:
        with ctx.workprec(PRECISION):
            value = self.radius.moment(arb(power))
            if value.is_finite() and value > 0:
                return value
        return no_moment(power, self)

    def draw_radii(self, count: int, rng: np.random.Generator) -> np.ndarray:
        return self.radius.draw(rng.random(count))

    def radii(self) -> RadiusShape:
        return self.radius.shape()

    def sample(self, count: int, seed: int) -> np.ndarray:
        if self.kind == "gaussian":
            return np.random.default_rng(seed).standard_normal((count, self.dim))
        return turned(self, count, seed)

    def __str__(self) -> str:
        if not self.numbers:
            return f"{self.kind} in R^{self.dim}"
        count = len(self.numbers)
        more = f",... ({count} numbers)" if count > MOST_SHOWN else ""
        shown = ",".join(map(text, self.numbers[:MOST_SHOWN]))
        return f"{self.kind}:{self.dim}:{shown}{more}"


def radial_law_from_text(name: str, rest: str) -> RadialLaw:
    """``D`` or ``D:NUMBERS`` after the name of a kind."""
    dim, _, numbers = rest.partition(":")
    if not (dim.isascii() and dim.isdigit() and len(dim) < 10):
        raise HypothesisError(
            f"{name}:{rest[:40]} must start with {name}:D, where the "
            "dimension D is a whole number"
        )
    given = tuple(
        rational(n, name="a radius") for n in (numbers.split(",") if numbers else ())
    )
    return RadialLaw(name, int(dim), given)


Numbers = tuple[fmpq, ...]
_PARAMETERS: dict[str, tuple[int | None, Callable[[Numbers], bool]]] = {
    "sphere": (0, lambda n: True),
    "ball": (0, lambda n: True),
    "gaussian": (0, lambda n: True),
    "chi": (1, lambda n: 0 < n[0] <= FARTHEST),
    "radius": (2, lambda n: 0 <= n[0] < n[1] <= FARTHEST),
    "shells": (None, lambda n: all(0 < r <= FARTHEST for r in n)),
}
_RADII: dict[str, Callable[[RadialLaw], Radius]] = {
    "sphere": lambda law: shells((fmpq(1),)),
    "ball": lambda law: ball(law.dim),
    "gaussian": lambda law: chi(fmpq(law.dim)),
    "chi": lambda law: chi(law.numbers[0]),
    "radius": lambda law: uniform(*law.numbers),
    "shells": lambda law: shells(law.numbers),
}
KINDS = tuple(_RADII)


def enclosing(ball: arb, cdf: Callable[[fmpq], arb]) -> arb:
    """A monotone function on a ball, from its values at both ends."""
    return cdf(-ball_upper(-ball)).union(cdf(ball_upper(ball)))
