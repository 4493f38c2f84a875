"""What the rows rest on: the distinct sources and reasons, each with a mark."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from depthsep.claims import Lower, Upper
from depthsep.evidence import Inapplicable, Statement, reference_text
from depthsep.separation import Row, Separation

SIDES = ("proven", "certified")
Marks = Mapping[tuple[str, int], str]
"""The letter of each side and depth."""


@dataclass(frozen=True)
class Basis:
    """A source, or the reason for an empty place, and the depths it serves.

    Attributes:
        side: "proven" or "certified".
        statement: None where none applies.
        text: the id of the statement, where it is from, with what it was applied to; or
            why there is none.
        place: the same without the key of the reference.
        remark: which networks a lower bound binds.
        mark: the letter that refers to it from the table.
    """

    side: str
    statement: Statement | None
    text: str
    place: str = ""
    remark: str = ""
    mark: str = ""
    depths: tuple[int, ...] = ()

    @property
    def reference(self) -> str:
        """The reference in full; empty for a source outside our list."""
        try:
            known = self.statement
            return "" if known is None else reference_text(known.source.key)
        except KeyError:
            return ""


def bases(separation: Separation) -> tuple[Basis, ...]:
    """The distinct bases of a table: those of lower bounds first."""
    depths: dict[Basis, list[int]] = {}
    for side in SIDES:
        for row in separation:
            depths.setdefault(_basis(side, row), []).append(row.depth)
    return tuple(
        replace(basis, mark=letters(i), depths=tuple(found))
        for i, (basis, found) in enumerate(depths.items())
    )


def marks_of(known: tuple[Basis, ...]) -> Marks:
    """The marks by which a table refers to its bases."""
    return {(b.side, depth): b.mark for b in known for depth in b.depths}


def has_unchecked(separation: Separation) -> bool:
    """Whether an upper bound rests on its theorem alone."""
    return any(isinstance(r.upper, Upper) and not r.upper.checked for r in separation)


def letters(index: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    head = letters(index // 26 - 1) if index >= 26 else ""
    return head + chr(ord("a") + index % 26)


def _basis(side: str, row: Row) -> Basis:
    record = row.lower if side == "proven" else row.upper
    if isinstance(record, Inapplicable):
        return Basis(side, None, "; ".join(record.main))
    remark = str(record.networks) if isinstance(record, Lower) else ""
    text = f"{record.statement.id}: {record.source}"
    return Basis(side, record.statement, text, record.source.place, remark)
