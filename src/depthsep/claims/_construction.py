"""What every construction offers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from depthsep.claims._scope import Scope
from depthsep.claims._upper import Upper
from depthsep.evidence import Inapplicable, Rigour, Statement
from depthsep.problems import Problem, plain_above


class AbstractConstruction(ABC):
    """A theorem that ends in a network."""

    statement: ClassVar[Statement]
    """For the catalogue, and what every claim of it rests on."""

    scope: ClassVar[Scope]
    """The problems and depths that it serves."""

    patience: ClassVar[float] = 0.25
    """The share of the examiner's time after which `more_careful` is asked."""

    def prove(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        """A network of exactly this depth that meets the accuracy, or why not.

        The claim is what the theorem says; nothing is examined here.
        """
        asked = problem
        if self.scope.needs_plain(problem):
            plain = plain_above(problem)
            if plain is None:
                return Inapplicable(
                    "this construction needs a bounded domain", general=True
                )
            asked = plain
        found = self.scope.refusal(asked, depth) or self.claim(asked, depth)
        if isinstance(found, Upper) and asked is not problem:
            # within the plain accuracy, and so within the one that is asked for
            found = replace(found, error=problem.accuracy)
        if isinstance(found, Upper) and problem.law.has_open_ends:
            # theorems speak of the interval, not of what lies beyond
            found = replace(found, rigour=Rigour.SAMPLED)
        return found

    @abstractmethod
    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        """What `prove` returns within the scope."""

    def natural_depth(self, problem: Problem) -> int | None:
        """A depth beyond the usual ones at which it serves the problem best, if any."""
        return None

    def more_careful(self) -> "AbstractConstruction | None":
        """What to ask instead when the examiner does not confirm a claim."""
        return None

    @abstractmethod
    def examples(self) -> Sequence[Problem]:
        """Problems it applies to at depth 4, for tests and documentation."""
