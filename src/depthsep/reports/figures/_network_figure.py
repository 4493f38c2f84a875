"""A network and its target: the pieces, the knots, and the error below."""

from typing import TYPE_CHECKING

from depthsep._errors import HypothesisError
from depthsep.laws import Box, SignCube, SpherePair
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.figures._box_figure import draw_box
from depthsep.reports.figures._curves import Curve, close_up, curve
from depthsep.reports.figures._panels import draw_error, draw_values, explain_band
from depthsep.reports.figures._parity_figure import draw_signs
from depthsep.reports.figures._path_figure import draw_radial, draw_spheres
from depthsep.reports.words._problem import plural, raised, shortened
from depthsep.targets import Radial

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_WAVES = 150


def network_figure(problem: Problem, network: Network) -> "Figure":
    """The target and the network with its knots; below, the error with its band.

    Drawn from the exact pieces. Where they are too many to be seen, a part of the
    interval is shown and the remark says so. On signs: values against the number of
    inputs that are 1. On a box: values and error over a slice of two inputs. On
    spheres: along one great circle. Radial functions: along the diagonal.

    Raises:
        HypothesisError: the network does not fit the target.
    """
    if network.in_dim != problem.target.in_dim or network.out_dim != 1:
        raise HypothesisError(
            f"the network maps {network.in_dim} inputs to {network.out_dim} outputs; "
            f"{problem.target} takes {problem.target.in_dim} to 1"
        )
    with canvas.styled():
        if isinstance(problem.law, SignCube):
            figure, remark = draw_signs(problem, network)
        elif isinstance(problem.law, SpherePair):
            figure, remark = draw_spheres(problem, network)
        elif isinstance(problem.target, Radial):
            figure, remark = draw_radial(problem, network)
        elif isinstance(problem.law, Box):
            figure, remark = draw_box(problem, network)
        else:
            figure, remark = _draw_interval(problem, network)
        canvas.headings(figure.axes[0], _title(problem, network), remark)
        return figure


def _title(problem: Problem, network: Network) -> str:
    target = raised(shortened(problem.target.words, 36))
    return (
        f"{target} by a network of depth {network.depth}, width {network.width}, "
        f"{plural(network.units, 'unit')}"
    )


def _draw_interval(problem: Problem, network: Network) -> "tuple[Figure, str]":
    found = curve(problem, network)
    if found is None:
        return _note("The network has too many pieces to be drawn."), ""
    crowded = found.pieces > MOST_WAVES
    closer = close_up(problem, network) if crowded else None
    heights = (2, 1, 1) if closer else (2, 1)
    figure = canvas.new_figure(7.2, 1.6 + 1.5 * len(heights))
    axes = figure.subplots(len(heights), 1, height_ratios=heights)
    axes[0].sharex(axes[1])
    axes[0].tick_params(labelbottom=False)
    draw_values(axes[0], found)
    draw_error(axes[1], found, crowded)
    explain_band(axes[1], problem, found)
    if closer:
        draw_error(axes[2], closer, False)
    return figure, _remark(found)


def _remark(found: Curve) -> str:
    shown = plural(found.pieces, "piece")
    if not found.zoomed:
        return shown
    of = f" of {found.whole}" if found.whole else ""
    return f"a small part, {found.pieces}{of} pieces: the whole is too dense to draw"


def _note(words: str) -> "Figure":
    figure = canvas.new_figure(7.2, 2.0)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.text(0.5, 0.5, words, ha="center", color=canvas.MUTED)
    return figure
