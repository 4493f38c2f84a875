"""Widths at two depths as the dimension grows, from bounds for every dimension."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from flint import fmpq

from depthsep.every_dimension import ForAll
from depthsep.exact import readable
from depthsep.reports._files import write_folder
from depthsep.reports.figures import _canvas as canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_DIM = 1000
A_DECADE = 24  # dimensions of a line
Line = list[tuple[int, float]]
Accuracy = Callable[[int], fmpq]


def growth_figure(
    theorems: Sequence[ForAll],
    accuracies: Sequence[Accuracy],
    first: int = 1,
    most: int = MOST_DIM,
) -> "Figure":
    """log2 widths against d: solid, depth 2 needs at least; dashed, depth 3 at most.

    Args:
        theorems: of one target.
        accuracies: functions of d, a panel each.
        first, most: the dimensions; where no bound is known there is no line.
    """
    with canvas.panels(6.4 * len(accuracies), 4.2, len(accuracies)) as (figure, parts):
        for axes, accuracy in zip(parts, accuracies, strict=True):
            _draw(axes, theorems, accuracy, first, most)
            begin = max(first, min(t.start for t in theorems if t.side == "at least"))
            one, last = (readable(accuracy(d)) for d in (begin, most))
            error = one if one == last else f"{one} to {last}"
            bound = theorems[0]
            falls = f"E <= {bound.best_words}" if bound.falls else ""
            where = falls or f"every {bound.variable}"
            remark = f"error at most E = {error}; proved for {where}"
            canvas.headings(axes, theorems[0].target, remark)
        return figure


def write_growth(figure: "Figure", folder: str | Path) -> list[Path]:
    """The figure as every_dimension.svg and .png in a folder."""
    figures = {"every_dimension": figure}
    return write_folder(folder, canvas.picture_files(figures, canvas.svgs_of(figures)))


def _draw(
    axes: "Axes",
    theorems: Sequence[ForAll],
    accuracy: Accuracy,
    first: int,
    most: int,
) -> None:
    lower = [t for t in theorems if t.side == "at least"]
    least = [_line(t, accuracy, first, most) for t in lower]
    above = [_line(t, accuracy, first, most) for t in theorems if t not in lower]
    for theorem, line in zip(lower, least, strict=True):
        kind = f", {theorem.dims.split(' ')[1]} d" if theorem.step == 2 else ""
        at = {"": "center", ", odd d": "bottom", ", even d": "top"}[kind]
        if not line:
            continue
        _curve(
            axes, line, canvas.PROVEN, "-", f"needed at depth {theorem.depth}{kind}", at
        )
    upper = [t for t in theorems if t not in lower]
    for theorem, line in zip(upper, above, strict=True):
        name = f"enough at depth {theorem.depth}"
        if not line:
            continue
        _curve(axes, line, canvas.CERTIFIED, "--", name)
        if drawn := [points for points in least if points]:
            _shade(axes, min(drawn, key=lambda points: points[-1][1]), line)
    axes.set(xscale="log", yscale="log", xlabel=_axis(theorems[0]), ylabel="units")
    ends = [y for line in (*least, *above) for _, y in line] or [1.0]
    powers = [2**k for k in range(1, 18) if min(ends) / 2 <= 2**k <= 2 * max(ends)]
    axes.set_yticks(powers, [rf"$2^{{{p}}}$" for p in powers], minor=False)
    dims = [d for d in (3, 6, 10, 30, 100, 300, 1000) if d <= most]
    axes.set_xticks(dims, [str(d) for d in dims])
    axes.minorticks_off()
    axes.set_xlim(right=most * 3)  # room for the names of the lines


def _axis(theorem: ForAll) -> str:
    return "dimension d" if theorem.variable == "d" else theorem.variable


def _line(theorem: ForAll, accuracy: Accuracy, first: int, most: int) -> Line:
    """log2 of the width at dimensions that are about evenly far apart on a log axis."""
    tried = {round(10 ** (k / A_DECADE)) for k in range(3 * A_DECADE + 1)}
    tried |= {first, first + 1, most - 1, most}
    dims = sorted({theorem.start} | {d + (not theorem.covers(d)) for d in tried})
    values = [
        (d, theorem.at(d, accuracy(d)).log2)
        for d in dims
        if first <= d <= most and theorem.covers(d) and theorem.allows(d, accuracy(d))
    ]
    return [(d, y) for d, y in values if y is not None and y > 0]


def _curve(
    axes: "Axes", line: Line, colour: str, style: str, name: str, at: str = "center"
) -> None:
    axes.plot(*zip(*line, strict=True), color=colour, linestyle=style)
    axes.annotate(
        name,
        line[-1],
        (4, 0),
        textcoords="offset points",
        color=colour,
        fontsize=8,
        va=at,
    )


def _shade(axes: "Axes", lower: Line, upper: Line) -> None:
    """Between the two, where depth 2 needs more than depth 3."""
    at = dict(upper)
    both = [(d, y, _between(upper, d) if d not in at else at[d]) for d, y in lower]
    dims, low, high = zip(*both, strict=True)
    apart = [a > b for a, b in zip(low, high, strict=True)]
    axes.fill_between(dims, low, high, where=apart, color=canvas.GAP, zorder=0)


def _between(line: Line, dim: int) -> float:
    """The value of a broken line, constant beyond its ends."""
    for (a, low), (b, high) in pairwise(line):
        if a <= dim <= b:
            return low + (high - low) * (dim - a) / (b - a)
    return line[0][1] if dim < line[0][0] else line[-1][1]
