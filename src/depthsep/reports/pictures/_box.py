"""A network on a box: its values and its error over a slice of two inputs."""

from typing import TYPE_CHECKING

import numpy as np

from depthsep.exact import nearest_float, readable
from depthsep.laws import Box
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.reports.figures import _canvas as canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PIXELS = 257


def draw_box(problem: Problem, network: Network) -> "tuple[Figure, str]":
    """Values and error over the first two inputs, the others at their middles."""
    box = problem.law.box
    points = _slice(box)
    values = network.floats(points)[:, 0].reshape(PIXELS, PIXELS)
    error = values - problem.target.floats(points).reshape(PIXELS, PIXELS)
    figure = canvas.new_figure(7.2, 3.6)
    left, right = figure.subplots(1, 2)
    _draw(left, box, values, "viridis", None, "network")
    limit = max(float(np.abs(error).max()), 1e-300)
    _draw(right, box, error, "RdBu_r", limit, "network minus target")
    right.set_ylabel("")
    return figure, _remark(box)


def _slice(box: Box) -> np.ndarray:
    """A grid of points, shape (PIXELS^2, d); the second input runs upwards."""
    ends = [[nearest_float(v) for v in (s.start, s.stop)] for s in box.sides]
    first, second = (np.linspace(a, b, PIXELS) for a, b in ends[:2])
    grid = np.stack(np.meshgrid(first, second), axis=-1).reshape(-1, 2)
    middles = [np.full((len(grid), 1), (a + b) / 2) for a, b in ends[2:]]
    return np.hstack([grid, *middles])


def _draw(
    axes: "Axes",
    box: Box,
    values: np.ndarray,
    colours: str,
    limit: float | None,
    name: str,
) -> None:
    (a, b), (c, d) = (
        (nearest_float(s.start), nearest_float(s.stop)) for s in box.sides[:2]
    )
    image = axes.imshow(
        values,
        origin="lower",
        extent=(a, b, c, d),
        cmap=colours,
        aspect="auto",
        vmin=None if limit is None else -limit,
        vmax=limit,
        rasterized=True,
    )
    bar = axes.figure.colorbar(image, ax=axes, fraction=0.05, pad=0.03)
    bar.ax.tick_params(labelsize=7)
    bar.ax.spines["outline"].set_visible(False)
    axes.set_xlabel(f"x1 ({name})")
    axes.set_ylabel("x2")


def _remark(box: Box) -> str:
    fixed = [
        f"x{i} = {readable((side.start + side.stop) / 2)}"
        for i, side in enumerate(box.sides[2:], start=3)
    ]
    shown = ", ".join(fixed[:3]) + (", ..." if len(fixed) > 3 else "")
    return f"the slice with {shown}" if fixed else ""
