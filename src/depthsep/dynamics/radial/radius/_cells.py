r"""Sums of many relus of the radius, cell by cell between their kinks.

For many units: whole two-layer networks along a ray, wide second layers, and means
over all rays of a sample.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float

from depthsep.dynamics.radial.radius._moments import RadialMoments
from depthsep.dynamics.radial.radius._units import Units, kinks


class Cells(NamedTuple):
    """A piecewise-affine function of the radius: level + slope r on each cell.

    Attributes:
        ends: (cells - 1, ...), where one cell ends and the next begins, in order.
        level, slope: (cells, ...).
        masses: (powers, cells, ...), E r^k on each cell; the last ones may be infinite.
    """

    ends: Float[Array, "ends ..."]
    level: Float[Array, "cells ..."]
    slope: Float[Array, "cells ..."]
    masses: Float[Array, "powers cells ..."]


def cells(units: Units, moments: RadialMoments) -> Cells:
    """The sum of the units over the first axis, by cells."""
    slope, offset, weight = units
    falling = slope < 0
    crosses, kink = kinks(units)
    order = jnp.argsort(kink, axis=0)
    turn = jnp.where(crosses, jnp.where(falling, -weight, weight), 0.0)
    first = (offset > 0) | ((offset == 0) & (slope > 0))
    last = (slope > 0) | ((slope == 0) & (offset > 0))
    level = _along(turn * offset, weight * offset, first, last, order)
    tilt = _along(turn * slope, weight * slope, first, last, order)
    ends = jnp.take_along_axis(kink, order, axis=0)
    at = moments(ends)
    total = moments.total().reshape(-1, *[1] * slope.ndim)
    whole = jnp.broadcast_to(total, (len(at), 1, *slope.shape[1:]))
    edges = jnp.concatenate([jnp.zeros_like(whole), at, whole], axis=1)
    return Cells(ends, level, tilt, jnp.diff(edges, axis=1))


def square_mean(found: Cells) -> Float[Array, "..."]:
    """The mean square."""
    a, b = found.level, found.slope
    m = found.masses
    return _times(a * a, m[0]) + _times(2 * a * b, m[1]) + _times(b * b, m[2])


def running_means(found: Cells) -> Float[Array, "2 ends2 ..."]:
    """E[f r^k 1(r < end)], k = 0, 1, at 0, at every end and without end."""
    a, b, m = found.level, found.slope, found.masses
    both = jnp.stack([_safe(a, m[0]) + _safe(b, m[1]), _safe(a, m[1]) + _safe(b, m[2])])
    start = jnp.zeros_like(both[:, :1])
    return jnp.concatenate([start, jnp.cumsum(both, axis=1)], axis=1)


def _along(jump: Array, value: Array, first: Array, last: Array, order: Array) -> Array:
    """Running sums from what is active at 0; the last cell on its own.

    What is active far out is summed anew, so that it is exactly 0 where nothing is.
    """
    start = jnp.where(first, value, 0.0).sum(axis=0, keepdims=True)
    steps = jnp.cumsum(jnp.take_along_axis(jump, order, axis=0), axis=0)
    end = jnp.where(last, value, 0.0).sum(axis=0, keepdims=True)
    return jnp.concatenate([start, start + steps[:-1], end])


def _times(coefficient: Array, mass: Array) -> Array:
    """Products summed; a coefficient of 0 counts for nothing, also times inf."""
    return _safe(coefficient, mass).sum(axis=0)


def _safe(coefficient: Array, mass: Array) -> Array:
    return jnp.where(coefficient == 0, 0.0, coefficient * mass)
