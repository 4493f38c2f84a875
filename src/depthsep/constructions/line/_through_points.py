"""Networks near points: a table with few pieces, as one layer or as pairs of layers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line._exact_kinks import kink_network
from depthsep.constructions.line.narrow._kinks_by_pairs import network_of_bends
from depthsep.constructions.line.narrow._pairs import Bends
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import PiecewiseAffine, nearest_float
from depthsep.networks import Network, deepen
from depthsep.problems import Problem
from depthsep.tables import pieces
from depthsep.targets import PointSet

FEW = 3  # pieces, which one layer holds as well
ROUNDING = fmpq(1, 1 << 20)  # of the accuracy, for weights that are rounded to floats


@lru_cache(maxsize=16)
def _function(problem: Problem, share: fmpq) -> PiecewiseAffine | Inapplicable:
    """A continuous table within a share of the accuracy."""
    points, accuracy = problem.target_as(PointSet), problem.accuracy * share
    try:
        table = pieces(points, accuracy=accuracy, norm=problem.norm)
    except (HypothesisError, TooLargeError) as refusal:
        return Inapplicable(str(refusal))
    return table.function


def _evaluate(pieces: int) -> Value:
    return Value(pieces, Rigour.EXACT)


@dataclass(frozen=True)
class ThroughPoints(AbstractConstruction):
    """The continuous table with the fewest pieces that are found.

    One hidden layer has a unit a piece, or one less; more layers hold the pieces as
    kinks in pairs of layers. The claim of these is `sampled` until it is examined.
    """

    statement: ClassVar[Statement] = Statement(
        "through-points",
        "Width that is enough for a network of one hidden layer to "
        "pass near given points",
        (
            (
                "there is one input, and a continuous piecewise affine "
                "function with N pieces passes near the points"
            ),
        ),
        Source(
            "depthsep",
            "the fewest pieces near the points, with one unit for each piece",
        ),
        (Parameter("pieces", "integer", "N, the number of affine pieces"),),
        _evaluate,
        sample="pieces=40",
        tex="\\text{width } m_1 = N; \\quad "
        "\\text{with more layers, kinks are placed in pairs of layers}",
        proof=proved("runs-of-points"),
    )

    scope = Scope(
        "this construction builds networks only for functions that "
        "pass near given points",
        PointSet,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        is_shallow = depth == 2
        f = _function(problem, fmpq(1) if is_shallow else 1 - ROUNDING)
        if isinstance(f, Inapplicable):
            return f
        if is_shallow or f.pieces < FEW:
            network = kink_network(f)
            widths = (*network.widths, *(2,) * (depth - 2))
            return self._upper(problem, widths, lambda: deepen(network, depth))
        knots, values = (
            np.array([nearest_float(v) for v in part.tolist()])
            for part in (f.knots, f.values)
        )
        network = network_of_bends(Bends(knots, values), depth - 1)
        return self._upper(problem, network.widths, lambda: network)

    def _upper(
        self, problem: Problem, widths: tuple[int, ...], make: Callable[[], Network]
    ) -> Upper:
        return Upper(
            widths=widths,
            error=problem.accuracy,
            rigour=Rigour.SAMPLED,
            statement=self.statement,
            make=make,
        )

    def examples(self) -> list[Problem]:
        points = "points:0,0;1,1;2,0;3,1;4,0;5,1"
        return [Problem(points, norm=n, accuracy="1/20") for n in ("linf", "l1", "l2")]
