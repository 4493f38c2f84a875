"""`Scope`: the problems and depths that a theorem speaks about."""

from dataclasses import dataclass

from depthsep.evidence import Inapplicable
from depthsep.laws import AbstractLaw
from depthsep.problems import NORMS, Problem
from depthsep.targets import AbstractTarget

FEW_LAYERS = {1: "one hidden layer", 2: "two hidden layers"}


@dataclass(frozen=True)
class Scope:
    """What a theorem speaks about; every other problem is off its topic.

    Attributes:
        words: for problems elsewhere, such as "builds sawtooths only".
        target, law: the kinds it is about.
        norms: of the error.
        least_depth: affine layers that its networks need.
        most_depth: affine layers beyond which it says nothing, None if there are none.
        weighs: whether what it says of means holds under every density. If not, it is
            asked about plain means that say something of them.
    """

    words: str
    target: type[AbstractTarget] = AbstractTarget
    law: type[AbstractLaw] = AbstractLaw
    norms: tuple[str, ...] = NORMS
    least_depth: int = 2
    most_depth: int | None = None
    weighs: bool = False

    @property
    def elsewhere(self) -> Inapplicable:
        """What is said of a problem off the topic."""
        return Inapplicable(self.words, off_topic=True, general=True)

    def needs_plain(self, problem: Problem) -> bool:
        """Whether the problem has means under a density that it does not know."""
        return problem.is_weighted and not self.weighs

    def refusal(self, problem: Problem, depth: int) -> Inapplicable | None:
        """Why the theorem does not apply, None where its own hypotheses decide."""
        if not self._covers(problem):
            return self.elsewhere
        if depth < self.least_depth:
            hidden = self.least_depth - 1
            return Inapplicable(
                "the theorem needs "
                f"{FEW_LAYERS.get(hidden, f'{hidden} hidden layers')} or more"
            )
        if self.most_depth is not None and depth > self.most_depth:
            known = {2: "this bound holds only for one hidden layer"}
            beyond = f"the theorem holds only up to depth {self.most_depth}"
            return Inapplicable(known.get(self.most_depth, beyond), general=True)
        return None

    def _covers(self, problem: Problem) -> bool:
        target, law = problem.target, problem.law
        # a target of one's own may live in more settings than its kind does
        settings = getattr(self.target, "settings", (law.setting,))
        return (
            isinstance(target, self.target)
            and isinstance(law, self.law)
            and law.setting in settings
            and problem.norm in self.norms
        )
