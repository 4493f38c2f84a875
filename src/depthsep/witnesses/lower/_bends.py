"""Which widths a list of bends excludes: Theorem S, told by three points.

A witness is an interval on which a network must bend upwards, or downwards. Inside a
cell of the layers before the last, each unit of the last layer bends once, with the
sign of its weight; an end of a cell lies inside one witness at most.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from depthsep.analysis import most_pieces, most_pieces_without_skips
from depthsep.exact import least
from depthsep.lower_bounds import CellCount, least_width_of_arcs

Bends = Sequence[int] | int
"""Signs from left to right; or the number of affine pieces that are needed."""
SPLITS = 64  # width up to which packings are asked for every way to sign units


@dataclass(frozen=True)
class Needed:
    """What a layer needs; or what a network needs on a circle.

    Attributes:
        what: "units" of one hidden layer, "inputs" that the first one has to see where
            there are no skip connections, or "arcs" on a circle.
    """

    count: int
    what: str

    def least_width(self, layers: int, *, skips: bool) -> int:
        """Of equal hidden layers; 0 where this says nothing about them."""
        if self.what == "inputs":
            return 0 if skips else self.count
        if self.what == "units":
            return self.count if layers == 1 else 0
        return least_width_of_arcs(self.count, layers)


@dataclass(frozen=True)
class Packings:
    """Of segments, as the checker reads them."""

    read: Any

    def least_width(self, layers: int) -> int:
        """Of equal hidden layers: of two, or more, for which the packings were made."""
        return least(lambda width: not self.read.are_more(width, layers), -1, SPLITS)


Countable = Needed | CellCount | Packings


def least_width(bends: Bends | Countable, layers: int, *, skips: bool) -> int:
    """The least equal width of hidden layers that the bends do not exclude."""
    if isinstance(bends, Needed):
        return bends.least_width(layers, skips=skips)
    if isinstance(bends, CellCount | Packings):
        return bends.least_width(layers)
    most: Callable[[Sequence[int]], int] = (
        most_pieces if skips else most_pieces_without_skips
    )
    signs = [] if isinstance(bends, int) else bends
    pieces = bends if isinstance(bends, int) else len(bends) + 1

    def is_wide_enough(width: int) -> bool:
        if most((width,) * layers) < pieces:
            return False
        if layers == 1 or not signs:
            return True
        ends = most((width,) * (layers - 1)) - 1
        return any(
            _fits(signs, up, width - up, ends) for up in reversed(range(width + 1))
        )

    return least(is_wide_enough, 0, pieces)


def _fits(signs: Sequence[int], up: int, down: int, ends: int) -> bool:
    """Whether so many ends of cells leave at most these bends in every cell."""
    ups = downs = 0
    for sign in signs:
        ups, downs = ups + (sign > 0), downs + (sign < 0)
        if ups > up or downs > down:
            ends, ups, downs = ends - 1, 0, 0
            if ends < 0:
                return False
    return True
