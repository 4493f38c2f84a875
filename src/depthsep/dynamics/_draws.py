"""Random directions and first layers, from counters: any step can be drawn again."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep.dynamics._radial_network import Directions

START, TRAIN, TEST = 0, 1, 2
DIRECTIONS = ("orthogonal", "independent", "equispaced")
STARTS = ("sphere", "gaussian", "orthogonal")


def stream(seed: int, purpose: int) -> Array:
    """The random key of a purpose."""
    return jax.random.fold_in(jax.random.key(seed), purpose)


def draw_directions(
    key: Array, pairs: int, dim: int, kind: str, dtype: str
) -> Float[Array, "pairs dim"]:
    """One direction of every pair u, -u.

    ``orthogonal``: blocks of `dim` orthogonal ones; ``independent``; ``equispaced``
    angles with a random first one, for dim = 2.
    """
    if kind == "equispaced":
        if dim != 2:
            raise HypothesisError(
                f"equispaced directions exist in 2 dimensions, not in {dim}; "
                "choose orthogonal"
            )
        first = jax.random.uniform(key, dtype=jnp.float64)
        angle = jnp.pi * (jnp.arange(pairs) + first) / pairs
        return jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1).astype(dtype)
    if kind == "independent":
        return _unit(key, (pairs, dim)).astype(dtype)
    if kind == "orthogonal":
        return _orthogonal(key, pairs, dim).astype(dtype)
    raise HypothesisError(f"directions {kind!r}; choose {', '.join(DIRECTIONS)}")


def directions(
    points: Float[Array, "pairs dim"], subspace: Float[Array, "dim rank"] | None
) -> Directions:
    """Equally weighted pairs; a subspace target sees |A^T u| of each."""
    pairs = points.shape[0]
    stretch = jnp.ones(pairs)
    if subspace is not None:
        inside = points.astype(jnp.float64) @ subspace
        stretch = jnp.sqrt((inside**2).sum(axis=1))
    return Directions(points, jnp.full(pairs, 1.0 / pairs), stretch)


def draw_weights(
    key: Array, width: int, dim: int, square: float, kind: str, dtype: str
) -> Float[Array, "width dim"]:
    """Rows with E|w|^2 = square.

    ``sphere``: independent directions of one length; ``gaussian``; ``orthogonal``:
    orthogonal blocks and their antipodes, of one length.
    """
    length = square**0.5
    if kind == "sphere":
        return (length * _unit(key, (width, dim))).astype(dtype)
    if kind == "gaussian":
        rows = jax.random.normal(key, (width, dim), jnp.float64)
        return (length / dim**0.5 * rows).astype(dtype)
    if kind == "orthogonal":
        if width % 2:
            raise HypothesisError(
                f"a first layer with antipodes has an even width, not {width}"
            )
        half = length * _orthogonal(key, width // 2, dim)
        return jnp.concatenate([half, -half]).astype(dtype)
    raise HypothesisError(f"start {kind!r}; choose {', '.join(STARTS)}")


def _unit(key: Array, shape: tuple[int, int]) -> Array:
    rows = jax.random.normal(key, shape, jnp.float64)
    return rows / jnp.linalg.norm(rows, axis=1, keepdims=True)


def _orthogonal(key: Array, rows: int, dim: int) -> Array:
    """Haar orthogonal blocks, the last one cut."""
    blocks = -(-rows // dim)
    z = jax.random.normal(key, (blocks, dim, dim), jnp.float64)
    q, r = jnp.linalg.qr(z)
    q = q * jnp.sign(jnp.diagonal(r, axis1=1, axis2=2))[:, None, :]
    return jnp.moveaxis(q, 1, 2).reshape(-1, dim)[:rows]
