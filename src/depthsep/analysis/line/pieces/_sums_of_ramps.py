"""Sums of ramps of one variable, by sorting their kinks and summing once.

Rows are homogeneous: ``[q, t, z_1, ..., z_k]`` with q >= 0 stands for the point t/q
and the values z_i/q there; q = 0 is the end of a ray, with z the slope along it.
The same code serves float64 (q = 1) and exact integers (any q).
"""

from functools import cmp_to_key

import numpy as np
from flint import fmpq

from depthsep.exact import least, matmul, wide

Rows = np.ndarray


def sum_of_ramps(
    slopes: np.ndarray,
    offsets: np.ndarray,
    coefficients: np.ndarray,
    constants: np.ndarray,
    ends: tuple[fmpq | None, fmpq | None],
) -> Rows:
    r"""Rows of $y \mapsto \sum_i c_{ki}\,\mathrm{relu}(u_i y + b_i) + d_k$.

    Args:
        slopes, offsets: u and b, shape (m,), integers or float64.
        coefficients: c, shape (k, m); `constants`: d, shape (k,).
        ends: the interval; None for an end at infinity.

    Returns:
        Rows at the ends and at every kink between them, sorted, shape (n, 2 + k).
        Costs O(m log m + m k): each unit is touched once, however many kinks.
    """
    exact = slopes.dtype != np.float64
    kinks, units = _sorted_kinks(slopes, offsets, exact)
    low, high = ends
    first = 0 if low is None else _position(kinks, low, exact)
    last = len(units) if high is None else _position(kinks, high, exact, before=True)
    active = _active_at_start(slopes, offsets, units[:first])
    lines = _lines_of_cells(
        slopes,
        offsets,
        coefficients,
        constants,
        active,
        units[first : max(first, last)],
    )
    points = kinks[first : max(first, last)]
    return _rows(points, lines, ends, exact)


