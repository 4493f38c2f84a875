"""Where inputs live: an interval, or a product of intervals. No law is meant."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import readable, text
from depthsep.formulas import constant


@dataclass(frozen=True)
class Segment:
    """The interval [start, stop]; ends such as ``"pi"`` are rounded to 20 decimals."""

    start: fmpq
    stop: fmpq

    def __init__(self, start: object = 0, stop: object = 1) -> None:
        a = constant(start, name="the start of the interval")
        b = constant(stop, name="the end of the interval")
        if a >= b:
            raise HypothesisError(
                f"the interval [{a}, {b}] is reversed or a single "
                "point; give start < end"
            )
        object.__setattr__(self, "start", a)
        object.__setattr__(self, "stop", b)

    @property
    def sides(self) -> "tuple[Segment, ...]":
        """Itself, as boxes have several."""
        return (self,)

    @property
    def in_dim(self) -> int:
        """One input."""
        return 1

    @property
    def length(self) -> fmpq:
        """stop - start."""
        return self.stop - self.start

    @property
    def text(self) -> str:
        """``START,STOP``, as the command line takes it."""
        return f"{text(self.start)},{text(self.stop)}"

    def __str__(self) -> str:
        return f"[{readable(self.start)}, {readable(self.stop)}]"


@dataclass(frozen=True)
class Box:
    """A product of intervals, one for each of two or more inputs."""

    sides: tuple[Segment, ...]

    def __init__(self, sides: Sequence[Segment]) -> None:
        if len(sides) < 2:
            raise HypothesisError(
                "a box needs at least two sides; for one input, use uniform:A,B"
            )
        object.__setattr__(self, "sides", tuple(sides))

    @staticmethod
    def cube(side: Segment, dim: int) -> "Box":
        """The same interval for every input."""
        return Box([side] * dim)

    @property
    def in_dim(self) -> int:
        """How many sides it has."""
        return len(self.sides)

    @property
    def starts(self) -> list[fmpq]:
        """The lower corner."""
        return [side.start for side in self.sides]

    @property
    def stops(self) -> list[fmpq]:
        """The upper corner."""
        return [side.stop for side in self.sides]

    def range_of(self, direction: Sequence[fmpq]) -> tuple[fmpq, fmpq]:
        """The least and the largest value of direction . x on the box."""
        pairs = [
            sorted((w * side.start, w * side.stop))
            for w, side in zip(direction, self.sides, strict=True)
        ]
        zero = fmpq(0)
        return sum((p[0] for p in pairs), zero), sum((p[1] for p in pairs), zero)

    def __str__(self) -> str:
        first = self.sides[0]
        if all(side == first for side in self.sides):
            return f"[{first.start}, {first.stop}]^{self.in_dim}"
        return " x ".join(f"[{s.start}, {s.stop}]" for s in self.sides)
