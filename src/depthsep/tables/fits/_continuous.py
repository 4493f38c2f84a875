"""Continuous tables near points in the mean: the knots are searched, values fitted."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from depthsep._deadline import check_time

MOST_BINS = 3000  # of points, while knots are searched
SHRINKS = 16  # of the steps of knots
STEP = 0.3  # of the way to the next knot, at first
ROUNDS = 30  # of weights that make least squares into least sizes
TINY = 1e-9
GROWTH = np.linspace(0, 1, 34)[1:-1]  # quantiles of points, for another knot
FEW = 12  # knots that are searched again whenever one is added
PLACES = np.array([0.25, 0.5, 0.75])  # of a gap between knots, for another one


@dataclass(frozen=True, eq=False)
class Sample:
    """Points: (n,) places in order, values, weights with the sum 1."""

    x: np.ndarray
    y: np.ndarray
    w: np.ndarray

    def binned(self) -> "Sample":
        """Means of neighbours, where there are many."""
        if len(self.x) <= MOST_BINS:
            return self
        ends = np.linspace(0, len(self.x), MOST_BINS + 1).astype(int)[:-1]
        w = np.add.reduceat(self.w, ends)
        x, y = (np.add.reduceat(self.w * v, ends) / w for v in (self.x, self.y))
        return Sample(x, y, w)


def values_at(knots: np.ndarray, sample: Sample, norm: str) -> tuple[np.ndarray, float]:
    """Values at knots with a small mean of w r^2 or w |r|, and that mean.

    It is infinite where knots fall together.
    """
    if (np.diff(knots) <= 0).any():
        return np.zeros(len(knots)), np.inf
    k = np.clip(np.searchsorted(knots, sample.x, "right") - 1, 0, len(knots) - 2)
    share = (sample.x - knots[k]) / (knots[k + 1] - knots[k])
    values, off = _least_squares(k, share, sample, sample.w, len(knots))
    if norm == "l2":
        return values, float((sample.w * off**2).sum())
    best, cost = values, float((sample.w * np.abs(off)).sum())
    floor = TINY * float(np.abs(sample.y).max())
    if cost <= floor:
        return best, cost
    for _ in range(ROUNDS):
        weights = sample.w / np.maximum(np.abs(off), floor)
        values, off = _least_squares(k, share, sample, weights, len(knots))
        now = float((sample.w * np.abs(off)).sum())
        if now < cost:
            best, cost = values, now
    return best, cost


def _least_squares(
    k: np.ndarray, share: np.ndarray, sample: Sample, weights: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Values at `count` knots, and what is left: normal equations with three bands."""

    def sums(v: np.ndarray) -> np.ndarray:
        return np.bincount(k, v, count)

    left, right = weights * (1 - share), weights * share
    diagonal = sums(left * (1 - share))
    diagonal[1:] += sums(right * share)[:-1]
    beside = sums(left * share)[:-1]
    goal = sums(left * sample.y)
    goal[1:] += sums(right * sample.y)[:-1]
    matrix = np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
    values = np.linalg.lstsq(matrix, goal, rcond=1e-12)[0]
    return values, sample.y - values[k] * (1 - share) - values[k + 1] * share


def searched(knots: np.ndarray, sample: Sample, norm: str) -> tuple[np.ndarray, float]:
    """Knots moved one by one, by smaller and smaller steps, as long as it helps."""
    best = values_at(knots, sample, norm)[1]
    step = STEP
    for _ in range(SHRINKS):
        moved = True
        while moved:
            moved = False
            for k in range(1, len(knots) - 1):
                check_time()
                for sign in (-1, 1):
                    room = knots[k + sign] - knots[k]
                    tried = knots.copy()
                    tried[k] += step * room
                    cost = values_at(tried, sample, norm)[1]
                    if cost < best * (1 - 1e-6):
                        knots, best, moved = tried, cost, True
        step /= 2
    return knots, best


def _moved_elsewhere(
    knots: np.ndarray, best: float, sample: Sample
) -> tuple[np.ndarray, float]:
    """The knot that is missed least goes where one helps most, as long as it helps."""
    for _ in range(2 * len(knots)):
        inner = range(1, len(knots) - 1)
        without = min((np.delete(knots, k) for k in inner), key=_in_squares(sample))
        places = (np.sort([*without, x]) for x in _places(without))
        tried = min(places, key=_in_squares(sample))
        tried, cost = searched(tried, sample, "l2")
        if cost >= best * (1 - 1e-3):
            break
        knots, best = tried, cost
    return knots, best


def _grown(ends: np.ndarray, count: int, sample: Sample) -> np.ndarray:
    """One knot after the other, where it helps most, each time moved by search."""
    knots = ends
    while len(knots) <= count:
        inner = np.quantile(sample.x, GROWTH)
        places = np.setdiff1d([*_places(knots), *inner], knots)
        knots = min((np.sort([*knots, x]) for x in places), key=_in_squares(sample))
        if len(knots) <= FEW:
            knots = searched(knots, sample, "l2")[0]
    return knots


def _places(knots: np.ndarray) -> np.ndarray:
    return (knots[:-1, None] + np.diff(knots)[:, None] * PLACES).ravel()


def _in_squares(sample: Sample) -> Callable[[np.ndarray], float]:
    def cost(knots: np.ndarray) -> float:
        check_time()
        return values_at(knots, sample, "l2")[1]

    return cost


def best_knots(starts: list[np.ndarray], sample: Sample, norm: str) -> np.ndarray:
    """Of several starts the one that ends best; in l1 searched in l2 first."""
    few = sample.binned()
    grown = _grown(starts[0][[0, -1]], len(starts[0]) - 1, few)
    ends = [searched(knots, few, "l2") for knots in (*starts, grown)]
    if len(starts[0]) > 2:
        ends = [_moved_elsewhere(knots, cost, few) for knots, cost in ends]
    knots, _ = min(ends, key=lambda found: found[1])
    return knots if norm == "l2" or len(few.x) > 1000 else searched(knots, few, norm)[0]
