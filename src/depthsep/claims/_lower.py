"""`Lower`: what a lower bound proves."""

from dataclasses import dataclass

from depthsep._display import Displayed
from depthsep.claims._basis import source_of
from depthsep.claims._network_class import ANY_RELU, NetworkClass
from depthsep.evidence import Rigour, Source, Statement, log2


@dataclass(frozen=True, kw_only=True)
class Lower(Displayed):
    """Every network of the depth that meets the accuracy is at least this large.

    Attributes:
        width: least number of units in the widest hidden layer.
        units: least number of hidden units together.
        rigour: of the whole argument.
        statement: the theorem it rests on.
        detail: what the theorem was applied to here, such as the segment of a box.
        pieces: affine pieces needed; None where the proof counts otherwise.
        networks: those that it binds.
    """

    width: int
    units: int
    rigour: Rigour
    statement: Statement
    detail: str = ""
    pieces: int | None = None
    networks: NetworkClass = ANY_RELU

    @property
    def source(self) -> Source:
        """Where the theorem comes from, with the detail in place of its name."""
        return source_of(self.statement, self.detail)

    @property
    def log2_width(self) -> float:
        """log2 of the width; -inf for 0."""
        return log2(self.width)
