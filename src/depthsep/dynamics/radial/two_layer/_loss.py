"""The two-layer network, and its loss against a radial target, exact in the radius."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float

from depthsep.dynamics.radial.network._network import Directions
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.radius._cells import cells, square_mean
from depthsep.dynamics.radial.radius._units import Units, joined, negative

RAYS = 64  # evaluated at once


class TwoLayer(NamedTuple):
    """v, b, c and c_0."""

    weights: Float[Array, "width dim"]
    offsets: Float[Array, " width"]
    scales: Float[Array, " width"]
    level: Float[Array, ""]

    def values(
        self, x: Float[Array, "points dim"], power: float
    ) -> Float[Array, " points"]:
        """f at points; the sum is divided by width^power."""
        active = jnp.maximum(x @ self.weights.T + self.offsets, 0.0)
        return self.level + active @ self.scales / len(self.scales) ** power


@jax.jit
def half_mean_squares(
    layer: TwoLayer, at: Directions, goal: Goal, power: Float[Array, ""]
) -> Float[Array, ""]:
    """(1/2) E (f* - f)^2 over the directions and their antipodes, in float64."""
    wide = jax.tree.map(lambda x: x.astype(jnp.float64), layer)
    share = len(wide.scales) ** -power

    def ray(point: Array, stretch: Array) -> Array:
        own = Units(
            jnp.append(wide.weights @ point, 0.0),
            jnp.append(wide.offsets, 1.0),
            jnp.append(share * wide.scales, wide.level),
        )
        units = joined(goal.units(stretch), negative(own))
        return square_mean(cells(units, goal.moments)) / 2

    def pair(given: tuple[Array, Array]) -> Array:
        point, stretch = given
        return (ray(point, stretch) + ray(-point, stretch)) / 2

    losses = lax.map(pair, (at.points, at.stretch), batch_size=RAYS)
    return (at.weights * losses).sum()
