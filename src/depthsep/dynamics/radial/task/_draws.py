"""Random directions and first layers, from counters: any step can be drawn again.

Drawn in float64 by blocks of rows, so that a large layer takes no more than its own
memory.
"""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep.dynamics.radial.network._network import Directions

# streams of randomness: a key that is split is never folded too, they would meet
START, TRAIN, TEST, VALIDATION, TWO_LAYERS, OUTPUTS, BATCHES = range(7)
DIRECTIONS = ("orthogonal", "independent", "equispaced")
STARTS = ("sphere", "gaussian", "orthogonal")
ROWS = 4096


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
                "equispaced directions exist only in 2 dimensions, not "
                f"in {dim}; choose orthogonal"
            )
        first = jax.random.uniform(key, dtype=jnp.float64)
        angle = jnp.pi * (jnp.arange(pairs) + first) / pairs
        return jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1).astype(dtype)
    if kind == "independent":
        return _unit(key, pairs, dim, dtype)
    if kind == "orthogonal":
        return _orthogonal(key, pairs, dim, dtype)
    raise HypothesisError(f"`directions` is {kind!r}; choose {', '.join(DIRECTIONS)}")


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
        return _unit(key, width, dim, dtype, length)
    if kind == "gaussian":
        return _normal(key, width, dim, dtype, length / dim**0.5)
    if kind == "orthogonal":
        if width % 2:
            raise HypothesisError(
                f"a first layer with antipodes needs an even width, not {width}"
            )
        half = _orthogonal(key, width // 2, dim, dtype, length)
        return jnp.concatenate([half, -half])
    raise HypothesisError(f"`start` is {kind!r}; choose {', '.join(STARTS)}")


_compiled = partial(jax.jit, static_argnames=("rows", "dim", "dtype"))


@_compiled
def _normal(key: Array, rows: int, dim: int, dtype: str, size: float) -> Array:
    """Standard normal rows times a size."""
    count = min(rows, ROWS)

    def block(key: Array) -> Array:
        return (size * jax.random.normal(key, (count, dim), jnp.float64)).astype(dtype)

    return _by_blocks(key, rows, count, block)


@_compiled
def _unit(key: Array, rows: int, dim: int, dtype: str, size: float = 1.0) -> Array:
    """Independent rows of one length."""
    count = min(rows, ROWS)

    def block(key: Array) -> Array:
        z = jax.random.normal(key, (count, dim), jnp.float64)
        return (size * z / jnp.linalg.norm(z, axis=1, keepdims=True)).astype(dtype)

    return _by_blocks(key, rows, count, block)


@_compiled
def _orthogonal(
    key: Array, rows: int, dim: int, dtype: str, size: float = 1.0
) -> Array:
    """Haar orthogonal blocks times a length, the last one cut."""

    def block(key: Array) -> Array:
        q, r = jnp.linalg.qr(jax.random.normal(key, (dim, dim), jnp.float64))
        return (size * q * jnp.sign(jnp.diagonal(r))).T.astype(dtype)

    return _by_blocks(key, rows, dim, block)


def _by_blocks(
    key: Array, rows: int, count: int, block: Callable[[Array], Array]
) -> Array:
    """Blocks of `count` rows from keys of their own, the last one cut."""
    keys = jax.random.split(key, -(-rows // count))
    drawn = lax.map(block, keys, batch_size=max(ROWS // count, 1))
    return drawn.reshape(-1, drawn.shape[-1])[:rows]
