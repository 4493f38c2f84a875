"""The table in a terminal, or in a pipe: 80 columns, plain characters."""

from typing import TYPE_CHECKING

from flint import fmpq

from depthsep.claims import Lower, Upper
from depthsep.reports.tables._rows import print_whole
from depthsep.reports.words._bases import Basis, Marks, bases, has_unchecked, marks_of
from depthsep.reports.words._classes import class_sentences
from depthsep.reports.words._numbers import compact, error_words
from depthsep.reports.words._problem import NOT_CONFIRMED, headline
from depthsep.reports.words._tightness import ratio_words, tightness
from depthsep.reports.words._widest_gap import parting
from depthsep.separation import Row, Separation

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod
    from rich.table import Table
    from rich.text import Text

COLUMNS: "tuple[tuple[str, JustifyMethod], ...]" = (
    ("depth", "right"),
    ("hidden\nlayers", "right"),
    ("proven\nwidth >=", "right"),
    ("\nrigour", "left"),
    ("certified\nwidth <=", "right"),
    ("\nratio", "right"),
    ("\nunits", "right"),
    ("\npieces", "right"),
    ("\nerror", "right"),
    ("\nrigour", "left"),
)
# 80 columns have no room for these beside what was learned
LEFT_OUT = (5, 7)
LEARNED_COLUMNS: "tuple[tuple[str, JustifyMethod], ...]" = (
    *(column for place, column in enumerate(COLUMNS) if place not in LEFT_OUT),
    ("learned\nwidth", "right"),
)
RULED = "    \n    \n -- \n    \n    \n    \n    \n    \n"
LEARNED_NOTE = (
    'learned: the least width at which training met the accuracy, or "none" and the',
    "best error reached. This proves nothing: training may miss better networks.",
)


def print_separation(separation: Separation, console: "Console | None" = None) -> None:
    """Print the table, on standard output if no console is given.

    No digit is ever cut off: where the table does not fit, the lines are too long.
    """
    print_whole(terminal_table(separation), console)


def terminal_table(separation: Separation) -> "Table":
    """The table for people: both widths, how surely they are known, and from where.

    Long integers are shortened to the safe side; letters refer to the sources below.
    """
    from rich.box import Box
    from rich.table import Table

    known, accuracy = bases(separation), separation.problem.accuracy
    marks = marks_of(known)
    learned = any(row.learned for row in separation)
    table = Table(
        title=_plain(headline(separation.problem), "bold"),
        title_justify="left",
        caption=_footnotes(separation, known),
        caption_justify="left",
        box=Box(RULED, ascii=True),
        padding=0,
        pad_edge=False,
        show_edge=False,
        header_style="",
    )
    for name, justify in LEARNED_COLUMNS if learned else COLUMNS:
        table.add_column(name, justify=justify, no_wrap=True, vertical="bottom")
    for row in separation:
        cells = _cells(row, marks, accuracy)
        if learned:
            width = row.learned.shown if row.learned else "-"
            kept = [c for place, c in enumerate(cells) if place not in LEFT_OUT]
            cells = [*kept, _plain(width)]
        table.add_row(*cells)
    return table


def _cells(row: Row, marks: Marks, accuracy: fmpq) -> "list[Text]":
    numbers = [_plain(str(row.depth)), _plain(str(row.depth - 1))]
    return [*numbers, *_lower_cells(row, marks), *_upper_cells(row, marks, accuracy)]


def _lower_cells(row: Row, marks: Marks) -> "list[Text]":
    mark = marks["proven", row.depth]
    if not isinstance(row.lower, Lower):
        return [_plain("-", "dim"), _plain(f"none  {mark}", "dim")]
    width = compact(row.lower.width, upward=False)
    return [_plain(width, "bold"), _with_mark(str(row.lower.rigour), mark)]


def _upper_cells(row: Row, marks: Marks, accuracy: fmpq) -> "list[Text]":
    upper, mark = row.upper, marks["certified", row.depth]
    if not isinstance(upper, Upper):
        return [*(_plain("-", "dim") for _ in range(5)), _plain(f"none  {mark}", "dim")]
    star = "" if upper.checked else "*"
    pieces = "-" if upper.pieces is None else compact(upper.pieces, upward=True)
    return [
        _plain(
            star + compact(upper.width, upward=True), "bold" if upper.checked else ""
        ),
        _plain(ratio_words(row)),
        _plain(compact(upper.units, upward=True)),
        _plain(pieces),
        _plain(error_words(upper.error, accuracy)),
        _with_mark(str(upper.rigour), mark),
    ]


def _with_mark(rigour: str, mark: str) -> "Text":
    text = _plain(rigour)
    text.append(f" {mark}", "dim")
    return text


def _footnotes(separation: Separation, known: tuple[Basis, ...]) -> "Text":
    from rich.text import Text

    said = [s for s in (parting(separation), tightness(separation)) if s]
    said += class_sentences(separation)
    lines = [_plain("")]
    lines += [*(_plain(s, "not dim") for s in said), _plain("")] if said else []
    for basis in known:
        if basis.statement is None:
            reason = f"no {basis.side} width: {basis.text}"
            lines.append(_plain(f"{basis.mark}  {reason}", "dim"))
        else:
            source = f"{basis.mark}  {basis.side} by {basis.text}"
            lines.append(_plain(source, "not dim"))
    ids = [basis.statement.id for basis in known if basis.statement]
    if ids:
        lines.append(_plain(f"To read a theorem: depthsep results {ids[0]}", "dim"))
    if has_unchecked(separation):
        lines.append(_plain(f"*  {NOT_CONFIRMED}", "not dim"))
    if any(row.learned for row in separation):
        lines += [_plain(line, "dim") for line in LEARNED_NOTE]
    return Text("\n").join(lines)


def _plain(written: str, style: str = "") -> "Text":
    """Text as it is: brackets in a formula are not markup."""
    from rich.text import Text

    return Text(written, style=style)
