"""A network on signs, against the number of inputs that are 1."""

from typing import TYPE_CHECKING

import numpy as np

from depthsep.analysis import on_interval
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.words._numbers import as_floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_COUNTS = 41


def draw_signs(problem: Problem, network: Network) -> "tuple[Figure, str]":
    """Target and network at each number of ones, and a remark on what is shown."""
    d = problem.target.in_dim
    first = max(0, (d + 1 - MOST_COUNTS) // 2)
    counts = np.arange(first, min(d, first + MOST_COUNTS - 1) + 1)
    figure = canvas.new_figure(7.2, 3.4)
    axes = figure.add_subplot()
    summed = _of_the_sum(network)
    if summed is None:
        values = np.array([_ordered(network, int(p)) for p in counts])
        remark = "shown at points whose first inputs are 1 and whose others are -1"
    else:
        values = as_floats([summed([2 * int(p) - d])[0] for p in counts])
        remark = (
            "the network depends only on the sum of its inputs; the "
            "line shows its values between the sums that occur"
        )
        _between(axes, summed, counts, d)
    signs = 1.0 - 2.0 * ((d - counts) % 2)
    axes.plot(counts, signs, "o", ms=10, mec=canvas.TARGET, mfc="none", mew=2.2)
    axes.plot(counts, values, "o", ms=4, color=canvas.CERTIFIED)
    _frame(axes, counts, values, d)
    return figure, remark


def _of_the_sum(network: Network) -> Network | None:
    """The network as a function of the sum of its inputs, if it is one."""
    first = network.layers[0]
    if not np.all(first.weight == first.weight[:, :1]):
        return None
    joined = Affine(first.weight[:, :1], first.bias)
    return Network([joined, *network.layers[1:]], network.activations)


def _ordered(network: Network, ones: int) -> float:
    signs = np.where(np.arange(network.in_dim) < ones, 1.0, -1.0)
    return float(network.floats(signs[None])[0, 0])


def _between(axes: "Axes", summed: Network, counts: np.ndarray, d: int) -> None:
    if len(counts) < 2:
        return
    f = on_interval(summed, 2 * int(counts[0]) - d, 2 * int(counts[-1]) - d)
    ones = (as_floats(f.knots) + d) / 2
    axes.plot(ones, as_floats(f.values), color=canvas.CERTIFIED, lw=1)


def _frame(axes: "Axes", counts: np.ndarray, values: np.ndarray, d: int) -> None:
    characters = len(counts) * len(str(d))
    axes.set_xticks(counts[:: -(-characters // 60)])
    part = f", {counts[0]} to {counts[-1]} shown" if len(counts) <= d else ""
    axes.set_xlabel(f"number of inputs that are 1, out of {d}{part}")
    if np.abs(values).max() < 2:
        axes.set_yticks([-1, 0, 1])
    axes.margins(y=0.15)
    axes.set_ylabel("value")
    for name, value, color, offset in (
        ("target", 1 - 2 * ((d - int(counts[-1])) % 2), canvas.MUTED, 9),
        ("network", values[-1], canvas.CERTIFIED, -9),
    ):
        axes.annotate(
            name,
            (counts[-1], value),
            (11, offset),
            textcoords="offset points",
            color=color,
            va="center",
            fontsize=8,
            annotation_clip=False,
        )
    axes.set_xlim(counts[0] - 0.5, counts[-1] + 0.5 + 0.1 * len(counts))
