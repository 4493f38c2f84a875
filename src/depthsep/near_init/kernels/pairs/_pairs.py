"""Kernel matrices tile by tile: nothing of the result's size but the result."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import Generic

import numpy as np

from depthsep._cores import cores
from depthsep._errors import HypothesisError
from depthsep._progress import followed
from depthsep.near_init.kernels._recursion import (
    A,
    Architecture,
    Points,
    diagonal,
    layer_points,
    pairs,
)

ROWS, COLUMNS = 64, 1024  # temporaries stay in the cache and are reused by NumPy
CLOSE = 0.005  # a gap 1 -+ rho below this is found without cancellation
GATHERED = 1 << 16


@dataclass(frozen=True)
class Side(Generic[A]):
    """One set of inputs.

    Attributes:
        scaled: (n, D), each input times a power of two, so exactly; of size about 1.
        length: (n,), of `scaled`.
        unit: (n, D), directions.
        square: (n,), Q^1(x, x).
        layers: `Points`, layer by layer.
    """

    scaled: A
    length: A
    unit: A
    square: A
    layers: Points[A]


def side(xp: ModuleType, net: Architecture, x: A) -> Side[A]:
    """What is needed of each input; no square under- or overflows on the way.

    A bias is one more coordinate: Q^1 is the Gram matrix of (sqrt(s) x, sqrt(b)).
    """
    inputs = net.input_variance**0.5 * x if net.input_variance != 1 else x
    if net.bias_variance:
        extra = xp.full_like(inputs[:, :1], net.bias_variance**0.5)
        inputs = xp.concatenate([inputs, extra], axis=1)
    _, power = xp.frexp(xp.max(xp.abs(inputs), axis=1, initial=0))
    scaled = xp.ldexp(inputs, -power[:, None])
    square = xp.sum(scaled * scaled, axis=1)
    length = xp.sqrt(square)
    unit = scaled / xp.where(length == 0, xp.ones_like(length), length)[:, None]
    square = xp.ldexp(xp.ldexp(square, power), power)
    norms = xp.ldexp(length, power)
    return Side(scaled, length, unit, square, layer_points(xp, net, norms))


Arrays = Side[np.ndarray]


def wedge(
    left: np.ndarray, right: np.ndarray, r: np.ndarray, q: np.ndarray, sign: np.ndarray
) -> np.ndarray:
    """sin^2 theta of pairs of vectors (k, D) of lengths r and q, to full precision.

    |x ^ z| = |d ^ s| / 2 for d = x - z and s = x + z, by the part of d that is
    orthogonal to s: for close vectors of about the same length it comes from a
    difference without rounding. z is first multiplied by a power of two, exactly, until
    the lengths agree, and by its sign, -1 for nearly opposite vectors.
    """
    power = np.rint(np.log2(r / q)).astype(int)
    other = right * np.ldexp(sign, power)[:, None]
    d, s = left - other, left + other
    square = np.einsum("ij,ij->i", s, s)
    d -= s * (np.einsum("ij,ij->i", d, s) / square)[:, None]
    return np.einsum("ij,ij->i", d, d) * square / (2 * r * np.ldexp(q, power)) ** 2


def matrix(
    net: Architecture,
    x: np.ndarray,
    z: np.ndarray | None,
    *,
    tangent: bool,
) -> np.ndarray:
    """The kernel of all pairs; of x with itself, half of them, if z is None."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        left = side(np, net, x)
        right = left if z is None else side(np, net, z)
    out = np.empty((len(left.unit), len(right.unit)), dtype=x.dtype)

    def fill(rows: slice) -> int:
        for columns in _columns(rows, len(right.unit), symmetric=z is None):
            _fill(out[rows, columns], net, left, right, rows, columns, tangent)
            if z is None:
                out[columns, rows] = out[rows, columns].T
        if z is None:
            square = out[rows, rows]  # exactly symmetric
            square[:] = np.triu(square) + np.triu(square, 1).T
        return rows.stop - rows.start

    starts = range(0, len(left.unit), ROWS) if out.size else ()
    bands = [slice(i, min(i + ROWS, len(left.unit))) for i in starts]
    with ThreadPoolExecutor(cores()) as pool:
        for _ in followed(pool.map(fill, bands), len(bands), "rows of the kernel"):
            pass
    if z is None:
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            both = diagonal(np, net, left.square, left.layers)
        np.fill_diagonal(out, both[1 if tangent else 0])
    return finite(out)


def finite(values: np.ndarray) -> np.ndarray:
    """The values.

    Raises:
        HypothesisError: one of them left the floats.
    """
    # max and min are NaN or infinite if anything is; no mask of the result's size
    if values.size and not np.isfinite([values.min(), values.max()]).all():
        raise HypothesisError(
            f"kernel values overflow {values.dtype}; scale the inputs "
            "or the variances down"
        )
    return values


def _columns(rows: slice, count: int, *, symmetric: bool) -> Iterator[slice]:
    for j in range(rows.start if symmetric else 0, count, COLUMNS):
        yield slice(j, min(j + COLUMNS, count))


def _fill(
    tile: np.ndarray,
    net: Architecture,
    left: Arrays,
    right: Arrays,
    rows: slice,
    columns: slice,
    tangent: bool,
) -> None:
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        gaps = _gaps(left, right, rows, columns)
        a = left.layers.part(lambda v: v[:, rows], 0)
        c = right.layers.part(lambda v: v[:, columns], 1)
        ratio = pairs(np, net, a, c, *gaps, tangent=tangent)
        np.multiply(a.deviation[-1] * ratio, c.deviation[-1], out=tile)


def _gaps(
    left: Arrays, right: Arrays, rows: slice, columns: slice
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """rho, 1 - rho and 1 + rho, for close pairs by `wedge`."""
    rho = left.unit[rows] @ right.unit[columns].T
    below, above = 1 - rho, 1 + rho
    if rho.size and min(below.min(), above.min()) < CLOSE:
        _sharpen(left, right, rows, columns, below, above)
    return rho, below, above


def _sharpen(
    left: Arrays,
    right: Arrays,
    rows: slice,
    columns: slice,
    below: np.ndarray,
    above: np.ndarray,
) -> None:
    i, j = np.nonzero(np.minimum(below, above) < CLOSE)
    step = max(1, GATHERED // max(1, left.unit.shape[1]))
    for start in range(0, len(i), step):
        a, b = i[start : start + step], j[start : start + step]
        u, v = left.scaled[rows][a], right.scaled[columns][b]
        acute = below[a, b] < above[a, b]
        sign = np.where(acute, 1.0, -1.0).astype(u.dtype)
        square = wedge(u, v, left.length[rows][a], right.length[columns][b], sign)
        small = square / (1 + np.sqrt(np.maximum(1 - square, 0)))
        below[a, b] = np.where(acute, small, 2 - small)
        above[a, b] = np.where(acute, 2 - small, small)
