"""How long a search goes on."""

import time
from dataclasses import dataclass, field

from depthsep._progress import tell

WATCHED = 8  # steps of which the gain is watched
HOPEFUL = 6.0  # times as much must be enough


@dataclass
class Budget:
    """How much a search may do: seconds, or rounds that no clock changes.

    Attributes:
        rounds: escapes at one width; None for as many as time allows.
    """

    seconds: float
    rounds: int | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def is_spent(self) -> bool:
        """Whether the time is up; never where rounds are counted instead."""
        return self.rounds is None and time.monotonic() - self.started >= self.seconds

    def tell(self, width: int, error: float) -> None:
        """Whoever listens hears the error at a width, as a multiple of the accuracy."""
        gone = time.monotonic() - self.started
        share = min(1.0, gone / self.seconds) if self.rounds is None else 0.0
        tell(share, f"width {width}, error {error:.3g} times the accuracy")

    def part(self, share: float) -> "Budget":
        """A share of what is left, from now on."""
        now = time.monotonic()
        left = max(0.0, self.started + self.seconds - now)
        return Budget(share * left, self.rounds, now)


@dataclass
class Progress:
    """Whether to go on: not without time, nor far away at a slow pace."""

    budget: Budget
    enough: float
    errors: list[float] = field(default_factory=list[float])

    def __call__(self, error: float, number: int) -> bool:
        """Asked after each step, with the error reached."""
        self.errors.append(error)
        if self.budget.is_spent:
            return False
        if len(self.errors) <= WATCHED:
            return True
        gained = self.errors[-1 - WATCHED] - error
        return HOPEFUL * gained >= error - self.enough
