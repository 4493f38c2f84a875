"""The reason why a statement does not apply, and logarithms of widths."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Inapplicable:
    """A statement does not cover this problem; the reason is shown to the user.

    Attributes:
        off_topic: it is about another kind of problem; its reason is shown only if
            nothing closer has one.
        general: the reason is what the statement is about, not what this problem lacks.
        by: the id of the statement that says so; "" if it is not known.
        parts: the answers of several statements that were put `together`.
    """

    reason: str
    off_topic: bool = False
    general: bool = False
    by: str = ""
    parts: tuple["Inapplicable", ...] = ()

    @staticmethod
    def together(answers: Iterable["Inapplicable"], otherwise: str) -> "Inapplicable":
        """One answer out of several: those on the topic, if there are any."""
        flat = [part for answer in answers for part in answer.parts or (answer,)]
        close = dict.fromkeys(part for part in flat if not part.off_topic)
        parts = tuple(close or dict.fromkeys(flat))
        return Inapplicable("; ".join(_by_cause(parts)) or otherwise, parts=parts)

    def said_by(self, id: str) -> "Inapplicable":
        """The same with the statement that says so, where none is known."""
        parts = tuple(part.said_by(id) for part in self.parts)
        return replace(self, by=self.by or id, parts=parts)

    @property
    def main(self) -> tuple[str, ...]:
        """The reasons that are not general; all of them if there are no others."""
        parts = self.parts or (self,)
        own = [part for part in parts if not part.general] or parts
        return _by_cause(own)

    def __str__(self) -> str:
        return self.reason


def _by_cause(parts: Iterable[Inapplicable]) -> tuple[str, ...]:
    """Every reason once, behind the statements that give it."""
    causes: dict[str, dict[str, None]] = {}
    for part in parts:
        causes.setdefault(part.reason, {})[part.by] = None
    said = {reason: ", ".join(filter(None, by)) for reason, by in causes.items()}
    return tuple(f"{by}: {reason}" if by else reason for reason, by in said.items())


def log2(n: int) -> float:
    """log2 of an integer of any size."""
    if n <= 0:
        return -math.inf
    shift = max(0, n.bit_length() - 60)
    return math.log2(n >> shift) + shift
