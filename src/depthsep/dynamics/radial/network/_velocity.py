r"""The mean-field velocity of every particle, -m dL/dw, exact in the radius.

S(x) = (f* - f) df/dF and T(u) = E_r[r S(r u)] pull at F(u); from h(w) = E_u[T(u)
1(w.u > 0) u] come the velocities of the first layer (`backward`).
"""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float

from depthsep.dynamics.radial.network._network import Directions, RadialNetwork, Rates
from depthsep.dynamics.radial.network._tiles import Tiles, backward, forward
from depthsep.dynamics.radial.radius._moments import RadialMoments
from depthsep.dynamics.radial.radius._responses import (
    Responses,
    product_mean,
    responses,
)
from depthsep.dynamics.radial.radius._units import Units, intervals, joined, negative


class Goal(NamedTuple):
    """The target as relus of the radius, and the law's moments."""

    knots: Float[Array, " knots"]
    weights: Float[Array, " knots"]
    moments: RadialMoments

    def units(self, stretch: Float[Array, "..."]) -> Units:
        """g(stretch * r)."""
        column = (-1, *[1] * jnp.ndim(stretch))
        slope = jnp.broadcast_to(-stretch, (len(self.knots), *jnp.shape(stretch)))
        return Units(
            slope,
            jnp.broadcast_to(self.knots.reshape(column), slope.shape),
            jnp.broadcast_to(self.weights.reshape(column), slope.shape),
        )


class Look(NamedTuple):
    """What a network does on directions.

    Attributes:
        losses: (pairs,), half the mean square of f* - f on each pair of rays.
        first: F(+-u), (D, 2, pairs).
        alive: (second,), the chance that each second-layer unit is active.
    """

    losses: Float[Array, " pairs"]
    first: Float[Array, "bottleneck 2 pairs"]
    alive: Float[Array, " second"]


def velocity(
    network: RadialNetwork,
    directions: Directions,
    goal: Goal,
    tiles: Tiles,
    rates: Rates,
    width: int,
) -> RadialNetwork:
    """The velocity of all particles, times their rates."""
    ahead = forward(network, directions, tiles, width)
    _, found = residual(network, goal, directions, ahead.first)
    share = directions.weights / 2
    second = _second(network, found, ahead.first, share)
    pull = jnp.tensordot(_tilts(network).T, found.first[: network.second], axes=1)
    first, outputs = backward(network, directions, pull, ahead.signs, tiles)
    slopes, offsets, scales = second
    return RadialNetwork(
        rates.first * first,
        None if outputs is None else rates.outputs * outputs,
        rates.second * slopes,
        rates.second * offsets,
        rates.scales * scales,
    )


def look(
    network: RadialNetwork,
    directions: Directions,
    goal: Goal,
    tiles: Tiles,
    width: int,
) -> Look:
    """Losses, F and activity, by the first product alone."""
    first = forward(network, directions, tiles._replace(keep=False), width).first
    units, found = residual(network, goal, directions, first)
    low, high = intervals(network.units(first), goal.moments)
    alive = (directions.weights / 2 * (high - low)[0]).sum(axis=(1, 2))
    return Look(product_mean(units, found).mean(axis=0) / 2, first, alive)


def residual(
    network: RadialNetwork,
    goal: Goal,
    directions: Directions,
    first: Float[Array, "bottleneck 2 pairs"],
) -> tuple[Units, Responses]:
    """f* - f along every ray, network's units first, and its responses."""
    own = negative(network.units(first))
    units = joined(own, goal.units(directions.stretch))
    return units, responses(units, goal.moments)


def _tilts(network: RadialNetwork) -> Float[Array, "second bottleneck"]:
    """c_j a_j / m2: how f changes with F where unit j is active."""
    return network.scales[:, None] * network.slopes / network.second


def _second(
    network: RadialNetwork, found: Responses, first: Array, share: Array
) -> tuple[Array, Array, Array]:
    """a', b' and c', as -m2 dL/d(a, b, c)."""
    m2 = network.second
    slopes = jnp.einsum("jpn,kpn->jk", share * found.first[:m2], first)
    offsets = (share * found.zeroth[:m2]).sum(axis=(1, 2))
    scales = (network.slopes * slopes).sum(axis=1) + network.offsets * offsets
    c = network.scales
    return c[:, None] * slopes, c * offsets, scales
