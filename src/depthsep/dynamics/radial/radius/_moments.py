r"""Truncated moments of radial laws: M_k(s) = E r^k 1(r < s), k = 0, 1, 2.

All that a network exact in the radius needs of a law. M_k rises with s (the table of
phi^2 to 2e-11), so the moments up to min(s, t) are the smaller of the two:
intersections of intervals cost no more evaluations.
"""

from collections.abc import Callable
from functools import lru_cache

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, real
from depthsep.laws import (
    AbstractRadialLaw,
    BallRadii,
    RadiusDensity,
    Shells,
    UniformRadii,
)

POWERS = 3
NODES = 16_384  # of a table of moments, if no number is given
LEGENDRE = 6  # Gauss nodes between neighbours: exact up to degree 11


class UniformMoments(eqx.Module):
    """A uniform radius on [start, stop]."""

    start: float = eqx.field(static=True)
    stop: float = eqx.field(static=True)

    def __call__(self, s: Float[Array, "..."]) -> Float[Array, "powers ..."]:
        x, length = jnp.clip(s, self.start, self.stop), self.stop - self.start
        a, share = self.start, (x - self.start) / length
        return jnp.stack(
            [share, share * (x + a) / 2, share * (x * x + x * a + a * a) / 3]
        )

    def total(self) -> Float[Array, " powers"]:
        """E r^k."""
        return self(jnp.asarray(self.stop, jnp.result_type(float)))

    def draw_radii(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """`count` independent radii."""
        return rng.uniform(self.start, self.stop, count)


class BallMoments(eqx.Module):
    """The uniform law in the unit ball of R^d."""

    dim: int = eqx.field(static=True)

    def __call__(self, s: Float[Array, "..."]) -> Float[Array, "powers ..."]:
        x = jnp.clip(s, 0, 1)
        first = x**self.dim
        return jnp.stack(
            [first * x**k * (self.dim / (self.dim + k)) for k in range(POWERS)]
        )

    def total(self) -> Float[Array, " powers"]:
        """E r^k."""
        return self.dim / jnp.arange(float(self.dim), self.dim + POWERS)

    def draw_radii(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """`count` independent radii."""
        return rng.random(count) ** (1 / self.dim)


class ShellMoments(eqx.Module):
    """Finitely many radii, in order, equally likely."""

    radii: np.ndarray
    sums: np.ndarray  # (powers, shells + 1)

    def __call__(self, s: Float[Array, "..."]) -> Float[Array, "powers ..."]:
        at = jnp.searchsorted(jnp.asarray(self.radii), s, side="left")
        return jnp.asarray(self.sums)[:, at]

    def total(self) -> Float[Array, " powers"]:
        """E r^k."""
        return jnp.asarray(self.sums)[:, -1]

    def draw_radii(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """`count` independent radii."""
        return rng.choice(np.asarray(self.radii), count)


class TableMoments(eqx.Module):
    """Tabulated: cubic between nodes, exact slopes r^k * density at them.

    Without mass before `start`. Beyond the last node M_k goes on as for the density
    tail / r^2.
    """

    start: float = eqx.field(static=True)
    step: float = eqx.field(static=True)
    values: np.ndarray  # (powers, nodes)
    slopes: np.ndarray
    tail: float = eqx.field(static=True)

    def __call__(self, s: Float[Array, "..."]) -> Float[Array, "powers ..."]:
        last = self.values.shape[1] - 2
        reach = self.start + self.step * (last + 1)
        place = jnp.clip((s - self.start) / self.step, 0, last + 1.0)
        at = jnp.minimum(place.astype(jnp.int32), last)
        x = place - at
        values, slopes = jnp.asarray(self.values), self.step * jnp.asarray(self.slopes)
        left, right = values[:, at], values[:, at + 1]
        up, down = slopes[:, at], slopes[:, at + 1]
        inside = left + x * x * (3 - 2 * x) * (right - left)
        inside += x * (1 - x) * ((1 - x) * up - x * down)
        far = jnp.maximum(s, reach)
        beyond = [1 / reach - 1 / far, jnp.log(far / reach), far - reach]
        return inside + self.tail * jnp.stack(beyond)

    def total(self) -> Float[Array, " powers"]:
        """E r^k, infinite where the tail makes it so."""
        if not self.tail:
            return jnp.asarray(self.values)[:, -1]
        return jnp.asarray([1.0, jnp.inf, jnp.inf])

    def draw_radii(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """`count` independent radii, by inversion of the table."""
        nodes = self.start + self.step * np.arange(self.values.shape[1])
        levels = np.asarray(self.values[0])
        u = rng.random(count)
        far = self.tail / np.maximum(1 - u, 1e-300)  # P(r > s) = tail / s far out
        return np.where(u > levels[-1], far, np.interp(u, levels, nodes))


RadialMoments = UniformMoments | BallMoments | ShellMoments | TableMoments


def moments(law: AbstractRadialLaw | RadialMoments) -> RadialMoments:
    """The truncated moments of a radial law; moments are passed through.

    Closed for uniform radii, balls, spheres and shells; tabulated to about 1e-10 for
    chi and Gaussian laws (1e-9 for few, fractional degrees of freedom) and 1e-8 for
    phi^2 up to t = 2000 + 5 d, with its mean tail beyond. Laws that do not say how
    their radius is spread are taken at their quantiles.

    Raises:
        HypothesisError: not a radial law, or chi with fewer than 2 degrees of freedom.
    """
    read = checked(law)
    return read if isinstance(read, RadialMoments) else _of_law(read)


def checked(law: object) -> AbstractRadialLaw | RadialMoments:
    """The law, if it is radial.

    Raises:
        HypothesisError: it is not.
    """
    if not isinstance(law, AbstractRadialLaw | RadialMoments):
        raise HypothesisError(
            f"{law} is not a radial law; give one such as radius:D:0,2, "
            "with the dimension for D"
        )
    return law


@lru_cache(maxsize=64)
def _of_law(law: AbstractRadialLaw) -> RadialMoments:
    shape = law.radii()
    match shape:
        case UniformRadii():
            return UniformMoments(*shape)
        case BallRadii():
            return BallMoments(shape.dim)
        case Shells():
            return shell_moments(shape.radii)
        case RadiusDensity():
            return _table(shape)


def shell_moments(radii: object) -> ShellMoments:
    """Given radii, equally likely: also a sample of any law.

    Raises:
        HypothesisError: none, or radii that are negative or not finite.
    """
    places = np.sort(floats(np.asarray(radii, dtype=float).ravel(), "radii"))
    if not len(places) or places[0] < 0:
        raise HypothesisError("give one or more radii, all 0 or more")
    powers = places ** np.arange(POWERS)[:, None]
    sums = np.concatenate([np.zeros((POWERS, 1)), np.cumsum(powers, axis=1)], axis=1)
    return ShellMoments(places, sums / len(places))


def density_moments(
    density: Callable[[np.ndarray], np.ndarray], reach: float, *, tail: float = 0.0
) -> TableMoments:
    """A law of the radius given by its density on [0, reach], normalised here.

    Args:
        density: vectorised, at least 0, smooth; a jump costs about a cell, 6e-5 of
            the reach times its height.
        reach: all mass lies within, or the density is tail / r^2 beyond.

    Raises:
        HypothesisError: no finite, positive mass, or a negative density.
    """
    reach, tail = real(reach, "reach", least=1e-9), real(tail, "tail", least=0)
    return _table(RadiusDensity(density, 0.0, reach, tail))


def _table(law: RadiusDensity) -> TableMoments:
    """The table by Gauss's rule on every cell."""
    density, start, reach, tail, nodes, mass = law
    nodes = nodes or NODES
    step = (reach - start) / nodes
    places = start + step * np.arange(nodes + 1)
    x, weights = np.polynomial.legendre.leggauss(LEGENDRE)
    inner = places[:-1, None] + step * (x + 1) / 2
    k = np.arange(POWERS)
    with np.errstate(all="ignore"):
        at, ends = np.asarray(density(inner)), np.asarray(density(places))
    ends = np.where(np.isfinite(ends), ends, 0.0)
    if not np.isfinite(at).all() or at.min() < 0 or at.sum() <= 0:
        raise HypothesisError(
            "the function is not a density: it is negative or not "
            "finite somewhere on [0, reach], or 0 everywhere"
        )
    cells = (at * inner ** k[:, None, None] * weights).sum(axis=2) * (step / 2)
    values = np.concatenate([np.zeros((POWERS, 1)), np.cumsum(cells, axis=1)], axis=1)
    mass = float(values[0, -1] + tail / reach) if mass is None else mass
    slopes = ends * places ** k[:, None]
    tail = float(tail / mass)
    return TableMoments(float(start), step, values / mass, slopes / mass, tail)
