"""The table of a paper, as LaTeX: a row for each dimension, a legend of the columns."""

import re
from collections.abc import Sequence

from flint import arb

from depthsep.exact import text, upper_float
from depthsep.papers import PaperRow
from depthsep.reports.tables._escape import escaped
from depthsep.reports.tables._formulas import typeset
from depthsep.reports.tables._rows import to_safe_side

LOGARITHMS = "Widths are given by their logarithms to base 2."
ROUNDED = "Bounds from above are rounded up, all other numbers down."
FORMULA = re.compile(r"(\|?g phi\|?(?:\^2)?|\w+\^\w+|kappa|[<>]=)")
IN_TEX = {"phi": r"\varphi", "kappa": r"\kappa", "<=": r"\le", ">=": r"\ge"}


def rows_table(title: str, rows: Sequence[PaperRow]) -> str:
    """A float with booktabs: columns are lettered, and said in words below."""
    columns = list(rows[0].columns)
    letters = [f"({chr(ord('a') + k)})" for k in range(len(columns))]
    head = " & ".join(["target", "$E$", f"${rows[0].variable}$", *letters])
    body = "".join(f"{' & '.join(_cells(row))} \\\\\n" for row in rows)
    legend = "; ".join(
        f"{letter} {set_words(column)}"
        for letter, column in zip(letters, columns, strict=True)
    )
    return (
        "% needs \\usepackage{booktabs,amsmath}\n\\begin{table}\n"
        "\\centering\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n"
        f"\\caption{{{escaped(title)}. {LOGARITHMS} {ROUNDED}}}\n"
        f"\\smallskip\n\\begin{{tabular}}{{lrr{'r' * len(columns)}}}\n\\toprule\n"
        f"{head} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n\n\\medskip\n"
        f"{{\\footnotesize {legend}.}}\n\\end{{table}}\n"
    )


def _cells(row: PaperRow) -> list[str]:
    numbers = [_cell(v, name in row.at_most) for name, v in row.columns.items()]
    target = typeset(row.plain_target)
    return [target, f"${text(row.accuracy)}$", str(row.dim), *numbers]


def _cell(value: arb | float | str | None, upward: bool) -> str:
    """The safe end of a ball, or a number, with a few digits."""
    if isinstance(value, arb):
        value = upper_float(value) if upward else -upper_float(-value)
    if not isinstance(value, float):
        return "--" if value is None else escaped(str(value))
    shown = to_safe_side(value, upward)
    return "--" if shown is None else f"${shown}$"


def set_words(words: str) -> str:
    """Words; small formulas among them, such as 2^d and |g phi|^2, are set."""
    parts = FORMULA.split(words)
    return "".join(_formula(p) if k % 2 else escaped(p) for k, p in enumerate(parts))


def _formula(plain: str) -> str:
    for name, tex in IN_TEX.items():
        plain = plain.replace(name, tex)
    return "$" + re.sub(r"\^(\w+)", r"^{\1}", plain) + "$"
