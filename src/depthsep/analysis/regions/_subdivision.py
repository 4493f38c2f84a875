"""A subdivision one can walk through: regions with corners, maps and neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from flint import fmpq

from depthsep.analysis.regions._regions import AUTO, Regions, whole
from depthsep.analysis.regions.cells._complex import Complex
from depthsep.analysis.regions.cells._corners import corners
from depthsep.analysis.regions.cells._domains import Domain, Point
from depthsep.analysis.regions.cells._lists import Lists
from depthsep.analysis.regions.cells._maps import Map, as_maps, exact_maps, map_labels
from depthsep.analysis.regions.cells._simplices import Simplices, simplices, volume
from depthsep.networks import Network, as_relu

MOST_CELLS = 1 << 20
MOST_SIGNS = 1 << 29


@dataclass(frozen=True)
class Region:
    """One activation region.

    Attributes:
        corners: exact points; of a polygon in order, once round. Where the cut of a
            neighbour ends on a side, that point is among them.
        volume: exact: a length, an area, a volume.
        map: for every output the constant and the slopes in all inputs, exact.
        pattern: for every hidden layer which of its units are on inside; leaky units
            and |z| count as two ReLUs.
        neighbours: numbers of the regions that share a facet with it.
        affine_region: the number of the affine region that it is part of.
    """

    corners: tuple[Point, ...]
    volume: fmpq
    map: Map
    pattern: tuple[np.ndarray, ...]
    neighbours: tuple[int, ...]
    affine_region: int


@dataclass(frozen=True, eq=False)
class Subdivision:
    """All activation regions of a network on a domain, numbered from 0.

    Everything asked of it is exact, except what is called near.
    """

    network: Network
    complex: Complex

    def __len__(self) -> int:
        """Activation regions."""
        return self.complex.counts[-1]

    def __getitem__(self, number: int) -> Region:
        """One region, its corners found exactly when asked for."""
        if not 0 <= number < len(self):
            raise IndexError(
                f"there is no region {number}; there are {len(self)}, counted from 0"
            )
        pattern = tuple(p[number] for p in self.complex.patterns)
        first, last = np.searchsorted(self._beside.keys, [number, number + 1])
        return Region(
            tuple(self.point(v) for v in self.around(number)),
            self._volume(number),
            self.maps(np.array([number]))[0],
            pattern,
            tuple(self._beside.values[first:last].tolist()),
            int(self.labels[number]),
        )

    def __iter__(self) -> Iterator[Region]:
        return (self[k] for k in range(len(self)))

    @cached_property
    def counts(self) -> Regions:
        """How many faces of every dimension."""
        return Regions(self.complex.own, self.complex.vertices.tally[0])

    @cached_property
    def neighbours(self) -> np.ndarray:
        """Pairs of regions with a common facet, (2, pairs)."""
        cells = self.complex
        if cells.dim == 1:
            facet, cell = cells.ends.ravel(), np.tile(np.arange(len(self)), 2)
        else:
            facet, cell = cells.incidences[-1].child, cells.incidences[-1].parent
        facet, cell = Lists.of(facet, cell)
        same = facet[1:] == facet[:-1]
        return np.stack([cell[:-1][same], cell[1:][same]])

    @property
    def affine_regions(self) -> int:
        """Regions that hang together through facets and have one map count once."""
        return int(self.labels.max()) + 1

    @property
    def distinct_maps(self) -> int:
        """Affine maps among the regions, each once wherever it occurs: exact."""
        return int(self.map_numbers.max()) + 1

    @cached_property
    def map_numbers(self) -> np.ndarray:
        """Of every activation region the number of its affine map."""
        return map_labels(self.network.layers, self.complex.patterns)

    @cached_property
    def labels(self) -> np.ndarray:
        """The affine region of every activation region."""
        pairs = self.neighbours
        if not self.complex.patterns:
            return np.zeros(len(self), dtype=np.int64)
        a, b = pairs
        same = self.map_numbers[a] == self.map_numbers[b]
        return hanging_together(pairs[:, same], len(self))

    def maps(self, numbers: np.ndarray | None = None) -> list[Map]:
        """The maps of some regions, or of all; see `Region`."""
        cells = np.arange(len(self)) if numbers is None else numbers
        patterns = [p[cells] for p in self.complex.patterns]
        found = as_maps(*exact_maps(self.network.layers, patterns))
        return found if patterns else found * len(cells)

    def point(self, vertex: int) -> Point:
        """A vertex, exactly."""
        q, *x = self.complex.vertices.exact_point(vertex).tolist()
        return tuple(fmpq(int(v), int(q)) for v in x)

    def around(self, number: int) -> list[int]:
        """The vertices of a region; of a polygon in order."""
        vertices = self._corners
        first, last = np.searchsorted(vertices.keys, [number, number + 1])
        return vertices.values[first:last].tolist()

    def near_corners(self) -> list[np.ndarray]:
        """The corners of every region in float64, (corners, n) each."""
        places, vertices = self.complex.vertices.places(), self._corners
        ends = np.searchsorted(vertices.keys, np.arange(1, len(self)))
        return np.split(places[vertices.values], ends)

    @property
    def simplices(self) -> np.ndarray:
        """Numbers of the corners of simplices that fill all regions, (count, n + 1)."""
        return self._simplices.vertices

    @cached_property
    def _beside(self) -> Lists:
        a, b = self.neighbours
        return Lists.of(np.concatenate([a, b]), np.concatenate([b, a]))

    @cached_property
    def _corners(self) -> Lists:
        return corners(self.complex)

    @cached_property
    def _simplices(self) -> Simplices:
        found = simplices(self.complex)
        order = np.argsort(found.cells, kind="stable")
        return Simplices(found.vertices[order], found.cells[order])

    def _volume(self, number: int) -> fmpq:
        first, last = np.searchsorted(self._simplices.cells, [number, number + 1])
        parts = self._simplices.vertices[first:last].tolist()
        return sum((volume([self.point(v) for v in p]) for p in parts), fmpq(0))


def hanging_together(pairs: np.ndarray, count: int) -> np.ndarray:
    """Numbers 0, 1, ... of the connected components of a graph, (count,)."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    first, second = pairs
    graph = coo_matrix((np.ones(len(first)), (first, second)), shape=(count, count))
    return connected_components(graph, directed=False)[1]


def subdivide(
    network: Network,
    on: Domain,
    *,
    engine: str = AUTO,
    most: int = MOST_CELLS,
    seconds: float = inf,
) -> Subdivision:
    """The regions themselves: corners, volumes, maps, patterns and who is beside whom.

    Args:
        network, on, engine: as for `regions`. To walk through the exact corners of
            many regions take ``rational``.
        most: give up beyond so many regions.
        seconds: give up after so long.

    Raises:
        HypothesisError, TooLargeError: as `regions`.
    """
    chosen = as_relu(network)
    most = max(1, min(most, MOST_SIGNS // max(1, chosen.units)))
    cells = whole(chosen, on, engine=engine, most=most, patterns=True, seconds=seconds)
    return Subdivision(chosen, cells)


def affine_regions(
    network: Network,
    on: Domain,
    *,
    engine: str = AUTO,
    most: int = MOST_CELLS,
) -> int:
    """How many affine regions: neighbours with one affine map (all outputs) merged.

    An affine region is a union of activation regions that hang together through common
    facets and on which the network is one affine map. On an interval these are the
    pieces. Two regions may have the same map if they do not touch.

    Raises:
        HypothesisError, TooLargeError: as `regions`.
    """
    return subdivide(network, on, engine=engine, most=most).affine_regions
