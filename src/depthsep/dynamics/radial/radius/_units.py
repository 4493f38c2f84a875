r"""Sums of relus of the radius: r -> sum_j weight_j relu(slope_j r + offset_j), r >= 0.

A unit is active on an interval. Units come first, rays last: (units, ...).
"""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from depthsep.dynamics.radial.radius._moments import RadialMoments


class Units(NamedTuple):
    """Sums of relus of the radius: one sum for every index but the first."""

    slope: Float[Array, "units ..."]
    offset: Float[Array, "units ..."]
    weight: Float[Array, "units ..."]


def kinks(units: Units) -> tuple[Bool[Array, "units ..."], Float[Array, "units ..."]]:
    """Whether each unit turns on or off at a positive radius, and there (else 0)."""
    slope, offset = units.slope, units.offset
    crosses = jnp.where(slope < 0, offset > 0, (slope > 0) & (offset < 0))
    return crosses, jnp.where(crosses, -offset / jnp.where(crosses, slope, 1.0), 0.0)


def intervals(
    units: Units, moments: RadialMoments
) -> tuple[Float[Array, "powers units ..."], Float[Array, "powers units ..."]]:
    """The moments up to both ends of the interval on which each unit is active.

    Equal where it is never active; 0 is not active (but an atom of the law at the kink
    of a rising unit counts as active, which changes no loss).
    """
    slope, offset = units.slope, units.offset
    falling = slope < 0
    crosses, kink = kinks(units)
    at_kink = jnp.where(crosses, moments(kink), 0.0)
    always = ~falling & ((offset > 0) | ((offset == 0) & (slope > 0)))
    total = moments.total().reshape(-1, *[1] * slope.ndim)
    high = jnp.where(always | (~falling & crosses), total, at_kink)
    low = jnp.where(~falling & crosses, at_kink, 0.0)
    return low, high


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
