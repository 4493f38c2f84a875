"""Maps of regions in the plane, and how many pieces lines meet."""

from typing import TYPE_CHECKING

import numpy as np

from depthsep._plural import plural
from depthsep.analysis import LineSurvey, Pieces, RegionSurvey
from depthsep.exact import integer_words, nearest_float, readable
from depthsep.reports.figures import _canvas as canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RASTER = 8000  # polygons beyond which a map inside an SVG is a picture
PLOTTED = 4000  # points of a curve
FEW_KNOTS = 200  # which are drawn


def region_figure(part: RegionSurvey, title: str = "") -> "Figure | None":
    """The activation regions of a box or slice in the plane, coloured by the output.

    Each polygon has the colour of the output at its middle; the level is drawn as a
    line. Beyond 8000 polygons they are one picture inside an SVG, else shapes.

    None for regions that are not counted, or not in the plane.
    """
    cells = part.subdivision
    if cells is None or cells.complex.dim != 2:
        return None
    polygons = cells.near_corners()
    middles = np.array([p.mean(axis=0) for p in polygons])
    values = cells.network.floats(middles)[:, part.output]
    with canvas.panels(6.4, 5.4) as (figure, [axes]):
        _fill(figure, axes, polygons, values)
        if part.boundary is not None:
            _boundary(axes, part.boundary.near_segments())
        on_box = part.corners is None
        across, up = ("x1", "x2") if on_box else ("s", "t")
        axes.autoscale_view()
        axes.set_aspect("equal")
        remark = f"{plural(len(cells), 'activation region')}"
        if part.affine_regions is not None:
            remark += f", {plural(part.affine_regions, 'affine region')}"
        if part.boundary is not None and part.boundary.facets:
            remark += (
                f"; line: where output {part.output + 1} is {readable(part.level)}"
            )
        title = title or f"Regions, {part.where}"
        canvas.finish(axes, title, remark, x=across, y=up)
    return figure


def lines_figure(lines: LineSurvey, title: str = "") -> "Figure | None":
    """How many segments meet how many pieces, and cross the level how often.

    None without segments.
    """
    if not lines.counts:
        return None
    with canvas.panels(7.2, 2.8, 2) as (figure, [left, right]):
        _histogram(left, [c.pieces for c in lines.counts], "affine pieces")
        _histogram(
            right,
            [c.crossings for c in lines.counts],
            f"crossings of the level {readable(lines.level)}",
        )
        count, most = len(lines.counts), integer_words(lines.most)
        remark = (
            f"{plural(count, 'random line')}; proved: at most {most} pieces on each"
        )
        canvas.headings(left, title or "Along random lines", remark)
        left.set_ylabel("lines")
    return figure


def function_figure(found: Pieces, title: str = "") -> "Figure | None":
    """The network along its line: values, knots where they are few, and the level.

    None where the pieces were counted, not listed.
    """
    f = found.function
    if f is None:
        return None
    knots = f.knots.astype(float)
    reach = max(float(np.ptp(knots)), 1.0) / 8
    ends = [
        knots[0] - (reach if f.left_slope is not None else 0),
        knots[-1] + (reach if f.right_slope is not None else 0),
    ]
    x = np.unique(np.concatenate([ends, knots, np.linspace(ends[0], ends[1], PLOTTED)]))
    level = nearest_float(found.level)
    with canvas.panels(7.2, 3.4) as (figure, [axes]):
        axes.axhline(level, color=canvas.PROVEN, lw=0.8, zorder=1)
        axes.plot(x, f.floats(x), color=canvas.CERTIFIED, lw=1.2, zorder=2)
        if len(knots) <= FEW_KNOTS:
            axes.plot(knots, f.floats(knots), "o", color=canvas.INK, ms=2.5, zorder=3)
        pieces = f"{integer_words(found.count)} affine piece{'s' * (found.count != 1)}"
        remark = f"{pieces} on {found.where}"
        name = "x" if "segment" not in found.where else "t"
        canvas.finish(axes, title or "The network", remark, x=name)
    return figure


def _fill(
    figure: "Figure", axes: "Axes", polygons: list[np.ndarray], values: np.ndarray
) -> None:
    from matplotlib.collections import PolyCollection

    many = len(polygons) > RASTER
    cells = PolyCollection(
        polygons,
        array=values,
        cmap="viridis",
        edgecolors=canvas.PAPER,
        linewidths=0.4 if len(polygons) < 2000 else 0.1,
        rasterized=many,
    )
    axes.add_collection(cells)
    figure.colorbar(
        cells, ax=axes, shrink=0.8, label="output at the middle of each region"
    )


def _boundary(axes: "Axes", segments: np.ndarray) -> None:
    from matplotlib.collections import LineCollection

    lines = LineCollection(list(segments), colors=canvas.PROVEN, linewidths=1.4)
    axes.add_collection(lines)


def _histogram(axes: "Axes", values: list[int], name: str) -> None:
    from matplotlib.ticker import MaxNLocator

    low, high = min(values), max(values)
    step = max(1, -(-(high + 1 - low) // 24))
    bins = (np.arange(low, high + 1 + step, step) - 0.5).tolist()
    axes.hist(values, bins=bins, color=canvas.CERTIFIED, edgecolor=canvas.PAPER)
    axes.set_xlabel(name)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
