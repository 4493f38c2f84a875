"""Free-knot splines that are networks with one hidden layer: as good as can be found.

A network of m units with kinks t_1 < ... < t_m has m + 1 affine pieces. Units left of
the flat piece look to the left, the others to the right.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from ._networks import Layer, Net

TRIES = 30


@dataclass(frozen=True)
class Spline:
    """offset + sum of slope_i relu(side_i (x - knot_i))."""

    knots: tuple[float, ...]
    sides: tuple[int, ...]
    slopes: tuple[float, ...]
    offset: float

    def floats(self, x: np.ndarray) -> np.ndarray:
        """The values at points."""
        return _features(x, self.knots, self.sides) @ [*self.slopes, self.offset]

    def net(self) -> Net:
        """The same as a network; its weights are these floats."""
        hidden = Layer(
            [[Fraction(s)] for s in self.sides],
            [Fraction(-s * t) for s, t in zip(self.sides, self.knots, strict=True)],
            "relu",
        )
        read = Layer(
            [[Fraction(c) for c in self.slopes]], [Fraction(self.offset)], None
        )
        return Net([hidden, read])


def best_knots(x: np.ndarray, f: np.ndarray, pieces: int) -> list[float]:
    """The ends of the pieces of the best approximation, jumps allowed, in squares.

    A dynamic programme over the points: cost[i, j] is the squared error of a line on
    the points i to j - 1.
    """
    cost = _costs(x, f)
    best, back = cost[0], []
    for _ in range(pieces - 1):
        total = best[:, None] + cost
        back.append(total.argmin(axis=0))
        best = total.min(axis=0)
    ends, last = [], len(x)
    for row in reversed(back):
        last = int(row[last])
        ends.append(float(x[min(last, len(x) - 1)]))
    return sorted(ends)


def _costs(x: np.ndarray, f: np.ndarray) -> np.ndarray:
    n = len(x)
    sums = [np.concatenate([[0.0], np.cumsum(v)]) for v in (x, x * x, f, f * f, x * f)]
    i, j = np.arange(n + 1)[:, None], np.arange(n + 1)[None, :]
    count = np.maximum(j - i, 1)
    sx, sxx, sf, sff, sxf = (s[None, :] - s[:, None] for s in sums)
    xx, xf, ff = sxx - sx**2 / count, sxf - sx * sf / count, sff - sf**2 / count
    line = ff - np.where(xx > 1e-12, xf**2 / np.maximum(xx, 1e-12), 0)
    return np.where(j > i, np.maximum(line, 0), np.where(j == i, 0, np.inf))


def best_spline(
    x: np.ndarray, f: np.ndarray, units: int, norm: str, rng: random.Random
) -> Spline:
    """A good network of so many units: knots by the programme, then moved at random."""
    knots = best_knots(x, f, units + 1)
    tries = [
        _fitted(x, f, knots, _sides(units, flat), norm) for flat in range(units + 1)
    ]
    spline = min(tries, key=lambda s: error(x, f, s, norm))
    best = error(x, f, spline, norm)
    reach = (x[-1] - x[0]) / (4 * (units + 1))
    for k in range(TRIES):
        step = reach * 0.9**k
        moved = sorted(t + rng.gauss(0, step) for t in spline.knots)
        other = _fitted(x, f, moved, spline.sides, norm)
        if error(x, f, other, norm) < best:
            spline, best = other, error(x, f, other, norm)
    return spline


def error(x: np.ndarray, f: np.ndarray, spline: Spline, norm: str) -> float:
    """Its distance from the values f in a norm; means over the points."""
    gap = np.abs(spline.floats(x) - f)
    means = {"l1": gap.mean(), "l2": (gap**2).mean() ** 0.5, "linf": gap.max()}
    return float(means[norm])


def _sides(units: int, flat: int) -> tuple[int, ...]:
    return tuple(-1 if k < flat else 1 for k in range(units))


def _features(
    x: np.ndarray, knots: Sequence[float], sides: Sequence[int]
) -> np.ndarray:
    bends = [np.maximum(s * (x - t), 0) for s, t in zip(sides, knots, strict=True)]
    return np.column_stack([*bends, np.ones(len(x))])


def _fitted(
    x: np.ndarray,
    f: np.ndarray,
    knots: Sequence[float],
    sides: tuple[int, ...],
    norm: str,
) -> Spline:
    features = _features(x, knots, sides)
    found, *_ = np.linalg.lstsq(features, f, rcond=None)
    plain = Spline(tuple(knots), sides, tuple(found[:-1].tolist()), float(found[-1]))
    if norm == "l2":
        return plain
    solved = _programme(features, f, norm)
    if solved is None:
        return plain
    return replace(plain, slopes=tuple(solved[:-1].tolist()), offset=float(solved[-1]))


def _programme(features: np.ndarray, f: np.ndarray, norm: str) -> np.ndarray | None:
    """The least sup norm, or sum of sizes, of features c - f as a linear programme."""
    n, m = features.shape
    gaps = np.ones((n, 1)) if norm == "linf" else np.eye(n)
    above = np.block([[features, -gaps], [-features, -gaps]])
    cost = np.concatenate([np.zeros(m), np.ones(gaps.shape[1])])
    bounds = [(None, None)] * m + [(0, None)] * gaps.shape[1]
    found = linprog(cost, above, np.concatenate([f, -f]), bounds=bounds)
    return found.x[:m] if found.status == 0 else None
