"""From pieces to widths: Theorem A."""

from depthsep.analysis import least_units, least_width
from depthsep.claims import Lower
from depthsep.evidence import Rigour, Statement, Value, log2

RELU_SETTING = (
    "the network is a ReLU network with hidden layers of m_1, ..., m_L units, any "
    "weights and any skip connections"
)
"""The hypothesis of Theorem A on the networks, and of most other lower bounds."""


def from_pieces(
    pieces: int,
    depth: int,
    rigour: Rigour,
    statement: Statement,
    detail: str = "",
    *,
    may_jump: bool = False,
) -> Lower:
    """Theorem A: prod (m_i + 1) >= pieces, for ReLU networks with any skips.

    Args:
        may_jump: whether functions that jump need as many.
    """
    layers = depth - 1
    return Lower(
        width=least_width(pieces, layers),
        units=least_units(pieces, layers),
        pieces=pieces,
        rigour=rigour,
        statement=statement,
        detail=detail,
        counts_cells=True,
        may_jump=may_jump,
    )


def width_value(pieces: int, layers: int, rigour: Rigour) -> Value:
    """The width that Theorem A demands, as the value of a statement."""
    width = least_width(pieces, layers)
    return Value(width, rigour, log2(width))
