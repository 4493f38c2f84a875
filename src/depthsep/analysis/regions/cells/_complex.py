r"""Cell complexes of a convex domain, cut where functions affine on cells are 0.

A complex of dimension n holds faces of every dimension 0..n and which (k-1)-faces
bound which k-faces. A cut needs nothing but the sign of its function at the vertices:
an edge with opposite signs gets a new vertex, and a k-face with both signs falls into
two, parted by the new (k-1)-face that its zero (k-2)-faces bound. So degenerate cuts
(through vertices, along faces, everywhere zero) need no case of their own.
"""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from depthsep.analysis.regions.cells._lists import Lists

Ids = np.ndarray
SHIFT = 32  # pairs of ids are sorted as one integer


class Vertices(Protocol):
    """What a complex asks of the numbers behind it.

    Attributes:
        tally: [signs that were found exactly], shared by all parts.
    """

    tally: list[int]

    @property
    def units(self) -> int:
        """How many functions there are at this level."""
        ...

    @property
    def share_of_zeros(self) -> float:
        """How many of their values at vertices are exactly 0."""
        ...

    def signs(self, unit: int) -> np.ndarray:
        """The signs of a function at all vertices, (vertices,)."""
        ...

    def cross(self, first: Ids, last: Ids, unit: int) -> Ids:
        """New vertices where the function is 0 between two old ones, its sign 0."""
        ...

    def next_level(self) -> None:
        """Go on to the functions of the next level."""
        ...

    def part(self, vertices: Ids) -> "Vertices":
        """Some of the vertices, in the order given."""
        ...

    def places(self) -> np.ndarray:
        """About where the vertices are, (vertices, n)."""
        ...

    def all_signs(self) -> np.ndarray:
        """The signs of all functions of this level, (vertices, units)."""
        ...

    def exact_point(self, vertex: int) -> np.ndarray:
        """[q, q x] of a vertex, integers."""
        ...


@dataclass
class Incidence:
    """Which children bound which parents, a pair an entry.

    Attributes:
        root: of edges in 2-faces, whether the edge bounds the 2-face's origin.
    """

    child: Ids
    parent: Ids
    root: np.ndarray

    def add(self, child: Ids, parent: Ids, root: np.ndarray) -> None:
        """More pairs."""
        self.child = np.concatenate([self.child, child])
        self.parent = np.concatenate([self.parent, parent])
        self.root = np.concatenate([self.root, root])

    def with_split_children(self, second: Ids) -> None:
        """Give the second halves of children to the same parents; -1: not split."""
        half = second[self.child]
        at = np.flatnonzero(half >= 0)
        if len(at):
            self.add(half[at], self.parent[at], self.root[at])


