"""Statements about how many regions a network can have."""

from depthsep.analysis import most_regions, regions_reached
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved

WIDTHS = Parameter(
    "widths",
    "integers",
    "m_1, ..., m_L, the numbers of units in the hidden layers, such as 4,4",
    most=10_000,
)
INPUTS = Parameter("inputs", "integer", "n, the number of inputs", most=1000)


def _most(widths: tuple[int, ...], inputs: int) -> Value:
    return Value(most_regions(widths, inputs), Rigour.CITED)


def _reached(widths: tuple[int, ...], inputs: int) -> Value:
    return Value(regions_reached(widths, inputs), Rigour.CITED)


REGION_STATEMENTS = (
    Statement(
        "regions-most",
        "Upper bound on the number of activation regions of a ReLU "
        "network with given widths and n inputs",
        (
            (
                "the network has ReLU units, fully connected layers and no "
                "skip connections"
            ),
            "the inputs range over a convex domain",
        ),
        Source("serra2018", "Theorem 1"),
        (WIDTHS, INPUTS),
        _most,
        sample="inputs=2",
        tex=(
            r"\sum_j \prod_{l=1}^{L} \binom{m_l}{j_l}, \quad 0 \le j_l "
            r"\le \min (n, \, m_1 - j_1, \, \ldots, \, m_{l-1} - j_{l-1}, \, m_l)"
        ),
        proof=proved("printed-bounds"),
    ),
    Statement(
        "regions-reached",
        "Lower bound on the largest number of regions of ReLU networks "
        "with given widths and n inputs",
        ("the regions are counted on all of R^n", "k = min(n, m_1, ..., m_L)"),
        Source("montufar2014", "Theorem 5"),
        (WIDTHS, INPUTS),
        _reached,
        sample="inputs=2",
        tex=(
            r"\left( \prod_{l < L} \left\lfloor \frac{m_l}{k} \right\rfloor^k \right) "
            r"\sum_{j=0}^{k} \binom{m_L}{j}"
        ),
        proof=proved("printed-bounds"),
    ),
)
