"""`InexactScope`: functions on an interval that no other construction is exact for."""

from dataclasses import dataclass

from depthsep.claims import Scope
from depthsep.evidence import Inapplicable
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, AbstractTarget


@dataclass(frozen=True)
class InexactScope(Scope):
    """A scope without the targets that have an exact form."""

    words: str = "this construction needs a function on an interval"
    target: type[AbstractTarget] = AbstractLineTarget

    def refusal(self, problem: Problem, depth: int) -> Inapplicable | None:
        refused = super().refusal(problem, depth)
        if refused is not None or problem.exact_form is None:
            return refused
        return Inapplicable(
            "another construction is exact for this target", off_topic=True
        )
