"""Branch and bound over the cells of knots."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, pairwise

import numpy as np
from flint import fmpq

from depthsep.approximation.best.continuous._kink_cells import (
    KinkCells,
    NodeBound,
    node_bound,
)
from depthsep.approximation.best.continuous._splines import SplineSearch
from depthsep.exact import nearest_float

BEND_KNOWN = fmpq(1, 4)  # width of a cell below which it is decided how g bends
CLOSE = fmpq(1, 1000)  # of the upper bound: the bracket is narrow enough
MOST_KNOTS = 8  # beyond which cells are not cut
PROMISING = 0.98  # of the upper bound: splines are fitted in cells below


@dataclass(order=True)
class _Open:
    lower: fmpq
    number: int
    kinks: KinkCells = field(compare=False)


class Branching:
    """Sets of cells, the one with the least bound first.

    Attributes:
        lower: a proved bound on the least error (squared for l2) on [0, 1].
    """

    def __init__(self, search: SplineSearch, lower: fmpq) -> None:
        self.search, self.lower = search, lower
        self._numbers = count()

    def run(self, most: int) -> None:
        """Look at up to so many sets of cells."""
        knots = self.search.pieces - 1
        if knots > MOST_KNOTS or not most:
            return
        whole = KinkCells(((fmpq(0), fmpq(1)),) * knots, (0,) * knots)
        queue = [self._opened(whole, fmpq(0))]
        for _ in range(most if knots else 0):
            if not queue or self._is_close(queue[0].lower):
                break
            node = heapq.heappop(queue)
            for part in _parts(node.kinks):
                opened = self._opened(part, node.lower)
                if opened.lower < self.search.upper:
                    heapq.heappush(queue, opened)
        least = queue[0].lower if queue else self.search.upper
        self.lower = max(self.lower, min(least, self.search.upper))

    def _is_close(self, lower: fmpq) -> bool:
        return max(lower, self.lower) >= self.search.upper * (1 - CLOSE)

    def _opened(self, kinks: KinkCells, least: fmpq) -> _Open:
        bound = node_bound(self.search.f, kinks, self.search.norm)
        if nearest_float(bound.lower) < PROMISING * self.search.best.error:
            self.search.look_near(_crossings(kinks, bound))
        return _Open(max(bound.lower, least), next(self._numbers), kinks)


def _crossings(kinks: KinkCells, bound: NodeBound) -> np.ndarray:
    """Where the lines that were found cross, moved into the cells."""
    knots = []
    for (p, q), cell in zip(pairwise(bound.lines), kinks.cells, strict=True):
        a, b = (nearest_float(v) for v in cell)
        x = (q[0] - p[0]) / (p[1] - q[1]) if p[1] != q[1] else (a + b) / 2
        knots.append(min(max(x, a), b))
    return np.array(knots)


def _parts(kinks: KinkCells) -> Iterator[KinkCells]:
    """Both ways to bend at a knot in a small cell, else the widest cell halved."""
    widths = [b - a for a, b in kinks.cells]
    unknown = [
        k for k, bend in enumerate(kinks.bends) if not bend and widths[k] <= BEND_KNOWN
    ]
    if unknown:
        k = max(unknown, key=lambda i: widths[i])
        for bend in (1, -1):
            bends = (*kinks.bends[:k], bend, *kinks.bends[k + 1 :])
            yield KinkCells(kinks.cells, bends)
        return
    k = max(range(len(widths)), key=lambda i: widths[i])
    a, b = kinks.cells[k]
    middle = (a + b) / 2
    for half in ((a, middle), (middle, b)):
        cells = _in_order((*kinks.cells[:k], half, *kinks.cells[k + 1 :]))
        if cells is not None:
            yield KinkCells(cells, kinks.bends)


def _in_order(
    cells: tuple[tuple[fmpq, fmpq], ...],
) -> tuple[tuple[fmpq, fmpq], ...] | None:
    """Cut to what knots that never decrease can reach; None if there are none."""
    lows, highs = [a for a, _ in cells], [b for _, b in cells]
    for k in range(1, len(cells)):
        lows[k] = max(lows[k], lows[k - 1])
        highs[-k - 1] = min(highs[-k - 1], highs[-k])
    if any(a > b for a, b in zip(lows, highs, strict=True)):
        return None
    return tuple(zip(lows, highs, strict=True))
