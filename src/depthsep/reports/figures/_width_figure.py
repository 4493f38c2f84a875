"""The error of sampled networks against their width, with the bound beside it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.infinite_width import WidthError
from depthsep.reports.figures import _canvas as canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def width_figure(errors: Sequence[WidthError], title: str = "") -> "Figure":
    """Root mean squared errors with three standard errors, and the proved bound.

    Both axes are logarithmic; the bound is for the expectation, so a mean of few seeds
    may touch it.

    Args:
        errors: as `infinite_width.error_against_width` gives them, for some widths.
    """
    if not errors:
        raise HypothesisError("there is nothing to draw: give one width or more")
    rows = sorted(errors, key=lambda e: e.width)
    widths, bound = [e.width for e in rows], np.sqrt([e.bound for e in rows])
    with canvas.panels(5.2, 3.6) as (figure, [axes]):
        axes.plot(widths, bound, color=canvas.PROVEN, marker="_", label="bound, proved")
        canvas.error_bars(axes, rows, 3, canvas.LEARNED, "sampled")
        seeds = f"mean over {plural(rows[0].seeds, 'seed')}, with three standard errors"
        title, error = title or "Error against width", "root mean squared error"
        canvas.finish(axes, title, seeds, x="width", y=error, log="xy")
    return figure
