"""`Lower`: what a lower bound proves."""

from dataclasses import dataclass, replace

from depthsep._display import Displayed
from depthsep.claims._basis import source_of
from depthsep.evidence import Inapplicable, Rigour, Source, Statement, log2
from depthsep.problems import ANY_RELU, NetworkClass


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
        counts_cells: whether the proof only counts the cells of affinity of a line, so
            that it holds whatever the units read.
        may_jump: whether pieces are those of functions that may jump, then.
    """

    width: int
    units: int
    rigour: Rigour
    statement: Statement
    detail: str = ""
    pieces: int | None = None
    networks: NetworkClass = ANY_RELU
    counts_cells: bool = False
    may_jump: bool = False

    @staticmethod
    def in_one_layer(
        width: int,
        rigour: Rigour,
        statement: Statement,
        networks: NetworkClass,
        detail: str = "",
    ) -> "Lower":
        """What is proved of networks of one hidden layer: its width is all units."""
        return Lower(
            width=width,
            units=width,
            rigour=rigour,
            statement=statement,
            detail=detail,
            networks=networks,
        )

    def of(self, asked: NetworkClass) -> "Lower | Inapplicable":
        """What it proves of a class of networks.

        A continuous unit of t affine pieces is t - 1 ReLUs of what it reads and an
        affine function of it, which skip connections carry: whatever is proved of ReLU
        networks with them binds t - 1 times as many of such units.

        Source:
            Theorem U, docs/proofs/units.md.
        """
        if self.networks.includes(asked):
            return self
        units, kinks = asked.units, asked.units.kinks
        if self.networks != ANY_RELU or kinks is None or units.degree > 1:
            return Inapplicable(f"this bound is proved only for {self.networks}")
        if not (units.continuous or (self.counts_cells and self.may_jump)):
            return Inapplicable("this bound is proved only for continuous networks")
        if not (units.reads_one or self.counts_cells):
            return Inapplicable(
                "this bound is proved only for units that apply one "
                "function to one weighted sum"
            )
        return replace(
            self,
            width=-(-self.width // kinks),
            units=-(-self.units // kinks),
            networks=replace(ANY_RELU, units=units),
        )

    @property
    def source(self) -> Source:
        """Where the theorem comes from, with the detail in place of its name."""
        return source_of(self.statement, self.detail)

    @property
    def log2_width(self) -> float:
        """log2 of the width; -inf for 0."""
        return log2(self.width)
