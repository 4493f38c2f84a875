r"""N = E_u (F(u)/alpha - 1)^2: how far the first layer is from its symmetrisation.

0-homogeneous in the weights. Exactly, without sampling, it is a double sum over
neurons of |w_i|^2 |w_j|^2 <o_i, o_j> (k(angle) - c_d^2), k the mean of a product of
relus on the sphere; O(width^2 dim), by blocks of rows.
"""

from functools import partial

import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float

from depthsep.dynamics.radial._constants import relu_mean_float
from depthsep.dynamics.radial.network._network import Directions, RadialNetwork
from depthsep.dynamics.radial.network._tiles import lengths

ROWS = 512


def alphas(network: RadialNetwork) -> Float[Array, " bottleneck"]:
    """alpha_k = c_d E|w|^2 o_k: Sym(F) = alpha |x|."""
    squares = lengths(network.weights)[:, None] ** 2
    outputs = 1.0 if network.outputs is None else network.outputs
    return relu_mean_float(network.dim) * (squares * outputs).mean(axis=0)


def sampled_spread(
    network: RadialNetwork,
    directions: Directions,
    first: Float[Array, "bottleneck 2 pairs"],
) -> Float[Array, ""]:
    """N on directions where F is known."""
    middle = alphas(network)[:, None, None]
    squares = ((first - middle) ** 2).sum(axis=(0, 1)) * directions.weights / 2
    return squares.sum() / (middle**2).sum()


def double_sum(
    network: RadialNetwork,
) -> tuple[Float[Array, ""], Float[Array, "width dim"]]:
    """N, and m dN/dw_i for every neuron: its gradient in mean-field scaling."""
    weights = network.weights.astype(jnp.float64)
    m, dim = weights.shape
    size = lengths(weights)
    unit = weights / jnp.where(size > 0, size, 1.0)[:, None]
    outputs = jnp.ones((m, 1)) if network.outputs is None else network.outputs
    c, middle = relu_mean_float(dim), alphas(network)
    whole = (middle**2).sum()
    body = partial(_row_block, unit, size, outputs, c)
    missing = -m % min(ROWS, m)
    rows = [jnp.pad(x, ((0, missing), (0, 0))) for x in (unit, size[:, None], outputs)]
    cut = [x.reshape(-1, min(ROWS, m), x.shape[1]) for x in rows]
    total, pull = lax.scan(body, jnp.zeros(()), tuple(cut))
    value = total / (m * m) / whole
    pull = pull.reshape(-1, dim)[:m] / m  # m d/dw_i of the double sum / m^2, halved
    shrink = 2 * c * (outputs @ middle)[:, None] * weights  # m d/dw_i of whole / 2
    return value, 2 * (pull - value * shrink) / whole


def _row_block(
    unit: Array, size: Array, outputs: Array, c: float, total: Array, row: tuple
) -> tuple[Array, Array]:
    """A block's part of the double sum, and half its gradient in the rows' weights."""
    u, r, o = row
    dim = u.shape[1]
    rho = jnp.clip(u @ unit.T, -1.0, 1.0)
    angle = jnp.arccos(rho)
    sine = jnp.sqrt((1 - rho) * (1 + rho))
    share = (o @ outputs.T) * size**2
    kernel = (sine + (jnp.pi - angle) * rho) / (2 * jnp.pi * dim) - c * c
    slope = share * (jnp.pi - angle) / (2 * jnp.pi * dim)
    kernel = share * kernel
    here = kernel.sum(axis=1, keepdims=True)
    # d/dw |w|^2 k(rho) = 2 w k + |w| k' (unit_j - rho u)
    turned = slope @ unit - (slope * rho).sum(axis=1, keepdims=True) * u
    return total + (r**2 * here).sum(), 2 * r * u * here + r * turned
