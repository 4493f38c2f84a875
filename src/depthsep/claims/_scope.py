"""`Scope`: the problems and depths that a theorem speaks about."""

from dataclasses import dataclass

from depthsep.evidence import Inapplicable
from depthsep.laws import AbstractLaw
from depthsep.problems import NORMS, Problem
from depthsep.targets import AbstractTarget

LAYERS = {2: "a hidden layer", 3: "two hidden layers"}


@dataclass(frozen=True)
class Scope:
    """What a theorem speaks about; every other problem is off its topic.

    Attributes:
        words: for problems elsewhere, such as "builds sawtooths only".
        target, law: the kinds it is about.
        norms: of the error.
        least_depth: affine layers that its networks need.
        most_depth: affine layers beyond which it says nothing, None if there are none.
    """

    words: str
    target: type[AbstractTarget] = AbstractTarget
    law: type[AbstractLaw] = AbstractLaw
    norms: tuple[str, ...] = NORMS
    least_depth: int = 1
    most_depth: int | None = None

    @property
    def elsewhere(self) -> Inapplicable:
        """What is said of a problem off the topic."""
        return Inapplicable(self.words, off_topic=True, general=True)

    def refusal(self, problem: Problem, depth: int) -> Inapplicable | None:
        """Why the theorem does not apply, None where its own hypotheses decide."""
        kinds = isinstance(problem.target, self.target) and isinstance(
            problem.law, self.law
        )
        if not kinds or problem.norm not in self.norms:
            return self.elsewhere
        if depth < self.least_depth:
            return Inapplicable(f"needs {LAYERS[self.least_depth]}")
        if self.most_depth is not None and depth > self.most_depth:
            return Inapplicable("bounds one hidden layer only", general=True)
        return None
