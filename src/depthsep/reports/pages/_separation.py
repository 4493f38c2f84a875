"""The report of a table as one HTML page, or as a folder around that page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from depthsep._plural import plural
from depthsep.claims import Lower, Measure, Upper
from depthsep.networks import Network
from depthsep.reports._files import write_folder
from depthsep.reports.figures._canvas import picture_files, svgs_of
from depthsep.reports.figures._separation_figure import separation_figure
from depthsep.reports.pages._environment import inline_svg, rendered
from depthsep.reports.pictures._network_figure import network_figure
from depthsep.reports.tables._latex import latex_table
from depthsep.reports.words._bases import Marks, bases, has_unchecked, marks_of
from depthsep.reports.words._classes import certified_sentence, class_sentences
from depthsep.reports.words._numbers import error_words
from depthsep.reports.words._problem import (
    NOT_CONFIRMED,
    RIGOUR_MEANING,
    headline,
    question,
    raised,
)
from depthsep.reports.words._tightness import ratio_words, tightness
from depthsep.reports.words._widest_gap import parting
from depthsep.separation import Built, Separation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST = Measure.UNITS
LABELS = {
    "separation": "width against depth",
    "network": "target, network and error",
}


def html_report(separation: Separation, network: Network | Built | None = None) -> str:
    """One HTML page: question, table, figures, proofs, everything that was asked.

    It loads nothing, runs no script and follows the reader's light or dark setting.
    Without a network the examined one of the table with the fewest units is pictured.
    """
    shown = _shown(separation, network)
    svgs = svgs_of(_figures(separation, shown))
    return _page(separation, separation.to_json(), shown, svgs)


def write_report(
    separation: Separation,
    folder: str | Path,
    network: Network | Built | None = None,
) -> list[Path]:
    """Write index.html, the figures, table.tex and separation.json into a folder.

    Without a network the examined one of the table with the fewest units is pictured;
    if there is none, network.svg and network.png are left out. Each file is written
    whole or not at all, and the paths are returned, index.html first.

    Raises:
        HypothesisError: the folder cannot be made or written.
    """
    shown, document = _shown(separation, network), separation.to_json()
    figures = _figures(separation, shown)
    svgs = svgs_of(figures)
    files = {"index.html": _page(separation, document, shown, svgs).encode()}
    files |= picture_files(figures, svgs)
    files["table.tex"] = latex_table(separation).encode()
    written = json.dumps(document, indent=1, allow_nan=False)
    files["separation.json"] = (written + "\n").encode()
    return write_folder(folder, files)


@dataclass(frozen=True)
class _Shown:
    """The network that a report pictures, where it comes from, what is proved of it."""

    network: Network
    origin: str
    proved: Mapping[str, str] = field(default_factory=dict)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What the page lists beside the picture."""
        network, layers = self.network, self.network.hidden_layers
        return [
            ("depth", f"{network.depth} ({plural(layers, 'hidden layer')})"),
            ("widths", ", ".join(map(str, network.widths))),
            ("units", str(network.units)),
            ("weights", "float64" if network.is_float else "rational numbers"),
            *self.proved.items(),
        ]


def _shown(separation: Separation, network: Network | Built | None) -> _Shown | None:
    """The given network, or the least examined one of the table; None without."""
    accuracy = separation.problem.accuracy
    if isinstance(network, Built):
        error = network.examination.error
        near = f"{error_words(error.upper, accuracy)}, {error.rigour}"
        proved = {"error at most": near, "from": str(network.upper.source)}
        origin = "This network was built for this problem and examined."
        return _Shown(network.network, origin, proved)
    if network is not None:
        return _Shown(
            network,
            "This network was given by the user; nothing is proved "
            "about it on this page.",
        )
    uppers = [row.upper for row in separation]
    checked = [u for u in uppers if isinstance(u, Upper) and u.checked]
    if not checked:
        return None
    best = min(checked, key=LEAST.key)
    near = f"{error_words(best.error, accuracy)}, {best.rigour}"
    proved = {"error at most": near, "from": str(best.source)}
    origin = (
        f"Of the networks in the table that were examined, this one has {LEAST.words}."
    )
    return _Shown(best.network, origin, proved)


def _figures(separation: Separation, shown: _Shown | None) -> "dict[str, Figure]":
    figures = {"separation": separation_figure(separation)}
    if shown is not None:
        figures["network"] = network_figure(separation.problem, shown.network)
    return figures


def _page(
    separation: Separation,
    document: dict[str, object],
    shown: _Shown | None,
    svgs: Mapping[str, bytes],
) -> str:
    """The page around figures that are already drawn."""
    problem, known = separation.problem, bases(separation)
    versions = document["versions"]
    assert isinstance(versions, dict)
    return rendered(
        "separation.html",
        raised(headline(problem, 120)),
        question=question(problem),
        accuracy=problem.accuracy,
        remark=problem.target.remark,
        parting=parting(separation),
        tightness=tightness(separation),
        classes=" ".join(
            [*class_sentences(separation), certified_sentence(separation.problem)]
        ),
        footnote=NOT_CONFIRMED if has_unchecked(separation) else "",
        has_learned=any(row.learned for row in separation),
        rows=_rows(separation, marks_of(known)),
        svgs={name: inline_svg(svg, name, LABELS[name]) for name, svg in svgs.items()},
        network=shown,
        bases=known,
        rigours=RIGOUR_MEANING.items(),
        asked=_asked(separation),
        problem=json.dumps(document["problem"], indent=1),
        made_by=", ".join(f"{name} {number}" for name, number in versions.items()),
        document=json.dumps(document, indent=1),
    )


def _rows(separation: Separation, marks: Marks) -> list[dict[str, object]]:
    """The main table: records where they are known, and the marks of their bases."""
    return [
        {
            "depth": row.depth,
            "lower": row.lower if isinstance(row.lower, Lower) else None,
            "upper": row.upper if isinstance(row.upper, Upper) else None,
            "learned": row.learned,
            "proven": marks["proven", row.depth],
            "certified": marks["certified", row.depth],
            "ratio": ratio_words(row),
        }
        for row in separation
    ]


def _asked(separation: Separation) -> list[dict[str, object]]:
    """Every statement asked and its answer, equal answers of several depths in one."""
    found: dict[str, dict[str, list[int]]] = {}
    for row in separation:
        for name, answer in row.asked:
            found.setdefault(name, {}).setdefault(answer, []).append(row.depth)
    return [
        {"name": name, "depths": tuple(depths), "answer": answer}
        for name, answers in found.items()
        for answer, depths in sorted(answers.items(), key=lambda item: item[1])
    ]
