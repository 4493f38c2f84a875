"""Kernel matrices of JAX arrays: traceable, by row blocks, rows over devices.

The result is a JAX array on the device of the input, or over all devices by rows. One
compiled loop fills it; nothing else of its size is held.
"""

from collections.abc import Callable
from functools import lru_cache, partial

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from depthsep._errors import HypothesisError
from depthsep.near_init import _inputs as inputs
from depthsep.near_init.kernels._recursion import Architecture, diagonal, pairs
from depthsep.near_init.kernels.pairs._pairs import CLOSE, Side, finite, side

ENTRIES_A_BLOCK = 1 << 22


def jax_matrix(
    net: Architecture, x: object, z: object, *, tangent: bool, spread: bool = False
) -> Array:
    """The kernel of all pairs of rows, shape (n, m).

    Args:
        spread: put the rows of the result on all devices.

    Raises:
        HypothesisError: inputs that do not fit; values beyond the floats (not while
            tracing); rows that the devices do not divide.
    """
    own = z is None
    left = _array(x, "x")
    right = left if own else _array(z, "z")
    if left.shape[1] != right.shape[1]:
        raise HypothesisError(
            f"points of x have {left.shape[1]} numbers, those of z "
            f"{right.shape[1]}; these must agree"
        )
    both = jnp.result_type(left, right)
    left, right = left.astype(both), right.astype(both)
    if not left.shape[0] or not right.shape[0]:
        return jnp.zeros((left.shape[0], right.shape[0]), both)
    if not spread:
        return _checked(_whole(net, left, right, tangent=tangent, own=own))
    mesh = Mesh(jax.devices(), ("rows",))
    if left.shape[0] % mesh.size:
        raise HypothesisError(
            f"{left.shape[0]} rows cannot be shared evenly by {mesh.size} devices; "
            "the number of rows must be a multiple of the number of devices"
        )
    left = jax.device_put(left, NamedSharding(mesh, PartitionSpec("rows")))
    right = jax.device_put(right, NamedSharding(mesh, PartitionSpec()))
    return _checked(_spread(net, tangent, own, mesh)(left, right))


def _array(x: object, name: str) -> Array:
    """A JAX array of floats; concrete ones are checked like NumPy's."""
    if isinstance(x, jax.core.Tracer):
        if x.ndim != 2 or not x.shape[1] or not jnp.issubdtype(x.dtype, jnp.floating):
            raise HypothesisError(
                f"{name} is {x.dtype} of shape {x.shape}; give floats "
                "of shape (points, inputs)"
            )
        return x
    checked = inputs.points(x, name)
    return x if isinstance(x, jax.Array) and _is_float(x) else jnp.asarray(checked)


def _is_float(x: Array) -> bool:
    return x.dtype in (jnp.float32, jnp.float64)


def _checked(found: Array) -> Array:
    if not isinstance(found, jax.core.Tracer):
        finite(np.array([found.min(), found.max()]))
    return found


@partial(jax.jit, static_argnames=("net", "tangent", "own"))
def _whole(net: Architecture, x: Array, z: Array, *, tangent: bool, own: bool) -> Array:
    left = side(jnp, net, x)
    right = left if own else side(jnp, net, z)
    return _blocks(net, left, right, 0 if own else None, tangent)


@lru_cache(maxsize=32)
def _spread(
    net: Architecture, tangent: bool, own: bool, mesh: Mesh
) -> Callable[..., Array]:
    def local(x: Array, z: Array) -> Array:
        first = jax.lax.axis_index("rows") * x.shape[0] if own else None
        return _blocks(net, side(jnp, net, x), side(jnp, net, z), first, tangent)

    rows, whole = PartitionSpec("rows"), PartitionSpec()
    spread = jax.shard_map(
        local, mesh=mesh, in_specs=(rows, whole), out_specs=rows, check_vma=False
    )
    return jax.jit(spread)


