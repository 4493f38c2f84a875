"""Widths against the dimension: where three layers begin to beat two."""

from collections.abc import Sequence
from itertools import cycle
from math import isfinite
from typing import TYPE_CHECKING

from depthsep._errors import HypothesisError
from depthsep.exact import readable
from depthsep.papers import PaperRow
from depthsep.reports.figures import _canvas as canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b87a00", "#2a8ab8", "#444444")
MOST_TICKS = 12  # dimensions that are named below the axis
Points = list[tuple[float, float]]


def dimension_figure(rows: Sequence[PaperRow]) -> "Figure":
    """log2 widths against d: solid, proven at depth 2; dashed, certified at depth 3.

    A ring marks the dimension from which on depth 2 needs more than depth 3 has. Lines
    are named at their ends.
    """
    if not rows or len({row.dim for row in rows}) < 2:
        raise HypothesisError(
            "a figure of widths against d needs two or more values of d"
        )
    with canvas.panels(7.2, 4.4) as (figure, [axes]):
        ends: list[tuple[float, str, str]] = []
        for points, name, colour, style in lines_of(rows):
            x, y = zip(*points, strict=True)
            axes.plot(x, y, "--" if style else "-", color=colour, marker=".")
            ends.append((points[-1][1], name, colour))
        for line, colour in zip(_grouped(rows).values(), cycle(COLOURS), strict=False):
            _ring(axes, line, colour)
        _name_ends(axes, ends, max(row.dim for row in rows))
        dims = sorted({row.dim for row in rows})
        axes.set_xticks(dims[:: -(-len(dims) // MOST_TICKS)])
        axes.locator_params(axis="y", integer=True)
        variable = rows[0].variable
        axes.set_xlabel("dimension d" if variable == "d" else variable)
        axes.set_ylabel("log2 of the width")
        remark = (
            "solid: width that depth 2 needs; dashed: width that is enough at depth "
            "3;\nring: from this dimension on, among those drawn, depth 2 needs a "
            "greater width than is enough at depth 3"
        )
        canvas.headings(axes, "Width at depth 2 and at depth 3", remark)
        return figure


def lines_of(rows: Sequence[PaperRow]) -> list[tuple[Points, str, str, str]]:
    """Points, name, colour and style of every line: depth 2 first, then depth 3."""
    several = len({row.accuracy for row in rows}) > 1
    found: list[tuple[Points, str, str, str]] = []
    for line, colour in zip(_grouped(rows).values(), cycle(COLOURS), strict=False):
        name = line[0].name
        if several:
            name = f"{name}, E = {readable(line[0].accuracy)}"
        low: Points = [(r.dim, r.lower) for r in line if isfinite(r.lower)]
        high: Points = [(r.dim, r.upper) for r in line if r.upper is not None]
        found += [(low, f"{name}, depth 2", colour, "")] if low else []
        found += [(high, f"{name}, depth 3", colour, "dashed")] if high else []
    return found


def _grouped(rows: Sequence[PaperRow]) -> dict[tuple[object, ...], list[PaperRow]]:
    """Rows of one line, by dimension: of a target, an accuracy and a law."""
    lines: dict[tuple[object, ...], list[PaperRow]] = {}
    for row in sorted(rows, key=lambda row: row.dim):
        key = (row.name, row.accuracy)
        lines.setdefault(key, []).append(row)
    return lines


def _ring(axes: "Axes", line: list[PaperRow], colour: str) -> None:
    """Where the lines part for good."""
    apart = [r.upper is not None and r.lower > r.upper for r in line]
    last = max((k for k, yes in enumerate(apart) if not yes), default=-1)
    if last + 1 < len(line):
        first = line[last + 1]
        place = {"marker": "o", "markersize": 11, "fillstyle": "none"}
        axes.plot([first.dim], [first.lower], color=colour, linestyle="", **place)


def _name_ends(axes: "Axes", ends: list[tuple[float, str, str]], last: int) -> None:
    """Names beside the ends of the lines, moved apart where they would overlap."""
    low, high = axes.get_ylim()
    step = (high - low) / 22
    at = float("-inf")
    for height, name, colour in sorted(ends):
        at = max(height, at + step)
        axes.annotate(
            name,
            (last, at),
            (6, 0),
            textcoords="offset points",
            color=colour,
            fontsize=8,
            va="center",
            annotation_clip=False,
        )
