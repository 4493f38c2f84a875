"""Any function on an interval: an interpolant with its kinks in pairs of layers."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from depthsep.claims import AbstractConstruction, Upper
from depthsep.constructions.line._inexact_scope import InexactScope
from depthsep.constructions.line._interpolate import Interpolant, interpolant
from depthsep.constructions.line.narrow._pairs import Bends, pairs_network
from depthsep.constructions.line.narrow._stages import (
    convex_width,
    narrowest_stages,
)
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
from depthsep.networks import Network
from depthsep.problems import Problem


def _evaluate(pieces: int, layers: int) -> Value:
    width = convex_width(pieces - 1, layers)
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class KinksByPairs(AbstractConstruction):
    """An interpolant with as few pieces as we find, its kinks in pairs of layers.

    Two hidden layers hold N pieces with about sqrt(2 N) units each if all kinks go one
    way, and with at most about 2 sqrt(N) for any N pieces. More layers share the
    pieces. The claim is `sampled` until the examiner has enclosed the error.
    """

    safety: float = 2.5e-3

    statement: ClassVar[Statement] = Statement(
        "kinks-by-pairs",
        "Width that is enough for L >= 2 hidden layers to represent a "
        "convex piecewise affine function with N pieces",
        (
            "there is one input, which lies in an interval",
            (
                "f is convex; for other functions the width is at most "
                "about sqrt(2) times as large"
            ),
            "M and q are whole numbers to choose for each pair of layers",
        ),
        Source("depthsep", "kinks placed by pairs of layers"),
        (Parameter("pieces", "integer", "N, the number of affine pieces"), LAYERS),
        _evaluate,
        sample="pieces=200 layers=2",
        tex=(
            r"\text{widths } (M, \, 2 q + 1) "
            r"\text{ of a pair of layers hold } M (q + 1) "
            r"\text{ pieces}; \quad x "
            r"\text{ and the sum so far are passed on from pair to pair}"
        ),
        proof=proved("narrow-networks"),
    )

    scope = InexactScope(least_depth=3, weighs=True)

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        found = interpolant(problem, self.safety)
        if isinstance(found, Inapplicable):
            return found
        network = _network(found, depth - 1)
        return Upper.of_network(
            network, problem.accuracy, Rigour.SAMPLED, self.statement
        )

    def more_careful(self) -> "KinksByPairs | None":
        """The same with more of the accuracy kept for what lies between samples."""
        return KinksByPairs(8 * self.safety) if self.safety < 0.1 else None

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:sin(20*x)", norm=norm, accuracy="1e-2")
            for norm in ("linf", "l1", "l2")
        ] + [Problem("expr:abs(x - 1/3) + sqrt(x)", accuracy="1e-2")]


@lru_cache(maxsize=16)
def _network(found: Interpolant, hidden_layers: int) -> Network:
    return network_of_bends(Bends(found.knots, found.values), hidden_layers)


def network_of_bends(bends: Bends, hidden_layers: int) -> Network:
    """The narrowest of pairs of layers that hold a piecewise affine function."""
    stages = narrowest_stages(bends.kinks(), hidden_layers)
    return pairs_network(bends, stages, hidden_layers)