def _blocks(
    net: Architecture,
    left: Side[Array],
    right: Side[Array],
    first: Array | int | None,
    tangent: bool,
) -> Array:
    """All rows, a block at a time; the last block may repeat rows of the one before.

    Args:
        first: the column of the left side's first row, None if the sides are different.
    """
    n, m = left.unit.shape[0], right.unit.shape[0]
    rows = max(1, min(n, ENTRIES_A_BLOCK // m))
    exact = diagonal(jnp, net, right.square, right.layers)[1 if tangent else 0]

    def fill(k: Array, out: Array) -> Array:
        start = jnp.minimum(k * rows, n - rows)
        equal = None
        if first is not None:
            equal = (first + start + jnp.arange(rows))[:, None] == jnp.arange(m)
        block = _block(net, left, right, start, rows, equal, tangent)
        block = block if equal is None else jnp.where(equal, exact, block)
        block = block.astype(out.dtype)
        return jax.lax.dynamic_update_slice(out, block, (start, 0 * start))

    count = -(-n // rows)
    return jax.lax.fori_loop(0, count, fill, jnp.zeros((n, m), left.unit.dtype))


def _block(
    net: Architecture,
    left: Side[Array],
    right: Side[Array],
    start: Array,
    rows: int,
    equal: Array | None,
    tangent: bool,
) -> Array:
    def cut(values: Array, axis: int = 0) -> Array:
        return jax.lax.dynamic_slice_in_dim(values, start, rows, axis)

    a = left.layers.part(lambda v: cut(v, 1), 0)
    c = right.layers.part(lambda v: v, 1)
    gaps = _gaps(cut(left.unit), cut(left.scaled), cut(left.length), right, equal)
    ratio = pairs(jnp, net, a, c, *gaps, tangent=tangent)
    return a.deviation[-1] * ratio * c.deviation[-1]


def _gaps(
    unit: Array, scaled: Array, length: Array, right: Side[Array], equal: Array | None
) -> tuple[Array, Array, Array]:
    """rho, 1 - rho and 1 + rho; close pairs by their wedge, if there are any.

    Pairs of a point with itself are known otherwise and not counted.
    """
    rho = jnp.clip(jnp.matmul(unit, right.unit.T, precision="highest"), -1, 1)
    close = 1 - jnp.abs(rho) < CLOSE
    close = close if equal is None else close & ~equal

    def sharpened(_: None) -> tuple[Array, Array, Array]:
        square = _wedge(scaled, right.scaled, length, right.length)
        small = square / (1 + jnp.sqrt(jnp.maximum(1 - square, 0)))
        below = jnp.where(close, jnp.where(rho > 0, small, 2 - small), 1 - rho)
        above = jnp.where(close, jnp.where(rho > 0, 2 - small, small), 1 + rho)
        return rho, below, above

    def plain(_: None) -> tuple[Array, Array, Array]:
        return rho, 1 - rho, 1 + rho

    return jax.lax.cond(jnp.any(close), sharpened, plain, None)


def _wedge(u: Array, v: Array, r: Array, q: Array) -> Array:
    """sin^2 theta of all pairs, as `_pairs.wedge`, one coordinate at a time."""
    safe = jnp.where(q == 0, 1.0, q)
    power = jnp.rint(jnp.log2(jnp.where(r == 0, 1.0, r)[:, None] / safe)).astype(int)
    factor = jnp.ldexp(jnp.ones_like(u[:1, :1]), power)
    zero = jnp.zeros_like(factor)

    def parts(k: Array) -> tuple[Array, Array]:
        p, w = u[:, k][:, None], factor * v[:, k][None, :]
        return p - w, p + w

    def products(k: Array, sums: tuple[Array, ...]) -> tuple[Array, ...]:
        d, s = parts(k)
        return sums[0] + d * d, sums[1] + s * s, sums[2] + d * s

    dd, ss, ds = jax.lax.fori_loop(0, u.shape[1], products, (zero, zero, zero))
    square = jnp.maximum(dd, ss)
    opposite, ratio = dd > ss, ds / jnp.where(square == 0, 1.0, square)

    def across(k: Array, found: Array) -> Array:
        d, s = parts(k)
        short, long = jnp.where(opposite, s, d), jnp.where(opposite, d, s)
        return found + (short - ratio * long) ** 2

    found = jax.lax.fori_loop(0, u.shape[1], across, zero)
    area = 2 * r[:, None] * factor * q
    return found * square / jnp.where(area == 0, 1.0, area) ** 2
