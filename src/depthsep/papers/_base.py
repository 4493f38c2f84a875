"""What a row of a paper's table offers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from flint import arb, fmpq

Columns = dict[str, arb | float | None]


@dataclass(frozen=True)
class PaperRow(ABC):
    """One target in one dimension at one accuracy; widths are logarithms, log2.

    `upper` is that of a network of depth 3, None where there is none.
    """

    target: str
    dim: int
    accuracy: fmpq

    upper = None

    @property
    @abstractmethod
    def lower(self) -> float:
        """Of the width at depth 2; -inf where no unit is needed."""

    @property
    @abstractmethod
    def columns(self) -> Columns:
        """Named columns, in the order of the table."""
