"""Kernel matrices tile by tile: nothing of the result's size but the result."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.near_init._recursion import Architecture, Points, diagonal, pairs, points

ROWS, COLUMNS = 64, 1024  # temporaries stay in the cache and are reused by NumPy
CLOSE = 0.005  # a gap 1 -+ rho below this is summed from differences
GATHERED = 1 << 18
LARGEST_NORM = {8: 1e150, 4: 1e18}  # squares must stay finite


@dataclass(frozen=True)
class Side:
    """One set of inputs: directions (n, D), and `Points` of every layer."""

    unit: Any
    layers: Sequence[Points]

    def part(self, rows: slice, axis: int) -> Sequence[Points]:
        """Some rows, shaped (k, 1) for axis 0 and (1, k) for axis 1."""
        shape = (slice(None), None) if axis == 0 else (None, slice(None))
        return [
            Points(
                p.deviation[rows][shape], p.weights[rows][shape], p.biases[rows][shape]
            )
            for p in self.layers
        ]


def side(xp: Any, net: Architecture, x: Any) -> Side:
    """Directions and deviations, scaled so that no square under- or overflows.

    A bias is one more coordinate: Q^1 is the Gram matrix of (sqrt(s) x, sqrt(b)).
    """
    inputs = net.input_variance**0.5 * x
    if net.bias_variance:
        extra = xp.full_like(inputs[:, :1], net.bias_variance**0.5)
        inputs = xp.concatenate([inputs, extra], axis=1)
    top = xp.max(xp.abs(inputs), axis=1)
    scaled = inputs / xp.where(top == 0, xp.ones_like(top), top)[:, None]
    length = xp.sqrt(xp.sum(scaled * scaled, axis=1))
    unit = scaled / xp.where(length == 0, xp.ones_like(length), length)[:, None]
    return Side(unit, points(xp, net, top * length))


def checked(x: object, name: str) -> np.ndarray:
    """A finite float array of shape (n, d); float32 stays, all else is float64.

    Raises:
        HypothesisError: another shape, NaN, infinities, norms beyond 1e150 (float32:
            1e18).
    """
    array = np.asarray(x)
    if array.dtype != np.float32:
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise HypothesisError(f"{name} is not an array of numbers") from None
    if array.ndim != 2:
        raise HypothesisError(f"{name} has shape {array.shape}; give (points, inputs)")
    if not np.isfinite(array).all():
        raise HypothesisError(f"{name} holds NaN or infinite numbers; remove them")
    most = LARGEST_NORM[array.dtype.itemsize]
    if array.size and np.abs(array).max() > most / max(1, array.shape[1]) ** 0.5:
        raise HypothesisError(
            f"{name} has norms up to {np.abs(array).max():.1e}, beyond {most:.0e}: "
            "their squares leave the floats; scale the inputs"
        )
    return array


def matrix(
    net: Architecture,
    x: np.ndarray,
    z: np.ndarray | None,
    *,
    tangent: bool,
    progress: Callable[[int], None] | None = None,
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
        return rows.stop - rows.start

    starts = range(0, len(left.unit), ROWS)
    bands = [slice(i, min(i + ROWS, len(left.unit))) for i in starts]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for done in pool.map(fill, bands):
            if progress is not None:
                progress(done)
    if z is None:
        with np.errstate(over="ignore", invalid="ignore"):
            np.fill_diagonal(out, diagonal(np, net, left.layers)[1 if tangent else 0])
    return finite(out)


def finite(values: np.ndarray) -> np.ndarray:
    """The values.

    Raises:
        HypothesisError: one of them left the floats.
    """
    # max and min are NaN or infinite if anything is; no mask of the result's size
    if values.size and not np.isfinite([values.min(), values.max()]).all():
        raise HypothesisError(
            f"kernel values leave {values.dtype}: scale the inputs or the variances"
        )
    return values


def _columns(rows: slice, count: int, *, symmetric: bool) -> Iterator[slice]:
    for j in range(rows.start if symmetric else 0, count, COLUMNS):
        yield slice(j, min(j + COLUMNS, count))


def _fill(
    tile: np.ndarray,
    net: Architecture,
    left: Side,
    right: Side,
    rows: slice,
    columns: slice,
    tangent: bool,
) -> None:
    gaps = _gaps(left.unit[rows], right.unit[columns])
    a, c = left.part(rows, 0), right.part(columns, 1)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        ratio = pairs(np, net, a, c, *gaps, tangent=tangent)
        np.multiply(a[-1].deviation * ratio, c[-1].deviation, out=tile)


def _gaps(u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """rho, 1 - rho and 1 + rho; close pairs by differences, which do not cancel."""
    rho = u @ v.T
    below, above = 1 - rho, 1 + rho
    if min(below.min(), above.min()) < CLOSE:
        _mend(u, v, rho, below, above)
    return rho, below, above


def _mend(
    u: np.ndarray, v: np.ndarray, rho: np.ndarray, below: np.ndarray, above: np.ndarray
) -> None:
    i, j = np.nonzero(np.minimum(below, above) < CLOSE)
    step = max(1, GATHERED // max(1, u.shape[1]))
    for start in range(0, len(i), step):
        a, b = i[start : start + step], j[start : start + step]
        left, right = u[a], v[b]
        below[a, b] = ((left - right) ** 2).sum(axis=1) / 2
        above[a, b] = ((left + right) ** 2).sum(axis=1) / 2
        rho[a, b] = (above[a, b] - below[a, b]) / 2
