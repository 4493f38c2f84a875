r"""The infinite-width limit where the target sees |A^T x| only, A of rank k.

The law of w stays invariant under rotations of the subspace and of its complement, so a
particle is a pair of lengths (p, q), inside and outside, moved by the gradient of

    V(p, q) = |w| E_s[T(s) K(p s, q sqrt(1 - s^2))],  K(x, y) = E relu(x xi + y eta),

s = |A^T u|, xi and eta coordinates of uniform unit vectors of both parts, T the pull at
F. V is 2-homogeneous: all starts with one E|w|^2 and uniform directions share the
limit, that of pairs on a Gauss-Jacobi rule of angles.
"""

from typing import NamedTuple, Protocol

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.special import roots_jacobi

from depthsep.dynamics.radial._constants import relu_mean_float
from depthsep.dynamics.radial.network._network import RadialNetwork, Rates
from depthsep.dynamics.radial.network._parts import (
    PartKernel,
    part_kernel,
    ridge,
    ridge_gradient,
)
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.radius._responses import (
    Responses,
    product_mean,
    responses,
)
from depthsep.dynamics.radial.radius._units import Units, joined, negative
from depthsep.dynamics.radial.task._start import goal_of, rates_of
from depthsep.dynamics.radial.task._task import RadialTask

ANGLES = 48  # of particles
DIRECTIONS, FINE = 64, 512  # values of s; where one part is a line, pulls have jumps


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
        kernel: K_x and K_y.
    """

    goal: Goal
    c_d: Float[Array, ""]
    shares: Float[Array, " angles"]
    at: Float[Array, " directions"]
    weights: Float[Array, " directions"]
    kernel: PartKernel
    rates: Rates = eqx.field(static=True)
    channels: int = eqx.field(static=True)

    def __call__(self, state: Pairs) -> Pairs:
        """The velocity."""
        first = self._first(state)
        found = self._responses(state, first)[1]
        c, m2 = state.scales, len(state.slopes)
        tilt = (c * state.slopes / m2)[:, None]
        pull = self.weights * (tilt * found.first[:m2]).sum(axis=0)
        along = jax.vmap(lambda p, q: ridge_gradient(p, q, pull, self.at, self.kernel))
        inside, outside = along(state.inside, state.outside)
        zeroth = found.zeroth[:m2] @ self.weights
        once = (found.first[:m2] * first) @ self.weights
        rates = self.rates
        return Pairs(
            rates.first * inside,
            rates.first * outside,
            rates.second * self.channels * c * once,
            rates.second * c * zeroth,
            rates.scales * (state.slopes * once + state.offsets * zeroth),
        )

    def loss(self, state: Pairs) -> Float[Array, ""]:
        """Half the mean square of the target minus the limit."""
        units, found = self._responses(state, self._first(state))
        return product_mean(units, found) @ self.weights / 2

    def squares(self, state: Pairs) -> tuple[Array, Array]:
        """E|w|^2, and the share of it that lies in the subspace."""
        inside, outside = (x**2 @ self.shares for x in (state.inside, state.outside))
        return inside + outside, inside / (inside + outside)

    def _first(self, state: Pairs) -> Float[Array, " directions"]:
        """F at the directions."""
        each = jax.vmap(lambda p, q: ridge(p, q, self.at, self.kernel))
        return self.shares @ each(state.inside, state.outside)

    def _responses(self, state: Pairs, first: Array) -> tuple[Units, Responses]:
        own = negative(second_layer(state).units(first[None]))
        units = joined(own, self.goal.units(self.at))
        return units, responses(units, self.goal.moments)


class HasLayer(Protocol):
    """A state with a second layer."""

    @property
    def slopes(self) -> Array: ...

    @property
    def offsets(self) -> Array: ...

    @property
    def scales(self) -> Array: ...


def second_layer(state: HasLayer) -> RadialNetwork:
    """The second layer as a network without a first."""
    layer = (state.slopes[:, None], state.offsets, state.scales)
    return RadialNetwork(jnp.zeros((0, 1)), None, *layer)


def subspace_law(task: RadialTask) -> tuple[SubspaceLaw, Pairs]:
    """The law of a subspace task, and where it starts."""
    assert task.basis is not None
    rank = task.basis.shape[1]
    other = task.dim - rank
    squares, shares = _beta(rank, other, ANGLES)
    count = FINE if min(rank, other) == 1 else DIRECTIONS
    directions, weights = _beta(rank, other, count)
    c_d = relu_mean_float(task.dim)
    square = task.alpha / c_d
    law = SubspaceLaw(
        jax.tree.map(jnp.asarray, goal_of(task)),
        jnp.asarray(c_d),
        jnp.asarray(shares),
        jnp.asarray(np.sqrt(directions)),
        jnp.asarray(weights),
        part_kernel(rank, other),
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
