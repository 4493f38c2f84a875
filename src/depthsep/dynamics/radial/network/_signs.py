r"""Signs as bits, and exact products of signs in bfloat16.

A float32 number is the sum of three bfloat16 numbers. Times +-1 each product is exact,
so the signs times the thirds, added up in float32, give what float32 products give, on
processors whose bfloat16 units are many times faster.
"""

from functools import lru_cache
from pathlib import Path

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float, UInt32

BITS = 32
THIRDS = 3


def packed(
    z: Float[Array, "directions neurons"],
) -> UInt32[Array, "words neurons"]:
    """Whether z > 0, one bit each: bit k of the words from the k-th slab of rows."""
    slabs = (z > 0).reshape(BITS, -1, z.shape[1])
    word = slabs[0].astype(jnp.uint32)
    for k in range(1, BITS):
        word = word | (slabs[k].astype(jnp.uint32) << jnp.uint32(k))
    return word


def unpacked(
    words: UInt32[Array, "words neurons"], dtype: jnp.dtype
) -> Float[Array, "neurons directions"]:
    """+1 and -1; in bfloat16 and float32 by setting the bit of the sign."""
    k = jnp.arange(BITS, dtype=jnp.uint32)[None, :, None]
    clear = (~words.T[:, None, :] >> k) & jnp.uint32(1)
    if dtype == jnp.bfloat16:
        bits = jnp.uint16(0x3F80) | (clear.astype(jnp.uint16) << jnp.uint16(15))
        signs = lax.bitcast_convert_type(bits, jnp.bfloat16)
    else:
        bits = jnp.uint32(0x3F800000) | (clear << jnp.uint32(31))
        signs = lax.bitcast_convert_type(bits, jnp.float32).astype(dtype)
    return signs.reshape(words.shape[1], -1)


def split(x: Float[Array, "rows columns"]) -> Array:
    """Three bfloat16 blocks of columns whose sum is x in float32."""
    rest, parts = x.astype(jnp.float32), []
    for _ in range(THIRDS):
        parts.append(rest.astype(jnp.bfloat16))
        rest = rest - parts[-1].astype(jnp.float32)
    return jnp.concatenate(parts, axis=1)


def sign_product(sign: Array, vectors: Array, columns: int) -> Array:
    """Signs times vectors, (neurons, columns); bfloat16 vectors are thirds."""
    if vectors.dtype != jnp.bfloat16:
        return jnp.matmul(sign, vectors, precision=lax.Precision.HIGHEST)
    thirds = lax.dot(sign, vectors, preferred_element_type=jnp.float32)
    small, smaller = thirds[:, columns : 2 * columns], thirds[:, 2 * columns :]
    return thirds[:, :columns] + (small + smaller)


@lru_cache(maxsize=64)
def has_fast_thirds(neurons: int, directions: int, columns: int) -> bool:
    """Whether bfloat16 products are worth trying here, and exact in this shape.

    On accelerators they are; on processors where there are matrix units for them.
    """
    if jax.default_backend() == "cpu" and not _matrix_units():
        return False
    try:
        words = jnp.zeros((directions // BITS, neurons), jnp.uint32)
        vectors = jnp.ones((directions, columns), jnp.float32)
        found = jax.jit(_probe)(words, vectors)
        return bool((found == -directions).all())
    except jax.errors.JaxRuntimeError:  # XLA knows the type but not for every shape
        return False


def _probe(words: Array, vectors: Array) -> Array:
    thirds = split(vectors)
    return sign_product(unpacked(words, thirds.dtype), thirds, vectors.shape[1])


def _matrix_units() -> bool:
    try:
        return "amx_bf16" in Path("/proc/cpuinfo").read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return False
