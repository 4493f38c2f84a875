"""Choosing tiles: sizes, whether signs are kept, and what it all takes in memory."""

import jax
import jax.numpy as jnp

from depthsep.dynamics._signs import has_fast_halves
from depthsep.dynamics._tiles import Tiles, tile_size

NEURONS, DIRECTIONS = 1024, 2048
KEEP_FROM = 96  # inputs from which unpacking a sign is cheaper than its product
KEPT = 1 << 30  # bytes of signs that are kept at most


def tiles_for(
    width: int,
    dim: int,
    pairs: int,
    *,
    bottleneck: int = 1,
    precision: str = "float32",
    devices: int = 1,
) -> Tiles:
    """Tiles for a first layer on every device's share of the neurons."""
    kept = -(-width // devices) * pairs // 8
    keep = dim >= KEEP_FROM and kept <= KEPT
    scale = 1 if jax.default_backend() == "cpu" else 8
    most = NEURONS * scale * (2 if keep else 1)
    neurons = tile_size(-(-width // devices), most)
    directions = tile_size(pairs, DIRECTIONS * scale)
    halves = (
        keep
        and precision == "float32"
        and has_fast_halves(neurons, directions, dim * bottleneck)
    )
    return Tiles(neurons, directions, keep, halves)


def predicted_bytes(
    width: int, dim: int, pairs: int, *, bottleneck: int = 1, precision: str = "float32"
) -> int:
    """Most bytes that a step of Euler holds, on all devices together.

    Weights, their velocity and the sum; the directions and the vectors of the second
    product, its tiles, and the signs if they are kept.
    """
    tiles = tiles_for(width, dim, pairs, bottleneck=bottleneck, precision=precision)
    item = jnp.dtype(precision).itemsize
    layer = 3 * width * dim * item
    rays = pairs * dim * (item + 8 + (3 if tiles.halves else 2) * item * bottleneck)
    radial = 2 * pairs * 8 * 3 * 40
    tile = 3 * tiles.neurons * (tiles.directions * item + dim * 8 * bottleneck)
    signs = 2 * width * pairs // 8 if tiles.keep else 0
    return layer + rays + radial + tile + signs
