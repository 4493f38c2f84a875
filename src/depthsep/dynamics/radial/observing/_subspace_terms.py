r"""The three terms of the loss where the target sees |A^T x| only.

f~ is the second layer of F~, the mean of F over rotations of the subspace and of its
complement: F~(u) = E |w| K(p s, q t), with the lengths p, q of w and s, t of u in both.
Where the subspace is everything, F~(u) = alpha and this is the radial decomposition.
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float

from depthsep.dynamics.radial._constants import relu_mean_float
from depthsep.dynamics.radial.network._network import Directions, RadialNetwork
from depthsep.dynamics.radial.network._parts import PartKernel, ridge, ridge_gradient
from depthsep.dynamics.radial.network._tiles import Tiles, backward, forward
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.observing._gradients import cosines, inner
from depthsep.dynamics.radial.radius._responses import product_mean, responses
from depthsep.dynamics.radial.radius._units import Units, joined, negative

ROWS = 32  # particles at once


class Parts(NamedTuple):
    """Of every particle: unit vectors of both parts, and its lengths there."""

    inside: Float[Array, "width dim"]
    outside: Float[Array, "width dim"]
    p: Float[Array, " width"]
    q: Float[Array, " width"]


def parts_of(weights: Float[Array, "width dim"], basis: Array) -> Parts:
    """Split every row into its parts in the subspace and outside."""
    inside = (weights @ basis) @ basis.T
    outside = weights - inside
    p, q = (jnp.sqrt((x**2).sum(axis=1)) for x in (inside, outside))

    def unit(rows: Array, length: Array) -> Array:
        return rows / jnp.where(length > 0, length, 1.0)[:, None]

    return Parts(unit(inside, p), unit(outside, q), p, q)


def smoothed(
    parts: Parts, stretch: Float[Array, " pairs"], kernel: PartKernel
) -> Float[Array, " pairs"]:
    """F~ at directions of these lengths s in the subspace."""

    def one(lengths: tuple[Array, Array]) -> Array:
        return ridge(*lengths, stretch, kernel)

    return lax.map(one, (parts.p, parts.q), batch_size=ROWS).mean(axis=0)


def smoothed_gradient(
    parts: Parts,
    pulls: Float[Array, "kinds pairs"],
    stretch: Float[Array, " pairs"],
    kernel: PartKernel,
) -> Float[Array, "kinds width dim"]:
    """m d/dw of sum_u pull(u) F~(u), for several pulls."""

    def one(lengths: tuple[Array, Array]) -> tuple[Array, Array]:
        return ridge_gradient(*lengths, pulls, stretch, kernel)

    inside, outside = lax.map(one, (parts.p, parts.q), batch_size=ROWS)
    return inside.T[..., None] * parts.inside + outside.T[..., None] * parts.outside


@partial(jax.jit, static_argnames="tiles")
def subspace_spread(
    network: RadialNetwork,
    at: Directions,
    basis: Array,
    kernel: PartKernel,
    tiles: Tiles,
) -> Float[Array, ""]:
    """N = E(F - F~)^2 / E F~^2 on the directions."""
    first = forward(network, at, tiles, network.width).first
    level = smoothed(parts_of(network.weights, basis), at.stretch, kernel)
    apart, size = _squares(at, first, level)
    return apart / size


@partial(jax.jit, static_argnames="tiles")
def subspace_terms(
    network: RadialNetwork,
    at: Directions,
    goal: Goal,
    basis: Array,
    kernel: PartKernel,
    tiles: Tiles,
) -> dict[str, Array]:
    """What `decompose` records; N as `subspace_spread` has it."""
    first = forward(network, at, tiles, network.width).first
    parts = parts_of(network.weights, basis)
    level = smoothed(parts, at.stretch, kernel)
    found, on_first, on_flat = _split(network, at, goal, first, level)
    direct = [backward(network, at, x[None], None, tiles)[0] for x in on_first]
    pulls = (at.weights / 2 * on_flat).sum(axis=1)
    moved = jnp.stack(direct) + smoothed_gradient(parts, pulls, at.stretch, kernel)
    return found | _rates(network, moved[:3], moved[3])


def _split(
    network: RadialNetwork, at: Directions, goal: Goal, first: Array, level: Array
) -> tuple[dict[str, Array], Array, Array]:
    """The terms and N, and their derivatives in F(u) and in F~(u), (4, 2, pairs).

    In the order fit, spread, cross, N. The loss does not depend on F~, so the three
    terms' derivatives in it sum to 0.
    """
    share = at.weights / 2
    own = network.units(first)
    flat = network.units(jnp.broadcast_to(level, first.shape))
    target = goal.units(jnp.broadcast_to(at.stretch, first.shape[1:]))
    gap, miss = joined(own, negative(flat)), joined(target, negative(flat))
    whole = joined(target, negative(own))
    here = partial(responses, moments=goal.moments)
    tilt = (network.scales * network.slopes[:, 0] / network.second)[:, None, None]

    def mean(x: Array) -> Array:
        return (share * x).sum()

    def pulled(units: Units, residual: Units) -> Array:
        return (tilt * here(units, residual=residual).first).sum(axis=0)

    fit = mean(product_mean(miss, here(miss))) / 2
    spread = mean(product_mean(gap, here(gap))) / 2
    cross = -mean(product_mean(gap, here(gap, residual=miss)))
    loss = mean(product_mean(whole, here(whole))) / 2
    off, size = _squares(at, first, level)
    value = off / size
    of_spread, of_value = pulled(own, gap), 2 * (first[0] - level) / size
    flat_spread, flat_fit = -pulled(flat, gap), -pulled(flat, miss)
    none, of_cross = jnp.zeros_like(of_spread), -pulled(own, miss)
    flat_value = -of_value - 2 * value * level / size
    return (
        {"loss": loss, "terms": jnp.stack([fit, spread, cross]), "spread": value},
        jnp.stack([none, of_spread, of_cross, of_value]),
        jnp.stack([flat_fit, flat_spread, -flat_fit - flat_spread, flat_value]),
    )


def _squares(at: Directions, first: Array, level: Array) -> tuple[Array, Array]:
    """E(F - F~)^2 and E F~^2 on the directions."""
    squares = ((first[0] - level) ** 2, jnp.broadcast_to(level**2, first.shape[1:]))
    apart, size = ((at.weights / 2 * x).sum() for x in squares)
    return apart, size


def _rates(
    network: RadialNetwork, gradients: Float[Array, "3 width dim"], of_n: Array
) -> dict[str, Array]:
    """What the terms do to alpha and N, and the angles between their gradients."""
    c_d = relu_mean_float(network.dim)
    return {
        "alpha": c_d * (network.weights**2).sum(axis=1).mean(),
        "spread_rate": -inner(of_n, gradients),
        "alpha_rate": -inner(2 * c_d * network.weights, gradients),
        "cosines": cosines(gradients),
    }
