"""Figures of networks near their start, from records of `near_init`."""

from collections.abc import Sequence, Sized
from typing import TYPE_CHECKING

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.reports.figures import _canvas as canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from depthsep.near_init import Comparison, KernelError

SHADES = (canvas.LEARNED, canvas.CERTIFIED, canvas.PROVEN, canvas.MUTED)


def distance_figure(runs: Sequence["Comparison"], title: str = "") -> "Figure":
    """How far training moves networks of several widths from their start.

    The Frobenius distance stays, the longest move of one row falls like 1 / sqrt(m).
    """
    _need(runs, "run")
    rows = sorted(runs, key=lambda r: r.width)
    widths = np.array([r.width for r in rows], dtype=float)
    whole = np.array([r.run.distance[-1] for r in rows])
    longest = np.array([r.run.longest[-1] for r in rows])
    with canvas.panels(5.2, 3.6) as (figure, [axes]):
        axes.plot(
            widths, whole, "o-", color=canvas.CERTIFIED, label="whole first layer"
        )
        axes.plot(
            widths,
            longest,
            "s-",
            color=canvas.LEARNED,
            label="first-layer row that moves most",
        )
        _guide(axes, widths, longest)
        title = title or "How far training moves the first layer"
        remark = f"after {plural(rows[0].run.steps[-1], 'step')}; dotted: slope -1/2"
        distance = "distance from the start"
        canvas.finish(axes, title, remark, x="width", y=distance, log="xy")
    return figure


def kernel_figure(
    families: dict[str, Sequence["KernelError"]], title: str = ""
) -> "Figure":
    """Root mean squared errors of finite kernels against the width, one line each.

    Args:
        families: name to what `near_init.kernel_errors` gives.
    """
    _need(families, "family")
    with canvas.panels(5.2, 3.6) as (figure, [axes]):
        seeds = 0
        for (name, errors), color in zip(families.items(), SHADES * 9, strict=False):
            _need(errors, "width")
            canvas.error_bars(axes, errors, 2, color, name)
            widths = np.array([e.width for e in errors], dtype=float)
            _guide(axes, widths, np.sqrt([e.mean_squared_error for e in errors]))
            seeds = errors[0].seeds
        title = title or "Finite-width kernels tend to their limit"
        drawn = plural(seeds, "network")
        remark = f"{drawn} per width, bars of two standard errors; dotted: slope -1/2"
        error = "root mean squared error of the kernel"
        canvas.finish(axes, title, remark, x="width", y=error, log="xy")
    return figure


def training_figure(
    runs: Sequence["Comparison"],
    places: np.ndarray,
    data: tuple[np.ndarray, np.ndarray],
    title: str = "",
    *,
    across: str = "angle",
) -> "Figure":
    """Trained networks beside their prediction, and their gap beside what is proved.

    Args:
        runs: networks of a few widths on the same data.
        places: (k,), where to draw the points: their abscissae.
        data: abscissae and values of the training points.
        across: what the abscissae are.
    """
    _need(runs, "run")
    with canvas.panels(9.0, 3.8, 2) as (figure, [left, right]):
        for run, color in zip(runs, SHADES * 9, strict=False):
            name = f"width {run.width}"
            left.plot(places, run.run.values[-1], color=color, lw=1.6, label=name)
            steps = np.maximum(run.run.steps[1:], 1)
            right.plot(steps, run.run.gap[1:], color=color, label=f"{name}: measured")
            right.plot(steps, run.worst[1:], color=color, ls=":", lw=1.2)
            right.plot(steps, run.bound[1:], color=color, ls="--", lw=1.2)
        for run in runs:
            name = "prediction" if run is runs[0] else None
            made = run.predicted[-1]
            left.plot(places, made, "--", color=canvas.INK, lw=0.8, label=name)
        left.plot(*data, "o", color=canvas.INK, ms=4, label="data")
        title = title or "Gradient descent and its prediction"
        after = (
            f"after {plural(runs[0].run.steps[-1], 'step')}; dashed: the "
            "linearised network"
        )
        canvas.finish(left, title, after, x=across)
        remark = (
            "dotted: the worst network at this distance from the start; "
            "dashed: proved bound"
        )
        title, gap = "Distance from the linearisation", "largest gap |F - F_0|"
        canvas.finish(right, title, remark, x="steps", y=gap, log="xy")
    return figure


def _guide(axes: "Axes", widths: np.ndarray, values: np.ndarray) -> None:
    """A line of slope -1/2 through the first point."""
    guide = values[0] * np.sqrt(widths[0] / widths)
    axes.plot(widths, guide, color=canvas.TARGET, ls=":", zorder=0)


def _need(records: Sized, what: str) -> None:
    if not len(records):
        raise HypothesisError(f"there is nothing to draw: give one {what} or more")
