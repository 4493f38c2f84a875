"""A report as a folder of files."""

import json
from pathlib import Path

from depthsep.networks import Network
from depthsep.reports.figures._canvas import png_bytes, svg_bytes
from depthsep.reports.figures._separation_figure import separation_figure
from depthsep.reports.pages._files import write_folder
from depthsep.reports.pages._pictured import drawn
from depthsep.reports.pages._separation import page
from depthsep.reports.pictures._network_figure import network_figure
from depthsep.reports.tables._latex import latex_table
from depthsep.separation import Built, Separation


def write_report(
    separation: Separation,
    folder: str | Path,
    network: Network | Built | None = None,
) -> list[Path]:
    """Write index.html, the figures, table.tex and separation.json into a folder.

    Without a network the smallest examined one of the table is pictured; if there is
    none, network.svg and network.png are left out. Each file is written whole or not
    at all, and the paths are returned, index.html first.

    Raises:
        HypothesisError: the folder cannot be made or written.
    """
    return write_folder(folder, _contents(separation, network))


def _contents(
    separation: Separation, network: Network | Built | None
) -> dict[str, bytes]:
    shown = drawn(separation, network)
    figures = {"separation": separation_figure(separation)}
    if shown is not None:
        figures["network"] = network_figure(separation.problem, shown.network)
    svgs = {name: svg_bytes(figure, name) for name, figure in figures.items()}
    files = {"index.html": page(separation, shown, svgs).encode()}
    for name, figure in figures.items():
        files[f"{name}.svg"] = svgs[name]
        files[f"{name}.png"] = png_bytes(figure)
    files["table.tex"] = latex_table(separation).encode()
    document = json.dumps(separation.to_json(), indent=1, allow_nan=False)
    files["separation.json"] = (document + "\n").encode()
    return files
