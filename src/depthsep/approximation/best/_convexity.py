"""Where a function is convex or concave, proved in balls."""

from collections import deque
from dataclasses import dataclass

from flint import ctx, fmpq

from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget, interval_ball

CELLS = 600
PRECISION = 96
SHORTEST = fmpq(1, 1 << 24)  # of the interval; around an inflection f'' is tiny
MARGIN = fmpq(1, 64)  # of a cell; cells overlap, so that signs hold across their ends


@dataclass(frozen=True)
class ConvexRun:
    """The target is convex on [start, stop] if the sign is 1, concave if it is -1."""

    start: fmpq
    stop: fmpq
    sign: int


def convex_runs(
    target: AbstractLineTarget, on: Segment, *, cells: int = CELLS
) -> tuple[ConvexRun, ...]:
    """Intervals from left to right on which f'' is proved to keep one sign.

    Cells on which it is not are halved, the longest first; what is left of them in the
    end, around inflections and kinks, lies in no run.

    Args:
        cells: how many are looked at.
    """
    decided: list[ConvexRun] = []
    open_cells = deque([(on.start, on.stop)])  # halves at the end: longest first
    shortest = on.length * SHORTEST
    with ctx.workprec(PRECISION):
        for _ in range(cells):
            if not open_cells:
                break
            start, stop = open_cells.popleft()
            sign = _sign(target, on, start, stop)
            if sign:
                decided.append(ConvexRun(start, stop, sign))
            elif stop - start > shortest:
                middle = (start + stop) / 2
                open_cells += [(start, middle), (middle, stop)]
    return tuple(_joined(sorted(decided, key=lambda run: run.start)))


def _sign(target: AbstractLineTarget, on: Segment, start: fmpq, stop: fmpq) -> int:
    """Of f'' on a neighbourhood of the cell, as far as it lies in the interval."""
    margin = (stop - start) * MARGIN
    left, right = max(on.start, start - margin), min(on.stop, stop + margin)
    jet = target.jet(interval_ball(left, right))
    if not (jet.value.is_finite() and jet.second.is_finite()):
        return 0
    return 1 if jet.second > 0 else -1 if jet.second < 0 else 0


def _joined(cells: list[ConvexRun]) -> list[ConvexRun]:
    runs: list[ConvexRun] = []
    for cell in cells:
        last = runs[-1] if runs else None
        if last and last.stop == cell.start and last.sign == cell.sign:
            runs[-1] = ConvexRun(last.start, cell.stop, cell.sign)
        else:
            runs.append(cell)
    return runs
