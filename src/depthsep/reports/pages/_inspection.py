"""An inspection as a page that needs nothing but itself, with maps of its regions."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from depthsep.analysis import (
    AbstractFact,
    Inspection,
    LineSurvey,
    Pieces,
    RegionSurvey,
)
from depthsep.reports._files import write_folder
from depthsep.reports.figures._canvas import picture_files, svgs_of
from depthsep.reports.figures._region_figure import (
    function_figure,
    lines_figure,
    region_figure,
)
from depthsep.reports.pages._environment import inline_svg, rendered

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES: Mapping[type[AbstractFact], Callable[[Any], "Figure | None"]] = {
    Pieces: function_figure,
    LineSurvey: lines_figure,
    RegionSurvey: region_figure,
}
"""Of facts that can be drawn; None where one of them is too large or empty."""
KEYS: Mapping[type[AbstractFact], str] = {Pieces: "function", LineSurvey: "lines"}


def write_inspection(
    found: Inspection,
    folder: str | Path,
    name: str,
    document: Mapping[str, object],
) -> list[Path]:
    """Write index.html, the figures as SVG and PNG and inspection.json into a folder.

    Args:
        name: of the network, for the heading.
        document: what ``inspect --json`` says.

    Raises:
        HypothesisError: the folder cannot be made or written.
    """
    keyed = list(_keyed(found))
    drawn = {key: _drawn(fact) for key, fact in keyed}
    figures = {key: figure for key, figure in drawn.items() if figure is not None}
    svgs = svgs_of(figures)
    written = json.dumps(document, indent=1, allow_nan=False)
    page = rendered(
        "inspection.html",
        f"What is {name}?",
        sections=[_section(key, fact, svgs) for key, fact in keyed],
        document=written,
    )
    files = {"index.html": page.encode(), **picture_files(figures, svgs)}
    files["inspection.json"] = (written + "\n").encode()
    return write_folder(folder, files)


def _keyed(found: Inspection) -> Iterator[tuple[str, AbstractFact]]:
    """Every fact with the name of its picture's files."""
    slices = 0
    for place, fact in enumerate(found.facts):
        if isinstance(fact, RegionSurvey):
            slices += fact.corners is not None
            yield (f"slice-{slices}" if fact.corners else "box"), fact
        else:
            yield KEYS.get(type(fact), f"fact-{place}"), fact


def _drawn(fact: AbstractFact) -> "Figure | None":
    draw = FIGURES.get(type(fact))
    return None if draw is None else draw(fact)


def _section(
    key: str, fact: AbstractFact, svgs: Mapping[str, bytes]
) -> dict[str, object]:
    title = fact.title or "Size" * (key == "fact-0")
    return {
        "title": title[:1].upper() + title[1:],
        "facts": fact.rows(),
        "table": fact.table(),
        "svg": inline_svg(svgs[key], key, title) if key in svgs else "",
    }
