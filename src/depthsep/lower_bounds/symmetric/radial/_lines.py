"""Radial functions at every depth: what lines through 0 ask for."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
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
from depthsep.laws import AbstractRadialLaw, RadialLaw
from depthsep.lower_bounds._pieces import RELU_SETTING, from_pieces, width_value
from depthsep.lower_bounds.symmetric.radial._line_pieces import pieces_on_lines
from depthsep.lower_bounds.symmetric.radial._line_signs import changes_on_lines
from depthsep.problems import Problem
from depthsep.targets import Radial


@lru_cache(maxsize=64)
def pieces_needed(
    target: Radial, law: AbstractRadialLaw, norm: str, accuracy: fmpq
) -> tuple[int, str]:
    """Pieces on some line through 0, and how they were found."""
    found = [pieces_on_lines(target, law, norm, accuracy)]
    if norm != "l1":
        changes = changes_on_lines(target, law, norm, accuracy)
        found.append((changes, "changes of sign on lines through 0"))
    return max(found)


def _evaluate(pieces: int, layers: int) -> Value:
    return width_value(pieces, layers, Rigour.EXACT)


@dataclass(frozen=True)
class RadialLines(AbstractLowerBound):
    """A network has few pieces on a line through 0, f has its profile there twice.

    The error on some line is at most that under the law. Pieces are counted where the
    law of |x| has a density; changes of sign under every law in L2, and in the sup norm
    where the law's support is known.
    """

    statement: ClassVar[Statement] = Statement(
        "radial-lines",
        "Width needed at any depth for a radial function, by counting affine pieces "
        "or changes of sign along lines through 0",
        (
            "the law of x is radial",
            RELU_SETTING,
        ),
        Source("depthsep", "Theorem A on lines through 0"),
        (
            Parameter(
                "pieces",
                "integer",
                "N, the number of affine pieces that are needed on a line through 0",
            ),
            LAYERS,
        ),
        _evaluate,
        sample="pieces=1000 layers=2",
        tex=(
            r"\prod_{i=1}^{L} (m_i + 1) \ge N, \quad N = 2 n - 1 "
            r"\text{ if } n "
            r"\text{ pieces are needed between two radii, or } N "
            r"\text{ follows from the changes of sign on a line}"
        ),
        proof=proved("radial-lines"),
    )

    scope = Scope("this bound covers only radial functions", Radial, AbstractRadialLaw)

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target, law = problem.target_as(Radial), problem.law_as(AbstractRadialLaw)
        try:
            found = pieces_needed(target, law, problem.norm, problem.accuracy)
        except (TooLargeError, HypothesisError) as refusal:
            return Inapplicable(str(refusal))
        if found[0] <= 1:
            return Inapplicable(
                "no line through 0 was found on which more than one piece is needed"
            )
        pieces, detail = found
        rigour = Rigour.ENCLOSED
        return from_pieces(pieces, depth, rigour, self.statement, detail)

    def examples(self) -> list[Problem]:
        return [
            Problem(Radial("cos(20*r)", 3), RadialLaw("ball", 3), "linf", "1/100"),
            Problem(Radial("cos(9*r)", 2), RadialLaw("ball", 2), "l1", "1/100"),
            Problem(Radial("triangle:8", 5), norm="l2", accuracy="1/20"),
        ]
