"""The report as one HTML page that needs nothing but itself."""

import json
from html import escape

from depthsep.networks import Network
from depthsep.reports.figures._canvas import svg_bytes
from depthsep.reports.figures._separation_figure import separation_figure
from depthsep.reports.pages import _separation_table as tables
from depthsep.reports.pages._environment import details, figure, formula, section
from depthsep.reports.pages._pictured import Drawn, drawn
from depthsep.reports.pages._style import CSS
from depthsep.reports.pictures._network_figure import network_figure
from depthsep.reports.words._bases import bases
from depthsep.reports.words._numbers import error_words
from depthsep.reports.words._problem import (
    RIGOUR_MEANING,
    headline,
    plural,
    question,
    raised,
)
from depthsep.reports.words._widest_gap import parting
from depthsep.separation import Built, Separation

MEANING = (
    '<b class="certified">Certified</b>: a network of this width meets the accuracy. '
    '<b class="proven">Proven</b>: no narrower network of that depth does. '
    "Depth counts affine layers, so depth 2 has one hidden layer."
)


def html_report(separation: Separation, network: Network | Built | None = None) -> str:
    """One HTML page: question, table, figures, proofs, everything that was asked.

    It loads nothing, runs no script and follows the reader's light or dark setting.
    Without a network the smallest examined one of the table is pictured.
    """
    shown = drawn(separation, network)
    svgs = {"separation": svg_bytes(separation_figure(separation), "separation")}
    if shown is not None:
        picture = network_figure(separation.problem, shown.network)
        svgs["network"] = svg_bytes(picture, "network")
    return page(separation, shown, svgs)


def page(separation: Separation, shown: Drawn | None, svgs: dict[str, bytes]) -> str:
    """The page around figures that are already drawn."""
    title = escape(raised(headline(separation.problem, 120)))
    body = "\n".join(
        (
            f"<h1>{title}</h1>",
            _question(separation),
            tables.table(separation),
            section("Width against depth", _width_figure(svgs)),
            _network(separation, shown, svgs),
            section("What is proven, and how", _proofs(separation)),
            section("Everything that was asked", tables.asked(separation)),
            section("Problem and versions", _documents(separation)),
        )
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{CSS}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _question(separation: Separation) -> str:
    words = "".join(
        formula(raised(part)) if is_formula else escape(part)
        for part, is_formula in question(separation.problem)
    )
    remark = escape(raised(separation.problem.target.remark))
    more = f"<p>{remark}</p>\n" if remark else ""
    said = escape(raised(parting(separation)))
    apart = f"<p>{said}</p>\n" if said else ""
    return f'<p class="lead">{words}</p>\n{more}<p>{MEANING}</p>\n{apart}'


def _width_figure(svgs: dict[str, bytes]) -> str:
    return figure(svgs["separation"], "separation", "width against depth")


def _network(
    separation: Separation, shown: Drawn | None, svgs: dict[str, bytes]
) -> str:
    if shown is None:
        return section("A network", "<p>No network was built for this table.</p>")
    network = shown.network
    facts = {
        "depth": f"{network.depth} ({plural(network.hidden_layers, 'hidden layer')})",
        "widths": ", ".join(map(str, network.widths)),
        "units": str(network.units),
        "weights": "float64" if network.is_float else "rational numbers",
    }
    if shown.error is not None:
        near = error_words(shown.error, separation.problem.accuracy)
        facts["error at most"] = f"{near}, {shown.rigour}"
        facts["from"] = shown.source
    items = "".join(
        f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items()
    )
    picture = figure(svgs["network"], "network", "target, network and error")
    return section("A network", f"<p>{shown.origin}</p>\n<dl>{items}</dl>\n{picture}")


def _proofs(separation: Separation) -> str:
    items = "\n".join(tables.basis_item(basis) for basis in bases(separation))
    legend = "".join(
        f"<dt>{rigour}</dt><dd>{escape(meaning)}</dd>"
        for rigour, meaning in RIGOUR_MEANING.items()
    )
    return (
        f'<ol class="bases">\n{items}\n</ol>\n'
        "<p>How surely a number is known, strongest first:</p>\n"
        f"<dl>{legend}</dl>"
    )


def _documents(separation: Separation) -> str:
    document = separation.to_json()
    written = escape(json.dumps(document["problem"], indent=1))
    versions = document["versions"]
    assert isinstance(versions, dict)
    named = ", ".join(f"{escape(k)} {escape(str(v))}" for k, v in versions.items())
    everything = escape(json.dumps(document, indent=1))
    return f"<pre>{written}</pre>\n<p>Made by {named}.</p>\n" + details(
        "The whole table as JSON", f"<pre>{everything}</pre>"
    )
