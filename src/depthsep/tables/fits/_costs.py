"""What a run of points costs at least, if one line serves it.

In l2 the costs come from exact sums of integers, in l1 from a dual solution. All are
rounded down, as sums of w |r| or w r^2.
"""

from dataclasses import dataclass, replace
from itertools import accumulate
from math import fsum

import numpy as np

from depthsep._deadline import check_time
from depthsep._progress import tell
from depthsep.exact import scaled_integers

EPSILON = 2.0**-52
SHARP = 1e-6  # of a cost: so near a dual value is near enough
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
            (y2 * x2 - xy * xy) / (x2 * under) if x2 else y2 / under
            for x2, y2, xy, under in zip(low, high, cross, w0 * scale, strict=True)
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
    line = SizeLine(other, float(x[other]), float(y[other]), slope, 0.0)
    low = _proved(_signs(x, y, w, line), x, y, w, line)
    if low < best * (1 - SHARP):
        return _by_programme(x, y, w, replace(line, low=low))
    return replace(line, low=low)


def _median(values: np.ndarray, mass: np.ndarray) -> int:
    order = np.argsort(values)
    total = np.cumsum(mass[order])
    return int(order[np.searchsorted(total, total[-1] / 2)])


def _level(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> SizeLine:
    """Of points at one x."""
    point = _median(y, w)
    off = np.abs(y - y[point])
    rounding = 4 * len(y) * EPSILON * float((w * (np.abs(y) + off)).sum())
    low = max(float((w * off).sum()) - rounding, 0.0)
    return SizeLine(point, float(x[point]), float(y[point]), 0.0, low)


def _centred(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """x moved and scaled to a mean of about 0, and to at most 1."""
    gap = x - x[0]
    gap = gap - (w * gap).sum() / w.sum()
    return gap / np.abs(gap).max()


def _residuals(x: np.ndarray, y: np.ndarray, line: SizeLine) -> np.ndarray:
    return y - line.level - line.slope * (x - line.start)


def _signs(x: np.ndarray, y: np.ndarray, w: np.ndarray, line: SizeLine) -> np.ndarray:
    """u = w sign(r), but on the line, where w (a + b t) makes both sums vanish."""
    t, r = _centred(x, w), _residuals(x, y, line)
    size = np.abs(y).max() + abs(line.slope) * np.abs(x - line.start).max()
    on_line = np.abs(r) <= ON_LINE * size
    u = np.where(on_line, 0.0, w * np.sign(r))
    v, z = w[on_line], t[on_line]
    if len(v) == 0:
        return u
    matrix = np.array([[v.sum(), (v * z).sum()], [(v * z).sum(), (v * z * z).sum()]])
    sums = -np.array([u.sum(), (u * t).sum()])
    a, b = np.linalg.lstsq(matrix / w.max(), sums / w.max(), rcond=None)[0]
    u[on_line] = v * (a + b * z)
    return u


def _proved(
    u: np.ndarray, x: np.ndarray, y: np.ndarray, w: np.ndarray, line: SizeLine
) -> float:
    """What every line costs at least, from weights u that need not be perfect.

    With |u| <= w a line g costs sum w |y - g| >= sum u r - sum u (g - line), and less
    than the line's own cost C only if sum w |g - line| <= 2 C. For g - line = a + b t
    that says |a W + b S| <= 2 C and |a S + b V| <= 2 C with W = sum w, S = sum w t, V =
    sum w t^2, |t| <= 1: |b| <= 4 C / V if S^2 <= W V / 4 and S <= W / 2, and then
    |a| <= (2 C + |b| S) / W. Taken off is what that allows, as sum u and sum u t
    should be 0, and what float64 may be off by.
    """
    t, r = _centred(x, w), _residuals(x, y, line)
    u = u / max(1.0, float((np.abs(u) / w).max()) * (1 + 4 * EPSILON))
    cost = float((w * np.abs(r)).sum())
    sizes = np.abs(y) + abs(line.level) + np.abs(line.slope * (x - line.start))
    rounding = 8 * EPSILON * float((w * sizes).sum()) + 2 * len(x) * EPSILON * cost
    off = 8 * EPSILON  # of t
    whole, spread = float(w.sum()), float((w * t * t).sum()) * (1 - off)
    skew = abs(fsum((w * t).tolist())) + off * whole
    if skew * skew > whole * spread / 4 or skew > whole / 2:
        return 0.0
    left = abs(fsum(u.tolist()))
    turn = abs(fsum((u * t).tolist())) + off * float(np.abs(u).sum())
    most = (1 + off) * (cost + rounding)
    b = 4 * most / spread
    a = (2 * most + b * skew) / whole
    low = fsum((u * r).tolist()) - 2 * (left * a + turn * b) - rounding
    return max(low, 0.0)


def _by_programme(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, line: SizeLine
) -> SizeLine:
    """Where points lie on lines in many ways: the dual as a linear programme."""
    from scipy.optimize import linprog

    t, r = _centred(x, w), _residuals(x, y, line)
    size, heavy = float(np.abs(r).max()), float(w.max())
    if size == 0:
        return line
    found = linprog(
        -r / size,
        A_eq=np.array([np.ones_like(t), t]),
        b_eq=[0, 0],
        bounds=np.stack([-w, w], axis=1) / heavy,
    )
    if found.status != 0:
        return line
    low = _proved(found.x * heavy, x, y, w, line)
    return replace(
        _turned(x, y, w, line, found.eqlin.marginals), low=max(low, line.low)
    )


def _turned(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, line: SizeLine, by: np.ndarray
) -> SizeLine:
    """The line of a programme's prices, where it costs less."""
    r, t = _residuals(x, y, line), _centred(x, w)
    size = float(np.abs(r).max())
    level, turn = (-float(v) * size for v in by)
    now = float((w * np.abs(r - level - turn * t)).sum())
    if now >= float((w * np.abs(r)).sum()):
        return line
    far, near = int(t.argmax()), int(t.argmin())
    slope = turn * float((t[far] - t[near]) / (x[far] - x[near]))
    start = level + turn * float(t[near])
    moved = line.level + start + line.slope * float(x[near] - line.start)
    return SizeLine(line.point, float(x[near]), moved, line.slope + slope, 0.0)
