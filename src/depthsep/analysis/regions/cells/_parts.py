"""Parts of a complex: near cells together, so that later cuts touch few of them.

A face that several parts share is counted by the first; in the others it is foreign,
and so is all that later cuts make of it.
"""

from collections.abc import Iterator

import numpy as np

from depthsep.analysis.regions.cells._complex import Complex, Ids, Incidence
from depthsep.analysis.regions.cells._lists import Lists


def parts(cells: Complex, size: int) -> Iterator[Complex]:
    """Complexes of at most about `size` cells each, made one by one."""
    if cells.counts[-1] <= size:
        yield cells
        return
    rows = [Lists.of(pairs.parent, pairs.child) for pairs in cells.incidences]
    claimed = [foreign.copy() for foreign in cells.foreign]
    for group in _groups(_places(cells), size):
        yield _part(cells, np.sort(group), rows, claimed)


def _part(
    cells: Complex, group: Ids, rows: list[Lists], claimed: list[np.ndarray]
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
    patterns, negative = (
        [known[group] for known in noted] for noted in (cells.patterns, cells.negative)
    )
    return Complex(
        vertices,
        np.searchsorted(corners, ends),
        incidences,
        counts,
        foreign,
        patterns,
        negative,
    )


def _claim(claimed: np.ndarray, faces: Ids) -> np.ndarray:
    """Which were claimed before; all are now."""
    before = claimed[faces]
    claimed[faces] = True
    return before


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
