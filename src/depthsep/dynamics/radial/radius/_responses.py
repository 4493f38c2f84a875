r"""What sums of relus of the radius do on average, exactly.

For a residual e, a sum of units, E[e r^k 1_j] comes in closed form from the truncated
moments of the law: pair by pair of units while they are few, else by the cells between
sorted kinks, which costs N log N where pairs cost N^2.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float

from depthsep.dynamics.radial.radius._cells import Cells, cells, running_means
from depthsep.dynamics.radial.radius._moments import RadialMoments
from depthsep.dynamics.radial.radius._units import Units, intervals, joined, kinks

FEW = 6  # pairs that cost as much as one sorted kink
BLOCK = 1 << 16  # kinks that are sorted at once


class Responses(NamedTuple):
    """E[e 1_j] and E[e r 1_j] for every unit j of a residual e."""

    zeroth: Float[Array, "units ..."]
    first: Float[Array, "units ..."]


def responses(
    units: Units, moments: RadialMoments, residual: Units | None = None
) -> Responses:
    """E[e r^k 1_j], k = 0, 1, for e the sum of the units, or another residual."""
    way = (
        by_pairs if few(len(units.slope), len((residual or units).slope)) else by_cells
    )
    return way(units, moments, residual)


def few(units: int, others: int) -> bool:
    """Whether pairs of units are cheaper than sorted kinks."""
    return units * others <= FEW * (units + others)


def by_pairs(
    units: Units, moments: RadialMoments, residual: Units | None = None
) -> Responses:
    """`responses` as sums over pairs of units."""
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


def by_cells(
    units: Units, moments: RadialMoments, residual: Units | None = None
) -> Responses:
    """`responses` as running means between the kinks, some rays at a time."""
    own, e, count = units, units, len(units.slope)
    if residual is not None:
        both = joined(units, residual)
        own = Units(*(x[:count] for x in both))
        e = both._replace(weight=both.weight.at[:count].set(0.0))

    def ray(pair: tuple[Units, Units]) -> Responses:
        return responses_in(cells(pair[1], moments), pair[0], moments)

    def flat(x: Units) -> Units:
        return Units(*(y.reshape(len(y), -1).T for y in x))

    at_once = max(BLOCK // len(e.slope), 1)
    found = lax.map(ray, (flat(own), flat(e)), batch_size=at_once)
    return Responses(*(x.T.reshape(own.slope.shape) for x in found))


def responses_in(found: Cells, units: Units, moments: RadialMoments) -> Responses:
    """E[e r^k 1_j] on one ray, e given by cells that end at the units' kinks too."""
    running = running_means(found)
    low, high = intervals(units, moments)
    crosses, kink = kinks(units)
    place = jnp.searchsorted(found.ends, kink, side="right")
    stop = jnp.where(units.slope < 0, place, running.shape[1] - 1)
    start = jnp.where((units.slope > 0) & crosses, place, 0)
    active = (high - low)[0] > 0
    return Responses(*jnp.where(active, running[:, stop] - running[:, start], 0.0))


def product_mean(units: Units, found: Responses) -> Float[Array, "..."]:
    """E[e * sum of the units] from their responses to e; E e^2 for their own."""
    tilt, level = units.weight * units.slope, units.weight * units.offset
    return _sum(tilt, found.first) + _sum(level, found.zeroth)


def _sum(weights: Float[Array, "units ..."], terms: Array) -> Array:
    """Their products, summed over units; a weight of 0 counts for nothing."""
    return jnp.where(weights == 0, 0.0, weights * terms).sum(axis=-weights.ndim)
