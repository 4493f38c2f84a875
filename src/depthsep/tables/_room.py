"""Which errors are allowed, and the tunnels that say so: one outside, one inside."""

from dataclasses import dataclass, replace
from functools import cached_property

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.approximation import linearise
from depthsep.laws import Segment
from depthsep.tables._followed import Followed, Walls, followed
from depthsep.tables._tunnel import Tunnel
from depthsep.targets import AbstractLineTarget, Curve, PointSet

SIDES = ("both", "above", "below")
FINENESS = 256  # a target is followed to this share of the error at first
HALF = fmpq(1, 2)


@dataclass(frozen=True, eq=False)
class Room:
    """What a table of a target may be off by.

    Attributes:
        target: what the table is of.
        on: from where to where.
        side: "above" for tables that are never below the target, "below", or "both".
        relative: whether an error of E means E |f|.
        fineness: the target is followed to this share of the error.
    """

    target: AbstractLineTarget | PointSet
    on: Segment
    side: str = "both"
    relative: bool = False
    fineness: int = FINENESS

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise HypothesisError(f"{self.side!r}: give {', '.join(SIDES)}")
        if self.relative and isinstance(self.target, PointSet):
            raise HypothesisError("errors at points are absolute; leave out --relative")

    def finer(self) -> "Room":
        """With the target followed 16 times as closely."""
        return replace(self, fineness=16 * self.fineness)

    def outside(self, error: fmpq) -> Tunnel:
        """That contains all functions within the error."""
        return self._tunnel(self.followed(error).outside, error)

    def inside(self, error: fmpq) -> Tunnel:
        """All of whose functions are within the error."""
        return self._tunnel(self.followed(error).inside, error)

    def followed(self, error: fmpq) -> Followed:
        """Broken lines around the target, near enough for an error."""
        share = self._share(error)
        if share not in self._lines:
            closer = self.fineness // FINENESS
            self._lines[share] = followed(self.target, self.on, share, closer)
        return self._lines[share]

    def _share(self, error: fmpq) -> fmpq:
        """How closely the target is followed: a power of two."""
        share = fmpq(1)
        if isinstance(self.target, PointSet | Curve):  # followed by their points
            return share
        size = error * self.least if self.relative else error
        while share > size / self.fineness:
            share /= 2
        while share < size / (2 * self.fineness):
            share *= 2
        return share

    @cached_property
    def _lines(self) -> dict[fmpq, Followed]:
        return {}

    @cached_property
    def least(self) -> fmpq:
        """A lower bound of |f|, which is proved to be positive.

        Raises:
            HypothesisError: f is 0 somewhere, as far as can be told.
        """
        assert isinstance(self.target, AbstractLineTarget)
        off = fmpq(1)
        for _ in range(40):
            line = linearise(self.target, self.on, off)
            low, high = min(line.function.values), max(line.function.values)
            near = max(low, -high) - line.error
            if near > off:
                return near
            off /= 4
            if low < -line.error and high > line.error:
                break
        raise HypothesisError(
            f"{self.target} is 0 somewhere on {self.on}, where a relative error asks "
            "for an exact value; choose another interval, or leave out --relative"
        )

    def _tunnel(self, walls: Walls, error: fmpq) -> Tunnel:
        """Floor and ceiling, by what is allowed below and above the walls."""
        up = error if self.side != "below" else fmpq(0)
        down = error if self.side != "above" else fmpq(0)
        if not self.relative:
            floor = [v - down for v in walls.low]
            return Tunnel(walls.x, floor, [v + up for v in walls.high])
        if walls.low[0] < 0:
            up, down = -up, -down
        floor = [v * (1 - down) for v in walls.low]
        return Tunnel(walls.x, floor, [v * (1 + up) for v in walls.high])
