"""Count pieces and measure errors of split networks without enumerating them.

The composition calculus, applied recursively: on a cell where y -> g_j(y) is affine,
the rest of the network is seen through that affine map, so its pieces and its error
against the target, pulled back through the map, are those of a smaller problem. Equal
smaller problems are solved once; a self-similar network of 2**60 pieces takes as many
steps as it has cells in its layers.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from flint import fmpq

from depthsep._deadline import check_time
from depthsep._errors import TooLargeError
from depthsep.analysis.line.pieces._rank_one import Block
from depthsep.approximation import (
    Cell,
    Residual,
    from_square,
    pulled,
    residuals,
    zoomed,
)
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine
from depthsep.laws import Segment
from depthsep.targets import ExactForm

MAX_CELLS = 1 << 20
MAX_BLOCKS = 400
ZERO = fmpq(0)
Bounds = tuple[fmpq, fmpq]


@dataclass
class Composed:
    """A split network on an interval; carries are taken at face value.

    Raises (from every method):
        TooLargeError: more than 400 blocks, or the recursion meets too many different
            cells.
    """

    blocks: list[Block]
    max_cells: int = MAX_CELLS
    _visited: int = 0
    _memo: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.blocks) > MAX_BLOCKS:  # every block is a level of recursion
            raise TooLargeError(
                f"the network has more than {MAX_BLOCKS} hidden layers, too "
                "many to compose"
            )
        self.outer = _weighted_outer(self.blocks)

    def function(self, on: Segment) -> PiecewiseAffine:
        """The network on the interval, with all its knots (not simplified)."""
        found = self._affine_cells(0, on.start, on.stop)
        knots = [found[0].start, *(cell.stop for cell in found)]
        values = [c.slope * c.start + c.level for c in found]
        values.append(found[-1].slope * found[-1].stop + found[-1].level)
        return PiecewiseAffine.through(knots, values)

    def _affine_cells(self, j: int, low: fmpq, high: fmpq) -> list[Cell]:
        """The cells of the rest of the network on [low, high], left to right."""
        key = ("cells", j, low, high)
        if key in self._memo:
            return self._memo[key]
        cells = []
        for adds, inner in self._cells(j, low, high):
            if inner is None or inner.slope == 0:
                level = adds.level
                if inner is not None:
                    level += self._value(j + 1, inner.level)
                cells.append(Cell(adds.start, adds.stop, adds.slope, level))
                continue
            rest = self._affine_cells(j + 1, *_image(inner))
            self._visited += len(rest)
            if self._visited > self.max_cells:
                raise TooLargeError(
                    f"composing the layers takes more than {self.max_cells} cells "
                    "(intervals on which the layers are affine)"
                )
            cells += [_pulled_cell(c, inner, adds) for c in _in_order(rest, inner)]
        self._memo[key] = cells
        return cells

    def pieces(self, on: Segment) -> int:
        """The number of affine pieces on the interval."""
        return self._count(0, on.start, on.stop)[0]

    def extremes(self, form: ExactForm, on: Segment) -> Bounds:
        """Exact infimum and supremum of network - form on the interval."""
        return self._measure(0, on.start, on.stop, form, "linf")

    def distance(self, form: ExactForm, norm: str, on: Segment) -> Enclosure:
        """The distance to an exact form; rigour as in `distance_to_form`."""
        low, high = self._measure(0, on.start, on.stop, form, norm)
        if norm == "linf":
            worst = max(abs(low), abs(high))
            return Enclosure(worst, worst, Rigour.EXACT)
        if norm == "l2":
            return from_square(low / on.length, Rigour.EXACT)
        rigour = Rigour.EXACT if low == high else Rigour.ENCLOSED
        return Enclosure(low / on.length, high / on.length, rigour)

    def _cells(self, j: int, low: fmpq, high: fmpq) -> list[tuple[Cell, Cell | None]]:
        """Cells of block j on [low, high]: what it adds, and its inner map."""
        check_time()
        block, outer = self.blocks[j], self.outer[j]
        knots = block.knots
        first = max(0, bisect_right(knots, low) - 1)
        last = min(len(knots) - 1, bisect_left(knots, high))
        self._visited += last - first
        if self._visited > self.max_cells:
            raise TooLargeError(
                f"composing the layers takes more than {self.max_cells} different "
                "cells (intervals on which the layers are affine)"
            )
        found = []
        for i in range(first, last):
            a, b = knots[i], knots[i + 1]
            s = a if i > first else max(a, low)
            t = b if i < last - 1 else min(b, high)
            if i in (first, last - 1) and not s < t:
                continue
            inner = None if block.inner is None else _cell(block.inner, i, a, b, s, t)
            found.append((_cell(outer, i, a, b, s, t), inner))
        return found

    def _count(self, j: int, low: fmpq, high: fmpq) -> tuple[int, fmpq, fmpq]:
        """(pieces, first slope, last slope) of the rest of the network there."""
        key = (j, low, high)
        if key in self._memo:
            return self._memo[key]
        count, first, last = 0, None, None
        for adds, inner in self._cells(j, low, high):
            if inner is None or inner.slope == 0:
                n, s, e = 1, adds.slope, adds.slope
            else:
                n, s, e = self._count(j + 1, *_image(inner))
                if inner.slope < 0:
                    s, e = e, s
                s, e = adds.slope + inner.slope * s, adds.slope + inner.slope * e
            count += n - (last is not None and last == s)
            first, last = s if first is None else first, e
        assert first is not None and last is not None
        self._memo[key] = count, first, last
        return self._memo[key]

    def _measure(
        self, j: int, low: fmpq, high: fmpq, form: ExactForm, norm: str
    ) -> Bounds:
        """linf: (inf, sup); l1: bounds on the integral; l2: the integral, twice."""
        form = zoomed(form, low, high)
        key = (j, low, high, form, norm)
        if key in self._memo:
            return self._memo[key]
        parts = []
        for adds, inner in self._cells(j, low, high):
            if inner is None or inner.slope == 0:
                level = adds.level
                if inner is not None:
                    level += self._value(j + 1, inner.level)
                cell = residuals(form, adds.start, adds.stop, adds.slope, level)
                parts += [_measured(r, norm) for r in cell]
                continue
            rest = pulled(form, inner.slope, inner.level, adds.slope, adds.level)
            a, b = self._measure(j + 1, *_image(inner), rest, norm)
            factor = 1 if norm == "linf" else 1 / abs(inner.slope)
            parts.append((a * factor, b * factor))
        self._memo[key] = _combined(parts, norm)
        return self._memo[key]

    def _value(self, j: int, y: fmpq) -> fmpq:
        value = ZERO
        for k in range(j, len(self.blocks)):
            knots = self.blocks[k].knots
            i = min(max(bisect_right(knots, y) - 1, 0), len(knots) - 2)
            a, b = knots[i], knots[i + 1]
            cell = _cell(self.outer[k], i, a, b, a, b)
            value += cell.slope * y + cell.level
            values = self.blocks[k].inner
            if values is not None:
                inner = _cell(values, i, a, b, a, b)
                y = inner.slope * y + inner.level
        return value


def _weighted_outer(blocks: list[Block]) -> list[list[fmpq]]:
    weighted, factor = [], fmpq(1)
    for block in reversed(blocks):
        weighted.append([factor * v for v in block.outer])
        factor *= block.gain
    return weighted[::-1]


def _cell(
    values: list[fmpq], i: int, a: fmpq, b: fmpq, start: fmpq, stop: fmpq
) -> Cell:
    slope = (values[i + 1] - values[i]) / (b - a)
    return Cell(start, stop, slope, values[i] - slope * a)


def _in_order(cells: list[Cell], inner: Cell) -> list[Cell]:
    return cells if inner.slope > 0 else cells[::-1]


def _pulled_cell(cell: Cell, inner: Cell, adds: Cell) -> Cell:
    """A cell in w = inner(y), as a cell in y, plus what the block adds."""
    ends = [(w - inner.level) / inner.slope for w in (cell.start, cell.stop)]
    slope = cell.slope * inner.slope + adds.slope
    level = cell.slope * inner.level + cell.level + adds.level
    return Cell(min(ends), max(ends), slope, level)


def _image(inner: Cell) -> Bounds:
    ends = [inner.slope * x + inner.level for x in (inner.start, inner.stop)]
    return min(ends), max(ends)


def _measured(residual: Residual, norm: str) -> Bounds:
    if norm == "linf":
        return residual.extremes()
    if norm == "l1":
        return residual.absolute_integral()
    square = residual.square_integral()
    return square, square


def _combined(parts: list[Bounds], norm: str) -> Bounds:
    if norm == "linf":
        return min(a for a, _ in parts), max(b for _, b in parts)
    return sum((a for a, _ in parts), ZERO), sum((b for _, b in parts), ZERO)
