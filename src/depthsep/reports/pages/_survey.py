"""What a network is, as one HTML page that needs nothing but itself."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from depthsep.analysis import Inspection, LineSurvey, RegionSurvey, Survey, UnitStates
from depthsep.evidence import Enclosure
from depthsep.reports._files import write_folder
from depthsep.reports.figures._canvas import picture_files, svgs_of
from depthsep.reports.figures._region_figure import (
    function_figure,
    lines_figure,
    region_figure,
)
from depthsep.reports.pages._environment import inline_svg, rendered
from depthsep.reports.words._survey import (
    distance_words,
    lines_words,
    number,
    quantile_rows,
    region_rows,
    size_rows,
    unit_rows,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Svgs = Mapping[str, bytes]


def write_survey(
    found: Survey | Inspection,
    folder: str | Path,
    name: str,
    document: Mapping[str, object],
) -> list[Path]:
    """Write index.html, the figures as SVG and PNG and survey.json into a folder.

    Args:
        name: of the network, for the heading.
        document: what ``inspect --json`` says.

    Raises:
        HypothesisError: the folder cannot be made or written.
    """
    figures = _figures(found)
    svgs = svgs_of(figures)
    written = json.dumps(document, indent=1, allow_nan=False)
    sections = (
        _of_line(found, svgs)
        if isinstance(found, Inspection)
        else _of_survey(found, svgs)
    )
    page = rendered(
        "survey.html",
        f"What is {name}?",
        sections=list(sections),
        document=written,
    )
    files = {"index.html": page.encode(), **picture_files(figures, svgs)}
    files["survey.json"] = (written + "\n").encode()
    return write_folder(folder, files)


@dataclass(frozen=True)
class _Section:
    """A part of the page: what is said, facts by name, a table, a picture."""

    title: str = ""
    said: str = ""
    facts: Sequence[tuple[str, str]] = ()
    table: Sequence[Sequence[str]] = ()
    svg: str = ""


def _figures(found: Survey | Inspection) -> "dict[str, Figure]":
    if isinstance(found, Inspection):
        return {} if found.function is None else {"function": function_figure(found)}
    figures = {key: region_figure(found, part) for key, part in _maps(found).items()}
    if found.lines is not None and found.lines.counts:
        figures["lines"] = lines_figure(found.lines)
    return figures


def _maps(found: Survey) -> dict[str, RegionSurvey]:
    """What can be drawn: counted, and in the plane."""
    parts = {"box": found.box_regions} if found.box_regions is not None else {}
    parts |= {f"slice-{k}": part for k, part in enumerate(found.slices, start=1)}
    return {
        key: part
        for key, part in parts.items()
        if part.subdivision is not None and part.subdivision.complex.dim == 2
    }


def _of_survey(found: Survey, svgs: Svgs) -> Iterator[_Section]:
    yield _Section("Size", facts=size_rows(found.size))
    yield from _reason(found.reason)
    if found.box_regions is not None:
        title = f"Regions on {found.box_regions.where}"
        yield _regions(title, found, found.box_regions, "box", svgs)
    if found.lines is not None:
        yield _lines(found.lines, svgs)
    for k, part in enumerate(found.slices, start=1):
        yield _regions(f"Slice {k}", found, part, f"slice-{k}", svgs)
    yield from _units(found.units, f"on {found.box}")
    yield from _distance(found.distance)
    if found.sampled is not None:
        yield _Section(f"Distance in {found.norm}, sampled", str(found.sampled))


def _of_line(found: Inspection, svgs: Svgs) -> Iterator[_Section]:
    yield _Section("Size", facts=size_rows(found.size))
    yield from _reason(found.reason)
    rows = []
    if found.pieces is not None:
        most = f"{number(found.most_pieces)} for these widths (Theorem A)"
        rows.append(("affine pieces", f"{number(found.pieces)} ({found.rigour})"))
        rows.append(("of at most", most))
    if found.crossings is not None:
        rows.append((f"crossings of {found.level}", number(found.crossings)))
    svg = _svg(svgs, "function", "the network along the line")
    yield _Section(f"On {found.where}", facts=rows, svg=svg)
    yield from _units(found.units, f"on {found.where}")
    yield from _distance(found.distance)


def _reason(reason: str) -> Iterator[_Section]:
    """Why something is missing."""
    if reason:
        yield _Section(said=f"{reason[0].upper()}{reason[1:]}.")


def _regions(
    title: str, found: Survey, part: RegionSurvey, key: str, svgs: Svgs
) -> _Section:
    rows = region_rows(part, found.level)
    return _Section(title, facts=rows, svg=_svg(svgs, key, part.where))


def _lines(lines: LineSurvey, svgs: Svgs) -> _Section:
    said = (
        f"{lines_words(lines)} through two uniform points of the box "
        f"(seed {lines.seed}); each count is exact. No network of these widths has "
        f"more than {number(lines.most)} pieces on a line (Theorem A)."
    )
    svg = _svg(svgs, "lines", "pieces and crossings of lines")
    return _Section("Along random lines", said, table=quantile_rows(lines), svg=svg)


def _units(units: UnitStates | None, where: str) -> Iterator[_Section]:
    if units is not None:
        yield _Section(f"Units {where}", facts=unit_rows(units))


def _distance(distance: Enclosure | None) -> Iterator[_Section]:
    if distance is not None:
        yield _Section("Distance", distance_words(distance))


def _svg(svgs: Svgs, key: str, label: str) -> str:
    return inline_svg(svgs[key], key, label) if key in svgs else ""