def _sorted_kinks(
    slopes: np.ndarray, offsets: np.ndarray, exact: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Kinks -b/u as pairs (q, t) with q > 0, sorted, and the units they belong to."""
    units = np.flatnonzero(slopes != 0)
    u, b = slopes[units], offsets[units]
    top, bottom = np.where(u > 0, -b, b), np.abs(u)
    if not exact:
        place = top / bottom
        order = np.argsort(place, kind="stable")
        kinks = np.stack([np.ones(len(order)), place[order]], axis=1)
        return kinks, units[order]
    common = np.gcd(top, bottom)
    top, bottom = top // common, bottom // common
    order = _exact_order(top, bottom)
    return np.stack([bottom[order], top[order]], axis=1), units[order]


def _exact_order(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """Indices that sort the fractions top/bottom: by float, exactly where needed."""
    try:
        order = np.argsort((top / bottom).astype(np.float64), kind="stable")
        t, q = wide(top[order], bottom[order])
        if bool(np.all(t[:-1] * q[1:] <= t[1:] * q[:-1])):
            return order
    except OverflowError:
        pass
    pairs = list(zip(top.tolist(), bottom.tolist(), strict=True))

    def by_value(i: int, j: int) -> int:
        return pairs[i][0] * pairs[j][1] - pairs[j][0] * pairs[i][1]

    return np.array(sorted(range(len(pairs)), key=cmp_to_key(by_value)), dtype=np.int64)


def _position(
    kinks: np.ndarray, point: fmpq, exact: bool, *, before: bool = False
) -> int:
    """How many kinks are <= point (`before`: < point)."""
    if not exact:
        side = "left" if before else "right"
        return int(np.searchsorted(kinks[:, 1], float(point), side=side))
    p, q = int(point.p), int(point.q)

    def is_ahead(k: int) -> bool:
        gap = int(kinks[k, 1]) * q - p * int(kinks[k, 0])
        return gap >= 0 if before else gap > 0

    return least(is_ahead, -1, len(kinks))


def _active_at_start(
    slopes: np.ndarray, offsets: np.ndarray, passed: np.ndarray
) -> np.ndarray:
    """Which units are on just right of the start: `passed` have their kink behind."""
    behind = np.zeros(len(slopes), dtype=bool)
    behind[passed] = True
    rising, falling = slopes > 0, slopes < 0
    flat = (slopes == 0) & (offsets > 0)
    return (rising & behind) | (falling & ~behind) | flat.astype(bool)


def _lines_of_cells(
    slopes: np.ndarray,
    offsets: np.ndarray,
    coefficients: np.ndarray,
    constants: np.ndarray,
    active: np.ndarray,
    units: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Slope and intercept in each cell between the kinks of `units`: (n + 1, k)."""
    u, b, c, d = _widened(slopes, offsets, coefficients, constants)
    on = np.stack([u[active], b[active]], axis=1)
    start = c[:, active] @ on if active.any() else np.zeros((len(c), 2), dtype=c.dtype)
    steps = c[:, units]
    sign = np.where(u[units] > 0, 1, -1)
    slope = np.cumsum(np.vstack([start[:, 0], (steps * np.abs(u[units])).T]), axis=0)
    level = np.vstack([start[:, 1] + d, (steps * (b[units] * sign)).T])
    return slope, np.cumsum(level, axis=0)


def _widened(
    slopes: np.ndarray, offsets: np.ndarray, c: np.ndarray, d: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    if slopes.dtype == np.float64:
        return slopes, offsets, c, d
    terms = 2 * len(slopes) + 2
    ends = np.concatenate([slopes.ravel(), offsets.ravel()])
    parameters, c = wide(ends, c, terms=terms)
    (d,) = wide(d, terms=4)
    if c.dtype != d.dtype:
        parameters, c, d = (x.astype(object) for x in (parameters, c, d))
    return parameters[: len(slopes)], parameters[len(slopes) :], c, d


def _rows(
    points: np.ndarray,
    lines: tuple[np.ndarray, np.ndarray],
    ends: tuple[fmpq | None, fmpq | None],
    exact: bool,
) -> Rows:
    slope, level = lines
    inner = _values(points, slope[1:], level[1:])
    keep = np.ones(len(points), dtype=bool)
    if len(points) > 1:
        keep[1:] = np.any(points[1:] != points[:-1], axis=1)
    first = _end_row(ends[0], -1, slope[:1], level[:1], exact)
    last = _end_row(ends[1], 1, slope[-1:], level[-1:], exact)
    middle = inner[keep]
    if ends == (None, None) and not len(middle):
        middle = _end_row(fmpq(0), 1, slope[:1], level[:1], exact)
    return np.concatenate([first, middle, last])


def _end_row(
    end: fmpq | None, direction: int, slope: np.ndarray, level: np.ndarray, exact: bool
) -> Rows:
    if end is None:
        point = [0, direction]
    else:
        point = [int(end.q), int(end.p)] if exact else [1.0, float(end)]
    dtype = np.float64 if not exact else object
    return _values(np.array([point], dtype=dtype), slope, level)


def _values(points: np.ndarray, slope: np.ndarray, level: np.ndarray) -> Rows:
    if points.dtype != np.float64 and not len(points):
        return np.zeros((0, 2 + slope.shape[1]), dtype=slope.dtype)
    if points.dtype != np.float64:
        (points, slope, level) = _same_width(points, slope, level)
    values = slope * points[:, 1:2] + level * points[:, :1]
    return np.concatenate([points, values], axis=1)


def _same_width(*arrays: np.ndarray) -> list[np.ndarray]:
    points, slope, level = arrays
    both = np.concatenate([slope, level], axis=1)
    points, both = wide(points, both, terms=2)
    if points.dtype != both.dtype:
        points, both = points.astype(object), both.astype(object)
    k = slope.shape[1]
    return [points, both[:, :k], both[:, k:]]


def affine_rows(rows: Rows, weight: np.ndarray, bias: np.ndarray, scale: int) -> Rows:
    """Rows of ``(weight @ z + bias) / scale``, one homogeneous matrix product."""
    outputs, inputs = weight.shape
    exact = rows.dtype != np.float64
    big = exact and (scale >= 1 << 62 or object in (weight.dtype, bias.dtype))
    dtype = object if big else weight.dtype
    matrix = np.zeros((2 + inputs, 2 + outputs), dtype=dtype)
    matrix[0, 0] = matrix[1, 1] = scale
    matrix[0, 2:] = bias
    matrix[2:, 2:] = weight.T
    return matmul(rows, matrix) if exact else rows @ matrix
