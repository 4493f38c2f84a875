r"""The two products of a step, by tiles: no array of (directions, neurons) is stored.

With z = w.u, a pair u, -u needs one product: F(+-u) = (E |w||z| o +- E |w| z o) / 2,
whose second part is linear in u, and E_u T(F(u)) 1(w.u > 0) u is a sum of sign(z) times
a vector of the pair, plus one vector that is the same for every neuron. (Where z = 0
this takes a one-sided derivative, or the mean of both.)

Products are in the type of the weights, sums over tiles in float64. The signs may be
kept, as one bit each, or the product be taken again: what costs less.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float, UInt32

from depthsep.dynamics.radial.network._network import Directions, RadialNetwork
from depthsep.dynamics.radial.network._signs import (
    BITS,
    packed,
    sign_product,
    split,
    unpacked,
)


class Tiles(NamedTuple):
    """How the work is cut.

    Attributes:
        neurons, directions: in one tile, multiples of 32.
        keep: keep the signs between both products.
        thirds: multiply kept signs by bfloat16 thirds of the vectors.
        axis: the name of the mesh axis over which neurons are sharded, if any.
    """

    neurons: int
    directions: int
    keep: bool = False
    thirds: bool = False
    axis: str | None = None


class Rows(NamedTuple):
    """The first layer in blocks of neurons: weights, and |w| o."""

    weights: Float[Array, "blocks neurons dim"]
    masses: Float[Array, "blocks neurons bottleneck"]


class Forward(NamedTuple):
    """F(+-u), and the signs if they are kept."""

    first: Float[Array, "bottleneck 2 pairs"]
    signs: UInt32[Array, "chunks blocks words neurons"] | None


def forward(
    network: RadialNetwork, directions: Directions, tiles: Tiles, width: int
) -> Forward:
    """F on all pairs; `width` is that of the whole network, over all devices."""
    rows = _rows(network, tiles)
    pairs, bottleneck = directions.points.shape[0], network.bottleneck

    def chunk(_: None, points: Array) -> tuple[None, tuple[Array, Array | None]]:
        def block(total: Array, row: Rows) -> tuple[Array, Array | None]:
            z = product(points, row.weights.T)
            size = jnp.abs(z)
            part = [(row.masses[:, k] * size).sum(axis=1) for k in range(bottleneck)]
            return total + jnp.stack(part), packed(z) if tiles.keep else None

        start = _varying(jnp.zeros((bottleneck, points.shape[0])), tiles)
        return None, lax.scan(block, start, rows)

    _, (even, signs) = lax.scan(chunk, None, _cut(directions.points, tiles.directions))
    even = jnp.moveaxis(even, 0, 1).reshape(bottleneck, -1)[:, :pairs]
    odd = _total(_moment(rows, tiles), tiles) @ directions.points.T.astype(jnp.float64)
    even = _total(even, tiles)
    first = jnp.stack([even + odd, even - odd], axis=1) / (2 * width)
    if network.outputs is None:  # a mean of relus, whatever rounding says
        first = jnp.maximum(first, 0.0)
    return Forward(first, signs)


def backward(
    network: RadialNetwork,
    directions: Directions,
    pulls: Float[Array, "bottleneck 2 pairs"],
    signs: UInt32[Array, "chunks blocks words neurons"] | None,
    tiles: Tiles,
) -> tuple[Float[Array, "width dim"], Float[Array, "width bottleneck"] | None]:
    r"""w' = |w| (h + wb (wb.h)), h = sum_k o_k h_k, and o_k' = |w| (w.h_k).

    h_k(w) = E_u pull_k(u) 1(w.u > 0) u; block by block, so that it is never whole.
    """
    even, odd = (pulls[:, 0] - pulls[:, 1]), (pulls[:, 0] + pulls[:, 1])
    share = directions.weights / 4
    same = (even * share) @ directions.points.astype(jnp.float64)
    pull = (odd * share).T[..., None].astype(directions.points.dtype)
    vectors = (pull * directions.points[:, None, :]).reshape(len(pull), -1)
    wide = vectors.shape[1]
    if tiles.thirds:
        vectors = split(vectors)
    chunks = [_cut(x, tiles.directions) for x in (directions.points, vectors)]

    def block(
        _: None, row: tuple[Array, Array | None, Array | None]
    ) -> tuple[None, tuple[Array, Array | None]]:
        weights, outputs, kept = row

        def chunk(total: Array, part: tuple[Array, ...]) -> tuple[Array, None]:
            points, vector = part[:2]
            if kept is None:
                sign = jnp.sign(product(weights, points.T))
                return total + product(sign, vector), None
            sign = unpacked(part[2], vector.dtype)
            return total + sign_product(sign, vector, wide), None

        start = _varying(jnp.zeros((tiles.neurons, wide)), tiles)
        parts = chunks if kept is None else [*chunks, kept]
        found = lax.scan(chunk, start, tuple(parts))[0]
        return None, _moved(weights, outputs, found.reshape(-1, *same.shape) + same)

    kept = None if signs is None else jnp.moveaxis(signs, 1, 0)
    outputs = None if network.outputs is None else _cut(network.outputs, tiles.neurons)
    rows = (_cut(network.weights, tiles.neurons), outputs, kept)
    _, (first, second) = lax.scan(block, None, rows)
    first = first.reshape(-1, network.dim)[: network.width]
    if second is None:
        return first, None
    return first, second.reshape(-1, network.bottleneck)[: network.width]


def _moved(
    weights: Float[Array, "neurons dim"],
    outputs: Float[Array, "neurons bottleneck"] | None,
    h: Float[Array, "neurons bottleneck dim"],
) -> tuple[Float[Array, "neurons dim"], Float[Array, "neurons bottleneck"] | None]:
    """w' and o' of one block from h_k; 0 where w is 0."""
    h = h.astype(weights.dtype)
    size = jnp.sqrt(jnp.square(weights).sum(axis=1, keepdims=True))
    whole = h[:, 0]
    if outputs is not None:
        whole = (h * outputs[..., None].astype(h.dtype)).sum(axis=1)
    along = (weights * whole).sum(axis=1, keepdims=True)
    unit = jnp.where(size > 0, along / jnp.where(size > 0, size, 1), 0)
    first = size * whole + unit * weights
    if outputs is None:
        return first, None
    turned = (h * weights[:, None]).sum(axis=2).astype(outputs.dtype)
    return first, size.astype(outputs.dtype) * turned


def lengths(weights: Float[Array, "... dim"]) -> Float[Array, "..."]:
    """|w| in float64."""
    return jnp.sqrt(jnp.square(weights.astype(jnp.float64)).sum(axis=-1))


def product(a: Array, b: Array) -> Array:
    """a @ b with all digits of its type, also on accelerators."""
    return jnp.matmul(a, b, precision=lax.Precision.HIGHEST)


def _rows(network: RadialNetwork, tiles: Tiles) -> Rows:
    mass = jnp.sqrt(jnp.square(network.weights).sum(axis=1, keepdims=True))
    if network.outputs is not None:
        mass = mass * network.outputs.astype(mass.dtype)
    return Rows(_cut(network.weights, tiles.neurons), _cut(mass, tiles.neurons))


def _moment(rows: Rows, tiles: Tiles) -> Float[Array, "bottleneck dim"]:
    """sum_i |w_i| o_i w_i."""

    def block(total: Array, row: Rows) -> tuple[Array, None]:
        return total + product(row.masses.T, row.weights), None

    start = jnp.zeros((rows.masses.shape[-1], rows.weights.shape[-1]))
    return lax.scan(block, _varying(start, tiles), rows)[0]


def _cut(rows: Array, size: int) -> Array:
    """(blocks, size, ...): rows of zeros at the end weigh nothing."""
    missing = -rows.shape[0] % size
    if missing:
        rows = jnp.pad(rows, ((0, missing), (0, 0)))
    return rows.reshape(-1, size, rows.shape[1])


def _total(x: Array, tiles: Tiles) -> Array:
    return x if tiles.axis is None else lax.psum(x, tiles.axis)


def _varying(x: Array, tiles: Tiles) -> Array:
    """Zeros that differ from device to device once something is added."""
    return x if tiles.axis is None else lax.pcast(x, tiles.axis, to="varying")


def tile_size(count: int, most: int) -> int:
    """The multiple of 32 that cuts `count` into the fewest, most even parts."""
    parts = -(-count // most)
    return -(-count // (parts * BITS)) * BITS
