"""Kernel matrices of JAX arrays: traceable, by row blocks, rows over devices.

The result is a JAX array on the devices of the input, or over all devices by rows with
`sharded`. One compiled loop fills the result; nothing else of its size is held.
"""

from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from depthsep._errors import HypothesisError
from depthsep.near_init._pairs import CLOSE, Side, side
from depthsep.near_init._recursion import Architecture, Points, diagonal, pairs

ENTRIES_A_BLOCK = 1 << 22


def jax_matrix(net: Architecture, x: Any, z: Any | None, *, tangent: bool) -> Any:
    """The kernel of all pairs of rows, shape (n, m)."""
    _check(x, "x")
    other = x if z is None else z
    _check(other, "z")
    if x.shape[1] != other.shape[1]:
        raise HypothesisError(f"x has {x.shape[1]} inputs, z has {other.shape[1]}")
    return _compiled()(net, x, other, tangent=tangent, own=z is None)


def jax_sharded(net: Architecture, x: Any, z: Any | None, *, tangent: bool) -> Any:
    """The same with the rows of the result spread over all devices.

    Raises:
        HypothesisError: the number of devices does not divide the number of rows.
    """
    devices = jax.devices()
    if x.shape[0] % len(devices):
        raise HypothesisError(
            f"{x.shape[0]} rows over {len(devices)} devices; "
            "give a number of rows that they divide"
        )
    mesh = Mesh(devices, ("rows",))
    rows = jax.device_put(x, NamedSharding(mesh, PartitionSpec("rows")))
    other = jax.device_put(x if z is None else z, NamedSharding(mesh, PartitionSpec()))
    local = partial(_blocks, net, tangent=tangent)
    spread = jax.shard_map(
        lambda a, b: local(side(jnp, net, a), side(jnp, net, b)),
        mesh=mesh,
        in_specs=(PartitionSpec("rows"), PartitionSpec()),
        out_specs=PartitionSpec("rows"),
        check_vma=False,
    )
    return jax.jit(spread)(rows, other)


def _check(x: Any, name: str) -> None:
    if x.ndim != 2 or not jnp.issubdtype(x.dtype, jnp.floating):
        raise HypothesisError(
            f"{name} is {x.dtype} of shape {x.shape}; give floats, (points, inputs)"
        )


@lru_cache(maxsize=1)
def _compiled() -> Any:
    return partial(jax.jit, static_argnames=("net", "tangent", "own"))(_matrix)


def _matrix(net: Architecture, x: Any, z: Any, *, tangent: bool, own: bool) -> Any:
    left = side(jnp, net, x)
    right = left if own else side(jnp, net, z)
    found = _blocks(net, left, right, tangent=tangent)
    if own:
        exact = diagonal(jnp, net, left.square, left.layers)[1 if tangent else 0]
        place = jnp.arange(x.shape[0])
        found = found.at[place, place].set(exact.astype(found.dtype))
    return found


def _blocks(net: Architecture, left: Side, right: Side, *, tangent: bool) -> Any:
    """All rows, a block at a time; the last block may repeat rows of the one before."""
    n, m = left.unit.shape[0], right.unit.shape[0]
    rows = max(1, min(n, ENTRIES_A_BLOCK // max(1, m)))

    def fill(k: Any, out: Any) -> Any:
        start = jnp.minimum(k * rows, n - rows)
        block = _block(net, left, right, start, rows, tangent)
        return jax.lax.dynamic_update_slice(out, block, (start, 0 * start))

    count = -(-n // rows)
    return jax.lax.fori_loop(0, count, fill, jnp.zeros((n, m), left.unit.dtype))


def _block(
    net: Architecture, left: Side, right: Side, start: Any, rows: int, tangent: bool
) -> Any:
    def cut(values: Any) -> Any:
        return jax.lax.dynamic_slice_in_dim(values, start, rows)

    a = [
        Points(*(cut(v)[:, None] for v in (p.deviation, p.weights, p.biases)))
        for p in left.layers
    ]
    c = right.part(slice(None), 1)
    gaps = _gaps(cut(left.unit), cut(left.scaled), cut(left.length), right)
    ratio = pairs(jnp, net, a, c, *gaps, tangent=tangent)
    return a[-1].deviation * ratio * c[-1].deviation


def _gaps(unit: Any, scaled: Any, length: Any, right: Side) -> tuple[Any, Any, Any]:
    """rho, 1 - rho and 1 + rho; close pairs by their wedge, if there are any."""
    rho = jnp.matmul(unit, right.unit.T, precision="highest")
    close = 1 - jnp.abs(rho) < CLOSE

    def mended(_: None) -> tuple[Any, Any, Any]:
        square = _wedge(scaled, right.scaled, length, right.length)
        small = square / (1 + jnp.sqrt(jnp.maximum(1 - square, 0)))
        below = jnp.where(close, jnp.where(rho > 0, small, 2 - small), 1 - rho)
        above = jnp.where(close, jnp.where(rho > 0, 2 - small, small), 1 + rho)
        return rho, below, above

    def plain(_: None) -> tuple[Any, Any, Any]:
        return rho, 1 - rho, 1 + rho

    return jax.lax.cond(jnp.any(close), mended, plain, None)


def _wedge(u: Any, v: Any, r: Any, q: Any) -> Any:
    """sin^2 theta of all pairs, as `_pairs.wedge`, one coordinate at a time."""
    safe = jnp.where(q == 0, 1.0, q)
    power = jnp.rint(jnp.log2(jnp.where(r == 0, 1.0, r)[:, None] / safe)).astype(int)
    factor = jnp.ldexp(jnp.ones_like(u[:1, :1]), power)
    zero = jnp.zeros_like(factor)

    def parts(k: Any) -> tuple[Any, Any]:
        p, w = u[:, k][:, None], factor * v[:, k][None, :]
        return p - w, p + w

    def products(k: Any, sums: tuple[Any, ...]) -> tuple[Any, ...]:
        d, s = parts(k)
        return sums[0] + d * d, sums[1] + s * s, sums[2] + d * s

    dd, ss, ds = jax.lax.fori_loop(0, u.shape[1], products, (zero, zero, zero))
    square = jnp.maximum(dd, ss)
    opposite, ratio = dd > ss, ds / jnp.where(square == 0, 1.0, square)

    def across(k: Any, found: Any) -> Any:
        d, s = parts(k)
        short, long = jnp.where(opposite, s, d), jnp.where(opposite, d, s)
        return found + (short - ratio * long) ** 2

    found = jax.lax.fori_loop(0, u.shape[1], across, zero)
    area = 2 * r[:, None] * factor * q
    return found * square / jnp.where(area == 0, 1.0, area) ** 2
