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
        exact = diagonal(jnp, net, left.layers)[1 if tangent else 0]
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
    gaps = _gaps(cut(left.unit), right.unit)
    ratio = pairs(jnp, net, a, c, *gaps, tangent=tangent)
    return a[-1].deviation * ratio * c[-1].deviation


def _gaps(u: Any, v: Any) -> tuple[Any, Any, Any]:
    """rho, 1 - rho and 1 + rho; close pairs by their differences, if there are any."""
    rho = jnp.matmul(u, v.T, precision="highest")
    close = 1 - jnp.abs(rho) < CLOSE

    def differences(_: None) -> tuple[Any, Any, Any]:
        def add(k: Any, sums: tuple[Any, Any]) -> tuple[Any, Any]:
            p, q = u[:, k][:, None], v[:, k][None, :]
            return sums[0] + (p - q) ** 2 / 2, sums[1] + (p + q) ** 2 / 2

        zero = jnp.zeros_like(rho)
        below, above = jax.lax.fori_loop(0, u.shape[1], add, (zero, zero))
        below, above = (
            jnp.where(close, exact, plain)
            for exact, plain in ((below, 1 - rho), (above, 1 + rho))
        )
        return (above - below) / 2, below, above

    def plain(_: None) -> tuple[Any, Any, Any]:
        return rho, 1 - rho, 1 + rho

    return jax.lax.cond(jnp.any(close), differences, plain, None)
