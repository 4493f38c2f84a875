"""A network beside its target, pictured as the setting of the law asks for."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.pictures._box import draw_box
from depthsep.reports.pictures._line import draw_line, draw_note
from depthsep.reports.pictures._paths import draw_radial, draw_spheres
from depthsep.reports.pictures._signs import draw_signs
from depthsep.reports.words._problem import raised, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Picture = Callable[[Problem, Network], "tuple[Figure, str]"]

PICTURES: Mapping[str, Picture] = {
    "line": draw_line,
    "box": draw_box,
    "signs": draw_signs,
    "spheres": draw_spheres,
    "radial": draw_radial,
}
"""One for each setting of a law: a figure, and a remark on what it shows."""


def network_figure(problem: Problem, network: Network) -> "Figure":
    """The target and the network with its knots; below, the error with its band.

    Drawn from the exact pieces. Where they are too many to be seen, a part of the
    interval is shown and the remark says so. On signs: values against the number of
    inputs that are 1. On a box: values and error over a slice of two inputs. On
    spheres: along one great circle. Radial functions: along the diagonal. Other
    settings: a note that they are not drawn.

    Raises:
        HypothesisError: the network does not fit the target.
    """
    if network.in_dim != problem.target.in_dim or network.out_dim != 1:
        raise HypothesisError(
            f"the network maps {plural(network.in_dim, 'input')} to "
            f"{plural(network.out_dim, 'output')}, but {problem.target} has "
            f"{plural(problem.target.in_dim, 'input')} and 1 output"
        )
    draw = PICTURES.get(problem.law.setting)
    with canvas.styled():
        if draw is None:
            figure, remark = draw_note(
                f"Networks under the law {problem.law} cannot be drawn."
            )
        else:
            figure, remark = draw(problem, network)
        canvas.headings(figure.axes[0], _title(problem, network), remark)
        return figure


def _title(problem: Problem, network: Network) -> str:
    target = raised(shortened(problem.target.words, 36))
    return (
        f"{target} by a network of depth {network.depth}, width {network.width}, "
        f"{plural(network.units, 'unit')}"
    )
