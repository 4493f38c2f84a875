"""What every lower bound offers, and how pieces become widths."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from depthsep.analysis import least_units, least_width
from depthsep.evidence import (
    Inapplicable,
    Lower,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
)
from depthsep.problems import Problem


class AbstractLowerBound(ABC):
    """A theorem that forbids small networks."""

    @property
    @abstractmethod
    def statement(self) -> Statement:
        """The statement, for the catalogue."""

    @abstractmethod
    def prove(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        """The least size of any network of this depth that meets the accuracy."""

    @abstractmethod
    def examples(self) -> Sequence[Problem]:
        """Problems it applies to at depth 2, for tests and documentation."""


def from_pieces(pieces: int, depth: int, rigour: Rigour, source: Source) -> Lower:
    """Theorem A: prod (m_i + 1) >= pieces, for ReLU networks with any skips."""
    layers = depth - 1
    return Lower(
        least_width(pieces, layers), least_units(pieces, layers), pieces, rigour, source
    )


def width_value(pieces: int, layers: int, rigour: Rigour) -> Value:
    """The width that Theorem A demands, as the value of a statement."""
    width = least_width(pieces, layers)
    return Value(width, rigour, log2(width))
