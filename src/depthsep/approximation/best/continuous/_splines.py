"""Continuous functions with N affine pieces near f: knots and values, in floats."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.approximation.best.continuous._unit_function import UnitFunction
from depthsep.approximation.distance._distance import distance
from depthsep.exact import PiecewiseAffine, rational
from depthsep.laws import Segment

POINTS = 4096
MIDDLES = (np.arange(POINTS) + 0.5) / POINTS
SMOOTH = 1e-6  # |r| is replaced by sqrt(r^2 + SMOOTH^2) in l1
SHORTEST = 1e-9
STARTS, GROWN = 4, 3
MANY_PIECES = 12


@dataclass(frozen=True, eq=False)
class Spline:
    """Knots from 0 to 1, the values there, and about the error (squared for l2)."""

    knots: np.ndarray
    values: np.ndarray
    error: float


class SplineFit:
    """Fits splines to weighted samples in one norm.

    Args:
        x: (n,) places in [0, 1], in order.
        y: (n,) values, about of size 1.
        weights: (n,) with the sum 1, or one for all.
    """

    def __init__(
        self, x: np.ndarray, y: np.ndarray, weights: np.ndarray | float, norm: str
    ) -> None:
        self.norm = norm
        self.x, self.y, self.weights = x, y, weights
        self._known: list[Spline] = []

    @staticmethod
    def to(floats: Callable[[np.ndarray], np.ndarray], norm: str) -> "SplineFit":
        """Of a function, by its values in the middles of equal cells of [0, 1]."""
        return SplineFit(MIDDLES, floats(MIDDLES), 1 / POINTS, norm)

    def best(self, pieces: int) -> Spline:
        """The best of so many pieces that is found; more pieces are never worse."""
        while len(self._known) < pieces:
            self._known.append(self._next())
        return self._known[pieces - 1]

    def _next(self) -> Spline:
        """One piece more: near likely knots, random ones, and the best so far."""
        pieces = len(self._known) + 1
        starts = [likely_knots(self, pieces), np.arange(1, pieces) / pieces]
        rng = np.random.default_rng(pieces)
        if 1 < pieces <= MANY_PIECES:
            starts += [np.sort(rng.random(pieces - 1)) for _ in range(STARTS)]
        known = self._known[-1:]
        starts += [_with_knot(s.knots, k) for s in known for k in _worst(self, s)]
        found = [self.fitted(start) for start in starts]
        return min([*found, *known], key=lambda spline: spline.error)

    def fitted(self, inner: np.ndarray) -> Spline:
        """A local optimum near these knots, which must increase."""
        from scipy.optimize import LinearConstraint, minimize

        inner = _apart(inner)
        values = self._least_squares(inner)
        start = np.concatenate([inner, values])
        count = len(inner)
        order = np.zeros((max(count - 1, 0), len(start)))
        for k in range(count - 1):
            order[k, k], order[k, k + 1] = -1, 1
        limits = [(0.0, 1.0)] * count + [(None, None)] * len(values)
        found = minimize(
            self._cost,
            start,
            args=(count,),
            jac=True,
            method="SLSQP",
            bounds=limits,
            constraints=[LinearConstraint(order, 0, np.inf)] if count > 1 else [],
            options={"maxiter": 300, "ftol": 1e-13},
        )
        best = found.x if found.fun <= self._cost(start, count)[0] else start
        knots = np.concatenate([[0.0], _apart(best[:count]), [1.0]])
        return Spline(knots, best[count:], float(self._cost(best, count)[0]))

    def _least_squares(self, inner: np.ndarray) -> np.ndarray:
        knots = np.concatenate([[0.0], inner, [1.0]])
        hats = np.array([np.interp(self.x, knots, row) for row in np.eye(len(knots))])
        weighted = hats * self.weights
        gram = weighted @ hats.T + 1e-9 * np.mean(self.weights) * np.eye(len(knots))
        return np.linalg.solve(gram, weighted @ self.y)

    def _cost(self, at: np.ndarray, count: int) -> tuple[float, np.ndarray]:
        """The mean of |r| or r^2, and its gradient in knots and values."""
        knots = np.concatenate([[0.0], _apart(at[:count]), [1.0]])
        values = at[count:]
        gaps, rises = np.diff(knots), np.diff(values)
        inner = np.searchsorted(self.x, knots[1:-1])  # as both are in order
        points = np.diff(inner, prepend=0, append=len(self.x))
        k = np.repeat(np.arange(count + 1), points)
        share = (self.x - knots[k]) / gaps[k]
        r = self.y - values[k] - rises[k] * share
        if self.norm == "l2":
            cost, pull = r * r, -2 * r * self.weights
        else:
            cost = np.sqrt(r * r + SMOOTH**2)
            pull = -r / cost * self.weights
        right = np.bincount(k, pull * share, count + 1)
        left = np.bincount(k, pull, count + 1) - right
        by_value = np.append(left, 0.0) + np.insert(right, 0, 0.0)
        slopes = rises / gaps
        by_knot = -slopes[:-1] * right[:-1] - slopes[1:] * left[1:]
        total = float((cost * self.weights).sum())
        return total, np.concatenate([by_knot, by_value])


class SplineSearch:
    """The best spline of so many pieces among local optima, and its exact error.

    It starts from the best one of fewer pieces, too, with a knot more, so that more
    pieces are never worse.

    Attributes:
        best: the one with the least error as float64 sees it.
        upper: its error (squared for l2), exactly.
    """

    def __init__(self, f: UnitFunction, pieces: int, norm: str) -> None:
        self.f, self.pieces, self.norm = f, pieces, norm
        self._fit = SplineFit.to(f.floats, norm)
        self.best = self._fit.best(pieces)
        self.upper = self._measured(self.best)
        if pieces > 1:  # exactly, where two are equal in floats
            self.upper = min(self.upper, self._measured(self._fit.best(pieces - 1)))

    def look_near(self, knots: np.ndarray) -> None:
        """Start from these knots too."""
        spline = self._fit.fitted(np.sort(knots))
        if spline.error < self.best.error * (1 - 1e-9):
            self.best = spline
            self.upper = min(self.upper, self._measured(spline))

    def _measured(self, spline: Spline) -> fmpq:
        g = PiecewiseAffine.through(*exact_points(spline))
        found = distance(self.f.function, g, self.norm, Segment(0, 1))
        return found.upper if found.square is None else found.square


def _worst(fit: SplineFit, spline: Spline) -> list[int]:
    """The pieces that cost most."""
    r = np.abs(fit.y - np.interp(fit.x, spline.knots, spline.values))
    last = len(spline.knots) - 2
    at = np.minimum(np.searchsorted(spline.knots, fit.x, "right") - 1, last)
    costs = np.bincount(at, fit.weights * (r if fit.norm == "l1" else r * r), last + 1)
    return np.argsort(costs)[::-1][:GROWN].tolist()


def _with_knot(knots: np.ndarray, k: int) -> np.ndarray:
    return np.insert(knots, k + 1, (knots[k] + knots[k + 1]) / 2)[1:-1]


def exact_points(spline: Spline) -> tuple[list[fmpq], list[fmpq]]:
    """The knots and values as rationals."""
    knots, values = (v.tolist() for v in (spline.knots, spline.values))
    return [rational(x) for x in knots], [rational(v) for v in values]


def _apart(inner: np.ndarray) -> np.ndarray:
    """Increasing, and inside (0, 1), by the least that floats can tell."""
    steps = SHORTEST * (1 + np.arange(len(inner)))
    up = np.maximum.accumulate(np.maximum(inner, 0.0) - steps) + 2 * steps
    return np.minimum(up, 1 - SHORTEST - steps[::-1])


def likely_knots(fit: SplineFit, pieces: int) -> np.ndarray:
    """Equal shares of the integral of |f''|^(1/3) (l1) or |f''|^(2/5) (l2)."""
    power = 1 / 3 if fit.norm == "l1" else 2 / 5
    window = max(1, POINTS // (8 * pieces))
    y = np.interp(MIDDLES, fit.x, fit.y)
    smooth = np.convolve(y, np.ones(window) / window, "valid")
    bend = np.abs(np.diff(smooth, 2)) ** power
    mass = np.concatenate([[0.0], np.cumsum(bend + 1e-6 * bend.max(initial=1e-300))])
    places = np.linspace(0, 1, len(mass))
    return np.interp(np.arange(1, pieces) / pieces * mass[-1], mass, places)
