"""Bounds for every d beside those that are computed for one d at a time."""

from dataclasses import dataclass
from functools import cached_property

from flint import fmpq

from depthsep.every_dimension import INNER_LOWER, INNER_UPPER
from depthsep.papers._base import Columns, PaperRow
from depthsep.papers._daniely import daniely_row

MOST_ALONE = 50  # the largest d that is computed by itself
SAMPLES = (6, 8, 10, 15, 20, 30, 50, 100, 300, 1000)


@dataclass(frozen=True)
class EveryDimensionRow(PaperRow):
    """One dimension; `lower` and `upper` are the bounds that hold for every d.

    Attributes:
        alone: at least and at most so much at this d, sharper; None beyond d = 50.
    """

    alone: tuple[float, float] | None

    @cached_property
    def columns(self) -> Columns:
        least, most = self.alone or (None, None)
        return {
            "depth 2, every d": self.lower,
            "depth 2, this d": least,
            "depth 3, this d": most,
            "depth 3, every d": self.upper,
        }


def every_dimension_row(dim: int, accuracy: fmpq) -> EveryDimensionRow:
    """sin(pi d^3 <x, x'>) in L2 on S^(d-1) x S^(d-1), d >= 6, E <= 2/3."""
    lower, upper = INNER_LOWER.at(dim, accuracy), INNER_UPPER.at(dim, accuracy)
    alone = None
    if dim <= MOST_ALONE:
        one = daniely_row(dim, accuracy)
        assert one.upper is not None
        alone = one.lower, one.upper
    least = float("-inf") if lower.log2 is None else lower.log2
    name = "sin(pi d^3 t)"
    return EveryDimensionRow(name, dim, accuracy, least, upper.log2, alone)
