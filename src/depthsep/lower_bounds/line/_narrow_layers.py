"""Networks without skip connections whose layers have one or two units."""

from dataclasses import dataclass
from typing import ClassVar

from depthsep.analysis import (
    least_units,
    least_width_without_skips,
    most_pieces_without_skips,
)
from depthsep.claims import AbstractLowerBound, Lower
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.lower_bounds.line._best_pieces import optimum_pieces
from depthsep.lower_bounds.line._mean_pieces import ON_AN_INTERVAL, mean_pieces
from depthsep.lower_bounds.line._signed_kinks import needs_of
from depthsep.lower_bounds.line._signed_needs import signed_units, signed_width
from depthsep.problems import PLAIN_RELU, Problem


def _evaluate(pieces: int, layers: int) -> Value:
    width = least_width_without_skips(pieces, layers)
    return Value(width, Rigour.EXACT, log2(width))


def _pieces(problem: Problem) -> int | Inapplicable:
    if problem.norm == "linf":
        return optimum_pieces(problem)
    found = mean_pieces(problem)
    return found if isinstance(found, Inapplicable) else found.fewest


@dataclass(frozen=True)
class NarrowLayers(AbstractLowerBound):
    """Two units in a layer give the next one two kinks where Theorem A counts three.

    The pieces are those of Theorem A and, where f has inflections, of Theorem S.
    """

    statement: ClassVar[Statement] = Statement(
        "narrow-layers",
        "Least width of a ReLU network without skip connections with N affine pieces",
        (
            (
                "the network has one input and hidden layers of m_1, ..., "
                "m_L units; its weights are arbitrary"
            ),
            "the network has no skip connections",
        ),
        Source("depthsep", "Theorem N"),
        (Parameter("pieces", "integer", "N, the number of affine pieces"), LAYERS),
        _evaluate,
        sample="pieces=1000 layers=3",
        tex=(
            r"N_l \le N_{l-1} + m_l \min \left( N_{l-1}, \, c(m_{l-1}) "
            r"\, N_{l-2} \right), \quad N_0 = 1, \quad N_1 = m_1 + 1, "
            r"\quad c(m) = m \text{ for } m \le 2, \quad c(m) = m + 1 "
            r"\text{ for } m \ge 3; \quad N \le N_L, \text{ and } N_l "
            r"\text{ bounds the number of pieces after layer } l"
        ),
        proof=proved("narrow-layers"),
    )

    scope = ON_AN_INTERVAL

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.exact_form is not None:
            return Inapplicable(
                "an exact bound is used for this target", off_topic=True
            )
        pieces, layers = _pieces(problem), depth - 1
        if isinstance(pieces, Inapplicable):
            return pieces
        width = least_width_without_skips(pieces, layers)
        units = least_units(pieces, layers)
        needs = needs_of(problem)
        if not isinstance(needs, Inapplicable):
            signed = signed_width(needs, layers, most_pieces_without_skips)
            width, units = max(width, signed), max(units, signed_units(needs, layers))
        return Lower(
            width=width,
            units=units,
            pieces=pieces,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            networks=PLAIN_RELU,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:exp(x)", accuracy="1e-4"),
            Problem("expr:sin(20*x)", accuracy="1e-2"),
            Problem("expr:exp(x)", norm="l2", accuracy="1e-4"),
        ]
