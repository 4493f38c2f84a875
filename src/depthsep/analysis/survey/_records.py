"""What a survey looks at, and what it finds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from depthsep._display import Displayed, report
from depthsep.analysis._sampled_error import SampledError
from depthsep.analysis.regions import Along, Integrals, LevelSet, Subdivision
from depthsep.analysis.survey._random_chords import Point
from depthsep.analysis.survey._unit_states import UnitStates
from depthsep.evidence import Enclosure
from depthsep.laws import AbstractLaw, Box
from depthsep.networks import Network, Size
from depthsep.targets import AbstractTarget

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINES = 100
QUANTILES = (0.0, 0.1, 0.5, 0.9, 1.0)
MOST = 200_000  # regions of one slice or box


@dataclass(frozen=True)
class LineSurvey:
    """Counts on segments; each count is exact, which segments is chance.

    Attributes:
        counts: pieces (of all outputs) and crossings (of one) of every segment that
            the time was enough for.
        asked: how many segments were to be followed.
        most: what Theorem A allows networks of these widths on a line.
        seed: of the draws; None if the segments were given.
    """

    counts: tuple[Along, ...]
    asked: int
    most: int
    seed: int | None

    def quantiles(self, name: str) -> tuple[float, ...]:
        """Least, 10 %, median, 90 % and largest of `pieces` or `crossings`.

        None at all where the time was not enough for any line.
        """
        if not self.counts:
            return ()
        values = [getattr(count, name) for count in self.counts]
        return tuple(np.quantile(values, QUANTILES).tolist())


@dataclass(frozen=True)
class RegionSurvey:
    """Regions on a box, or on the parallelogram x0 + s (x1 - x0) + t (x2 - x0).

    Attributes:
        where: the domain in words; `corners`: x0, x1, x2 of a slice, which was given
            or drawn.
        subdivision: the regions; None if they were not counted within the limits.
        more_than: there are more regions than this.
        affine_regions: neighbours with one map count once; None if they were not
            compared within the time.
        distinct_maps: each once wherever it occurs; None likewise.
        missing: what the limits left out, and which limit.
        most: no network of these widths has more regions in so many dimensions.
        reached: some network has so many; None unless all units are ReLUs.
        boundary: where the output is the level.
        integrals: of the output over the box, or over s and t in [0, 1].
    """

    where: str
    is_given: bool
    corners: tuple[Point, ...] | None
    subdivision: Subdivision | None
    more_than: int
    most: int
    reached: int | None
    affine_regions: int | None = None
    distinct_maps: int | None = None
    boundary: LevelSet | None = None
    integrals: Integrals | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Survey(Displayed):
    """What the examiner says about a network on a box.

    Attributes:
        box: where it was looked at.
        lines: None where the network is not piecewise affine.
        box_regions: of the whole box, for up to four inputs.
        slices: two-dimensional ones, given or drawn.
        units: dead and linear ones on the box; None as for `lines`.
        distance: to another network or a target, if one was given, in the `norm`; on
            the box, or under the law of a target that does not live on a box.
        sampled: the same from independent inputs, for such a target.
        reason: why something is missing; empty if nothing is.
    """

    network: Network
    size: Size
    box: Box
    level: fmpq
    output: int
    lines: LineSurvey | None = None
    box_regions: RegionSurvey | None = None
    slices: tuple[RegionSurvey, ...] = ()
    units: UnitStates | None = None
    distance: Enclosure | None = None
    norm: str = "linf"
    reason: str = ""
    sampled: SampledError | None = None

    @property
    def is_given(self) -> bool:
        """Whether the slices were given, not drawn."""
        return any(part.is_given for part in self.slices)

    def plot(self) -> "Axes":
        """The regions in the plane, or what lines meet, as matplotlib axes.

        Raises:
            HypothesisError: neither was looked at.
        """
        return report("plot_survey", self)


@dataclass(frozen=True)
class Plan:
    """What to look at.

    Attributes:
        lines, slices: how many to draw.
        given: slices by three points each, instead of drawn ones.
        seed: of all draws.
        level, output: for crossings and connected parts.
        most: regions of one slice or box beyond which they are not counted.
        against: measure the distance to it on the box.
        law: of a target that does not live on a box; its default one if not given.
        norm: of the distance.
        seconds: for everything together; half of it is kept for a distance.
    """

    lines: int = LINES
    slices: int | None = None
    given: Sequence[Sequence[Sequence[object]]] = ()
    seed: int = 0
    level: object = fmpq(1, 2)
    output: int = 0
    most: int = MOST
    against: Network | AbstractTarget | None = None
    law: AbstractLaw | None = None
    norm: str = "linf"
    seconds: float = 60.0

    @property
    def has_own_law(self) -> bool:
        """Whether the target does not live on a box."""
        other = self.against
        return isinstance(other, AbstractTarget) and "box" not in other.settings
