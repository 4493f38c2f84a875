"""Simplices of a complex: every cell cut into simplices without new vertices.

Pulling: a face is the cone of its first vertex over the simplices of those of its
facets that do not hold that vertex.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from flint import fmpq, fmpq_mat

from depthsep.analysis.regions.cells._complex import Complex, Incidence
from depthsep.analysis.regions.cells._lists import Lists


class Simplices(NamedTuple):
    """Vertices of simplices (count, n + 1), and the cells that they are in (count,)."""

    vertices: np.ndarray
    cells: np.ndarray


def simplices(cells: Complex) -> Simplices:
    """All cells of a complex as simplices that share only faces."""
    found = Simplices(cells.ends.T, np.arange(cells.counts[0]))
    first = cells.ends.min(axis=0)
    for pairs, count in zip(cells.incidences, cells.counts[1:], strict=True):
        apex = np.full(count, np.iinfo(np.int64).max)
        np.minimum.at(apex, pairs.parent, first[pairs.child])
        found = _cones(found, pairs, apex, first)
        first = apex
    return found


def determinants(matrices: np.ndarray) -> np.ndarray:
    """Of many small integer matrices (count, k, k), by their first columns."""
    k = matrices.shape[1]
    if k == 1:
        return matrices[:, 0, 0]
    found = 0
    for row in range(k):
        minor = np.delete(matrices, row, axis=1)[:, :, 1:]
        found = found + (-1) ** row * matrices[:, row, 0] * determinants(minor)
    return np.asarray(found)


def volume(corners: Sequence[Sequence[fmpq]]) -> fmpq:
    """Of one simplex, from its n + 1 corners."""
    first, n = corners[0], len(corners) - 1
    steps = [
        x - y for corner in corners[1:] for x, y in zip(corner, first, strict=True)
    ]
    return abs(fmpq_mat(n, n, steps).det()) / math.factorial(n)


def _cones(
    below: Simplices, pairs: Incidence, apex: np.ndarray, first: np.ndarray
) -> Simplices:
    """Simplices of faces, from those of their facets away from the apex."""
    away = first[pairs.child] != apex[pairs.parent]
    child, parent = pairs.child[away], pairs.parent[away]
    at, whose = Lists.of(below.cells, np.arange(len(below.cells))).under(child)
    whole = parent[whose]
    return Simplices(np.column_stack([apex[whole], below.vertices[at]]), whole)
