"""Which errors are allowed, and the tunnels that say so: one outside, one inside."""

from dataclasses import dataclass, replace
from functools import cached_property

from flint import ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import ball_upper, exponent_of
from depthsep.laws import Segment
from depthsep.tables._followed import Followed, Walls, followed, joined
from depthsep.tables._tunnel import Tunnel
from depthsep.targets import AbstractLineTarget, Curve, PointSet, interval_ball

SIDES = ("both", "above", "below")
FINENESS = 256  # a target is followed to this share of the error at first
PRECISION = 96
SHORTEST = 1 << 40  # parts of the interval, in which |f| is looked at
MOST_PARTS = 500


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
            raise HypothesisError(
                f"the side of the error is {self.side!r}; give one of "
                f"{', '.join(SIDES)}"
            )
        if self.relative and isinstance(self.target, PointSet):
            raise HypothesisError(
                "the errors at points are always absolute; leave out --relative"
            )

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
            closer, parts = self.fineness // FINENESS, [(self.on, fmpq(1))]
            lines = [
                followed(self.target, part, share * size, closer)
                for part, size in (self._parts if self.relative else parts)
            ]
            self._lines[share] = joined(lines)
        return self._lines[share]

    def _share(self, error: fmpq) -> fmpq:
        """How closely the target is followed: a power of two."""
        if isinstance(self.target, PointSet | Curve):  # followed by their points
            return fmpq(1)
        return fmpq(2) ** exponent_of(error / self.fineness)

    @cached_property
    def _lines(self) -> dict[fmpq, Followed]:
        return {}

    @cached_property
    def _parts(self) -> list[tuple[Segment, fmpq]]:
        """Parts on which |f| stays between a power of two and eight times it.

        Raises:
            HypothesisError: f is 0 somewhere, as far as can be told.
        """
        target, waiting, found = self.target, [self.on], list[tuple[Segment, fmpq]]()
        assert isinstance(target, AbstractLineTarget)
        with ctx.workprec(PRECISION):
            while waiting:
                part = waiting.pop()
                value = abs(target.jet(interval_ball(part.start, part.stop)).value)
                least = -ball_upper(-value) if value.is_finite() else fmpq(0)
                if least > 0 and ball_upper(value) <= 4 * least:
                    found.append((part, fmpq(2) ** exponent_of(least)))
                    continue
                if part.length < self.on.length / SHORTEST or len(waiting) > MOST_PARTS:
                    raise HypothesisError(
                        f"{target} could not be proved to stay away from 0 on "
                        f"{self.on}, and where it is 0 a bounded relative error would "
                        "require the exact value; choose another interval, or leave "
                        "out --relative"
                    )
                middle = (part.start + part.stop) / 2
                waiting += [Segment(middle, part.stop), Segment(part.start, middle)]
        return found

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
