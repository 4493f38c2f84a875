r"""The network of three layers that is exact in the radius.

F(x) = mean_i |w_i| relu(w_i.x) o_i in R^D,  f(x) = mean_j c_j relu(a_j.F(x) + b_j).

F(r u) = r F(u), so on a ray f is a sum of relus of the radius, with slopes a_j.F(u).
"""

from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from depthsep.dynamics.radial.radius._units import Units


class RadialNetwork(eqx.Module):
    """Particles of both layers; also their velocities.

    Attributes:
        weights: w_i, (width, dim).
        outputs: o_i, (width, D); None means D = 1 and o_i = 1.
        slopes: a_j, (second, D).
        offsets: b_j, (second,).
        scales: c_j, (second,).
    """

    weights: Float[Array, "width dim"]
    outputs: Float[Array, "width bottleneck"] | None
    slopes: Float[Array, "second bottleneck"]
    offsets: Float[Array, " second"]
    scales: Float[Array, " second"]

    @property
    def width(self) -> int:
        """Particles of the first layer."""
        return self.weights.shape[0]

    @property
    def dim(self) -> int:
        """Inputs."""
        return self.weights.shape[1]

    @property
    def second(self) -> int:
        """Particles of the second layer."""
        return self.slopes.shape[0]

    @property
    def bottleneck(self) -> int:
        """D."""
        return self.slopes.shape[1]

    def units(self, first: Float[Array, "bottleneck ..."]) -> Units:
        """The second layer on the rays where F(u) is `first`, weights divided by m2."""
        slope = jnp.tensordot(self.slopes, first, axes=1)
        column = (-1, *[1] * (slope.ndim - 1))
        return Units(
            slope,
            jnp.broadcast_to(self.offsets.reshape(column), slope.shape),
            jnp.broadcast_to(self.scales.reshape(column) / self.second, slope.shape),
        )

    def __call__(self, x: Float[Array, "points dim"]) -> Float[Array, " points"]:
        """f at points, by plain products."""
        first = first_layer(self, x)
        before = first @ self.slopes.T + self.offsets
        return (self.scales * jnp.maximum(before, 0.0)).mean(axis=-1)


def first_layer(
    network: RadialNetwork, x: Float[Array, "points dim"]
) -> Float[Array, "points bottleneck"]:
    """F at points, by plain products: holds (points, width)."""
    lengths = jnp.sqrt((network.weights**2).sum(axis=1))
    active = jnp.maximum(x @ network.weights.T, 0.0) * lengths
    if network.outputs is None:
        return active.mean(axis=1, keepdims=True)
    return active @ network.outputs / network.width


class Rates(NamedTuple):
    """How fast the parts move, and which of the optional ones do."""

    first: float = 1.0
    second: float = 1.0
    outputs: float = 0.0
    scales: float = 0.0


class Directions(NamedTuple):
    """Pairs u, -u of the unit sphere; weights sum to 1, each half a pair's.

    Attributes:
        points: (pairs, dim), one of each pair.
        weights: (pairs,).
        stretch: (pairs,), |A^T u| of a subspace target; 1 for others.
    """

    points: Float[Array, "pairs dim"]
    weights: Float[Array, " pairs"]
    stretch: Float[Array, " pairs"]
