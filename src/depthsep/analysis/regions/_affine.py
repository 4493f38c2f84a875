"""The affine map of every cell, and affine regions: neighbours with one map merged."""

import numpy as np
from flint import fmpq, fmpq_mat

from depthsep.analysis.regions._complex import Complex
from depthsep.analysis.regions._domains import Domain
from depthsep.analysis.regions._rational import RationalVertices
from depthsep.analysis.regions._regions import MOST_REGIONS, whole
from depthsep.analysis.regions._simplices import simplices
from depthsep.networks import Network

Map = tuple[fmpq, ...]


def affine_regions(
    network: Network, on: Domain, *, most: int = MOST_REGIONS
) -> list[Map]:
    """One map for every affine region of a network on a domain, in no given order.

    An affine region is a union of activation regions that hang together through common
    facets and on which the network is one affine map (all outputs). On an interval
    these are the pieces. Two regions may have the same map if they do not touch.

    Returns:
        For each region the entries of its map, output by output: the constant and the
        slopes in all inputs, exact.

    Raises:
        HypothesisError, TooLargeError: as `regions`.
    """
    cells = whole(network, on, engine="rational", most=most)
    vertices = cells.vertices
    assert isinstance(vertices, RationalVertices)
    if network.depth > 1:
        vertices.next_level()
    maps = _maps(cells, vertices)
    labels = _merged(_neighbours(cells), maps)
    return [maps[k] for k in np.unique(labels, return_index=True)[1].tolist()]


def _maps(cells: Complex, vertices: RationalVertices) -> list[Map]:
    """Of every cell, from the corners of one of its simplices."""
    corners, inside = simplices(cells)
    _, first = np.unique(inside, return_index=True)
    n = cells.dim
    found = []
    for simplex in corners[first].tolist():
        rows = vertices.rows[simplex].tolist()
        points = fmpq_mat(
            n + 1, n + 1, [fmpq(x, r[0]) for r in rows for x in r[: n + 1]]
        )
        outputs = [fmpq(z, r[0]) for r in rows for z in r[n + 1 :]]
        values = fmpq_mat(n + 1, len(outputs) // (n + 1), outputs)
        found.append(tuple(points.solve(values).transpose().entries()))
    return found


def _neighbours(cells: Complex) -> np.ndarray:
    """Pairs of cells with a common facet, (2, pairs)."""
    if cells.dim == 1:
        facet, cell = cells.ends.ravel(), np.tile(np.arange(cells.counts[0]), 2)
    else:
        facet, cell = cells.incidences[-1].child, cells.incidences[-1].parent
    order = np.argsort(facet, kind="stable")
    facet, cell = facet[order], cell[order]
    same = facet[1:] == facet[:-1]
    return np.stack([cell[:-1][same], cell[1:][same]])


def _merged(pairs: np.ndarray, maps: list[Map]) -> np.ndarray:
    """A label for every cell, the same for neighbours with one map."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    equal = [maps[a] == maps[b] for a, b in pairs.T.tolist()]
    first, second = pairs[:, np.array(equal, dtype=bool)]
    size = len(maps)
    graph = coo_matrix((np.ones(len(first)), (first, second)), shape=(size, size))
    return connected_components(graph, directed=False)[1]
