"""One metric against one parameter, from the rows of a study."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.figures._study_curves import (
    Band,
    band_of,
    curves,
    places_of,
    plain,
    shown,
    split,
    words_of,
)
from depthsep.studies import Figure as Asked
from depthsep.studies import Row, pooled, pooled_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = (
    *(canvas.CERTIFIED, canvas.PROVEN, canvas.LEARNED, "#cc79a7", "#56b4e9"),
    *("#e69f00", canvas.INK, canvas.MUTED),
)
SIDES = {
    "proven": canvas.PROVEN,
    "certified": canvas.CERTIFIED,
    "learned": canvas.LEARNED,
}
MARKS = "osD^vP*X"
COLUMNS = 3
MOST_PANELS = 24  # more could not be read
FEW_TICKS = 8
HOLLOW = "_hollow"  # underscored: no entry of a legend


def study_figure(
    asked: Asked, rows: Sequence[Row], seedless: Collection[str] = ()
) -> "Figure":
    """Medians over seeds with a band from the least to the most.

    A curve for every value of `by` and every metric, a panel for every value of
    `facet` (24 at most); fitted slopes stand in the legend with their 95 % intervals,
    in panels as numbers at the curves' ends. A hollow mark is of a point where some
    trials have no value.
    """
    parts = split(rows, asked.facet)
    panels = parts[:MOST_PANELS] or [(None, [])]
    columns = 2 if len(panels) == 4 else min(len(panels), COLUMNS)
    lines = -(-len(panels) // columns)
    size = (5.8, 3.8) if len(panels) == 1 else (2.9 * columns + 0.4, 2.7 * lines + 0.7)
    with canvas.styled():
        figure = canvas.new_figure(*size)
        grid = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
        used = list(grid.flat)[: len(panels)]
        words, places = words_of(rows, asked.x), places_of(rows, asked.x)
        for axes, (value, part) in zip(used, panels, strict=True):
            _panel(axes, asked, part, words, seedless)
            _scales(axes, asked, words, places)
            name = "" if asked.facet is None else f"{asked.facet} = {shown(value)}"
            axes.set_title(name, fontsize=8, color=canvas.MUTED)
        _name_axes(grid, used, asked)
        _legends(figure, used, asked)
        if len(parts) > MOST_PANELS:
            remark = f"only the first {MOST_PANELS} values of {asked.facet} are drawn"
            figure.supxlabel(remark, fontsize=8)
        title = asked.title or f"{', '.join(asked.y)} against {asked.x}"
        heading = figure.suptitle(title, x=0.01, ha="left", fontsize=10, weight="bold")
        heading.set_parse_math(False)
        if len(panels) == 1:
            remark = _remark(asked, panels[0][1])
            used[0].set_title(remark, fontsize=8, color=canvas.MUTED)
    return figure


def _name_axes(grid: np.ndarray, used: "list[Axes]", asked: Asked) -> None:
    """Names at the left and below the lowest panels; places without a panel go."""
    for axes in list(grid.flat)[len(used) :]:
        axes.set_visible(False)
    for axes in used[-grid.shape[1] :]:
        axes.tick_params(labelbottom=True)
        axes.set_xlabel(asked.x)
    for axes in grid[:, 0]:
        axes.set_ylabel(plain(asked.y[0]) if len(asked.y) == 1 else "")


def _panel(
    axes: "Axes",
    asked: Asked,
    rows: Sequence[Row],
    words: list[object] | None,
    seedless: Collection[str],
) -> None:
    fit = asked.fit and words is None
    for k, curve in enumerate(curves(asked, rows, fit=fit, seedless=seedless)):
        band = band_of(curve, asked.x, words)
        if not len(band.x):
            continue
        color, mark = _color(asked, curve.metric, k), MARKS[k % len(MARKS)]
        label = curve.name
        if words is None:
            axes.plot(band.x, band.middle, "-", color=color, lw=1.3)
            between = (band.x, band.low, band.high)
            axes.fill_between(*between, color=color, alpha=0.18, lw=0)
        else:
            axes.vlines(band.x, band.low, band.high, color=color, lw=1.2)
        full = ~band.partial
        axes.plot(band.x[full], band.middle[full], mark, color=color, ms=4.5)
        if band.partial.any():
            x, y = band.x[band.partial], band.middle[band.partial]
            paper = canvas.PAPER
            axes.plot(x, y, mark, color=color, mfc=paper, ms=4.5, label=HOLLOW)
        if curve.slope is not None and asked.facet is None:
            label = f"{label}: slope {curve.slope}"
        elif curve.slope is not None:
            _at_end(axes, band, f"{curve.slope.value:.2f}", color)
        # a mark of its own for the legend, filled whatever the points are
        axes.plot([], [], f"-{mark}", color=color, ms=4.5, lw=1.3, label=label)


def _color(asked: Asked, metric: str, number: int) -> str:
    """Of a curve; proven, certified and learned have theirs everywhere."""
    own = SIDES.get(metric.split("_")[0]) if asked.by is None else None
    return own or SHADES[number % len(SHADES)]


def _at_end(axes: "Axes", band: Band, written: str, color: str) -> None:
    """The slope, right of the last point."""
    axes.annotate(
        written,
        (band.x[-1], band.middle[-1]),
        (5, 0),
        textcoords="offset points",
        va="center",
        fontsize=7,
        color=color,
        annotation_clip=False,
    )


def _scales(
    axes: "Axes", asked: Asked, words: list[object] | None, places: list[float]
) -> None:
    if asked.fit and asked.facet is not None:
        axes.margins(x=0.16)
    if words is not None:
        axes.set_xticks(range(len(words)), [shown(w) for w in words])
        if len(words) > 3:
            for tick in axes.get_xticklabels():
                tick.set(rotation=35, ha="right")
        axes.margins(x=0.15)
    else:
        if "x" in asked.log and (not places or places[0] > 0):
            axes.set_xscale("log")
        if 0 < len(places) <= FEW_TICKS:
            axes.set_xticks(places, [f"{p:g}" for p in places])
            axes.set_xticks([], minor=True)
    if "y" in asked.log and _is_positive(axes):
        axes.set_yscale("log")


def _is_positive(axes: "Axes") -> bool:
    """Whether a logarithm shows all of the values."""
    values = [float(v) for line in axes.lines for v in np.ravel(line.get_ydata())]
    return bool(values) and min(values) > 0


def _legends(figure: "Figure", panels: "list[Axes]", asked: Asked) -> None:
    """Inside a single panel; one for all panels below them."""
    known = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        known |= dict(zip(labels, handles, strict=True))
    inside = asked.facet is None and (asked.fit or len(known) > 1)
    if inside and known:
        panels[0].legend(frameon=False, fontsize=8)
    below = {} if inside or len(known) < 2 else known
    if any(line.get_label() == HOLLOW for axes in panels for line in axes.lines):
        (mark,) = panels[0].plot([], [], "o", mfc=canvas.PAPER, color=canvas.MUTED)
        below = {**below, "hollow: some trials have no value": mark}
    if below:
        longest = max(len(label) for label in below)
        columns = max(1, min(len(below), int(12 * figure.get_figwidth()) // longest))
        where = "outside lower center"
        figure.legend(
            below.values(), below.keys(), loc=where, ncols=columns, frameon=False
        )


def _remark(asked: Asked, rows: Sequence[Row]) -> str:
    """What a point stands for."""
    names = [name for name in (asked.x, asked.by, asked.facet) if name is not None]
    others, seeds = pooled(rows, names), len({row.seed for row in rows})
    if not others and seeds < 2:
        return "one seed"
    return f"median and range over {pooled_words(others, f'{seeds} seeds')}"
