"""What every lower bound offers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from depthsep.claims._lower import Lower
from depthsep.claims._scope import Scope
from depthsep.evidence import Inapplicable, Statement
from depthsep.problems import Problem


class AbstractLowerBound(ABC):
    """A theorem that forbids small networks."""

    statement: ClassVar[Statement]
    """For the catalogue, and what every claim of it rests on."""

    scope: ClassVar[Scope]
    """The problems and depths that it bounds."""

    def prove(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        """The least size of any network of this depth that meets the accuracy."""
        return self.scope.refusal(problem, depth) or self.claim(problem, depth)

    @abstractmethod
    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        """What `prove` returns within the scope."""

    @abstractmethod
    def examples(self) -> Sequence[Problem]:
        """Problems it applies to at depth 2, for tests and documentation."""
