"""A network along a path: on spheres one great circle, for radial functions an axis."""

from typing import TYPE_CHECKING

import numpy as np

from depthsep.exact import nearest_float
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.reports.figures import _canvas as canvas
from depthsep.targets import Radial

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 4001
BEYOND = 1.15  # times the radius of the support


def draw_spheres(problem: Problem, network: Network) -> "tuple[Figure, str]":
    """Values and errors against <x, x'>: x fixed, x' on a circle through it."""
    dim = problem.law.dimension
    angle = np.linspace(np.pi, 0, POINTS)
    x = np.zeros((POINTS, 2 * dim))
    x[:, 0] = 1
    x[:, dim], x[:, dim + 1] = np.cos(angle), np.sin(angle)
    figure = _draw(problem, network, np.cos(angle), x, "inner product of x and x'")
    return figure, "values along one great circle, computed in float64"


def draw_radial(problem: Problem, network: Network) -> "tuple[Figure, str]":
    """Values and errors against |x|, x on the diagonal, beyond the support too."""
    target = problem.target_as(Radial)
    far = BEYOND * nearest_float(target.along.end) ** 0.5
    radii = np.linspace(0, far, POINTS)
    x = np.repeat(radii[:, None] / target.dim**0.5, target.dim, axis=1)
    figure = _draw(problem, network, radii, x, "length of x")
    return figure, "values along the diagonal, computed in float64"


def _draw(
    problem: Problem, network: Network, along: np.ndarray, x: np.ndarray, label: str
) -> "Figure":
    truth, values = problem.target.floats(x), network.floats(x)[:, 0]
    figure = canvas.new_figure(7.2, 4.6)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    above.plot(along, truth, color=canvas.TARGET, linewidth=3, label="target")
    above.plot(along, values, color=canvas.CERTIFIED, linewidth=1, label="network")
    place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0)}
    above.legend(frameon=False, ncols=2, **place)
    room = nearest_float(problem.accuracy)
    below.axhspan(-room, room, color=canvas.GAP, linewidth=0)
    below.plot(along, values - truth, color=canvas.CERTIFIED, linewidth=1)
    below.set_ylabel("error (band: accuracy)")
    below.set_xlabel(label)
    return figure
