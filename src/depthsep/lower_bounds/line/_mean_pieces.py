"""How many pieces l1 and l2 ask for: the cheapest path over a grid, certified."""

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.approximation import PiecesInMean, pieces_in_mean
from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.laws import Segment
from depthsep.lower_bounds._once import once_for_all_networks
from depthsep.lower_bounds._pieces import from_pieces, width_value
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget

ON_AN_INTERVAL = Scope(
    "this bound covers only functions on an interval", AbstractLineTarget, weighs=True
)


@once_for_all_networks
def mean_pieces(problem: Problem) -> PiecesInMean | Inapplicable:
    """Pieces that any approximant in l1 or l2 has at least; it may jump."""
    target, on = problem.line_target, problem.interval
    asked = target, on, problem.accuracy, problem.norm, problem.weight
    try:
        found = pieces_in_mean(*asked)
    except (TooLargeError, HypothesisError) as refusal:
        return Inapplicable(str(refusal))
    if found.fewest == 1:
        return Inapplicable("one affine piece may be within the accuracy")
    return found


def _evaluate(
    formula: str, on: tuple[fmpq, ...], norm: str, accuracy: fmpq, layers: int
) -> Value:
    if len(on) != 2:
        raise HypothesisError(
            "the parameter 'on' takes two numbers, the ends of the interval, as in "
            f"on=0,1; count of the numbers given: {len(on)}"
        )
    if norm == "linf":
        raise HypothesisError(
            "the norm is linf; give l1 or l2 (for linf, use theorem-a)"
        )
    problem = Problem(f"expr:{formula}", Segment(*on), norm, accuracy)
    found = mean_pieces(problem)
    if isinstance(found, Inapplicable):
        raise HypothesisError(str(found))
    return width_value(found.fewest, layers, Rigour.ENCLOSED)


@dataclass(frozen=True)
class MeanPieces(AbstractLowerBound):
    """Theorem P, then Theorem A."""

    statement: ClassVar[Statement] = Statement(
        "pieces-in-mean",
        "Width needed to approximate a function of one variable in l1 or l2",
        (
            (
                "the network is a ReLU network with any weights and any "
                "skip connections; with hidden layers of m_1, ..., m_L "
                "units it has N <= (m_1 + 1) ... (m_L + 1) affine pieces"
            ),
            (
                "f is replaced by an interpolant, whose distance from "
                "f is bounded with ball arithmetic"
            ),
        ),
        Source("depthsep", "Theorem P with Theorem A"),
        (
            Parameter("formula", "name", "f, a formula in x", "exp(x)"),
            Parameter("on", "point", "the ends of the interval", "0,1"),
            Parameter("norm", "name", "l1 or l2", "l2"),
            Parameter("accuracy", "rational", "the error allowed", "1/1000"),
            LAYERS,
        ),
        _evaluate,
        sample="formula=exp(x) accuracy=1/1000 layers=1 on=-1/2,1",
        tex=(
            r"N \ge \frac{C(\lambda) - E}{\lambda} "
            r"\text{ affine pieces are needed, for every } \lambda > 0; "
            r"\quad C(\lambda) "
            r"\text{ is the least total cost if each piece costs its error} "
            r"+ \lambda, \quad E "
            r"\text{ is the integral of the error that the accuracy allows (of the "
            r"squared error in } "
            r"\ell_2 \text{)}"
        ),
        proof=proved("pieces-in-mean"),
    )

    scope = Scope(
        "this bound covers only functions on an interval, in l1 and l2",
        AbstractLineTarget,
        norms=("l1", "l2"),
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.exact_form is not None:
            return Inapplicable(
                "an exact bound is used for this target", off_topic=True
            )
        pieces = mean_pieces(problem)
        if isinstance(pieces, Inapplicable):
            return pieces
        return from_pieces(
            pieces.fewest, depth, Rigour.ENCLOSED, self.statement, may_jump=True
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:exp(x)", norm=norm, accuracy="1e-3") for norm in ("l1", "l2")
        ] + [Problem("expr:abs(x-1/3)+sqrt(x)", norm="l1", accuracy=fmpq(1, 50))]
