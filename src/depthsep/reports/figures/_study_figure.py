"""One metric against one parameter, from the rows of a study."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from depthsep.reports.figures import _canvas as canvas
from depthsep.studies import Figure as Asked
from depthsep.studies import Row, Slope, points_of, pooled, slope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = (
    *(canvas.CERTIFIED, canvas.PROVEN, canvas.LEARNED, "#cc79a7", "#56b4e9"),
    *("#e69f00", canvas.INK, canvas.MUTED),
)
MARKS = "osD^vP*X"
COLUMNS, MOST_PANELS = 3, 24
FEW_TICKS = 8
LARGEST = 1e300  # beyond it nothing is drawn
HOLLOW = "_hollow"  # underscored: no entry of a legend


def study_figure(asked: Asked, rows: Sequence[Row]) -> "Figure":
    """Medians over seeds with a band from the least to the most.

    A curve for every value of `by` and every metric, a panel for every value of
    `facet` (24 at most); fitted slopes stand in the legend with their 95 % intervals,
    in panels as numbers at the curves' ends. A hollow mark is of a point where some
    trials have no value.
    """
    panels = _split(rows, asked.facet)[:MOST_PANELS] or [(None, [])]
    columns = 2 if len(panels) == 4 else min(len(panels), COLUMNS)
    lines = -(-len(panels) // columns)
    with canvas.styled():
        size = (
            (5.8, 3.8) if len(panels) == 1 else (2.9 * columns + 0.4, 2.7 * lines + 0.7)
        )
        figure = canvas.new_figure(*size)
        grid = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
        for axes, (value, part) in zip(grid.flat, panels, strict=False):
            _panel(axes, asked, part, _words(rows, asked.x), _places(rows, asked.x))
            axes.set_title(
                "" if asked.facet is None else f"{asked.facet} = {_g(value)}",
                fontsize=8,
                color=canvas.MUTED,
            )
        for axes in list(grid.flat)[len(panels) :]:
            axes.set_visible(False)
        for axes in list(grid.flat)[max(len(panels) - columns, 0) : len(panels)]:
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(asked.x)
        for axes in grid[:, 0]:
            axes.set_ylabel(_words_only(asked.y[0]) if len(asked.y) == 1 else "")
        _legends(figure, list(grid.flat)[: len(panels)], asked)
        if len(_split(rows, asked.facet)) > MOST_PANELS:
            figure.supxlabel(
                f"the first {MOST_PANELS} values of {asked.facet}", fontsize=8
            )
        title = asked.title or f"{', '.join(asked.y)} against {asked.x}"
        figure.suptitle(
            title, x=0.01, ha="left", fontsize=10, weight="bold"
        ).set_parse_math(False)
        if len(panels) == 1:
            remark = _remark(asked, panels[0][1])
            grid[0, 0].set_title(remark, fontsize=8, color=canvas.MUTED)
    return figure


def slopes_of(asked: Asked, rows: Sequence[Row]) -> list[tuple[str, Slope]]:
    """Every fitted slope of a figure, by the name of its curve."""
    found = []
    for value, part in _split(rows, asked.facet):
        for name, metric, own in _curves(asked, part):
            fitted = slope(own, asked.x, metric, log=asked.log)
            if isinstance(fitted, Slope):
                more = "" if asked.facet is None else f", {asked.facet} = {_g(value)}"
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
            shown = _words_only(metric)
            name = shown if asked.by is None else f"{asked.by} = {_g(value)}"
            if asked.by is not None and len(asked.y) > 1:
                name = f"{shown}, {name}"
            found.append((name, metric, part))
    return found


def _panel(
    axes: "Axes",
    asked: Asked,
    rows: Sequence[Row],
    words: list[Any] | None,
    places: list[float],
) -> None:
    for k, (name, metric, part) in enumerate(_curves(asked, rows)):
        band = _band(part, asked.x, metric, words)
        if not len(band.x):
            continue
        color, mark = _color(asked, metric, k), MARKS[k % len(MARKS)]
        label = name
        if asked.fit and asked.facet is None and words is None:
            fitted = slope(part, asked.x, metric, log=asked.log)
            label = f"{name}: slope {fitted}" if isinstance(fitted, Slope) else name
        if words is None:
            axes.plot(band.x, band.middle, "-", color=color, lw=1.3)
            axes.fill_between(
                band.x, band.low, band.high, color=color, alpha=0.18, lw=0
            )
        else:
            axes.vlines(band.x, band.low, band.high, color=color, lw=1.2)
        full, some = ~band.partial, band.partial
        axes.plot(band.x[full], band.middle[full], mark, color=color, ms=4.5)
        if some.any():
            style = {"color": color, "mfc": canvas.PAPER, "ms": 4.5, "label": HOLLOW}
            axes.plot(band.x[some], band.middle[some], mark, **style)
        if asked.fit and asked.facet is not None and words is None:
            fitted = slope(part, asked.x, metric, log=asked.log)
            if isinstance(fitted, Slope):
                _at_end(axes, band, f"{fitted.value:.2f}", color)
        # a mark of its own for the legend, filled whatever the points are
        axes.plot([], [], f"-{mark}", color=color, ms=4.5, lw=1.3, label=label)
    _scales(axes, asked, words, places)


def _color(asked: Asked, metric: str, number: int) -> str:
    """Of a curve; proven, certified and learned have theirs everywhere."""
    known = {"proven": canvas.PROVEN, "certified": canvas.CERTIFIED}
    known["learned"] = canvas.LEARNED
    own = known.get(metric.split("_")[0]) if asked.by is None else None
    return own or SHADES[number % len(SHADES)]


def _at_end(axes: "Axes", band: "_Band", written: str, color: str) -> None:
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


@dataclass(frozen=True)
class _Band:
    """A curve by rising x.

    Attributes:
        partial: where some trials have no value.
    """

    x: np.ndarray
    low: np.ndarray
    middle: np.ndarray
    high: np.ndarray
    partial: np.ndarray


def _band(rows: Sequence[Row], x: str, metric: str, words: list[Any] | None) -> _Band:
    found = []
    for point in points_of(rows, (x,)):
        spread, value = point.metrics.get(metric), point.parameters[x]
        is_number = isinstance(value, int | float) and abs(value) < LARGEST
        if spread is not None and (words is not None or is_number):
            place = float(value) if words is None else float(words.index(value))
            ends = (spread.least, spread.median, spread.most)
            if max(map(abs, ends)) > LARGEST:
                continue
            found.append((place, *ends, spread.count < point.done))
    table = np.array(sorted(found), dtype=float).reshape(-1, 5)
    x_, low, middle, high, partial = table.T
    return _Band(x_, low, middle, high, partial > 0)


def _words(rows: Sequence[Row], x: str) -> list[Any] | None:
    """The values of a parameter that is no number; None if it is one."""
    values = [row.parameters.get(x) for row in rows if row.is_done]
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        return None
    return list({repr(v): v for v in values}.values())


def _places(rows: Sequence[Row], x: str) -> list[float]:
    """Where ticks may stand: the values of a parameter in all panels."""
    values = {row.parameters.get(x) for row in rows if row.is_done}
    numbers = (v for v in values if isinstance(v, int | float) and abs(v) < LARGEST)
    return sorted(map(float, numbers))


def _scales(
    axes: "Axes", asked: Asked, words: list[Any] | None, places: list[float]
) -> None:
    if asked.fit and asked.facet is not None:
        axes.margins(x=0.16)
    if words is not None:
        turned = {"rotation": 35, "ha": "right"} if len(words) > 3 else {}
        axes.set_xticks(range(len(words)), [_g(w) for w in words], **turned)  # type: ignore[arg-type]
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
    shown = [name for name in (asked.x, asked.by, asked.facet) if name is not None]
    what, seeds = pooled(rows, shown), len({row.seed for row in rows})
    if what == "seeds" and seeds < 2:
        return "one seed"
    return f"median and range over {what.removesuffix('seeds')}{seeds} seeds"


def _g(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else _words_only(str(value))


def _words_only(text: str) -> str:
    """Text that is no formula to matplotlib."""
    return text.replace("$", r"\$")[:80]
