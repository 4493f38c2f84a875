"""`SearchPlan`: how long and from where to look for narrower networks."""

from dataclasses import dataclass

from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole


@dataclass(frozen=True)
class SearchPlan:
    """How narrower networks are searched for at one depth.

    Attributes:
        seconds: for each depth; 0 for no search.
        rounds: escapes at each width, instead of a time limit: what is found is then
            the same on every run.
        seed: of the random choices.
    """

    seconds: float = 3.0
    rounds: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= real(self.seconds, "seconds") <= 86_400:
            raise HypothesisError(
                f"`seconds` is {self.seconds}; give a number from 0 to 86400"
            )
        if self.rounds is not None:
            whole(self.rounds, "rounds", least=0, most=10**6)
        whole(self.seed, "seed", most=2**31 - 1)

    @property
    def is_off(self) -> bool:
        """Whether nothing is searched for."""
        return self.rounds is None and self.seconds == 0
