"""Records as matplotlib axes, which people go on to change."""

import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from depthsep._errors import HypothesisError
from depthsep._extras import needed
from depthsep.analysis import Inspection, LineSurvey, Pieces, RegionSurvey, inspect
from depthsep.claims import Lower, Upper
from depthsep.exact import nearest_float
from depthsep.laws import Segment
from depthsep.networks import Network
from depthsep.reports.figures._separation_figure import separation_figure
from depthsep.reports.pages._inspection import FIGURES
from depthsep.separation import Row, Separation

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_separation(separation: Separation) -> "Axes":
    """Certified and proven width against depth."""
    return _axes(separation_figure(separation))


def plot_network(network: Network, start: object, stop: object) -> "Axes":
    """A network of one input as a function; of two inputs its regions on a square.

    Raises:
        HypothesisError: other numbers of inputs.
    """
    if network.in_dim not in (1, 2):
        raise HypothesisError(
            f"a network of {network.in_dim} inputs cannot be drawn as a "
            "whole; inspect the network, and plot the inspection"
        )
    return plot_inspection(inspect(network, Segment(start, stop)))


def plot_inspection(found: Inspection) -> "Axes":
    """The first fact that can be drawn, regions before lines.

    Raises:
        HypothesisError: there is none.
    """
    kinds = (RegionSurvey, Pieces, LineSurvey)
    for fact in (fact for kind in kinds for fact in found.all_of(kind)):
        figure = FIGURES[type(fact)](fact)
        if figure is not None:
            return _axes(figure)
    raise HypothesisError(
        "the inspection has neither regions, pieces nor lines to draw"
    )


def _axes(figure: "Figure") -> "Axes":
    """The axes of a figure, which notebooks then show under the cell."""
    if "ipykernel" in sys.modules:
        with suppress(ValueError):  # matplotlib before 3.11 cannot be told
            import_module("matplotlib.pyplot").figure(figure)
    return figure.axes[0]


def separation_frame(separation: Separation) -> "pandas.DataFrame":
    """The rows for pandas: widths, errors as floats, sources.

    Raises:
        HypothesisError: pandas is not installed.
    """
    return needed("pandas", "tables").DataFrame([_flat(row) for row in separation])


def _flat(row: Row) -> dict[str, object]:
    low, high = row.lower, row.upper
    found: dict[str, object] = {"depth": row.depth}
    if isinstance(low, Lower):
        found |= {"proven_width": low.width, "proven_by": str(low.source)}
    else:
        found |= {"proven_width": None, "proven_by": low.reason}
    if isinstance(high, Upper):
        error = nearest_float(high.error)
        built = {"certified_width": high.width, "error": error}
        return found | built | {"built_by": str(high.source)}
    return found | {"certified_width": None, "error": None, "built_by": high.reason}
