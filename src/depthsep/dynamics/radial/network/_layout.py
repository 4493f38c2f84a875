"""Choosing tiles: sizes, whether signs are kept, and what it all takes in memory."""

import jax
import jax.numpy as jnp

from depthsep.dynamics.radial.network._signs import has_fast_thirds
from depthsep.dynamics.radial.network._tiles import Tiles, tile_size
from depthsep.dynamics.radial.radius._responses import BLOCK, few

NEURONS, DIRECTIONS = 1024, 2048
KEEP_FROM = 96  # inputs from which unpacking a sign is cheaper than its product
KEPT = 1 << 30  # bytes of signs that are kept at most
ALONG, BOTH, SORTED = 12, 5, 64  # numbers of a unit on a ray, a pair, a sorted kink


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
    thirds = (
        keep
        and precision == "float32"
        and has_fast_thirds(neurons, directions, dim * bottleneck)
    )
    return Tiles(neurons, directions, keep, thirds)


def predicted_bytes(
    width: int,
    dim: int,
    pairs: int,
    *,
    second: int = 4,
    knots: int = 1,
    bottleneck: int = 1,
    precision: str = "float32",
) -> int:
    """Most bytes that a step of Euler holds, on all devices together.

    Weights, their velocity and the sum; the directions and the vectors of the second
    product, its tiles, and the signs if they are kept; along every ray the units of the
    second layer and the target's `knots`. Python and compiling come on top.
    """
    tiles = tiles_for(width, dim, pairs, bottleneck=bottleneck, precision=precision)
    item = jnp.dtype(precision).itemsize
    layer = 3 * width * dim * item
    copies = (3 if tiles.thirds else 2) * bottleneck
    rays = pairs * dim * (2 * 8 + (3 + copies) * item)  # twice in float64
    units = second + knots
    radial = 2 * pairs * ALONG * units
    if few(units, units):
        radial += 2 * pairs * BOTH * second * units
    else:
        radial += SORTED * min(BLOCK, 2 * pairs * units)
    tile = 3 * tiles.neurons * (tiles.directions * item + dim * 8 * bottleneck)
    signs = 2 * width * pairs // 8 if tiles.keep else 0
    return layer + rays + 8 * radial + tile + signs
