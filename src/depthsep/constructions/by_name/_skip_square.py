"""x^2 on [0, 1] by two units a layer and skip connections."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import Scope
from depthsep.constructions.by_hand._skip_square import square_with_skips
from depthsep.constructions.by_hand._statements import SKIP_SQUARE
from depthsep.constructions.by_name._made import AbstractMade, Made
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, ExactForm

MOST_LEVELS = 16


@dataclass(frozen=True)
class SquareWithSkips(AbstractMade):
    """h_i with the fewest levels; values pass on by more units where skips are not."""

    statement = SKIP_SQUARE
    scope = Scope("builds x^2 on an interval in [0, 1] only", AbstractLineTarget)

    def made(self, problem: Problem) -> Made:
        target, on = problem.target_as(AbstractLineTarget), problem.law.interval
        if target.exact_form() != ExactForm(fmpq(1), fmpq(0), fmpq(0)):
            raise HypothesisError("the target is not x^2")
        if on.start < 0 or on.stop > 1:
            raise HypothesisError(f"{on} is not in [0, 1]")
        levels = 1
        while fmpq(1, 4 ** (levels + 1)) > problem.accuracy:
            levels += 1
        if levels > MOST_LEVELS:
            raise TooLargeError(
                f"2^{levels} pieces are too many to examine (2^{MOST_LEVELS} at most); "
                "allow a larger error, or leave --by out"
            )
        return Made(square_with_skips(levels).layered(), fmpq(1, 4 ** (levels + 1)))

    def examples(self) -> Sequence[Problem]:
        return [Problem("square", accuracy="1/1000")]
