"""A real number known to lie between two rationals."""

from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep.evidence._rigour import Rigour
from depthsep.exact import ball_upper, between, nearest_float, readable, text

LONGEST = 16  # characters of an exact number in a message
FINEST = 4096  # bits that an end of a ball keeps


@dataclass(frozen=True)
class Enclosure:
    """lower <= value <= upper, with its rigour; exact numbers have lower == upper.

    For l2 errors `square` is the exact squared norm where it is rational (the value is
    its nonnegative root), so that comparisons need no square root.
    """

    lower: fmpq
    upper: fmpq
    rigour: Rigour
    square: fmpq | None = None

    @property
    def is_point(self) -> bool:
        """Whether the value is known exactly."""
        return self.lower == self.upper

    def is_at_most(self, limit: fmpq) -> bool:
        """Whether value <= limit is proved."""
        if self.square is not None:
            return limit >= 0 and self.square <= limit * limit
        return self.upper <= limit

    def proved_bound(self, limit: fmpq) -> fmpq:
        """The stored upper end, or `limit` where that is proved and smaller.

        The upper end of an irrational root is rounded up, and may exceed a limit that
        the exact square keeps.
        """
        return limit if self.is_at_most(limit) and limit < self.upper else self.upper

    def is_above(self, limit: fmpq) -> bool:
        """Whether value > limit is proved."""
        if self.square is not None:
            return limit < 0 or self.square > limit * limit
        return self.lower > limit

    def as_upper_end(self) -> "Enclosure":
        """What is known of a smaller number from 0 on, such as a mean of a sup."""
        return Enclosure(min(fmpq(0), self.upper), self.upper, self.rigour)

    def against(self, accuracy: fmpq, norm: str) -> str:
        """One of three sentences: met, not met, or not decided, with a remedy."""
        limit = readable(accuracy)
        if self.is_at_most(accuracy):
            return f"the network's {norm} error is {self}, within the accuracy {limit}"
        if self.is_above(accuracy):
            return f"the network's {norm} error is {self}, above the accuracy {limit}"
        return (
            f"whether the network meets the accuracy {limit} is not decided: its "
            f"{norm} error is {self}; allow more time (--seconds) or a larger error"
        )

    def __float__(self) -> float:
        return nearest_float((self.lower + self.upper) / 2)

    def __str__(self) -> str:
        if self.is_point:
            written = text(self.lower)
            return written if len(written) <= LONGEST else readable(self.lower)
        return between(self.lower, self.upper)


def enclosure(ball: arb) -> Enclosure:
    """The ball as a record.

    Raises:
        UndecidedError: it is unbounded.
    """
    with ctx.workprec(FINEST):
        return Enclosure(-ball_upper(-ball), ball_upper(ball), Rigour.ENCLOSED)
