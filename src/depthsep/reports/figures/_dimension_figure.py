"""Widths against the dimension: where three layers begin to beat two."""

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

from depthsep._errors import HypothesisError
from depthsep.exact import readable
from depthsep.papers import PaperRow
from depthsep.reports.figures import _canvas as canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444")


def dimension_figure(rows: Sequence[PaperRow]) -> "Figure":
    """log2 widths against d: solid, proven at depth 2; dashed, certified at depth 3.

    A ring marks the dimension from which on depth 2 needs more than depth 3 has.
    """
    lines: dict[tuple[str, str], list[PaperRow]] = {}
    for row in rows:
        lines.setdefault((row.target, readable(row.accuracy)), []).append(row)
    if not lines or len({row.dim for row in rows}) < 2:
        raise HypothesisError("a figure needs two dimensions or more")
    with canvas.panels(6.4, 4.2) as (figure, [axes]):
        for k, ((target, accuracy), line) in enumerate(lines.items()):
            _draw(axes, line, f"{target}, {accuracy}", COLOURS[k % len(COLOURS)])
        axes.set_xlabel("dimension d")
        axes.set_ylabel("log2 of the width")
        axes.set_yscale("symlog", linthresh=4, base=2)
        top = max([4.0, *(r.lower for r in rows if isfinite(r.lower))])
        ticks = [0.0, *(2.0**k for k in range(2, 16) if 2.0**k <= 1.5 * top)]
        axes.set_yticks(ticks, [f"{t:.0f}" for t in ticks])
        axes.legend(frameon=False, fontsize="small")
        remark = (
            "solid: width that depth 2 needs; dashed: width that is "
            "enough at depth 3; ring: from here on depth 2 provably "
            "needs more"
        )
        canvas.headings(axes, "Two layers against three", remark)
        return figure


def _draw(axes: "Axes", line: list[PaperRow], label: str, colour: str) -> None:
    line = sorted(line, key=lambda row: row.dim)
    low = [(r.dim, r.lower) for r in line if isfinite(r.lower)]
    high = [(r.dim, r.upper) for r in line if r.upper is not None]
    if low:
        axes.plot(*zip(*low, strict=True), color=colour, marker=".", label=label)
    if high:
        axes.plot(*zip(*high, strict=True), color=colour, marker=".", linestyle="--")
    apart = [r.upper is not None and r.lower > r.upper for r in line]
    last = max((k for k, yes in enumerate(apart) if not yes), default=-1)
    if last + 1 < len(line):
        first = line[last + 1]
        place = {"marker": "o", "markersize": 11, "fillstyle": "none"}
        axes.plot([first.dim], [first.lower], color=colour, linestyle="", **place)
