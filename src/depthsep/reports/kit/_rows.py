"""The table of a paper, as LaTeX: a row for each dimension, a legend of the columns."""

from collections.abc import Sequence

from depthsep.papers import PaperRow, shown_row
from depthsep.reports.kit._formulas import typeset
from depthsep.reports.tables._escape import escaped

DIGITS = 5  # that are shown, of those that are known


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
                typeset(row.target.partition(":")[2] or row.target),
                typeset(str(line["E"])),
                str(row.dim),
                *(_cell(line[column]) for column in columns),
            ]
        )
        + " \\\\\n"
        for row, line in zip(rows, shown, strict=True)
    )
    legend = "; ".join(
        f"({c}) {escaped(column)}" for c, column in zip(letters, columns, strict=True)
    )
    return (
        "% needs \\usepackage{booktabs,amsmath}\n\\begin{table}\n"
        "\\centering\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n"
        f"\\caption{{{escaped(title)}. Widths are logarithms to base 2.}}\n"
        f"\\smallskip\n\\begin{{tabular}}{{lrr{'r' * len(columns)}}}\n\\toprule\n"
        f"{head} \\\\\n"
        f"\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n\n\\medskip\n"
        f"{{\\footnotesize {legend}.}}\n\\end{{table}}\n"
    )


def _cell(value: object) -> str:
    if value is None:
        return "--"
    if isinstance(value, float):
        return f"{value:.2f}"
    digits = str(value).removeprefix("[").split(" +/-")[0]
    try:
        return f"${float(digits):.{DIGITS}g}$" if len(digits) > DIGITS else digits
    except ValueError:
        return escaped(digits)
