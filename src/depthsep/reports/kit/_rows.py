"""The table of a paper, as LaTeX: a row for each dimension, a legend of the columns."""

import re
from collections.abc import Sequence
from math import ceil, floor

from depthsep.papers import PaperRow, shown_row
from depthsep.reports.kit._formulas import typeset
from depthsep.reports.tables._escape import escaped

ROUNDED = "Widths are logarithms to base 2, rounded to the safe side."
POWER = re.compile(r"(\w+)\^(\w+)")


def rows_table(title: str, rows: Sequence[PaperRow]) -> str:
    """A float with booktabs: columns are lettered, and said in words below."""
    shown = [shown_row(row) for row in rows]
    columns = list(rows[0].columns)
    letters = [chr(ord("a") + k) for k in range(len(columns))]
    variable = rows[0].variable
    head = " & ".join(["target", "$E$", f"${variable}$", *(f"({c})" for c in letters)])
    body = "".join(
        " & ".join(
            [
                typeset(row.target.removeprefix("inner:").removeprefix("radial:")),
                f"${line['E']}$",
                str(row.dim),
                *(_cell(line[column], column) for column in columns),
            ]
        )
        + " \\\\\n"
        for row, line in zip(rows, shown, strict=True)
    )
    legend = "; ".join(
        f"({c}) {_legend(column)}" for c, column in zip(letters, columns, strict=True)
    )
    return (
        "% needs \\usepackage{booktabs,amsmath}\n\\begin{table}\n"
        "\\centering\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n"
        f"\\caption{{{escaped(title)}. {ROUNDED}}}\n"
        f"\\smallskip\n\\begin{{tabular}}{{lrr{'r' * len(columns)}}}\n\\toprule\n"
        f"{head} \\\\\n"
        f"\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n\n\\medskip\n"
        f"{{\\footnotesize {legend}.}}\n\\end{{table}}\n"
    )


def _cell(value: object, column: str) -> str:
    """A few digits; bounds of a width are rounded to the safe side."""
    if value is None:
        return "--"
    written = str(value).removeprefix("[").split(" +/-")[0]
    try:
        number = float(written)
    except ValueError:
        return escaped(written)
    if isinstance(value, int):
        return written
    digits = 2 if abs(number) >= 1 else 4
    bend = ceil if "<=" in column or column.startswith("depth 3") else floor
    return f"${bend(number * 10**digits) / 10**digits:.{digits}f}$"


def _legend(column: str) -> str:
    """The words of a column; powers are set."""
    return POWER.sub(r"$\1^{\2}$", escaped(column).replace(r"\textasciicircum{}", "^"))
