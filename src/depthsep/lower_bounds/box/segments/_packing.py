"""Fractional packings of segments: weights of which no hyperplane crosses more than 1.

Floats propose them by a linear programme whose rows are hyperplanes, the worst ones
added until none is left; rationals find the largest sum that any hyperplane crosses.
"""

from collections.abc import Sequence
from itertools import combinations
from itertools import product as cartesian
from math import lcm

import numpy as np
from flint import fmpq

from depthsep.exact import matmul, narrow
from depthsep.lower_bounds.box.segments._sides import sides_of_hyperplanes

ROUNDS = 16
ROWS = 60  # that a round adds
MOST_SUBSETS = 5000  # of end points through which a hyperplane is laid
FEW = 64  # segments whose ends these are
SHIFT = 1e-6  # of a hyperplane, so that it meets no end point
SLACK = 1e-6
SEED = 20260101
Ends = tuple[tuple[fmpq, ...], tuple[fmpq, ...]]


def most_crossed(segments: Sequence[Ends], weights: Sequence[fmpq]) -> fmpq:
    """The largest sum of weights of segments that some hyperplane crosses: exact.

    It crosses a segment if its end points lie on different sides.
    """
    points = list(dict.fromkeys(end for segment in segments for end in segment))
    number = {point: k for k, point in enumerate(points)}
    first, last = (np.array([number[s[k]] for s in segments]) for k in (0, 1))
    ways = sides_of_hyperplanes(points)
    scale = lcm(*(int(w.q) for w in weights))
    whole = np.array([int((w * scale).p) for w in weights], dtype=object)
    crossed = (ways[:, first] != ways[:, last]).astype(np.int64)
    loads = matmul(crossed, narrow(whole[:, None]))
    return fmpq(int(loads.max()), scale)


class Packing:
    """The linear programme: a segment a column, a hyperplane a row.

    Args:
        ends: (n, 2, d) of the segments, in [0, 1]^d.
    """

    def __init__(self, ends: np.ndarray) -> None:
        self.ends = ends
        rng, d = np.random.default_rng(SEED), ends.shape[2]
        normals = rng.normal(size=(16 * d, d))
        places = rng.uniform(size=(16 * d, d))
        self.rows = self._crossed(normals, np.einsum("ij,ij->i", normals, places))

    def best(self, gains: np.ndarray, enough: float) -> np.ndarray | None:
        """Weights (n,) with the largest sum of gains that hyperplanes allow.

        Rows are kept for the next gains. None where that sum is not above `enough`.
        """
        useful = np.flatnonzero(gains > 0)
        weights = np.zeros(len(gains))
        if not len(useful):
            return None
        for _ in range(ROUNDS):
            weights[useful] = self._solved(gains[useful], useful)
            if weights @ gains <= enough + SLACK:
                return None
            worst = self._worst(weights)
            if not len(worst):
                break
            self.rows = np.unique(np.vstack([self.rows, worst]), axis=0)
        return weights

    def _solved(self, gains: np.ndarray, columns: np.ndarray) -> np.ndarray:
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        rows = csr_array(self.rows[:, columns].astype(float))
        ones = np.ones(len(self.rows))
        found = linprog(-gains, A_ub=rows, b_ub=ones, bounds=(0, 1), method="highs")
        return np.asarray(found.x)

    def _worst(self, weights: np.ndarray) -> np.ndarray:
        """Rows of hyperplanes that cross more than is allowed."""
        support = np.argsort(-weights)[:FEW]
        support = support[weights[support] > SLACK]
        d = self.ends.shape[2]
        points = np.unique(self.ends[support].reshape(-1, d), axis=0)
        if len(points) <= d:
            return self.rows[:0]
        normals, offsets = _near_points(points)
        load = _crossed(self.ends[support], normals, offsets) @ weights[support]
        order = np.argsort(-load)[:ROWS]
        order = order[load[order] > 1 + SLACK]
        return self._crossed(normals[order], offsets[order])

    def _crossed(self, normals: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        return _crossed(self.ends, normals, offsets)


def _crossed(ends: np.ndarray, normals: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """(hyperplanes, segments): whether the ends lie on different sides."""
    first, last = (ends[:, k] @ normals.T - offsets for k in (0, 1))
    return (first * last < 0).T


def _near_points(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Hyperplanes beside those through d of the points, on every side of each."""
    n, d = points.shape
    chosen = np.array(list(combinations(range(n), d)))
    if len(chosen) > MOST_SUBSETS:
        rng = np.random.default_rng(SEED)
        chosen = chosen[rng.choice(len(chosen), MOST_SUBSETS, replace=False)]
    table = np.concatenate([points[chosen], np.ones((len(chosen), d, 1))], axis=2)
    left, sizes, right = np.linalg.svd(table)
    fine = sizes[:, -1] > 1e-9
    left, sizes, right = left[fine], sizes[fine], right[fine]
    # right[:, -1] is 0 at the points; the others are moved by their values there
    inverse = np.einsum("kji,kj,klj->kil", right[:, :d], 1 / sizes, left)
    shifts = np.array(list(cartesian((-SHIFT, SHIFT), repeat=d)))
    planes = right[:, -1, None, :] + np.einsum("kij,sj->ksi", inverse, shifts)
    planes = planes.reshape(-1, d + 1)
    return planes[:, :-1], -planes[:, -1]
