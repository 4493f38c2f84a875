"""Functions on an interval by one layer of thresholds."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import TooLargeError
from depthsep.approximation import total_variation
from depthsep.claims import Scope
from depthsep.constructions.by_hand._statements import THRESHOLDS
from depthsep.constructions.by_hand._steps import step_network
from depthsep.constructions.by_name._made import AbstractMade, Made
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget

MOST_STEPS = 1 << 16
EXAMINED = fmpq(999, 1000)
"""The share of the accuracy that is used: the examiner's bars are a thousandth wide."""


@dataclass(frozen=True)
class Thresholds(AbstractMade):
    """The fewest steps within the accuracy, at most ceil(TV / (2 E)).

    Sharper than printed: steps end where the function has moved by 2 E, and no
    Lipschitz constant is needed.
    """

    statement = THRESHOLDS
    scope = Scope("serves functions on an interval only", AbstractLineTarget)

    def made(self, problem: Problem) -> Made:
        target, on = problem.target_as(AbstractLineTarget), problem.law.interval
        error = problem.accuracy * EXAMINED
        steps = total_variation(target, on).lower / (2 * error)
        if steps > MOST_STEPS:
            raise TooLargeError(
                f"about {int(steps.ceil())} steps are needed; at most {MOST_STEPS} are "
                "built. Allow a larger error"
            )
        return Made(step_network(target, on, error), problem.accuracy)

    def examples(self) -> Sequence[Problem]:
        return [
            Problem("square", accuracy="1/20"),
            Problem("expr:sin(20*x)", accuracy="1/50"),
        ]
