"""One metric against one parameter, from the rows of a study."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from depthsep.reports import _canvas as canvas
from depthsep.studies import Figure as Asked
from depthsep.studies import Row, Slope, points_of, slope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = (
    *(canvas.CERTIFIED, canvas.PROVEN, canvas.LEARNED, "#cc79a7", "#56b4e9"),
    *("#e69f00", canvas.INK, canvas.MUTED),
)
MARKS = "osD^vP*X"
COLUMNS = 3


def study_figure(asked: Asked, rows: Sequence[Row]) -> "Figure":
    """Medians over seeds with a band from the least to the most.

    A curve for every value of `by` and every metric, a panel for every value of
    `facet`; fitted slopes stand in the legend with their 95 % intervals.
    """
    panels = _split(rows, asked.facet)
    columns = min(len(panels), COLUMNS)
    lines = -(-len(panels) // columns) if columns else 1
    with canvas.styled():
        size = (5.8, 3.8) if columns <= 1 else (3.4 * columns + 1.6, 3.2 * lines + 0.3)
        figure = canvas.new_figure(*size)
        grid = figure.subplots(
            lines, max(columns, 1), sharex=True, sharey=True, squeeze=False
        )
        for axes, (value, part) in zip(grid.flat, panels, strict=False):
            _panel(axes, asked, part)
            remark = "" if asked.facet is None else f"{asked.facet} = {value}"
            title = asked.title or f"{', '.join(asked.y)} against {asked.x}"
            is_first = axes is grid.flat[0]
            canvas.headings(axes, title if is_first else "", remark or _remark(part))
        for axes in list(grid.flat)[len(panels) :]:
            axes.set_visible(False)
        last = grid.flat[max(len(panels) - 1, 0)]
        if last.get_legend_handles_labels()[0]:
            for axes in list(grid.flat)[: len(panels)]:
                if asked.fit or axes is last:
                    axes.legend(frameon=False, fontsize=7.5)
    return figure


def slopes_of(asked: Asked, rows: Sequence[Row]) -> list[tuple[str, Slope]]:
    """Every fitted slope of a figure, by the name of its curve."""
    found = []
    for value, part in _split(rows, asked.facet):
        for name, metric, own in _curves(asked, part):
            fitted = slope(own, asked.x, metric, log=asked.log)
            if isinstance(fitted, Slope):
                more = "" if asked.facet is None else f", {asked.facet} = {value}"
                found.append((name + more, fitted))
    return found


def _split(rows: Sequence[Row], name: str | None) -> list[tuple[Any, list[Row]]]:
    """The rows by the value of a parameter; all in one part without a name."""
    done = [row for row in rows if row.is_done]
    if name is None:
        return [(None, done)]
    values: dict[str, tuple[Any, list[Row]]] = {}
    for row in done:
        value = row.parameters.get(name)
        values.setdefault(repr(value), (value, []))[1].append(row)
    return list(values.values())


def _curves(asked: Asked, rows: Sequence[Row]) -> list[tuple[str, str, list[Row]]]:
    """Name, metric and rows of every curve."""
    found = []
    for metric in asked.y:
        for value, part in _split(rows, asked.by):
            name = metric if asked.by is None else f"{asked.by} = {value}"
            if asked.by is not None and len(asked.y) > 1:
                name = f"{metric}, {name}"
            found.append((name, metric, part))
    return found


def _panel(axes: "Axes", asked: Asked, rows: Sequence[Row]) -> None:
    curves = _curves(asked, rows)
    words = _words(rows, asked.x)
    for k, (name, metric, part) in enumerate(curves):
        x, low, middle, high = _band(part, asked.x, metric, words)
        if not len(x):
            continue
        color = SHADES[k % len(SHADES)]
        label = name
        if asked.fit and words is None:
            fitted = slope(part, asked.x, metric, log=asked.log)
            label = f"{name}: slope {fitted}" if isinstance(fitted, Slope) else name
        style = "-" if words is None else ""
        mark = MARKS[k % len(MARKS)]
        axes.plot(x, middle, style + mark, color=color, ms=4, lw=1.3, label=label)
        if words is None:
            axes.fill_between(x, low, high, color=color, alpha=0.18, lw=0)
        else:
            axes.vlines(x, low, high, color=color, lw=1.2)
    _scales(axes, asked, words)
    axes.set_xlabel(asked.x)
    axes.set_ylabel(asked.y[0] if len(asked.y) == 1 else "")


def _words(rows: Sequence[Row], x: str) -> list[Any] | None:
    """The values of a parameter that is no number; None if it is one."""
    values = [row.parameters.get(x) for row in rows]
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        return None
    return list({repr(v): v for v in values}.values())


def _band(
    rows: Sequence[Row], x: str, metric: str, words: list[Any] | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """x, and the least, median and most over seeds there, by rising x."""
    found = []
    for point in points_of(rows, (x,)):
        spread, value = point.metrics.get(metric), point.parameters[x]
        if spread is not None:
            place = float(value) if words is None else float(words.index(value))
            found.append((place, spread.least, spread.median, spread.most))
    table = np.array(sorted(found), dtype=float).reshape(-1, 4)
    return table[:, 0], table[:, 1], table[:, 2], table[:, 3]


def _scales(axes: "Axes", asked: Asked, words: list[Any] | None) -> None:
    if words is not None:
        axes.set_xticks(range(len(words)), [str(w) for w in words])
        axes.margins(x=0.15)
    elif "x" in asked.log:
        axes.set_xscale("log")
        places = sorted({float(v) for line in axes.lines for v in line.get_xdata()})  # type: ignore[union-attr]
        if 0 < len(places) <= 8:
            axes.set_xticks(places, [f"{p:g}" for p in places])
            axes.set_xticks([], minor=True)
    if "y" in asked.log:
        axes.set_yscale("log")


def _remark(rows: Sequence[Row]) -> str:
    seeds = len({row.seed for row in rows})
    if seeds < 2:
        return "one seed"
    return f"median and range over {seeds} seeds"
