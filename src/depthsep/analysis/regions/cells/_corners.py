"""The vertices of every cell of a complex; of polygons in order."""

import numpy as np

from depthsep.analysis.regions.cells._complex import SHIFT, Complex
from depthsep.analysis.regions.cells._lists import Lists


def corners(cells: Complex) -> Lists:
    """Vertices by cell; in two dimensions once round every polygon."""
    if cells.dim == 2:
        return _rounds(cells)
    count = cells.ends.shape[1]
    found = Lists.of(np.tile(np.arange(count), 2), cells.ends.ravel())
    for pairs in cells.incidences:
        vertex, whose = found.under(pairs.child)
        key = np.unique((pairs.parent[whose] << SHIFT) | vertex)
        found = Lists(key >> SHIFT, key & ((1 << SHIFT) - 1))
    return found


def _rounds(cells: Complex) -> Lists:
    """All polygons are walked at once, an edge at a time.

    A step is an edge of a polygon in one direction, from its end 0 or its end 1.
    """
    pairs = cells.incidences[0]
    count = len(pairs.child)
    start = cells.ends[:, pairs.child].ravel()
    polygon = np.tile(pairs.parent, 2)
    order = np.argsort((polygon << SHIFT) | start, kind="stable")
    mate = np.empty(2 * count, dtype=np.int64)  # the other step from the same corner
    mate[order[::2]], mate[order[1::2]] = order[1::2], order[::2]
    _, first = np.unique(pairs.parent, return_index=True)
    now, begun, steps = first, first, []
    while len(now):
        steps.append(now)
        now = mate[(now + count) % (2 * count)]
        open_ = now != begun
        now, begun = now[open_], begun[open_]
    walk = np.concatenate(steps)
    return Lists.of(polygon[walk], start[walk])
