"""A paragraph for the methods section: the question, both sides, what was checked."""

from collections.abc import Iterable

from depthsep._version import __version__
from depthsep.claims import Lower, Upper
from depthsep.evidence import Statement
from depthsep.reports.kit._bibliography import OWN, citation
from depthsep.reports.kit._formulas import typeset
from depthsep.reports.tables._escape import escaped
from depthsep.reports.words._classes import certified_sentence, class_sentences
from depthsep.reports.words._problem import question
from depthsep.separation import Separation

DEPTH = "Depth counts the affine layers, width the units of the widest hidden layer."
RIGOUR = {
    "exact": "computed in rational numbers",
    "enclosed": "enclosed with ball arithmetic, every rounding included",
    "cited": "taken from a published theorem",
    "sampled": "estimated from samples, without a proof",
}


def methods(separation: Separation, command: str = "") -> str:
    """LaTeX of one paragraph; the keys are those of the bibliography."""
    asked = "".join(
        typeset(part) if formula else escaped(part)
        for part, formula in question(separation.problem)
    )
    lower = [r.lower.statement for r in separation if isinstance(r.lower, Lower)]
    upper = [r.upper.statement for r in separation if isinstance(r.upper, Upper)]
    said = [asked, DEPTH, f"The answers are those of depthsep {__version__}{cite([])}."]
    if lower:
        said.append(f"Lower bounds on the width follow from {listed(lower)}.")
        said += [escaped(s) for s in class_sentences(separation)]
    if upper:
        said.append(
            f"Networks that are wide enough are built as in {listed(upper)}; the error "
            "of each was derived again from its weights and the problem alone."
        )
        said.append(escaped(certified_sentence(separation.problem)))
    return closed(said, _rigours(separation), command)


def closed(said: list[str], rigours: Iterable[str], command: str) -> str:
    """The sentences, what the words for rigour mean, and the command."""
    meant = "; ".join(
        rf"\emph{{{word}}} numbers are {RIGOUR[word]}" for word in rigours
    )
    said = [*said, f"{meant[:1]}{meant[1:]}." if meant else ""]
    if command:
        said.append(rf"The command is \texttt{{{escaped(command)}}}.")
    return "\n".join(filter(None, said)).replace("\n\\emph", "\nHere \\emph") + "\n"


def listed(statements: Iterable[Statement]) -> str:
    """Each statement once, with its citation."""
    names = {s.id: rf"\texttt{{{escaped(s.id)}}}{cite([s])}" for s in statements}
    *others, last = names.values()
    return f"{', '.join(others)} and {last}" if others else last


def cite(statements: Iterable[Statement]) -> str:
    """The command that cites them, or depthsep itself."""
    return rf"~\cite{{{','.join(map(citation, statements)) or OWN}}}"


def _rigours(separation: Separation) -> list[str]:
    sides = [side for row in separation for side in (row.lower, row.upper)]
    found = {str(s.rigour) for s in sides if isinstance(s, Lower | Upper)}
    return [word for word in RIGOUR if word in found]
