"""Parts of a complex: near cells together, so that later cuts touch few of them.

A face that several parts share is counted by the first; in the others it is foreign,
and so is all that later cuts make of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from depthsep.analysis.regions._complex import Complex, Ids, Incidence


def parts(cells: Complex, size: int) -> Iterator[Complex]:
    """Complexes of at most about `size` cells each, made one by one."""
    if cells.counts[-1] <= size:
        yield cells
        return
    rows = [_ByParent.of(pairs) for pairs in cells.incidences]
    claimed = [foreign.copy() for foreign in cells.foreign]
    for group in _groups(_places(cells), size):
        yield _part(cells, np.sort(group), rows, claimed)


def _part(
    cells: Complex, group: Ids, rows: list["_ByParent"], claimed: list[np.ndarray]
) -> Complex:
    kept, incidences = group, []
    counts, foreign = [len(group)], []
    for row in reversed(rows):
        child, parent = row.under(kept)
        kept = np.unique(child)
        pairs = Incidence(
            np.searchsorted(kept, child), parent, np.zeros(len(child), dtype=bool)
        )
        incidences.insert(0, pairs)
        counts.insert(0, len(kept))
        k = len(rows) - len(incidences) + 1
        foreign.insert(0, _claim(claimed[k], kept))
    ends = cells.ends[:, kept]
    corners = np.unique(ends)
    foreign.insert(0, _claim(claimed[0], corners))
    vertices = cells.vertices.part(corners)
    return Complex(
        vertices, np.searchsorted(corners, ends), incidences, counts, foreign
    )


def _claim(claimed: np.ndarray, faces: Ids) -> np.ndarray:
    """Which were claimed before; all are now."""
    before = claimed[faces]
    claimed[faces] = True
    return before


@dataclass(frozen=True)
class _ByParent:
    """Children sorted by parent."""

    child: Ids
    start: Ids

    @staticmethod
    def of(pairs: Incidence) -> "_ByParent":
        order = np.argsort(pairs.parent, kind="stable")
        parents = np.arange(int(pairs.parent.max()) + 2)
        start = np.searchsorted(pairs.parent[order], parents)
        return _ByParent(pairs.child[order], start)

    def under(self, parents: Ids) -> tuple[Ids, Ids]:
        """Children of given parents, and the places of those in the list."""
        first = self.start[parents]
        count = self.start[parents + 1] - first
        step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        return self.child[np.repeat(first, count) + step], np.repeat(
            np.arange(len(parents)), count
        )


def _places(cells: Complex) -> np.ndarray:
    """About where every cell is: the mean of its faces' places, (cells, n)."""
    places = cells.vertices.places()[cells.ends].mean(axis=0)
    for pairs, count in zip(cells.incidences, cells.counts[1:], strict=True):
        many = np.bincount(pairs.parent, minlength=count)[:, None]
        columns = [
            np.bincount(pairs.parent, weights=column[pairs.child], minlength=count)
            for column in places.T
        ]
        places = np.stack(columns, axis=1) / many
    return places


def _groups(places: np.ndarray, size: int) -> Iterator[Ids]:
    """Halves along the longest side until few enough are left."""
    pending = [np.arange(len(places))]
    while pending:
        group = pending.pop()
        if len(group) <= size:
            yield group
            continue
        at = places[group]
        axis = int(np.ptp(at, axis=0).argmax())
        order = np.argpartition(at[:, axis], len(group) // 2)
        pending += [group[order[len(group) // 2 :]], group[order[: len(group) // 2]]]
