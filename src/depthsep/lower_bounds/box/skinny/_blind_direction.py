"""Any function of two or three variables against networks that are blind to one."""

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.exact import decimal, plain
from depthsep.lower_bounds.box.skinny._blind import distance_from_blind
from depthsep.lower_bounds.box.skinny._cones import TURNS
from depthsep.problems import ANY_UNITS, NetworkClass, Problem
from depthsep.targets import AbstractBoxTarget

ROUNDED = fmpq(21, 20)  # times the accuracy: still above it with three digits


def _evaluate(inputs: int, distance: fmpq, accuracy: fmpq) -> Value:
    width = inputs if accuracy < distance else 0
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class BlindDirection(AbstractLowerBound):
    """A first layer of fewer units than inputs is constant along some direction.

    All directions are covered by cones; on each the function is proved to change.
    """

    statement: ClassVar[Statement] = Statement(
        "blind-direction",
        "Width needed at every depth by a function that changes along every direction",
        (
            (
                "the network has m_1 units in its first hidden layer and no skip "
                "connections; its activation and weights are arbitrary"
            ),
            (
                "every function that is constant along some direction is "
                "at a distance of more than E from f"
            ),
        ),
        Source(
            "depthsep", "a direction that the first layer ignores, for any function"
        ),
        (
            Parameter("inputs", "integer", "d, the number of inputs", "2", most=1000),
            Parameter(
                "distance",
                "rational",
                "least distance of f from a function that is constant "
                "along some direction",
            ),
            Parameter("accuracy", "rational", "E, the allowed error"),
        ),
        _evaluate,
        sample="distance=1/10 accuracy=1/100",
        tex=r"m_1 \ge d \text{ if } E < \text{distance}",
        proof=proved("maxima"),
    )

    scope = Scope("this bound covers only functions on a box", AbstractBoxTarget)

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        inputs, box = problem.law.in_dim, problem.law.box
        if inputs not in TURNS:
            return Inapplicable(
                f"this bound covers only functions of up to {max(TURNS)} variables"
            )
        target = problem.target_as(AbstractBoxTarget)
        enough = problem.accuracy * ROUNDED
        error = distance_from_blind(target, box, problem.norm, enough)
        if problem.accuracy >= error:
            return Inapplicable(
                "a function that is constant along some direction may meet the accuracy"
            )
        shown = plain(decimal(error, 3, upward=False))
        return Lower(
            width=inputs,
            units=inputs + depth - 2,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            detail="every function that is constant along some direction has "
            f"an error of at least {shown}",
            networks=NetworkClass(units=ANY_UNITS, skips=False),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:exp(-x1**2-x2**2)", norm=norm, accuracy="1e-2")
            for norm in ("linf", "l1", "l2")
        ] + [Problem("expr:x1*x2*x3", accuracy="1e-2")]
