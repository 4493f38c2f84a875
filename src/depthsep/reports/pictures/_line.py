"""A network on an interval: the pieces and the knots, and the error below."""

from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from depthsep._plural import plural
from depthsep.exact import readable
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.pictures._curves import COLUMNS, Curve, close_up, curve, envelope
from depthsep.reports.words._numbers import as_floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_WAVES = 150
MOST_KNOTS = 60
MEAN_WORDS = {
    "linf": "",
    "l1": ", for the mean of |error|",
    "l2": ", for the root mean square",
}


def draw_line(problem: Problem, network: Network) -> "tuple[Figure, str]":
    """Values and error on the interval; crowded errors a second time, closer."""
    found = curve(problem, network)
    if found is None:
        return draw_note("The network has too many pieces to be drawn.")
    crowded = found.pieces > MOST_WAVES
    closer = close_up(problem, network) if crowded else None
    heights = (2, 1, 1) if closer else (2, 1)
    figure = canvas.new_figure(7.2, 1.6 + 1.5 * len(heights))
    axes = figure.subplots(len(heights), 1, height_ratios=heights)
    axes[0].sharex(axes[1])
    axes[0].tick_params(labelbottom=False)
    _values(axes[0], found)
    _error(axes[1], found, crowded)
    _explain_band(axes[1], problem, found)
    if closer:
        _error(axes[2], closer, False)
    return figure, _remark(found)


def draw_note(words: str) -> "tuple[Figure, str]":
    """Words in place of a picture, and no remark."""
    figure = canvas.new_figure(7.2, 2.0)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.text(0.5, 0.5, words, ha="center", color=canvas.MUTED)
    return figure, ""


def _remark(found: Curve) -> str:
    if not found.zoomed:
        return plural(found.pieces, "piece")
    of = f" of {found.whole}" if found.whole else ""
    return (
        f"only {found.pieces}{of} pieces are shown, as the whole is too dense to draw"
    )


def _values(axes: "Axes", found: Curve) -> None:
    """Target, network and knots."""
    _line(axes, found, found.target, found.is_dense, canvas.TARGET, 4, "target")
    _line(axes, found, found.network, found.is_dense, canvas.CERTIFIED, 1.2, "network")
    _knots(axes, found)
    axes.set_ylabel("value")
    axes.margins(y=0.12)
    axes.yaxis.get_offset_text().set_horizontalalignment("right")
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=3,
        frameon=False,
        fontsize=8,
        borderaxespad=0.2,
        handlelength=1.4,
        columnspacing=1.2,
    )


def _error(axes: "Axes", found: Curve, crowded: bool) -> None:
    """The error in units of the accuracy, over the band it should stay in."""
    axes.axhspan(-1, 1, color=canvas.GAP, lw=0)
    axes.axhline(0, color=canvas.RULE, lw=0.8)
    _line(axes, found, found.error, crowded, canvas.CERTIFIED, 1.2)
    finite = np.abs(found.error[np.isfinite(found.error)])
    largest = max(1.0, float(finite.max(initial=0.0)))
    axes.set_ylim(-1.25 * largest, 1.25 * largest)
    axes.margins(x=0.02)
    axes.set_ylabel("error / accuracy", fontsize=8)
    axes.set_xlabel(_abscissa(found))


def _line(
    axes: "Axes",
    found: Curve,
    values: np.ndarray,
    crowded: bool,
    color: str,
    width: float,
    label: str | None = None,
) -> None:
    """A line; where waves are too many, the area between least and largest values."""
    x = _position(found)
    if crowded:
        columns = max(60, min(COLUMNS, found.pieces // 2))
        centres, low, high = envelope(found.place, values, columns)
        place = x[0] + (x[-1] - x[0]) * centres
        axes.fill_between(place, low, high, color=color, lw=width, label=label)
    else:
        axes.plot(x, values, color=color, lw=width, label=label)


def _knots(axes: "Axes", found: Curve) -> None:
    where = np.flatnonzero(found.knots)
    every = -(-len(where) // MOST_KNOTS)
    x, y = _position(found)[where[::every]], found.network[where[::every]]
    name = "knots" if every == 1 else f"knots (1 in {every} shown)"
    axes.plot(x, y, "o", ms=3, color=canvas.PROVEN, label=name)


def _position(found: Curve) -> np.ndarray:
    """Abscissae: x, or the share of the part shown where x has no digits left."""
    if found.needs_offsets:
        return found.place
    a, b = as_floats((found.start, found.stop))
    return a + (b - a) * found.place


def _abscissa(found: Curve) -> str:
    if not found.needs_offsets:
        return "x"
    length = found.stop - found.start
    k = int(length.q).bit_length() - 1
    written = f"$2^{{-{k}}}$" if length == 1 / fmpq(2) ** k else readable(length)
    return f"t, where x = {readable(found.start)} + {written} $\\cdot$ t"


def _explain_band(axes: "Axes", problem: Problem, found: Curve) -> None:
    """Say above the panel what the band is."""
    band = f"band: accuracy {readable(problem.accuracy)}{MEAN_WORDS[problem.norm]}"
    exact = "" if found.error.any() else "; the error is 0 at every point drawn"
    axes.annotate(
        band + exact,
        (1, 1),
        (0, 2),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="right",
        va="bottom",
        color=canvas.MUTED,
        fontsize=8,
    )
