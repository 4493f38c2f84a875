"""What to look at in a network, and for how long."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.laws import AbstractLaw
from depthsep.networks import Network
from depthsep.targets import AbstractTarget

LINES = 100
MOST = 200_000  # regions of one slice or box
SECONDS = 60.0
Points = tuple[Sequence[object], Sequence[object]]


@dataclass(frozen=True)
class Plan:
    """What to look at.

    Attributes:
        line: two points; follow the segment between them, parametrised by [0, 1],
            instead of a box.
        lines, slices: how many to draw in a box.
        given: slices by three points each, instead of drawn ones.
        seed: of all draws.
        level, output: for crossings and connected parts; the output counts from 0.
        most: regions of one slice or box beyond which they are not counted.
        target, against: measure the distance to a target, or to another network.
        law: of a target that does not live on a box; its default one if not given.
        norm: of the distance.
        exact: rational arithmetic along a line; else float64, which is `sampled`.
        seconds: for everything together; half of it is kept for a distance.
        jobs: processes that share slices which take long. A script that allows more
            than one guards what it runs by `if __name__ == "__main__":`.
    """

    line: Points | None = None
    lines: int = LINES
    slices: int | None = None
    given: Sequence[Sequence[Sequence[object]]] = ()
    seed: int = 0
    level: object = fmpq(1, 2)
    output: int = 0
    most: int = MOST
    target: AbstractTarget | None = None
    against: Network | AbstractTarget | None = None
    law: AbstractLaw | None = None
    norm: str = "linf"
    exact: bool = True
    seconds: float = SECONDS
    jobs: int = 1

    def __post_init__(self) -> None:
        if self.target is not None and self.against is not None:
            raise HypothesisError(
                "give a target or a network to measure against, not both"
            )

    @property
    def other(self) -> Network | AbstractTarget | None:
        """What the distance is measured to."""
        return self.against if self.target is None else self.target

    @property
    def has_own_law(self) -> bool:
        """Whether the target does not live on a box."""
        other = self.other
        return isinstance(other, AbstractTarget) and "box" not in other.settings
