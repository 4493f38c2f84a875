"""The panels of a network's figure: values above, error below."""

from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from depthsep.exact import readable
from depthsep.problems import Problem
from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.figures._curves import COLUMNS, Curve, envelope
from depthsep.reports.words._numbers import as_floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_KNOTS = 60
MEAN_WORDS = {
    "linf": "",
    "l1": ", for the mean of |error|",
    "l2": ", for the root mean square",
}


def draw_values(axes: "Axes", found: Curve) -> None:
    """Target, network and knots."""
    crowded = found.is_dense
    _line(axes, found, found.target, crowded, color=canvas.TARGET, lw=4, label="target")
    _line(
        axes,
        found,
        found.network,
        crowded,
        color=canvas.CERTIFIED,
        lw=1.2,
        label="network",
    )
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


def draw_error(axes: "Axes", found: Curve, crowded: bool) -> None:
    """The error in units of the accuracy, over the band it should stay in."""
    axes.axhspan(-1, 1, color=canvas.GAP, lw=0)
    axes.axhline(0, color=canvas.RULE, lw=0.8)
    _line(axes, found, found.error, crowded, color=canvas.CERTIFIED, lw=1.2)
    finite = np.abs(found.error[np.isfinite(found.error)])
    largest = max(1.0, float(finite.max(initial=0.0)))
    axes.set_ylim(-1.25 * largest, 1.25 * largest)
    axes.margins(x=0.02)
    axes.set_ylabel("error / accuracy", fontsize=8)
    axes.set_xlabel(_abscissa(found))


def _line(
    axes: "Axes", found: Curve, values: np.ndarray, crowded: bool, **style: object
) -> None:
    """A line; where waves are too many, the area between least and largest values."""
    x = _position(found)
    if crowded:
        columns = max(60, min(COLUMNS, found.pieces // 2))
        centres, low, high = envelope(found.place, values, columns)
        axes.fill_between(x[0] + (x[-1] - x[0]) * centres, low, high, **style)  # type: ignore[arg-type]
    else:
        axes.plot(x, values, **style)  # type: ignore[arg-type]


def _knots(axes: "Axes", found: Curve) -> None:
    where = np.flatnonzero(found.knots)
    every = -(-len(where) // MOST_KNOTS)
    x, y = _position(found)[where[::every]], found.network[where[::every]]
    name = "knots" if every == 1 else f"1 knot in {every}"
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


def explain_band(axes: "Axes", problem: Problem, found: Curve) -> None:
    """Say above the panel what the band is."""
    band = f"band: accuracy {readable(problem.accuracy)}{MEAN_WORDS[problem.norm]}"
    exact = "" if found.error.any() else "; no error at any point drawn"
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
