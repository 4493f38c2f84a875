"""A paragraph for the methods section: the question, both sides, what was checked."""

from collections.abc import Iterable, Sequence

from depthsep._version import __version__
from depthsep.claims import Lower, Upper
from depthsep.evidence import Statement
from depthsep.reports.kit._bibliography import OWN, citation
from depthsep.reports.tables._escape import escaped
from depthsep.reports.tables._formulas import verbatim
from depthsep.reports.tables._latex import question_tex
from depthsep.reports.words._classes import certified_sentence, class_sentences
from depthsep.separation import Separation

DEPTH = (
    "Depth is the number of affine layers, and width the number of units "
    "of the widest hidden layer."
)
RIGOUR = {
    "exact": "was computed in rational numbers",
    "enclosed": "was enclosed with ball arithmetic, every rounding included",
    "cited": "rests on a published theorem",
    "sampled": "was estimated from samples, without a proof",
}
CHECKED = (
    "The error of each network was bounded by a separate computation "
    "that uses only its weights and the problem."
)
SOME = (
    "Where the table has a star, the width rests on its theorem, and no network of "
    "that width was built and confirmed; the error of each other network was bounded "
    "by a separate computation that uses only its weights and the problem."
)


def used_in(separation: Separation) -> list[Statement]:
    """The theorems behind all numbers of a table, also those with skip connections."""
    sides = [
        side
        for row in separation
        for side in (row.lower, row.lower_with_skips, row.upper)
        if isinstance(side, Lower | Upper)
    ]
    return list({side.statement.id: side.statement for side in sides}.values())


def methods(separation: Separation, command: str = "") -> str:
    """LaTeX of one paragraph; the keys are those of the bibliography."""
    asked = question_tex(separation.problem)
    upper = [r.upper for r in separation if isinstance(r.upper, Upper)]
    above = {side.statement.id: side.statement for side in upper}
    lower = [s for s in used_in(separation) if s.id not in above]
    said = [asked, DEPTH, f"The answers are those of depthsep {__version__}{cite([])}."]
    if lower:
        said.append(f"Lower bounds on the width follow from {listed(lower)}.")
        said += [escaped(s) for s in class_sentences(separation)]
    if upper:
        said.append(f"Wide enough networks are given by {listed(above.values())}.")
        said.append(CHECKED if all(side.checked for side in upper) else SOME)
        said.append(escaped(certified_sentence(separation.problem)))
    return paragraph(said, _rigours(separation), command)


def paragraph(said: Sequence[str], rigours: Iterable[str], command: str) -> str:
    """The sentences, what the words for rigour mean, and the command."""
    meant = [rf"a number that is \emph{{{word}}} {RIGOUR[word]}" for word in rigours]
    lines = [*said, f"In the table {'; '.join(meant)}." if meant else ""]
    if command:
        lines.append(f"The command is {verbatim(command)}.")
    return "\n".join(filter(None, lines)) + "\n"


def listed(statements: Iterable[Statement]) -> str:
    """Each statement once, with its citation."""
    names = {s.id: rf"\texttt{{{escaped(s.id)}}}{cite([s])}" for s in statements}
    *others, last = names.values()
    return f"{', '.join(others)} and {last}" if others else last


def cite(statements: Iterable[Statement], *keys: str) -> str:
    """The command that cites them, or depthsep itself."""
    named = [*map(citation, statements), *keys]
    return rf"~\cite{{{','.join(named) or OWN}}}"


def _rigours(separation: Separation) -> list[str]:
    sides = [side for row in separation for side in (row.lower, row.upper)]
    found = {str(s.rigour) for s in sides if isinstance(s, Lower | Upper)}
    return [word for word in RIGOUR if word in found]
