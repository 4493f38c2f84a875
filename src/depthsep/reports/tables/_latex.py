"""The table for a paper: booktabs and amsmath, nothing else."""

from depthsep.claims import Learned, Lower, Upper
from depthsep.problems import Problem
from depthsep.reports.tables._escape import escaped
from depthsep.reports.tables._formulas import typeset
from depthsep.reports.words._bases import Basis, Marks, bases, has_unchecked, marks_of
from depthsep.reports.words._classes import certified_sentence, class_sentences
from depthsep.reports.words._numbers import error_words, power_of_two
from depthsep.reports.words._problem import (
    NOT_CONFIRMED,
    depths_words,
    question,
)
from depthsep.reports.words._tightness import ratio_words
from depthsep.separation import Row, Separation

SIZES = (r"\small\setlength{\tabcolsep}{2pt}", r"\tiny\setlength{\tabcolsep}{1pt}")
HEAD = r"""% needs \usepackage{booktabs,amsmath}
\begin{table}
\centering
SIZE
\caption{CAPTION}
\smallskip
\begin{tabular}{rrrlrrrrrl}
\toprule
& & \multicolumn{2}{c}{proven} & \multicolumn{6}{c}{certified} \\
\cmidrule(lr){3-4} \cmidrule(lr){5-10}
depth & hidden & width $\ge$ & rigour & width $\le$ & ratio & units & pieces & error &
rigour \\
\midrule
"""


def latex_table(separation: Separation) -> str:
    """The table as a LaTeX float: integers exact, sources below."""
    known = bases(separation)
    marks = marks_of(known)
    rows = [_row(row, marks, separation) for row in separation]
    notes = [_note(basis) for basis in known]
    if has_unchecked(separation):
        notes.append(rf"\textsuperscript{{*}} {NOT_CONFIRMED}.")
    notes += [_learned_note(row) for row in separation if row.learned]
    caption = question_tex(separation.problem)
    of_networks = certified_sentence(separation.problem)
    notes += [escaped(said) for said in (*class_sentences(separation), of_networks)]
    below = "\\par\n".join(notes)
    head = HEAD.replace("SIZE", _size(separation)).replace("CAPTION", caption)
    return (
        f"{head}{''.join(rows)}\\bottomrule\n\\end{{tabular}}\n\n"
        f"\\medskip\n\\begin{{minipage}}{{0.95\\linewidth}}\\footnotesize\\raggedright\n"
        f"{below}\n\\end{{minipage}}\n\\end{{table}}\n"
    )


def question_tex(problem: Problem) -> str:
    """The question that a table answers, with typeset formulas."""
    return "".join(
        typeset(part) if formula else escaped(part)
        for part, formula in question(problem)
    )


def integer(n: int) -> str:
    """All digits, in groups of three from five digits on, or a long power of two."""
    exponent = power_of_two(n)
    if exponent is not None:
        return f"$2^{{{exponent}}}$"
    return f"{n:,}".replace(",", r"\,") if n >= 10_000 else str(n)


def _size(separation: Separation) -> str:
    """Smaller type where a width has very many digits."""
    sides = [side for row in separation for side in (row.lower, row.upper)]
    widths = [s.width for s in sides if isinstance(s, Upper | Lower)]
    long = any(n >= 10**12 and power_of_two(n) is None for n in widths)
    return SIZES[long]


def _row(row: Row, marks: Marks, separation: Separation) -> str:
    lower, upper = row.lower, row.upper
    low = [integer(lower.width)] if isinstance(lower, Lower) else ["--"]
    high = ["--"] * 5
    if isinstance(upper, Upper):
        star = "" if upper.checked else r"\rlap{\textsuperscript{*}}"
        pieces = "--" if upper.pieces is None else integer(upper.pieces)
        error = _error(error_words(upper.error, separation.problem.accuracy))
        ratio = ratio_words(row).replace("-", "--")
        high = [integer(upper.width) + star, ratio, integer(upper.units), pieces, error]
    cells = [
        str(row.depth),
        str(row.depth - 1),
        *low,
        _rigour(lower, marks["proven", row.depth]),
        *high,
        _rigour(upper, marks["certified", row.depth]),
    ]
    return " & ".join(cells) + " \\\\\n"


def _rigour(side: object, mark: str) -> str:
    word = str(side.rigour) if isinstance(side, Upper | Lower) else "none"
    return rf"{word}\textsuperscript{{{mark}}}"


def _error(written: str) -> str:
    mantissa, e, exponent = written.partition("e")
    return rf"${mantissa} \cdot 10^{{{exponent}}}$" if e else f"${written}$"


def _learned_width(learned: Learned) -> str:
    width = f"width {integer(learned.width)}"
    return (
        width
        if learned.met
        else f"no width that was tried met the accuracy; best result: {width}"
    )


def _learned_note(row: Row) -> str:
    assert row.learned is not None
    return (
        f"Result of training at depth {row.depth} (this proves nothing): "
        f"{_learned_width(row.learned)}, error {_error(f'{row.learned.error:.3g}')}."
    )


def _note(basis: Basis) -> str:
    where = depths_words(basis.depths)
    if basis.statement is None:
        text = f"No {basis.side} width at {where}: {basis.text}."
    else:
        text = f"{basis.side.capitalize()}, {where}: {basis.place}."
        text += f" {basis.reference.rstrip('.')}." if basis.reference else ""
    return rf"\textsuperscript{{{basis.mark}}} {escaped(text)}"
