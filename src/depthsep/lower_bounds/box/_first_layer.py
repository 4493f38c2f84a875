"""A first layer of fewer units than inputs is blind in a direction."""

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.laws import Box
from depthsep.lower_bounds.box._bent_parts import most_bent_part
from depthsep.lower_bounds.box._convex_cells import MOST_DIM
from depthsep.problems import ANY_UNITS, NetworkClass, Problem
from depthsep.targets import AbstractBoxTarget, Largest


def _evaluate(function: str, side: fmpq, bend: fmpq) -> Value:
    if function not in ("max", "convex"):
        raise HypothesisError(f"`function` is {function[:20]!r}; give max or convex")
    error = side / 4 if function == "max" else bend * side**2 / 16
    return Value(error, Rigour.EXACT)


@dataclass(frozen=True)
class FirstLayer(AbstractLowerBound):
    """A network is constant along a direction that its first layer does not read."""

    statement: ClassVar[Statement] = Statement(
        "first-layer",
        "Lower bound on the error of a network whose first hidden "
        "layer is narrower than the input",
        (
            (
                "the error is measured in linf on a box of d inputs that contains a "
                "cube of side B - A; if f is the largest input, this cube is [A, B]^d"
            ),
            (
                "the network has no skip connections; its activation and "
                "weights are arbitrary"
            ),
            (
                "f is the largest of its inputs, or the eigenvalues of its Hessian "
                "D^2 f are all >= mu > 0, or all <= -mu, on the cube"
            ),
        ),
        Source("depthsep", "a direction that the first layer ignores"),
        (
            Parameter(
                "function",
                "name",
                "max for the largest input, convex for convex or concave functions",
                "max",
            ),
            Parameter("side", "rational", "B - A", "1"),
            Parameter(
                "bend",
                "rational",
                "mu, the lower bound on the absolute values of the eigenvalues",
                "1",
            ),
        ),
        _evaluate,
        sample="side=2 bend=2",
        tex=(
            r"\frac{B - A}{4} \text{ for the maximum}, \quad "
            r"\frac{\mu \, (B - A)^2}{16} "
            r"\text{ for convex or concave functions}"
        ),
        proof=proved("maxima"),
    )

    scope = Scope(
        "this bound covers only the maximum of the inputs, and functions that are "
        "strongly convex or concave on some part of a box, in linf",
        AbstractBoxTarget,
        norms=("linf",),
        least_depth=2,
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.accuracy >= _least_error(problem):
            return Inapplicable(
                "a function that is constant along some direction may meet the accuracy"
            )
        inputs = problem.law.in_dim
        is_largest = isinstance(problem.target, Largest)
        return Lower(
            width=inputs,
            units=inputs + depth - 2,
            rigour=Rigour.EXACT if is_largest else Rigour.ENCLOSED,
            statement=self.statement,
            networks=NetworkClass(units=ANY_UNITS, skips=False),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("max:3", accuracy="1e-2"),
            Problem("expr:exp(-x1**2-x2**2)", accuracy="1e-3"),
        ]


def _least_error(problem: Problem) -> fmpq:
    """Of a function that is constant along a direction."""
    box = problem.law.box
    if isinstance(problem.target, Largest):
        return max(min(box.stops) - max(box.starts), fmpq(0)) / 4
    if problem.law.in_dim > MOST_DIM:
        return fmpq(0)
    part = most_bent_part(problem.target_as(AbstractBoxTarget), box)
    return fmpq(0) if part is None else part.least_bend * _shortest(part.box) ** 2 / 16


def _shortest(box: Box) -> fmpq:
    return min(side.length for side in box.sides)