@dataclass
class Complex:
    """A convex domain and its cuts.

    Attributes:
        ends: (2, edges), vertices of every edge.
        chords: (2, edges), two vertices on the edge's line, far apart: new vertices are
            found between them, so that errors do not pile up.
        incidences: of dimensions 2..n, at 0..n-2.
        counts: faces of dimensions 1..n.
        foreign: of vertices, edges, ..., facets: whether another part of a larger
            complex counts them.
        origin: of every 2-face, the 2-face that it was part of when the level began.
        home: of every cell, the cell that it was part of then.
        patterns: of levels noted by `note`, which functions are positive inside the
            cells, (cells, units) each; `negative` likewise. One that is neither is 0.
    """

    vertices: Vertices
    ends: np.ndarray
    incidences: list[Incidence]
    counts: list[int]
    foreign: list[np.ndarray]
    chords: np.ndarray = field(init=False)
    origin: np.ndarray = field(init=False)
    home: np.ndarray = field(init=False)
    patterns: list[np.ndarray] = field(default_factory=list)
    negative: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start_level()

    @property
    def dim(self) -> int:
        """n."""
        return len(self.counts)

    @property
    def own(self) -> tuple[int, ...]:
        """How many faces of dimension 0, ..., n are counted here."""
        lower = [int((~foreign).sum()) for foreign in self.foreign]
        return (*lower, self.counts[-1])

    def start_level(self) -> None:
        """From here on functions are affine on the faces that there are now."""
        self.chords = self.ends.copy()
        self.home = np.arange(self.counts[-1])
        if self.dim > 1:
            pairs = self.incidences[0]
            pairs.root = np.ones(len(pairs.child), dtype=bool)
            self.origin = np.arange(self.counts[1])

    def note(self) -> None:
        """Add this level's pattern of every cell; all its functions have cut."""
        signs = self.vertices.all_signs()
        for known, now in ((self.patterns, signs > 0), (self.negative, signs < 0)):
            known[:] = [earlier[self.home] for earlier in known]
            known.append(faces_with(self, now)[-1])

    def cut(self, unit: int) -> None:
        """Cut every face by the zero set of a function."""
        signs = self.vertices.signs(unit)
        if signs.min() >= 0 or signs.max() <= 0:
            return
        sides = self._cut_edges(unit)
        zero = _endpoints(self.ends, self.vertices.signs(unit))
        second = sides.second
        for k in range(2, self.dim + 1):
            pairs = self.incidences[k - 2]
            if second is not None:
                pairs.with_split_children(second)
            sides, zero = self._cut_faces(k, sides.side, zero, unit)
            second = sides.second

    def _cut_edges(self, unit: int) -> "_Sides":
        s = self.vertices.signs(unit)
        a, b = s[self.ends[0]], s[self.ends[1]]
        at = np.flatnonzero(a * b < 0)
        if not len(at):
            return _Sides(np.sign(a + b), None)
        new = self.vertices.cross(self.chords[0, at], self.chords[1, at], unit)
        count = self.counts[0]
        beyond = np.stack([new, self.ends[1, at]])
        self.ends[1, at] = new
        self.ends = np.concatenate([self.ends, beyond], axis=1)
        self.chords = np.concatenate([self.chords, self.chords[:, at]], axis=1)
        second = np.full(count, -1)
        second[at] = count + np.arange(len(at))
        self.counts[0] += len(at)
        if self.dim == 1:
            self.home = np.concatenate([self.home, self.home[at]])
        inside = np.zeros(len(at), dtype=bool)
        self._mark(0, inside if self.dim == 1 else self.foreign[1][at])
        if self.dim > 1:
            self._mark(1, self.foreign[1][at])
        side = np.sign(a + b)
        side[at] = a[at]
        return _Sides(np.concatenate([side, b[at]]), second)

    def _cut_faces(
        self, k: int, below: np.ndarray, zero: "_Zeros", unit: int
    ) -> tuple["_Sides", "_Zeros"]:
        """Split k-faces, given the sides of (k-1)-faces and the zero (k-2)-faces."""
        pairs, count = self.incidences[k - 2], self.counts[k - 1]
        sign = below[pairs.child]
        side = _sides_of_parents(pairs.parent, sign, count)
        split = np.flatnonzero(side == _BOTH)
        if not len(split):
            return _Sides(side, None), _zeros_of(pairs, below)
        bounds = zero.of_parents(pairs, side == _BOTH)
        inside = np.zeros(len(split), dtype=bool)
        self._mark(k - 1, inside if k == self.dim else self.foreign[k][split])
        if k < self.dim:
            self._mark(k, self.foreign[k][split])
        new = self._new_faces(k, split, bounds, zero, pairs)
        second = np.full(count, -1)
        second[split] = count + np.arange(len(split))
        moved = (sign < 0) & (second[pairs.parent] >= 0)
        pairs.parent[moved] = second[pairs.parent[moved]]
        no = np.zeros(len(split), dtype=bool)
        pairs.add(new, split, no)
        pairs.add(new, second[split], no)
        if k == 2:
            self.origin = np.concatenate([self.origin, self.origin[split]])
        if k == self.dim:
            self.home = np.concatenate([self.home, self.home[split]])
        self.counts[k - 1] += len(split)
        side[split] = 1
        side = np.concatenate([side, np.full(len(split), -1, dtype=side.dtype)])
        below = np.concatenate([below, np.zeros(len(new), dtype=below.dtype)])
        return _Sides(side, second), _zeros_of(pairs, below)

    def _new_faces(
        self,
        k: int,
        split: Ids,
        bounds: tuple[Ids, Ids],
        zero: "_Zeros",
        pairs: Incidence,
    ) -> Ids:
        """The faces of dimension k - 1 that part the split ones."""
        new = self.counts[k - 2] + np.arange(len(split))
        self.counts[k - 2] += len(split)
        parents, parts = bounds
        if k > 2:
            lower = self.incidences[k - 3]
            place = new[np.searchsorted(split, parents)]
            lower.add(parts, place, np.zeros(len(parts), dtype=bool))
            if k == 3:
                fresh = np.arange(len(new)) + len(self.origin)
                self.origin = np.concatenate([self.origin, fresh])
            return new
        assert len(parts) == 2 * len(split) and bool((parents[::2] == split).all())
        ends = np.stack([parts[::2], parts[1::2]])
        self.ends = np.concatenate([self.ends, ends], axis=1)
        chords = self._chords(split, ends, zero, pairs)
        self.chords = np.concatenate([self.chords, chords], axis=1)
        return new

    def _mark(self, k: int, foreign: np.ndarray) -> None:
        """New faces of dimension k, and whether another part counts them."""
        self.foreign[k] = np.concatenate([self.foreign[k], foreign])

    def _chords(
        self, split: Ids, ends: np.ndarray, zero: "_Zeros", pairs: Incidence
    ) -> np.ndarray:
        """The zeros on the boundary of the 2-face that each new edge's 2-face was."""
        origin = self.origin[split]
        wanted = np.zeros(int(self.origin.max()) + 1, dtype=bool)
        wanted[origin] = True
        whole, parts = zero.of_parents(pairs, wanted, self.origin)
        first = np.searchsorted(whole, origin)
        last = np.searchsorted(whole, origin, side="right")
        two = last - first == 2
        chords = ends.copy()
        chords[0, two], chords[1, two] = parts[first[two]], parts[last[two] - 1]
        return chords


