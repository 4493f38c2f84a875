r"""What sums of relus of the radius do on average, exactly.

A unit is r -> weight * relu(slope r + offset), r >= 0; it is active on an interval.
For the residual e, a sum of units, E[e r^k 1_j] comes in closed form from the truncated
moments of the law, pair by pair of units. Units come first, rays last: (units, ...).
"""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float

from depthsep.dynamics._moments import RadialMoments


class Units(NamedTuple):
    """Sums of relus of the radius: one sum for every index but the first."""

    slope: Float[Array, "units ..."]
    offset: Float[Array, "units ..."]
    weight: Float[Array, "units ..."]


class Responses(NamedTuple):
    """E[e 1_j] and E[e r 1_j] for every unit j of a residual e."""

    zeroth: Float[Array, "units ..."]
    first: Float[Array, "units ..."]


def intervals(
    units: Units, moments: RadialMoments
) -> tuple[Float[Array, "powers units ..."], Float[Array, "powers units ..."]]:
    """The moments up to both ends of the interval on which each unit is active.

    Equal where it is never active; 0 is not active (but an atom of the law at the kink
    of a rising unit counts as active, which changes no loss).
    """
    slope, offset = units.slope, units.offset
    falling = slope < 0
    crosses = jnp.where(falling, offset > 0, (slope > 0) & (offset < 0))
    kink = jnp.where(crosses, -offset / jnp.where(crosses, slope, 1.0), 0.0)
    at_kink = jnp.where(crosses, moments(kink), 0.0)
    always = ~falling & ((offset > 0) | ((offset == 0) & (slope > 0)))
    total = moments.total().reshape(-1, *[1] * slope.ndim)
    high = jnp.where(always | (~falling & crosses), total, at_kink)
    low = jnp.where(~falling & crosses, at_kink, 0.0)
    return low, high


def responses(
    units: Units, moments: RadialMoments, residual: Units | None = None
) -> Responses:
    """E[e r^k 1_j], k = 0, 1, for e the sum of the units, or another residual."""
    e = units if residual is None else residual
    low, high = intervals(units, moments)
    low_e, high_e = (low, high) if residual is None else intervals(e, moments)
    start = jnp.maximum(low[:, :, None], low_e[:, None])
    stop = jnp.minimum(high[:, :, None], high_e[:, None])
    both = jnp.where(stop > start, stop - start, 0.0)
    tilt, level = e.weight * e.slope, e.weight * e.offset
    zeroth = _sum(tilt, both[1]) + _sum(level, both[0])
    first = _sum(tilt, both[2]) + _sum(level, both[1])
    return Responses(zeroth, first)


def product_mean(units: Units, found: Responses) -> Float[Array, "..."]:
    """E[e * sum of the units] from their responses to e; E e^2 for their own."""
    tilt, level = units.weight * units.slope, units.weight * units.offset
    return _sum(tilt, found.first) + _sum(level, found.zeroth)


def joined(*parts: Units) -> Units:
    """The sum of several sums; the axes after the first are broadcast."""
    rays = jnp.broadcast_shapes(*(x.shape[1:] for p in parts for x in p))

    def spread(x: Array) -> Array:
        missing = len(rays) - (x.ndim - 1)
        aligned = x.reshape(x.shape[0], *[1] * missing, *x.shape[1:])
        return jnp.broadcast_to(aligned, (x.shape[0], *rays))

    columns = zip(*parts, strict=True)
    return Units(*(jnp.concatenate([spread(x) for x in c]) for c in columns))


def negative(units: Units) -> Units:
    """Minus the sum."""
    return units._replace(weight=-units.weight)


def _sum(weights: Float[Array, "units ..."], terms: Array) -> Array:
    """Their products, summed over units; a weight of 0 counts for nothing."""
    return jnp.where(weights == 0, 0.0, weights * terms).sum(axis=-weights.ndim)
