"""The look that all pictures of the gallery share: canvas, colours, text."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

STUDIES = Path(__file__).parents[2] / "studies"  # with their stored results

# Okabe and Ito's colours, told apart by all eyes
BLUE, RED, GREEN = "#0072B2", "#D55E00", "#009E73"
PINK, ORANGE, SKY = "#CC79A7", "#E69F00", "#56B4E9"
INK, GREY, RULE = "#1f2328", "#5f6872", "#d0d7de"
COLOURS = (BLUE, RED, GREEN, PINK, ORANGE, SKY)
LOOK = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.formatter.useoffset": False,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10.0,
    "figure.constrained_layout.use": True,
    "figure.figsize": (7.0, 4.0),
    "figure.labelsize": 10.0,
    "font.size": 10.0,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.solid_capstyle": "round",
    "savefig.transparent": False,
    "svg.fonttype": "path",
    "text.color": INK,
    "xtick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.color": GREY,
    "ytick.labelcolor": INK,
}


def styled(picture: Callable[[], Figure]) -> Callable[[], Figure]:
    """A picture drawn in this look, whatever the reader's own settings."""

    @wraps(picture)
    def drawn() -> Figure:
        with style.context(["default", LOOK]):
            return picture()

    return drawn


def plain_ticks(axis: Axis, values: Sequence[float]) -> None:
    """These ticks alone, as plain numbers: for logarithmic axes."""
    axis.set_ticks(values, [f"{value:g}" for value in values])
    axis.set_ticks([], minor=True)


def draw_cells(
    axes: Axes, corners: Sequence[np.ndarray], values: Sequence[float], label: str
) -> None:
    """Polygons in the colours of their values, and the bar that explains these."""
    cells = PolyCollection(corners, array=values, cmap="cividis", ec="white", lw=0.4)
    axes.add_collection(cells)
    axes.figure.colorbar(cells, ax=axes, label=label)
    axes.autoscale_view()
    axes.margins(0)
    axes.grid(visible=False)
