"""What a network is, as one HTML page that needs nothing but itself."""

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from depthsep.analysis import Inspection, LineSurvey, RegionSurvey, Survey, UnitStates
from depthsep.evidence import Enclosure
from depthsep.reports.figures._canvas import png_bytes, svg_bytes
from depthsep.reports.figures._region_figure import (
    function_figure,
    lines_figure,
    region_figure,
)
from depthsep.reports.pages._environment import details, figure, section
from depthsep.reports.pages._files import write_folder
from depthsep.reports.pages._style import CSS
from depthsep.reports.words._survey import (
    distance_words,
    number,
    quantile_rows,
    region_rows,
    size_rows,
    unit_rows,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = list[tuple[str, str]]


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
    svgs = {key: svg_bytes(drawn, key) for key, drawn in figures.items()}
    page = survey_page(found, name, document, svgs)
    files = {"index.html": page.encode()}
    for key, drawn in figures.items():
        files[f"{key}.svg"], files[f"{key}.png"] = svgs[key], png_bytes(drawn)
    written = json.dumps(document, indent=1, allow_nan=False) + "\n"
    files["survey.json"] = written.encode()
    return write_folder(folder, files)


def survey_page(
    found: Survey | Inspection,
    name: str,
    document: Mapping[str, object],
    svgs: Mapping[str, bytes],
) -> str:
    """The page around figures that are already drawn."""
    heading = escape(f"What is {name}?")
    parts = [f"<h1>{heading}</h1>", section("Size", _list(size_rows(found.size)))]
    if isinstance(found, Survey):
        parts += _survey_sections(found, svgs)
    else:
        parts += _line_sections(found, svgs)
    everything = escape(json.dumps(document, indent=1))
    parts.append(details("Everything as JSON", f"<pre>{everything}</pre>"))
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{heading}</title>\n<style>{CSS}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _figures(found: Survey | Inspection) -> "dict[str, Figure]":
    if isinstance(found, Inspection):
        return {} if found.function is None else {"function": function_figure(found)}
    figures = {}
    for key, part in _maps(found).items():
        figures[key] = region_figure(found, part)
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


def _survey_sections(found: Survey, svgs: Mapping[str, bytes]) -> list[str]:
    parts = []
    if found.reason:
        parts.append(f"<p>{escape(found.reason[0].upper() + found.reason[1:])}.</p>")
    if found.box_regions is not None:
        body = _regions(found, found.box_regions, "box", svgs)
        parts.append(section(f"Regions on {found.box_regions.where}", body))
    if found.lines is not None:
        parts.append(section("Along random lines", _lines(found.lines, svgs)))
    for k, part in enumerate(found.slices, start=1):
        body = _regions(found, part, f"slice-{k}", svgs)
        parts.append(section(f"Slice {k}", body))
    parts += _units(found.units, f"on {found.box}")
    parts += _distance(found.distance)
    return parts


def _line_sections(found: Inspection, svgs: Mapping[str, bytes]) -> list[str]:
    rows = [
        ("affine pieces", f"{number(found.pieces)} ({found.rigour})"),
        ("of at most", f"{number(found.most_pieces)} for these widths (Theorem A)"),
    ]
    if found.crossings is not None:
        rows.append((f"crossings of {found.level}", number(found.crossings)))
    drawn = _picture(svgs, "function", "the network along the line")
    parts = [section(f"On {found.where}", _list(rows) + drawn)]
    parts += _units(found.units, f"on {found.where}")
    parts += _distance(found.distance)
    return parts


def _regions(
    found: Survey, part: RegionSurvey, key: str, svgs: Mapping[str, bytes]
) -> str:
    return _list(region_rows(part, found.level)) + _picture(svgs, key, part.where)


def _lines(lines: LineSurvey, svgs: Mapping[str, bytes]) -> str:
    head, *rows = quantile_rows(lines)
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        f'<tr><td class="words">{escape(row[0])}</td>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    said = (
        f"<p>{len(lines.counts)} lines through two uniform points of the box (seed "
        f"{lines.seed}); each count is exact. No network of these widths has more than "
        f"{number(lines.most)} pieces on a line (Theorem A).</p>"
    )
    table = (
        f'<div class="scroll"><table><thead><tr>{cells}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
    return said + table + _picture(svgs, "lines", "pieces and crossings of lines")


def _units(units: UnitStates | None, where: str) -> list[str]:
    return [] if units is None else [section(f"Units {where}", _list(unit_rows(units)))]


def _distance(distance: Enclosure | None) -> list[str]:
    if distance is None:
        return []
    return [section("Distance", f"<p>{escape(distance_words(distance))}</p>")]


def _picture(svgs: Mapping[str, bytes], key: str, label: str) -> str:
    return figure(svgs[key], key, label) if key in svgs else ""


def _list(rows: Rows) -> str:
    items = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in rows)
    return f"<dl>{items}</dl>"
