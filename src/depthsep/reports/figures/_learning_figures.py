"""Figures of what gradient descent finds, from records of `dynamics`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.evidence import Inapplicable
from depthsep.reports.figures import _canvas as canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from depthsep.dynamics import Acceleration, RadialRun, TwoLayerResult

SHADES = (canvas.CERTIFIED, canvas.PROVEN, canvas.LEARNED, canvas.INK, canvas.MUTED)
UNITS = (canvas.CERTIFIED, canvas.PROVEN, canvas.LEARNED, canvas.MUTED)
SNAPSHOTS = 4
MOST_UNITS, MOST_NAMED = 12, 4  # of the second layer that are drawn, and named
MARKS = "osD^v"


def alpha_figure(run: "RadialRun", title: str = "") -> "Figure":
    """alpha of a run beside its infinite-width limit, and what parts them."""
    limit, alpha = run.infinite, run.trajectory.alpha
    if isinstance(limit, Inapplicable):
        raise HypothesisError(f"no infinite-width curve to draw: {limit}")
    with canvas.panels(9.0, 3.6, 2) as (figure, [left, right]):
        flow, name = limit.flow.alpha, "infinite width"
        left.plot(limit.times, flow, color=canvas.INK, lw=1.2, label=name)
        name = f"width {run.task.width}"
        left.plot(run.times, alpha, "--", color=canvas.LEARNED, lw=1.8, label=name)
        title = title or "alpha: finite against infinite width"
        canvas.finish(
            left,
            title,
            "alpha: mean output of the first layer over unit vectors",
            x="time",
        )
        gaps = {
            "width: finite against infinite, same steps": np.abs(
                alpha - limit.stepped.alpha
            ),
            "steps: discrete steps against gradient flow": np.abs(
                limit.stepped.alpha - limit.flow.alpha
            ),
        }
        for (name, gap), color in zip(gaps.items(), SHADES, strict=False):
            if gap[1:].max() > 0:
                right.plot(limit.times[1:], gap[1:], color=color, label=name)
        remark = "absolute differences of alpha"
        canvas.finish(
            right, "Where the difference comes from", remark, x="time", log="y"
        )
    return figure


def second_figure(run: "RadialRun", title: str = "") -> "Figure":
    """The second layer beside its infinite-width limit: slopes and offsets by unit.

    Units that start apart (`slope`, `offset` with one number for each) act as one: what
    pulls a unit depends on where it is active, not on which unit it is.
    """
    limit, rows = run.infinite, run.trajectory
    if isinstance(limit, Inapplicable):
        raise HypothesisError(f"no infinite-width curve to draw: {limit}")
    both = (
        ("slopes a_j", rows.slopes.sum(axis=2), limit.flow.slopes),
        ("offsets b_j", rows.offsets, limit.flow.offsets),
    )
    with canvas.panels(9.0, 3.6, 2) as (figure, panels):
        for axes, (name, own, other) in zip(panels, both, strict=True):
            for k in range(min(own.shape[1], MOST_UNITS)):
                color = UNITS[k % len(UNITS)]
                label = f"unit {k + 1}" if own.shape[1] <= MOST_NAMED else None
                axes.plot(run.times, own[:, k], color=color, lw=1.8, label=label)
                axes.plot(limit.times, other[:, k], ":", color=canvas.INK)
            axes.plot([], [], ":", color=canvas.INK, label="infinite width")
            remark = f"d = {run.task.dim}, width {run.task.width}"
            canvas.finish(axes, title or f"The second layer: {name}", remark, x="time")
    return figure


def profile_figure(run: "RadialRun", title: str = "") -> "Figure":
    """f against |x| at a few times: at the median of F/alpha, 5 to 95 % shaded."""
    if run.task.bottleneck > 1:
        raise HypothesisError("profiles are drawn only for a bottleneck of 1")
    reached = np.nonzero(np.isfinite(run.trajectory.loss))[0]
    far = 1.6 * float(run.task.profile.relus()[0].max())
    radii = np.linspace(0, far, 400)
    shares = np.linspace(0, 1, SNAPSHOTS) ** 2
    chosen = reached[np.unique((shares * (len(reached) - 1)).astype(int))]
    with canvas.panels(5.6, 3.8) as (figure, [axes]):
        for k, color in zip(chosen, SHADES, strict=False):
            low, middle, high = (_profile(run, k, q, radii) for q in range(3))
            axes.fill_between(radii, low, high, color=color, alpha=0.15, lw=0)
            axes.plot(radii, middle, color=color, label=f"time {run.times[k]:g}")
        goal = run.task.profile.floats(radii)
        axes.plot(radii, goal, ":", color=canvas.INK, lw=1.4, label="target")
        task = f"d = {run.task.dim}, width {run.task.width}"
        remark = f"{task}; lines: median over directions; shaded: 5 % to 95 % quantiles"
        title = title or "Network output against |x|"
        canvas.finish(axes, title, remark, x="|x|", y="f")
    return figure


def _profile(
    run: "RadialRun", record: int, level: int, radii: np.ndarray
) -> np.ndarray:
    rows = run.trajectory
    first = rows.alpha[record] * rows.quantiles[record, level]
    slopes = rows.slopes[record][:, 0] * first
    before = slopes[:, None] * radii + rows.offsets[record][:, None]
    active = np.asarray(rows.scales[record][:, None]) * np.maximum(before, 0)
    return active.mean(axis=0)


def spread_figure(runs: Sequence["RadialRun"], title: str = "") -> "Figure":
    """N against time, one curve a width: it does not grow."""
    if not runs:
        raise HypothesisError("there is nothing to draw: give one run or more")
    with canvas.panels(5.6, 3.6) as (figure, [axes]):
        shown = sorted(runs, key=lambda r: r.task.width)
        for run, color in zip(shown, SHADES * 9, strict=False):
            rows = run.trajectory
            exact = np.isfinite(rows.spread_exact).sum() > 2
            n = rows.spread_exact if exact else rows.spread
            axes.plot(run.times, n, color=color, label=f"width {run.task.width}")
        remark = (
            "N = E (F/alpha - 1)^2: how far the first layer F is from "
            "the radial function alpha |x|"
        )
        title = title or "Discretisation error against time"
        canvas.finish(axes, title, remark, x="time", y="N", log="y")
    return figure


def comparison_figure(
    pairs: Sequence[tuple["RadialRun", Sequence["TwoLayerResult"]]],
    accuracies: Sequence[float] | None = None,
    title: str = "",
) -> "Figure":
    """Losses of three layers and of two against the dimension, one mark a seed.

    Args:
        pairs: a run and the two-layer results for the same task.
        accuracies: L2 errors asked for, one a pair; drawn as half squares.
    """
    if not pairs:
        raise HypothesisError("there is nothing to draw: give one pair or more")
    dims = np.array([run.task.dim for run, _ in pairs], dtype=float)
    with canvas.panels(7.2, 3.8) as (figure, [axes]):
        losses = [run.loss for run, _ in pairs]
        axes.plot(dims, losses, "o-", color=canvas.CERTIFIED, label="three layers")
        names = [r.optimiser for r in pairs[0][1]]
        for k, (name, color) in enumerate(zip(names, SHADES[1:] * 9, strict=False)):
            label, mark = f"two layers, {name}", MARKS[(k + 1) % len(MARKS)]
            best = [results[k].best for _, results in pairs]
            axes.plot(dims, best, f"{mark}-", color=color, label=label)
            for d, (_, results) in zip(dims, pairs, strict=True):
                seeds = results[k].losses
                axes.plot([d] * len(seeds), seeds, mark, color=color, ms=3, alpha=0.5)
        if accuracies is not None:
            goal = np.square(accuracies) / 2
            axes.plot(dims, goal, ":", color=canvas.INK, label="accuracy asked for")
        axes.set_xticks(dims, [f"{d:g}" for d in dims])
        axes.set_xticks([], minor=True)
        title = title or "Three layers against two, as trained"
        remark = "measured on fresh directions; training that fails proves nothing"
        error = "half mean squared error"
        canvas.finish(axes, title, remark, x="dimension d", y=error, log="y")
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def budget_figure(
    run: "RadialRun", results: Sequence["TwoLayerResult"], title: str = ""
) -> "Figure":
    """Losses of three layers and of two against the flops they took.

    Two layers: the best rate at each record, a mean over seeds, at constant rates.

    Raises:
        HypothesisError: the adaptive solver, whose flops are not known.
    """
    from depthsep.dynamics import task_flops

    task, rows = run.task, run.trajectory
    with canvas.panels(7.2, 3.8) as (figure, [axes]):
        flops = task_flops(task) / task.steps * np.asarray(rows.steps[1:])
        name, color = "three layers", canvas.CERTIFIED
        axes.plot(flops, rows.loss[1:], "o-", ms=3, color=color, label=name)
        for k, (result, color) in enumerate(zip(results, SHADES[1:] * 9, strict=False)):
            steps, losses = np.array(result.curve).T
            label, mark = f"two layers, {result.optimiser}", MARKS[(k + 1) % len(MARKS)]
            spent = result.flops * steps
            axes.plot(spent, losses, f"{mark}-", color=color, ms=3, label=label)
        axes.set_xscale("log")
        title = title or f"Loss against budget, d = {task.dim}"
        remark = (
            "the flops of two layers are those of training at one "
            "learning rate only; training that fails proves nothing"
        )
        error = "half mean squared error"
        canvas.finish(axes, title, remark, x="flops", y=error, log="y")
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def acceleration_figure(result: "Acceleration", title: str = "") -> "Figure":
    """Loss above the least against steps, every method at its best rate.

    As a share of the least loss, or as it is where that is 0.
    """
    least = result.best_loss
    with canvas.panels(5.8, 3.8) as (figure, [axes]):
        for method, color in zip(result.methods, SHADES * 9, strict=False):
            products, _, optimiser = method.method.rpartition(", ")
            style = "-." if products else "-" if "layer" in optimiser else "--"
            excess = np.maximum((method.losses - least) / (least or 1.0), 1e-9)
            name = f"{method.method}, rate {method.rate:.2g}"
            axes.plot(result.steps, excess, style, color=color, label=name)
        axes.set_xscale("symlog", linthresh=max(result.steps[1], 1))
        problem = f"l_{result.plan.power} regression on {result.data}"
        title = title or f"{problem}: depth compared with optimisers"
        remark = "each method at the rate with the least loss at the end"
        loss = "loss / least loss - 1" if least else "loss"
        canvas.finish(axes, title, remark, x="steps", y=loss, log="y")
    return figure


def learned_figure(
    places: np.ndarray, target: np.ndarray, curves: dict[str, np.ndarray]
) -> "Figure":
    """Learned networks over their target.

    Args:
        places: abscissae.
        target: its values there.
        curves: name to values, one network each.
    """
    with canvas.panels(7.0, 3.6) as (figure, [axes]):
        axes.plot(places, target, color=canvas.TARGET, lw=2.4, label="target")
        for (name, values), color in zip(curves.items(), SHADES * 9, strict=False):
            axes.plot(places, values, color=color, lw=1.2, label=name)
        remark = "the best restart of each depth"
        canvas.finish(axes, "What training found", remark, x="x")
    return figure
