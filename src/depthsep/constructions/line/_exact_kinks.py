"""Piecewise affine formulas: one unit for each piece, exactly."""

import itertools
from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import PiecewiseAffine, exact_column
from depthsep.laws import Uniform
from depthsep.networks import Affine, Network, deepen
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget


def _evaluate(pieces: int) -> Value:
    return Value(pieces, Rigour.EXACT)


@dataclass(frozen=True)
class ExactKinks(AbstractConstruction):
    """f(A) + s_0 (x - A) + the changes of slope times relu(x - kink), on [A, B]."""

    statement: ClassVar[Statement] = Statement(
        "exact-kinks",
        "Width with which one hidden layer computes a piecewise affine function",
        ("one input, on an interval", "continuous, rational knots and values"),
        "one unit for each piece, no error",
        Source("depthsep", "a unit for each kink"),
        (Parameter("pieces", "integer", "N"),),
        _evaluate,
        sample="pieces=40",
        tex=r"m_1 = N, \quad \left\lVert f - g \right\rVert_\infty = 0",
        proof=proved("explicit-networks"),
    )

    scope = Scope("serves piecewise affine formulas", AbstractLineTarget, least_depth=2)

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        on = problem.interval
        f = problem.line_target.affine_pieces(on)
        if f is None or f.pieces < 2:
            return self.scope.elsewhere
        return Upper(
            widths=(f.pieces, *(min(2, f.pieces),) * (depth - 2)),
            error=fmpq(0),
            rigour=Rigour.EXACT,
            statement=self.statement,
            make=lambda: deepen(kink_network(f), depth),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:abs(x)", Uniform(-1, 1), accuracy="1e-20"),
            Problem("expr:max(x, 1 - x, 2*x - 1)", norm="l1", accuracy="1e-9"),
        ]


def kink_network(f: PiecewiseAffine) -> Network:
    """One hidden layer that is a continuous function on the interval of its knots.

    A unit for each gap between knots; with `PiecewiseAffine.through(inputs, labels)`
    it interpolates a sample.

    Raises:
        HypothesisError: a jump, a ray, fewer than two knots.
    """
    if f.jumps.any() or f.left_slope is not None or f.right_slope is not None:
        raise HypothesisError("one hidden layer follows continuous functions only")
    f = PiecewiseAffine.through(f.knots, f.values)
    knots, slopes = f.knots.tolist(), f.slopes.tolist()
    changes = [slopes[0], *(b - a for a, b in itertools.pairwise(slopes))]
    first = Affine([[1.0]] * len(changes), exact_column([-k for k in knots[:-1]]))
    read = exact_column(changes)[None, :]
    return Network([first, Affine(read, exact_column([f.values.tolist()[0]]))])
