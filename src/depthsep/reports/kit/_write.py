"""A folder for a paper: figures, table, paragraph of methods, references."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from depthsep.claims import Lower, Upper
from depthsep.evidence import Statement, log2
from depthsep.papers import PaperRow
from depthsep.reports._files import write_folder
from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.figures._dimension_figure import dimension_figure, lines_of
from depthsep.reports.figures._levels import width
from depthsep.reports.figures._separation_figure import END_WORDS, separation_figure
from depthsep.reports.kit._bibliography import bibliography
from depthsep.reports.kit._methods import DEPTH, cite, closed, listed, methods
from depthsep.reports.kit._pgf import PgfLine, pgf_picture
from depthsep.reports.kit._rows import rows_table
from depthsep.reports.tables._escape import escaped
from depthsep.reports.tables._latex import latex_table
from depthsep.separation import Separation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


def write_kit(
    separation: Separation, folder: str | Path, command: str = ""
) -> list[Path]:
    """The kit of a table: width against depth, both sides.

    Args:
        command: that made the table, for the paragraph of methods.

    Raises:
        HypothesisError: the folder cannot be written.
    """
    sides = [side for row in separation for side in (row.lower, row.upper)]
    used = [side.statement for side in sides if isinstance(side, Lower | Upper)]
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
    picture = pgf_picture(lines, "depth", r"$\log_2$ of the width", _whole_ticks(lines))
    return _written(
        folder,
        separation_figure(separation),
        picture,
        latex_table(separation),
        methods(separation, command),
        used,
    )


def write_paper_kit(
    title: str,
    rows: Sequence[PaperRow],
    statements: Sequence[Statement],
    folder: str | Path,
    figure: "Figure | None" = None,
    command: str = "",
) -> list[Path]:
    """The kit of a recomputed table: log2 widths against the dimension.

    Args:
        title: of the table.
        statements: behind the columns.
        figure: another than that of the rows.
    """
    lines = [
        PgfLine(points, escaped(label), colour, style)
        for points, label, colour, style in lines_of(rows)
    ]
    variable = rows[0].variable
    picture = pgf_picture(
        lines, f"${variable}$", r"$\log_2$ of the width", _whole_ticks(lines)
    )
    said = [
        f"{escaped(title)}: logarithms to base 2 of the width that depth 2 needs and "
        "of the width that is enough at depth 3.",
        DEPTH,
        f"The bounds are those of {listed(statements)}, by depthsep{cite([])}.",
    ]
    text = closed(said, ["enclosed"], command)
    drawn = figure or dimension_figure(rows)
    return _written(folder, drawn, picture, rows_table(title, rows), text, statements)


def _whole_ticks(lines: Iterable[PgfLine]) -> list[str]:
    """Ticks at whole numbers: depths, dimensions, powers of two."""
    xs = sorted({x for line in lines for x, _ in line.points})
    return [f"xtick={{{','.join(f'{x:g}' for x in xs)}}}"] if len(xs) <= 12 else []


def _written(
    folder: str | Path,
    figure: "Figure",
    picture: bytes,
    table: str,
    text: str,
    statements: Iterable[Statement],
) -> list[Path]:
    files = {
        "figure.pdf": canvas.pdf_bytes(figure),
        "figure.pgf": picture,
        "table.tex": table.encode(),
        "methods.tex": text.encode(),
        "references.bib": bibliography(statements).encode(),
        "page.tex": DOCUMENT.encode(),
    }
    return write_folder(folder, files)
