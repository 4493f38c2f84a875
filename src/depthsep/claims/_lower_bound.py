"""What every lower bound offers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from depthsep.claims._lower import Lower
from depthsep.claims._scope import Scope
from depthsep.evidence import Inapplicable, Statement
from depthsep.problems import Problem, plain_below


class AbstractLowerBound(ABC):
    """A theorem that forbids small networks."""

    statement: ClassVar[Statement]
    """For the catalogue, and what every claim of it rests on."""

    scope: ClassVar[Scope]
    """The problems and depths that it bounds."""

    def prove(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        """The least size of any network of this depth that meets the accuracy."""
        if not self.scope.needs_plain(problem):
            return self.scope.refusal(problem, depth) or self.claim(problem, depth)
        answers = [
            self.scope.refusal(plain, depth) or self.claim(plain, depth)
            for plain in plain_below(problem)
        ]
        found = [answer for answer in answers if isinstance(answer, Lower)]
        if found:
            return max(found, key=lambda lower: (lower.width, lower.units))
        nothing = Inapplicable("this bound needs a density with a positive lower bound")
        return next((a for a in answers if isinstance(a, Inapplicable)), nothing)

    @abstractmethod
    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        """What `prove` returns within the scope."""

    @abstractmethod
    def examples(self) -> Sequence[Problem]:
        """Problems it applies to at depth 2, for tests and documentation."""
