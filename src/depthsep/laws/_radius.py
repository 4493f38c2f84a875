"""Laws of a radius: exact in balls, and their shapes in floats."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from flint import acb, arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float

Density = Callable[[np.ndarray], np.ndarray]
CHI_REACH = 12.0  # standard deviations around the mode, and more


class UniformRadii(NamedTuple):
    """Uniform on [start, stop]."""

    start: float
    stop: float


class BallRadii(NamedTuple):
    """As in the unit ball of R^dim."""

    dim: int


class Shells(NamedTuple):
    """Finitely many radii, equally likely."""

    radii: tuple[float, ...]


class RadiusDensity(NamedTuple):
    """A density on [start, reach]; beyond, tail / r^2.

    Attributes:
        density: vectorised, up to a factor unless `mass` is known.
        nodes: how finely it has to be tabulated; 0 if that does not matter.
    """

    density: Density
    start: float
    reach: float
    tail: float = 0.0
    nodes: int = 0
    mass: float | None = None


Support = tuple[fmpq, fmpq | None]
RadiusShape = UniformRadii | BallRadii | Shells | RadiusDensity


@dataclass(frozen=True)
class Radius:
    """A law of the radius.

    Attributes:
        cdf: P(r <= radius).
        moment: E r^power, not finite where there is none.
        draw: uniform numbers in (0, 1) to radii.
        shape: makes its shape in floats.
        least_density: between two radii, from below; 0 where there is no density.
        support: radii between which every interval has mass, the second None if there
            is no end; None if there are no such radii.
    """

    cdf: Callable[[fmpq], arb]
    moment: Callable[[arb], arb]
    draw: Callable[[np.ndarray], np.ndarray]
    shape: Callable[[], RadiusShape]
    least_density: Callable[[arb, arb], arb]
    support: Support | None


def shells(radii: tuple[fmpq, ...]) -> Radius:
    """Given radii, equally likely."""
    places = np.array([nearest_float(r) for r in radii])

    def cdf(r: fmpq) -> arb:
        return arb(sum(x <= r for x in radii)) / len(radii)

    return Radius(
        cdf,
        lambda s: sum((arb(x) ** s for x in radii), arb(0)) / len(radii),
        lambda u: places[(u * len(places)).astype(np.int64)],
        lambda: Shells(tuple(places.tolist())),
        lambda a, b: arb(0),
        None,
    )


def ball(dim: int) -> Radius:
    """The radius of a uniform point of the unit ball."""
    return Radius(
        lambda r: (arb(r) ** dim).min(arb(1)),
        lambda s: dim / (dim + s) if dim + s > 0 else arb("inf"),
        lambda u: u ** (1 / dim),
        lambda: BallRadii(dim),
        lambda a, b: dim * a ** (dim - 1) if b <= 1 else arb(0),
        (fmpq(0), fmpq(1)),
    )


def chi(freedom: fmpq) -> Radius:
    """The length of a standard normal vector of `freedom` dimensions."""
    half = arb(freedom) / 2

    def draw(u: np.ndarray) -> np.ndarray:
        from scipy.special import gammaincinv

        return np.sqrt(2 * gammaincinv(float(half), u))

    def moment(s: arb) -> arb:
        if not s > -2 * half:
            return arb("inf")
        logs = (half + s / 2).lgamma() - half.lgamma()
        return (s / 2 * arb(2).log() + logs).exp()

    def density(r: arb) -> arb:
        logs = (2 * half - 1) * r.log() - r * r / 2 - (half - 1) * arb(2).log()
        return (logs - half.lgamma()).exp()

    return Radius(
        lambda r: acb(arb(r * r / 2)).gamma_lower(acb(half), 1).real,
        moment,
        draw,
        lambda: _chi_density(nearest_float(freedom)),
        # it rises and falls once
        lambda a, b: density(a).min(density(b)) if a > 0 else arb(0),
        (fmpq(0), None),
    )


def _chi_density(freedom: float) -> RadiusDensity:
    if freedom < 2:
        raise HypothesisError(
            f"|x| has a chi law with K = {freedom:g}, which is too concentrated at 0; "
            "give K (or, for gaussian:D, the dimension D) as 2 or more"
        )
    mode = (freedom - 1) ** 0.5

    def density(r: np.ndarray) -> np.ndarray:
        gap = np.maximum(r, 1e-300) - mode  # against the mode, where it is 1
        log = (freedom - 1) * np.log1p(gap / mode) - gap * (r + mode) / 2
        return np.where(r > 0, np.exp(log), 0.0)

    return RadiusDensity(density, max(mode - CHI_REACH, 0.0), mode + CHI_REACH)


def uniform(start: fmpq, stop: fmpq) -> Radius:
    """A uniform radius on [start, stop]."""
    length = stop - start
    a, h = nearest_float(start), nearest_float(length)

    def moment(s: arb) -> arb:
        if start == 0 and not s > -1:
            return arb("inf")
        if s == -1:
            return (arb(stop) / arb(start)).log() / length
        low = arb(start) ** (s + 1) if start > 0 else arb(0)
        return (arb(stop) ** (s + 1) - low) / ((s + 1) * length)

    return Radius(
        lambda r: arb((r - start) / length).max(arb(0)).min(arb(1)),
        moment,
        lambda u: a + h * u,
        lambda: UniformRadii(nearest_float(start), nearest_float(stop)),
        lambda a, b: 1 / arb(length) if a >= start and b <= stop else arb(0),
        (start, stop),
    )
