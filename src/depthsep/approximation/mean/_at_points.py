"""The mean error of a piecewise affine function at points with weights."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from flint import fmpq

from depthsep.approximation.distance._distance import from_square
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import nearest_float, rational, rationals, total

EXACT = 20_000  # points up to which means are exact sums
EPSILON = 2.0**-52
Line = tuple[fmpq, fmpq, fmpq]
"""start, level, slope: level + slope (x - start)."""


def pieces_at(x: np.ndarray, knots: Sequence[fmpq]) -> np.ndarray:
    """Which piece each place is on, (m,): before the first inner knot 0, and so on.

    Exactly: a knot may be no float, and lie on either side of the nearest one.
    """
    near = np.array([nearest_float(k) for k in knots])
    found = np.searchsorted(near, x)
    for k in np.flatnonzero(np.isin(x, near)).tolist():
        found[k] = bisect_left(knots, rational(float(x[k])))
    return found


def mean_at_points(
    rows: np.ndarray, number: np.ndarray, lines: Sequence[Line], norm: str
) -> Enclosure:
    """Of |r|, or the root of the mean of r^2: exact, or enclosed if they are many.

    Args:
        rows: (m, 3) places, values, weights.
        number: (m,) which line serves each.
        norm: l1 or l2.
    """
    if not len(rows):
        return Enclosure(fmpq(0), fmpq(0), Rigour.EXACT)
    if len(rows) > EXACT:
        return _near(rows, number, lines, norm)
    off = [
        abs(y - lines[k][1] - lines[k][2] * (x - lines[k][0]))
        for k, x, y in zip(
            number.tolist(), rationals(rows[:, 0]), rationals(rows[:, 1]), strict=True
        )
    ]
    weights, power = rationals(rows[:, 2]).tolist(), 1 if norm == "l1" else 2
    sums = total(w * r**power for w, r in zip(weights, off, strict=True))
    mean = sums / total(weights)
    if power == 1:
        return Enclosure(mean, mean, Rigour.EXACT)
    return from_square(mean, Rigour.EXACT)


def _near(
    rows: np.ndarray, number: np.ndarray, lines: Sequence[Line], norm: str
) -> Enclosure:
    """In float64, with what that may be off by."""
    x, y, w = rows.T
    floats = np.array([list(map(nearest_float, line)) for line in lines])[number].T
    rise = floats[2] * (x - floats[0])
    size = np.abs(y) + np.abs(floats[1]) + np.abs(rise)
    size += np.abs(floats[2]) * (np.abs(x) + np.abs(floats[0]))
    off, unsure = np.abs(y - floats[1] - rise), float(size.max()) * 64 * EPSILON
    power = 1 if norm == "l1" else 2
    mean = float((w * off**power).sum() / w.sum()) ** (1 / power)
    unsure += mean * len(x) * 4 * EPSILON
    low, high = rational(max(mean - unsure, 0.0)), rational(mean + unsure)
    return Enclosure(low, high, Rigour.ENCLOSED)
