"""Piecewise affine formulas: a unit for each piece, or for each kink, exactly."""

import itertools
from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line._facing import facing_left
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
from depthsep.laws import Segment
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
        "Width that is enough for one hidden layer to compute a "
        "piecewise affine function",
        (
            "there is one input, which lies in an interval",
            "the function is continuous, with rational knots and values",
        ),
        Source("depthsep", "one unit per kink"),
        (Parameter("pieces", "integer", "N, the number of affine pieces"),),
        _evaluate,
        sample="pieces=40",
        tex=(
            r"\text{width } m_1 = N, \text{ or } N - 1 "
            r"\text{ if some of the jumps of the slope add up to minus the first "
            r"slope}; "
            r"\quad \text{the error is } 0"
        ),
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for piecewise affine "
        "formulas of two or more pieces on an interval",
        AbstractLineTarget,
        least_depth=2,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        on = problem.interval
        f = problem.line_target.affine_pieces(on)
        if f is None or f.pieces < 2:
            return self.scope.elsewhere
        slopes = PiecewiseAffine.through(f.knots, f.values).slopes.tolist()
        saved = f.pieces > 2 and _turned(slopes) is not None
        return Upper(
            widths=(f.pieces - saved, *(2,) * (depth - 2)),
            error=fmpq(0),
            rigour=Rigour.EXACT,
            statement=self.statement,
            make=lambda: deepen(kink_network(f), depth),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:abs(x)", Segment(-1, 1), accuracy="1e-20"),
            Problem("expr:max(x, 1 - x, 2*x - 1)", norm="l1", accuracy="1e-9"),
        ]


def _turned(slopes: list[fmpq]) -> frozenset[int] | None:
    """Which kinks face left, if that saves the unit of the first slope."""
    return facing_left(slopes[0], [b - a for a, b in itertools.pairwise(slopes)])


def kink_network(f: PiecewiseAffine) -> Network:
    """One hidden layer that is a continuous function on the interval of its knots.

    A unit for each gap between knots, one less where kinks that face left make the
    first slope; `PiecewiseAffine.through(inputs, labels)` interpolates a sample.

    Raises:
        HypothesisError: a jump, a ray, fewer than two knots.
    """
    if f.jumps.any() or f.left_slope is not None or f.right_slope is not None:
        raise HypothesisError(
            "the function jumps or is given on an unbounded interval; "
            "this construction builds only continuous functions on a "
            "bounded interval in one hidden layer"
        )
    f = PiecewiseAffine.through(f.knots, f.values)
    knots, slopes = f.knots.tolist(), f.slopes.tolist()
    changes = [slopes[0], *(b - a for a, b in itertools.pairwise(slopes))]
    start, turned = fmpq(f.values.tolist()[0]), _turned(slopes)
    if turned is None or not changes[1:]:
        sides, kinks = [1] * len(changes), knots[:-1]
    else:
        kinks, changes = knots[1:-1], changes[1:]
        sides = [-1 if j in turned else 1 for j in range(len(kinks))]
        start -= sum((changes[j] * (kinks[j] - knots[0]) for j in turned), fmpq(0))
    bias = exact_column([-s * k for s, k in zip(sides, kinks, strict=True)])
    first = Affine([[float(s)] for s in sides], bias)
    return Network(
        [first, Affine(exact_column(changes)[None, :], exact_column([start]))]
    )
