"""Bounds for every d beside those that are computed for one d at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.every_dimension import ForAll
from depthsep.papers._base import Columns, PaperRow
from depthsep.papers._one_dimension import in_one_dimension

SAMPLES = (2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 101, 300, 1000)


@dataclass(frozen=True)
class EveryDimensionRow(PaperRow):
    """One dimension; `lower` and `upper` are the bounds that hold for every d.

    Attributes:
        alone: at least, at most so much at this d, sharper; None where not computed.
        depths: of the two bounds.
    """

    alone: tuple[float | None, float | None]
    depths: tuple[int | str, int | str]

    @cached_property
    def columns(self) -> Columns:
        (least, most), (low, high) = self.alone, self.depths
        return {
            f"depth {low}, for every {self.variable}": self.lower,
            f"depth {low}, for this {self.variable}": least,
            f"depth {high}, for this {self.variable}": most,
            f"depth {high}, for every {self.variable}": self.upper,
        }

    @property
    def at_most(self) -> frozenset[str]:
        return frozenset(list(self.columns)[2:])


def every_dimension_row(
    theorems: Sequence[ForAll], dim: int, accuracy: fmpq
) -> EveryDimensionRow:
    """The bounds of one target at one d.

    Raises:
        HypothesisError: no lower bound speaks of this d; the accuracy is too large.
    """
    here = [t for t in theorems if t.covers(dim)]
    lower = next((t for t in here if t.side == "at least"), None)
    upper = next((t for t in here if t.side == "at most"), None)
    if lower is None:
        known = " and ".join(t.dims for t in theorems if t.side == "at least")
        raise HypothesisError(
            f"{theorems[0].variable} is {dim}; the bounds hold for {known}"
        )
    least = lower.at(dim, accuracy).log2
    most = None if upper is None else upper.at(dim, accuracy).log2
    alone = [
        None if t is None else in_one_dimension(t.id, t.target, dim, accuracy)
        for t in (lower, upper)
    ]
    return EveryDimensionRow(
        *(lower.target, dim, accuracy, float("-inf") if least is None else least, most),
        alone=(alone[0], alone[1]),
        depths=(lower.depth, 3 if upper is None else upper.depth),
        variable=lower.variable,
    )


def sample_dims(theorems: Sequence[ForAll], dims: Sequence[int] = SAMPLES) -> list[int]:
    """Those of which a lower bound speaks."""
    lower = [t for t in theorems if t.side == "at least"]
    return [d for d in dims if any(t.covers(d) for t in lower)]
