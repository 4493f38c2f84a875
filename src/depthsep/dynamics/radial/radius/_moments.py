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
from flint import ctx
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, real
from depthsep.exact import nearest_float
from depthsep.laws import AbstractRadialLaw, RadialLaw, SquaredTransform

POWERS = 3
NODES, LEGENDRE = 16_384, 6
PHASES, FINE = 2_000.0, 64  # t up to which phi^2 is tabulated, nodes per unit


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


RadialMoments = UniformMoments | BallMoments | ShellMoments | TableMoments


def moments(law: "AbstractRadialLaw | RadialMoments") -> RadialMoments:
    """The truncated moments of a law; moments are passed through.

    Closed for uniform radii, balls, spheres and shells; tabulated to about 1e-10 for
    chi and Gaussian laws (1e-9 for few, fractional degrees of freedom) and 1e-8 for
    phi^2 up to t = 2000 + 5 d, with its mean tail beyond.

    Raises:
        HypothesisError: no radial law, or chi with fewer than 2 degrees of freedom.
    """
    if isinstance(law, RadialMoments):
        return law
    if not isinstance(law, RadialLaw | SquaredTransform):
        raise HypothesisError(f"{law} is no radial law; give one such as radius:D:0,2")
    return _named(law)


@lru_cache(maxsize=64)
def _named(law: RadialLaw | SquaredTransform) -> RadialMoments:
    if isinstance(law, SquaredTransform):
        return _squared_transform(law)
    if law.kind == "radius":
        return UniformMoments(*map(nearest_float, law.numbers))
    if law.kind == "ball":
        return BallMoments(law.dim)
    if law.kind in ("sphere", "shells"):
        return shell_moments([nearest_float(r) for r in law.numbers] or [1.0])
    freedom = (
        float(law.dim) if law.kind == "gaussian" else nearest_float(law.numbers[0])
    )
    return _chi(freedom)


def shell_moments(radii: object) -> ShellMoments:
    """Given radii, equally likely: also a sample of any law.

    Raises:
        HypothesisError: none, or radii that are negative or not finite.
    """
    places = np.sort(floats(np.asarray(radii, dtype=float).ravel(), "radii"))
    if not len(places) or places[0] < 0:
        raise HypothesisError("radii: give one or more that are not negative")
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
    return _table(density, reach, tail)


def _table(
    density: Callable[[np.ndarray], np.ndarray],
    reach: float,
    tail: float = 0.0,
    nodes: int = NODES,
    mass: float | None = None,
    start: float = 0.0,
) -> TableMoments:
    """The table by Gauss's rule on every cell; `mass` if it is known."""
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
            "the density is negative, not finite or 0 everywhere on [0, reach]; "
            "give a density"
        )
    cells = (at * inner ** k[:, None, None] * weights).sum(axis=2) * (step / 2)
    values = np.concatenate([np.zeros((POWERS, 1)), np.cumsum(cells, axis=1)], axis=1)
    mass = float(values[0, -1] + tail / reach) if mass is None else mass
    slopes = ends * places ** k[:, None]
    tail = float(tail / mass)
    return TableMoments(float(start), step, values / mass, slopes / mass, tail)


def _chi(freedom: float) -> TableMoments:
    mode = max(freedom - 1, 0) ** 0.5
    if freedom < 2:
        raise HypothesisError(
            f"chi with {freedom:g} degrees of freedom crowds at 0; give 2 or more"
        )

    def density(r: np.ndarray) -> np.ndarray:
        gap = np.maximum(r, 1e-300) - mode  # against the mode, where it is 1
        log = (freedom - 1) * np.log1p(gap / mode) - gap * (r + mode) / 2
        return np.where(r > 0, np.exp(log), 0.0)

    return _table(density, mode + 12.0, start=max(mode - 12.0, 0.0))


def _squared_transform(law: SquaredTransform) -> TableMoments:
    """t has the density (d / t) J^2; on average d / (pi t^2) far out."""
    from scipy.special import jv

    with ctx.workprec(64):
        phase = float(law.phase().mid())
    nu = law.dim / 2

    def density(r: np.ndarray) -> np.ndarray:
        t = np.maximum(phase * r, 1e-300)
        return phase * law.dim / t * jv(nu, t) ** 2

    reach = (PHASES + 10 * nu) / phase
    nodes = int(PHASES + 10 * nu) * FINE
    return _table(density, reach, law.dim / (np.pi * phase), nodes, 1.0)
