"""What a run of points costs at least, if one line serves it.

In l2 the costs come from exact sums of integers, in l1 from a dual solution. All are
rounded down, as sums of w |r| or w r^2.
"""

from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from depthsep._deadline import check_time
from depthsep._progress import tell
from depthsep.exact import scaled_integers

SAFE = 1e-9  # of a primal value: more than a dual one is off by rounding
LOOSE = 1e-6  # the same of a linear programme
ON_LINE = 1e-12  # of values: so near a point is on a line
PIVOTS = 60
Costs = np.ndarray
"""(n, n): of the points i to j, j included; 0 below the diagonal."""


def squares(x: np.ndarray, y: np.ndarray, w: np.ndarray, ends: np.ndarray) -> Costs:
    """Of least squares: the determinant of moments over that of x alone.

    Args:
        x, y, w: (m,) places in order, values, weights.
        ends: (n + 1,) where blocks of points begin, and m.
    """
    (a, _), (b, t), (c, u) = (scaled_integers(v) for v in (x, y, w))
    columns = [c, c * a, c * b, c * a * a, c * a * b, c * b * b]
    sums = [np.array([0, *accumulate(v.tolist())], dtype=object)[ends] for v in columns]
    scale = u * t * t  # costs are sums of w y^2
    n = len(ends) - 1
    found = np.zeros((n, n))
    for i in range(n):
        check_time()
        w0, wx, wy, wxx, wxy, wyy = (v[i + 1 :] - v[i] for v in sums)
        low, high = w0 * wxx - wx * wx, w0 * wyy - wy * wy
        cross = w0 * wxy - wx * wy
        found[i, i:] = [
            (h * d - c * c) / (d * u) if d else h / u
            for d, h, c, u in zip(low, high, cross, w0 * scale, strict=True)
        ]
        tell(i / n, "runs of points")
    return np.nextafter(found, 0)


def sizes(x: np.ndarray, y: np.ndarray, w: np.ndarray, ends: np.ndarray) -> Costs:
    """Of sums of w |r|, see `squares`."""
    n = len(ends) - 1
    found = np.zeros((n, n))
    for i in range(n):
        check_time()
        first = 0
        for j in range(i, n):
            part = slice(ends[i], ends[j + 1])
            line = line_of_sizes(x[part], y[part], w[part], first)
            first, found[i, j] = line.point, line.low
        tell(i / n, "runs of points")
    return found


@dataclass(frozen=True)
class SizeLine:
    """A line with a small sum of w |y - line|.

    Attributes:
        point: through which it goes, or near which.
        start, level, slope: level + slope (x - start).
        low: what every line costs at least.
    """

    point: int
    start: float
    level: float
    slope: float
    low: float


def line_of_sizes(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, first: int = 0
) -> SizeLine:
    """Through one point a weighted median of slopes is best; then through the other."""
    point, best, other, slope = first, np.inf, first, 0.0
    for _ in range(PIVOTS):
        gap = x - x[point]
        apart = np.flatnonzero(gap != 0)
        if not len(apart):
            return _level(x, y, w)
        slopes = (y[apart] - y[point]) / gap[apart]
        chosen = _median(slopes, w[apart] * np.abs(gap[apart]))
        cost = float((w * np.abs(y - y[point] - slopes[chosen] * gap)).sum())
        if cost >= best * (1 - 1e-12):
            break
        best, slope = cost, float(slopes[chosen])
        other, point = point, int(apart[chosen])
    low = _dual(x, y, w, other, slope)
    if low < best * (1 - LOOSE):
        return _by_programme(x, y, w, other, slope)
    return SizeLine(other, float(x[other]), float(y[other]), slope, low)


def _median(values: np.ndarray, mass: np.ndarray) -> int:
    order = np.argsort(values)
    total = np.cumsum(mass[order])
    return int(order[np.searchsorted(total, total[-1] / 2)])


def _level(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> SizeLine:
    """Of points at one x."""
    point = _median(y, w)
    cost = float((w * np.abs(y - y[point])).sum())
    return SizeLine(point, float(x[point]), float(y[point]), 0.0, cost * (1 - SAFE))


def _dual(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, point: int, slope: float
) -> float:
    """sum u r with |u| <= w, sum u = sum u x = 0: no line costs less.

    u is w sign(r), but on the line, where w (a + b x) makes both sums vanish.
    """
    gap = x - x[point]
    r = y - y[point] - slope * gap
    cost = float((w * np.abs(r)).sum())
    on_line = np.abs(r) <= ON_LINE * (np.abs(y).max() + abs(slope) * np.abs(gap).max())
    u = np.where(on_line, 0.0, w * np.sign(r))
    v, z = w[on_line], gap[on_line]
    matrix = np.array([[v.sum(), (v * z).sum()], [(v * z).sum(), (v * z * z).sum()]])
    sums = -np.array([u.sum(), (u * gap).sum()])
    a, b = np.linalg.lstsq(matrix, sums, rcond=None)[0]
    if np.abs(matrix @ [a, b] - sums).max() > SAFE * np.abs(w * gap).sum():
        return 0.0
    over = max(float(np.abs(a + b * z).max(initial=0.0)), 1.0)
    return max(cost / over * (1 - SAFE) - SAFE * cost, 0.0)


def _by_programme(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, point: int, slope: float
) -> SizeLine:
    """Where points lie on lines in many ways: the dual as a linear programme."""
    from scipy.optimize import linprog

    gap = x - x[point]
    r = y - y[point] - slope * gap
    cost = float((w * np.abs(r)).sum())
    here = SizeLine(point, float(x[point]), float(y[point]), slope, 0.0)
    found = linprog(
        -r,
        A_eq=np.array([np.ones_like(x), gap]),
        b_eq=[0, 0],
        bounds=np.stack([-w, w], axis=1),
    )
    if found.status != 0:
        return here
    low = max(-float(found.fun) - LOOSE * cost, 0.0)
    level, turn = (-float(v) for v in found.eqlin.marginals)
    if float((w * np.abs(r - level - turn * gap)).sum()) > cost:
        level, turn = 0.0, 0.0
    return replace(here, level=here.level + level, slope=slope + turn, low=low)
