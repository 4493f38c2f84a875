"""Which widths kinks of both signs allow: Theorem S."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from depthsep.analysis import most_pieces, most_pieces_by_units
from depthsep.exact import least


class Needs(Protocol):
    """What the runs of convexity of a target need."""

    @property
    def most(self) -> int:
        """A width that is allowed with one hidden layer."""
        ...

    def allow(self, up: int, down: int, cells: int) -> bool:
        """Whether a last layer may do, after layers with at most so many pieces.

        Args:
            up: its units that bend upwards.
            down: its other units.
        """
        ...


@dataclass(frozen=True)
class PiecesOfRuns:
    """Signs of the runs, and pieces that each needs at least.

    A run of sign s that needs N pieces has C >= N / (m^s + 1) - 1 ends of the cells
    before inside it; there are `cells` - 1 ends in all.
    """

    runs: tuple[tuple[int, int], ...]

    @property
    def most(self) -> int:
        return max(1, sum(n for _, n in self.runs))

    def allow(self, up: int, down: int, cells: int) -> bool:
        needed = (-(-n // ((up if s > 0 else down) + 1)) - 1 for s, n in self.runs)
        return sum(needed) < cells


def allows(needs: Needs, last: int, cells: int) -> bool:
    """Whether a last layer of this width may do, for some signs of its units."""
    return any(needs.allow(up, last - up, cells) for up in range(last + 1))


def signed_width(
    needs: Needs, layers: int, most_cells: Callable[[Sequence[int]], int] = most_pieces
) -> int:
    """The least equal width that signed kinks allow.

    Args:
        most_cells: of layers of given widths; with skip connections unless given.
    """

    def is_wide_enough(width: int) -> bool:
        cells = most_cells((width,) * (layers - 1)) if layers > 1 else 1
        return allows(needs, width, cells)

    return least(is_wide_enough, -1, needs.most)


def signed_units(needs: Needs, layers: int) -> int:
    """The fewest hidden units together, whatever layers they are in."""
    most = layers * signed_width(needs, layers)
    if layers == 1:
        return most
    return least(
        lambda units: any(
            allows(needs, last, most_pieces_by_units(units - last, layers - 1))
            for last in range(units + 1)
        ),
        -1,
        most,
    )
