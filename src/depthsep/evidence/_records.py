"""What bounds and training return: frozen records with plain fields.

`Upper` stands beside constructions, since it carries a network.
"""

import math
from dataclasses import dataclass

from depthsep.evidence._rigour import Rigour
from depthsep.evidence._source import Source


@dataclass(frozen=True)
class Inapplicable:
    """A statement does not cover this problem; the reason is shown to the user.

    `off_topic` marks statements about another kind of problem, whose reason is shown
    only if nothing closer has one.
    """

    reason: str
    off_topic: bool = False

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True)
class Lower:
    """Every network of the depth that meets the accuracy is at least this large.

    Attributes:
        width: least number of units in the widest hidden layer.
        units: least number of hidden units together.
        pieces: how many affine pieces are needed (0 where the proof counts otherwise).
        rigour: of the whole argument.
        source: the statement it rests on.
        class_of_networks: which networks it binds.
    """

    width: int
    units: int
    pieces: int
    rigour: Rigour
    source: Source
    class_of_networks: str = "ReLU networks, any weights, any skip connections"

    @property
    def log2_width(self) -> float:
        """log2 of the width; -inf for 0."""
        return log2(self.width)


def log2(n: int) -> float:
    """log2 of an integer of any size."""
    if n <= 0:
        return -math.inf
    shift = max(0, n.bit_length() - 60)
    return math.log2(n >> shift) + shift
