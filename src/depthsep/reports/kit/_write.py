"""A folder for a paper: figures, table, paragraph of methods, references."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from depthsep._errors import HypothesisError
from depthsep.evidence import Statement, log2
from depthsep.papers import PaperRow
from depthsep.reports._files import write_folder
from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.figures._dimension_figure import lines_of
from depthsep.reports.figures._levels import width
from depthsep.reports.figures._separation_figure import END_WORDS, separation_figure
from depthsep.reports.kit._bibliography import bibliography
from depthsep.reports.kit._methods import (
    DEPTH,
    cite,
    listed,
    methods,
    paragraph,
    used_in,
)
from depthsep.reports.kit._pgf import PgfLine, pgf_picture
from depthsep.reports.kit._rows import rows_table, set_words
from depthsep.reports.tables._escape import escaped
from depthsep.reports.tables._latex import latex_table
from depthsep.separation import Separation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TICKS = 8
FAR = 10  # times the first: then the axis is logarithmic
MARK = "% written by depthsep; --paper writes it anew\n"
TEXTS = ("figure.pgf", "table.tex", "methods.tex", "references.bib", "page.tex")
DOCUMENT = r"""% shows all of this folder: pdflatex, bibtex, pdflatex, pdflatex
\documentclass{article}
\usepackage{amsmath,amssymb,booktabs,graphicx,pgfplots,hyperref}
\pgfplotsset{compat=1.16}
\begin{document}
\section*{Methods}
\input{methods}
\input{table}
\begin{figure}
\centering\input{figure.pgf}
\caption{The figure, set by \LaTeX; \texttt{figure.pdf} shows the same.}
\end{figure}
\bibliographystyle{plain}
\bibliography{references}
\end{document}
"""
ENCLOSED = (
    "Lower bounds, and the masses that they rest on, are computed in ball "
    "arithmetic, with every rounding error included."
)


def write_kit(
    separation: Separation, folder: str | Path, command: str = ""
) -> list[Path]:
    """The kit of a table: width against depth, both sides.

    Args:
        command: that made the table, for the paragraph of methods.

    Raises:
        HypothesisError: the folder cannot be written, or a file there is not ours.
    """
    lines = [
        PgfLine(
            [(r.depth, log2(w)) for r in separation if (w := width(r, side))],
            name,
            colour,
            "mark=*" if side == "certified" else "mark=triangle*",
        )
        for (side, (name, _)), colour in zip(
            END_WORDS.items(), (canvas.CERTIFIED, canvas.PROVEN), strict=True
        )
    ]
    texts = {
        "figure.pgf": _picture(lines, "depth"),
        "table.tex": latex_table(separation),
        "methods.tex": methods(separation, command),
        "references.bib": bibliography(used_in(separation)),
    }
    return _written(folder, separation_figure(separation), texts)


def write_paper_kit(
    title: str,
    rows: Sequence[PaperRow],
    statements: Sequence[Statement],
    folder: str | Path,
    figure: "Figure",
    *,
    about: str,
    keys: Sequence[str] = (),
    command: str = "",
) -> list[Path]:
    """The kit of a recomputed table: log2 widths against the dimension.

    Args:
        title: of the table.
        statements: behind the columns.
        about: what the table says, in sentences.
        keys: of the papers whose table it is.
        command: that made the table.

    Raises:
        HypothesisError: the folder cannot be written, or a file there is not ours.
    """
    lines = [
        PgfLine(
            points, escaped(label), colour, f"mark=*, {style}" if style else "mark=*"
        )
        for points, label, colour, style in lines_of(rows)
    ]
    source = f"The table evaluates the bounds of{cite([], *keys)}." if keys else ""
    evaluated = (
        f"The bounds are those of {listed(statements)}, evaluated by "
        f"depthsep{cite([])}."
    )
    said = [f"{escaped(title)}.", source, set_words(about), DEPTH, evaluated, ENCLOSED]
    texts = {
        "figure.pgf": _picture(lines, f"${rows[0].variable}$"),
        "table.tex": rows_table(title, rows),
        "methods.tex": paragraph(said, (), command),
        "references.bib": bibliography(statements, keys),
    }
    return _written(folder, figure, texts)


def check_kit(folder: str | Path | None) -> None:
    """Refuse a folder with files of these names that depthsep did not write.

    Raises:
        HypothesisError: there is one.
    """
    if folder is None:
        return
    for place in (Path(folder) / name for name in TEXTS):
        if place.is_file() and not _is_ours(place):
            raise HypothesisError(
                f"{place} was not written by depthsep and would be "
                "overwritten; choose another folder"
            )


def _is_ours(place: Path) -> bool:
    with place.open("rb") as file:
        return file.read(len(MARK)) == MARK.encode()


def _picture(lines: Iterable[PgfLine], x: str) -> str:
    """Ticks stand at whole numbers: depths or dimensions."""
    drawn = [line for line in lines if line.points]
    xs = sorted({x for line in drawn for x, _ in line.points}) or [1.0]
    shown = xs[:: -(-len(xs) // MOST_TICKS)]
    ticks = [f"xtick={{{','.join(f'{x:g}' for x in shown)}}}", "scaled ticks=false"]
    if xs[-1] > FAR * xs[0]:
        ticks += ["xmode=log", "log ticks with fixed point"]
    return pgf_picture(drawn, x, r"$\log_2$ of the width", ticks)


def _written(folder: str | Path, figure: "Figure", texts: dict[str, str]) -> list[Path]:
    check_kit(folder)
    texts = {**texts, "page.tex": DOCUMENT}
    marked = {name: (MARK + text).encode() for name, text in texts.items()}
    return write_folder(folder, {"figure.pdf": canvas.pdf_bytes(figure), **marked})