_BOTH = 2


@dataclass(frozen=True)
class _Sides:
    """Sides of faces (+1, -1, 0), and the second halves of those split (-1: none)."""

    side: np.ndarray
    second: Ids | None


@dataclass(frozen=True)
class _Zeros:
    """Zero (k-2)-faces and the (k-1)-faces, not zero, that they bound."""

    part: Ids
    whole: Ids

    def of_parents(
        self, pairs: Incidence, wanted: np.ndarray, origin: Ids | None = None
    ) -> tuple[Ids, Ids]:
        """(parents, zero parts) of wanted parents, sorted, each once.

        Given origins: of wanted origins, on their boundaries.
        """
        size = int(max(self.whole.max(initial=-1), pairs.child.max(initial=-1))) + 1
        touched = np.zeros(size, dtype=bool)
        touched[self.whole] = True
        at = np.flatnonzero(touched[pairs.child])
        parent = pairs.parent[at] if origin is None else origin[pairs.parent[at]]
        keep = wanted[parent]
        if origin is not None:
            keep &= pairs.root[at]
        child, parent = pairs.child[at[keep]], parent[keep]
        found, whose = Lists.of(self.whole, self.part).under(child)
        key = np.unique((parent[whose] << SHIFT) | found)
        return key >> SHIFT, key & ((1 << SHIFT) - 1)


def faces_with(cells: Complex, vertices: np.ndarray) -> list[np.ndarray]:
    """Of the faces of every dimension, whether any of their vertices has a property.

    Args:
        vertices: several properties of every vertex, (vertices, k) of bool.

    Returns:
        For dimensions 0, ..., n arrays (faces, k).
    """
    found = [vertices, vertices[cells.ends[0]] | vertices[cells.ends[1]]]
    for pairs in cells.incidences:
        children = Lists.of(pairs.parent, pairs.child)
        first = np.flatnonzero(np.diff(children.keys, prepend=-1))
        below = found[-1][children.values]
        found.append(np.logical_or.reduceat(below, first, axis=0))
    return found


def _sides_of_parents(parent: Ids, sign: np.ndarray, count: int) -> np.ndarray:
    above, under = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    above[parent[sign > 0]] = True
    under[parent[sign < 0]] = True
    side = above.astype(np.int8) - under.astype(np.int8)
    side[above & under] = _BOTH
    return side


def _endpoints(ends: np.ndarray, signs: np.ndarray) -> _Zeros:
    """Zero vertices of edges that are not zero."""
    s = signs[ends] == 0
    parts = [np.flatnonzero(s[i] & ~s[1 - i]) for i in (0, 1)]
    part = np.concatenate([ends[i, at] for i, at in enumerate(parts)])
    return _Zeros(part, np.concatenate(parts))


def _zeros_of(pairs: Incidence, below: np.ndarray) -> _Zeros:
    at = np.flatnonzero(below[pairs.child] == 0)
    return _Zeros(pairs.child[at], pairs.parent[at])
