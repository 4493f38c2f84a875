r"""The infinite-width limit where the target sees |A^T x| only, A of rank k.

The law of w stays invariant under rotations of the subspace and of its complement, so a
particle is a pair of lengths (p, q), inside and outside, moved by the gradient of

    V(p, q) = |w| E_s[T(s) K(p s, q sqrt(1 - s^2))],  K(x, y) = E relu(x xi + y eta),

s = |A^T u|, xi and eta coordinates of uniform unit vectors of both parts, T the pull at
F. V is 2-homogeneous: all starts with one E|w|^2 and uniform directions share the
limit, that of pairs on a Gauss-Jacobi rule of angles. K comes from its two derivatives,
by a rule over the smaller part and in closed form over the larger.
"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.special import betainc, gammaln, roots_jacobi

from depthsep.dynamics.radial._constants import relu_mean_float
from depthsep.dynamics.radial.network._network import RadialNetwork, Rates
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.radius._responses import (
    Responses,
    product_mean,
    responses,
)
from depthsep.dynamics.radial.radius._units import joined, negative
from depthsep.dynamics.radial.task._start import goal_of, rates_of
from depthsep.dynamics.radial.task._task import RadialTask

ANGLES = 48  # of particles
DIRECTIONS, FINE = 64, 512  # values of s; where one part is a line, pulls have jumps
COORDINATES = 48  # of the smaller part
TABLE = 1 << 14  # angles at which a chance is tabulated: linear between, to 1e-8


class Pairs(NamedTuple):
    """A state: lengths of particles inside and outside, and the second layer."""

    inside: Float[Array, "... angles"]
    outside: Float[Array, "... angles"]
    slopes: Float[Array, "... second"]
    offsets: Float[Array, "... second"]
    scales: Float[Array, "... second"]


class SubspaceLaw(eqx.Module):
    """The right-hand side.

    Attributes:
        shares: of the particles, (angles,).
        at: s, (directions,); `weights`: theirs.
        coordinates, chances: of the smaller part's coordinate.
        table: P(eta > cos(theta)) of the larger part, at even angles.
        scale: E[eta 1(eta > a)] = scale (1 - a^2)^power, power = (e - 1) / 2.
        small_inside: whether the smaller part is the subspace.
    """

    goal: Goal
    shares: Float[Array, " angles"]
    at: Float[Array, " directions"]
    weights: Float[Array, " directions"]
    coordinates: Float[Array, " coordinates"]
    chances: Float[Array, " coordinates"]
    table: Float[Array, " table"]
    scale: Float[Array, ""]
    power: Float[Array, ""]
    small_inside: bool = eqx.field(static=True)
    rates: Rates = eqx.field(static=True)
    channels: int = eqx.field(static=True)

    def __call__(self, state: Pairs) -> Pairs:
        """The velocity."""
        inner, outer = self._derivatives(state)
        s, t = self.at, jnp.sqrt(1 - self.at**2)
        p, q = state.inside[:, None], state.outside[:, None]
        size = jnp.sqrt(p * p + q * q)
        kernel = p * s * inner + q * t * outer
        first = (self.shares[:, None] * size * kernel).sum(axis=0)
        found = self._responses(state, first)[1]
        tilt = (state.scales * state.slopes / len(state.slopes))[:, None]
        pull = self.weights * (tilt * found.first[: len(tilt)]).sum(axis=0)
        along = (pull * kernel).sum(axis=1, keepdims=True) / size
        moved = (
            p * along + size * (pull * s * inner).sum(axis=1, keepdims=True),
            q * along + size * (pull * t * outer).sum(axis=1, keepdims=True),
        )
        zeroth, once = (x[: len(tilt)] @ self.weights for x in _by_first(found, first))
        c, second = state.scales, self.rates.second
        return Pairs(
            self.rates.first * moved[0][:, 0],
            self.rates.first * moved[1][:, 0],
            second * self.channels * c * once,
            second * c * zeroth,
            self.rates.scales * (state.slopes * once + state.offsets * zeroth),
        )

    def loss(self, state: Pairs) -> Float[Array, ""]:
        """Half the mean square of the target minus the limit."""
        inner, outer = self._derivatives(state)
        s, t = self.at, jnp.sqrt(1 - self.at**2)
        p, q = state.inside[:, None], state.outside[:, None]
        kernel = p * s * inner + q * t * outer
        size = jnp.sqrt(p * p + q * q)
        first = (self.shares[:, None] * size * kernel).sum(axis=0)
        units, found = self._responses(state, first)
        return product_mean(units, found) @ self.weights / 2

    def square(self, state: Pairs) -> tuple[Array, Array]:
        """E|w|^2 inside and outside."""
        return state.inside**2 @ self.shares, state.outside**2 @ self.shares

    def _responses(self, state: Pairs, first: Array) -> tuple:
        empty = jnp.zeros((0, 1))
        layer = (state.slopes[:, None], state.offsets, state.scales)
        own = negative(RadialNetwork(empty, None, *layer).units(first[None]))
        units = joined(own, self.goal.units(self.at))
        return units, responses(units, self.goal.moments)

    def _derivatives(self, state: Pairs) -> tuple[Array, Array]:
        """K_x and K_y at (p s, q t), (angles, directions): inside, outside."""
        small = state.inside[:, None] * self.at
        large = state.outside[:, None] * jnp.sqrt(1 - self.at**2)
        if not self.small_inside:
            small, large = large, small
        level = small[..., None] * self.coordinates
        far = jnp.where(large > 0, large, 1e-300)[..., None]
        cosine = jnp.clip(-level / far, -1.0, 1.0)
        angle = jnp.arccos(cosine) * ((len(self.table) - 1) / jnp.pi)
        at = jnp.minimum(angle.astype(jnp.int32), len(self.table) - 2)
        share = angle - at
        chance = self.table[at] * (1 - share) + self.table[at + 1] * share
        inside = jnp.abs(cosine) < 1
        mean = jnp.where(inside, self.scale * (1 - cosine**2) ** self.power, 0.0)
        of_small = (chance * self.coordinates) @ self.chances
        of_large = mean @ self.chances
        return (of_small, of_large) if self.small_inside else (of_large, of_small)


def _by_first(found: Responses, first: Array) -> tuple[Array, Array]:
    return found.zeroth, found.first * first


def subspace_law(task: RadialTask) -> tuple[SubspaceLaw, Pairs]:
    """The law of a subspace task, and where it starts."""
    assert task.basis is not None
    rank = task.basis.shape[1]
    other = task.dim - rank
    squares, shares = _beta(rank, other, ANGLES)
    small, large = min(rank, other), max(rank, other)
    directions, weights = _beta(rank, other, FINE if small == 1 else DIRECTIONS)
    coordinates, chances = _coordinate(small)
    table, scale = _chances(large)
    square = task.alpha / relu_mean_float(task.dim)
    law = SubspaceLaw(
        jax.tree.map(jnp.asarray, goal_of(task)),
        jnp.asarray(shares),
        jnp.asarray(np.sqrt(directions)),
        jnp.asarray(weights),
        jnp.asarray(coordinates),
        jnp.asarray(chances),
        jnp.asarray(table),
        jnp.asarray(scale),
        jnp.asarray((large - 1) / 2),
        rank <= other,
        rates_of(task),
        task.bottleneck,
    )
    start = Pairs(
        jnp.sqrt(square * jnp.asarray(squares)),
        jnp.sqrt(square * jnp.asarray(1 - squares)),
        jnp.asarray(task.slopes),
        jnp.asarray(task.offsets),
        jnp.ones(task.second),
    )
    return law, start


def _beta(rank: int, other: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's rule for |A^T u|^2, of law Beta(rank / 2, other / 2)."""
    places, weights = roots_jacobi(count, other / 2 - 1, rank / 2 - 1)
    return (1 + places) / 2, weights / weights.sum()


def _coordinate(dim: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's rule for a coordinate of a uniform unit vector."""
    if dim == 1:
        return np.array([-1.0, 1.0]), np.array([0.5, 0.5])
    places, weights = roots_jacobi(COORDINATES, (dim - 3) / 2, (dim - 3) / 2)
    return places, weights / weights.sum()


def _chances(dim: int) -> tuple[np.ndarray, float]:
    """P(eta > cos(theta)) at even theta in [0, pi], and C / (e - 1)."""
    theta = np.linspace(0, np.pi, TABLE)
    if dim == 1:
        return np.where(theta < np.pi, 0.5, 1.0) * (theta > 0), 0.5
    half = betainc((dim - 1) / 2, 0.5, np.sin(theta) ** 2) / 2
    density = np.exp(gammaln(dim / 2) - gammaln((dim - 1) / 2)) / np.pi**0.5
    return np.where(theta <= np.pi / 2, half, 1 - half), float(density / (dim - 1))
