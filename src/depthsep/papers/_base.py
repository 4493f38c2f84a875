"""What a row of a paper's table offers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property

from flint import arb, fmpq

from depthsep.exact import text

Columns = dict[str, arb | float | str | None]


@dataclass(frozen=True)
class PaperRow(ABC):
    """One target in one dimension at one accuracy; widths are logarithms, log2.

    Attributes:
        lower: of the width that is proved at depth 2; -inf where no unit is needed.
        upper: of the width of a network of depth 3; None where there is none.
        variable: what `dim` is called.
    """

    target: str
    dim: int
    accuracy: fmpq
    lower: float
    upper: float | None
    variable: str = field(default="d", kw_only=True)

    @property
    def plain_target(self) -> str:
        """The target without the word for its kind."""
        return self.target.removeprefix("inner:").removeprefix("radial:")

    @property
    def name(self) -> str:
        """Of the line that a figure draws: the same for every dimension."""
        return self.plain_target

    @property
    def at_most(self) -> frozenset[str]:
        """The columns that are bounds from above."""
        return frozenset(name for name in self.columns if "<=" in name)

    @cached_property
    @abstractmethod
    def columns(self) -> Columns:
        """Named columns, in the order of the table."""


def shown_row(row: PaperRow) -> dict[str, object]:
    """Balls as text with the digits that are known, up to seven."""
    shown: dict[str, object] = {"target": row.target, "E": text(row.accuracy)}
    shown[row.variable] = row.dim
    for name, value in row.columns.items():
        if value is None or isinstance(value, float | int | str):
            shown[name] = value if value != float("-inf") else None
        else:
            shown[name] = value.str(7) if value.is_finite() else None
    return shown
