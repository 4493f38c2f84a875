"""Records as matplotlib axes, which people go on to change."""

import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from depthsep._errors import HypothesisError
from depthsep._extras import needed
from depthsep.analysis import Survey, inspect, survey
from depthsep.claims import Lower, Upper
from depthsep.exact import nearest_float
from depthsep.laws import Box, Uniform
from depthsep.networks import Network
from depthsep.reports.figures._region_figure import (
    function_figure,
    lines_figure,
    region_figure,
)
from depthsep.reports.figures._separation_figure import separation_figure
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
    on = Uniform(start, stop)
    if network.in_dim == 1:
        return _axes(function_figure(inspect(network, on=on)))
    if network.in_dim == 2:
        return plot_survey(survey(network, Box.cube(on, 2)))
    raise HypothesisError(
        f"a network of {network.in_dim} inputs has no plot; plot a survey of it"
    )


def plot_survey(found: Survey) -> "Axes":
    """The regions in the plane if they were counted, else what lines meet.

    Raises:
        HypothesisError: neither was looked at.
    """
    parts = [p for p in (found.box_regions, *found.slices) if p is not None]
    for part in parts:
        if part.subdivision is not None and part.subdivision.complex.dim == 2:
            return _axes(region_figure(found, part))
    if found.lines is None:
        raise HypothesisError("the survey has neither regions in the plane nor lines")
    return _axes(lines_figure(found.lines))


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
