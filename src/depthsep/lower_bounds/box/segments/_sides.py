"""On which sides of a hyperplane finitely many points may lie: all ways, exactly."""

from itertools import combinations
from itertools import product as cartesian
from math import lcm

import numpy as np
from flint import fmpq, fmpz_mat

from depthsep.exact import matmul, narrow


def sides_of_hyperplanes(points: list[tuple[fmpq, ...]]) -> np.ndarray:
    """The ways in which hyperplanes that meet none of the points separate them, (k, n).

    A way is a row of 1 and -1, of which the opposite counts as the same. Rows may come
    more than once; all points on one side is among them.

    The hyperplanes that separate them in one way are an open set, and one of them can
    be moved until it holds as many affinely independent points as there are dimensions.
    Back from there, only points on it change sides: in every way in which a hyperplane
    of that hyperplane separates these, see docs/proofs/signed-segments.md.
    """
    scale = lcm(*(int(x.q) for point in points for x in point))
    whole = [[int((x * scale).p) for x in point] for point in points]
    return _ways(narrow(np.array(whole, dtype=object)))


def _ways(points: np.ndarray) -> np.ndarray:
    """Of whole points (n, d)."""
    axes = _independent_axes(points)
    points, n, d = points[:, axes], len(points), len(axes)
    if not d:
        return np.ones((1, n), dtype=np.int8)
    chosen = np.array(list(combinations(range(n), d)))
    away = _sides_of(points, chosen)
    away = away[away.any(axis=1)]
    through = (away == 0).sum(axis=1)
    found = [_all_ways(away[through == d], d)]
    for row in np.unique(away[through > d], axis=0):
        on = row == 0
        inside = _ways(points[on])
        ways = np.tile(row, (2 * len(inside), 1))
        ways[:, on] = np.concatenate([inside, -inside])
        found.append(ways)
    return np.concatenate(found)


def _sides_of(points: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Of hyperplanes through d points each the sides of all points, (rows, n).

    0 all along a row where the points lie on more than one hyperplane.
    """
    first = points[chosen[:, 0]]
    steps = points[chosen[:, 1:]] - first[:, None]
    normals = np.stack(_minors(steps.astype(object)), axis=1)
    products = matmul(narrow(normals), narrow(points.T))
    offsets = (normals * first).sum(axis=1)
    return np.sign(products - offsets[:, None]).astype(np.int8)


def _minors(steps: np.ndarray) -> list[np.ndarray]:
    """(rows, d - 1, d): what is orthogonal to all d - 1 steps, by its coordinates."""
    d = steps.shape[2]
    return [(-1) ** k * _determinants(np.delete(steps, k, axis=2)) for k in range(d)]


def _determinants(matrices: np.ndarray) -> np.ndarray:
    """Of small matrices (rows, k, k), along their first rows."""
    if not matrices.shape[1]:
        return np.ones(len(matrices), dtype=object)
    first, rest = matrices[:, 0], _minors(matrices[:, 1:])
    return (first * np.stack(rest, axis=1)).sum(axis=1)


def _all_ways(away: np.ndarray, d: int) -> np.ndarray:
    """Rows with d zeros, which become 1 or -1 in all ways."""
    signs = np.array(list(cartesian((1, -1), repeat=d)), dtype=np.int8)
    ways = np.repeat(away, len(signs), axis=0)
    ways[ways == 0] = np.tile(signs, (len(away), 1)).ravel()
    return ways


def _independent_axes(points: np.ndarray) -> list[int]:
    """Coordinates by which points of the affine hull are told apart, and no others."""
    steps = points[1:] - points[0]
    if not steps.any():
        return []
    reduced, _, rank = fmpz_mat(steps.tolist()).rref()
    rows = reduced.tolist()[:rank]
    return [next(k for k, v in enumerate(row) if v != 0) for row in rows]
