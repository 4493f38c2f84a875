"""The record of an inspection: facts, in the order in which they were found."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from flint import fmpq

from depthsep._display import Displayed, report
from depthsep.analysis._sampled_error import SampledError
from depthsep.analysis.inspection.facts._distances import Distance, SampledDistance
from depthsep.analysis.inspection.facts._fact import AbstractFact
from depthsep.analysis.inspection.facts._left_out import LeftOut
from depthsep.analysis.inspection.facts._lines import LineSurvey
from depthsep.analysis.inspection.facts._pieces import Pieces
from depthsep.analysis.inspection.facts._regions import RegionSurvey
from depthsep.analysis.inspection.facts._sizes import Sizes
from depthsep.analysis.inspection.facts._units import UnitStates
from depthsep.analysis.regions._integrals import Integrals
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine
from depthsep.laws import Box
from depthsep.networks import Network, Size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FactT = TypeVar("FactT", bound=AbstractFact)
ALONG = ("pieces", "most_pieces", "knots", "crossings", "unit_states", "distance")
OVER = ("lines", "unit_states", "distance")


@dataclass(frozen=True)
class Inspection(Displayed):
    """What the examiner says about a network.

    Every display shows `facts`; what is asked for by name is None, or empty, where no
    fact says it.

    Attributes:
        where: the interval, line or box, in words.
        box: of several inputs; None along an interval or a line.
        output, level: which output is followed, and whose crossings are counted.
        rigour: of counts along a line: exact, or sampled in float64; enclosed for
            smooth units, of which nothing is counted.
    """

    network: Network
    where: str
    box: Box | None
    output: int
    level: fmpq
    norm: str
    rigour: Rigour = Rigour.EXACT
    facts: tuple[AbstractFact, ...] = ()

    def with_fact(self, fact: AbstractFact) -> "Inspection":
        """The same and one fact more."""
        return replace(self, facts=(*self.facts, fact))

    def all_of(self, kind: type[FactT]) -> tuple[FactT, ...]:
        """The facts of a kind."""
        return tuple(fact for fact in self.facts if isinstance(fact, kind))

    def one_of(self, kind: type[FactT]) -> FactT | None:
        """The first fact of a kind; None without."""
        return next(iter(self.all_of(kind)), None)

    @property
    def size(self) -> Size:
        """Depth, widths, units, weights, largest weight, bits."""
        found = self.one_of(Sizes)
        return (found or Sizes(self.network)).size

    @property
    def pieces(self) -> int | None:
        """Affine pieces along the interval or line."""
        found = self.one_of(Pieces)
        return None if found is None else found.count

    @property
    def most_pieces(self) -> int | None:
        """What Theorem A allows networks of these widths."""
        found = self.one_of(Pieces)
        return None if found is None else found.most

    @property
    def function(self) -> PiecewiseAffine | None:
        """Knots and values; None if the pieces were counted by splitting only."""
        found = self.one_of(Pieces)
        return None if found is None else found.function

    @property
    def crossings(self) -> int | None:
        """Of the level; None if the pieces are not enumerated."""
        found = self.one_of(Pieces)
        return None if found is None else found.crossings

    @property
    def integrals(self) -> Integrals | None:
        """Along the interval or line: see `Pieces.integrals`."""
        found = self.one_of(Pieces)
        return None if found is None else found.integrals

    @property
    def lines(self) -> LineSurvey | None:
        """Counts along random lines of the box."""
        return self.one_of(LineSurvey)

    @property
    def slices(self) -> tuple[RegionSurvey, ...]:
        """Regions of two-dimensional slices, given or drawn."""
        return tuple(p for p in self.all_of(RegionSurvey) if p.corners is not None)

    @property
    def box_regions(self) -> RegionSurvey | None:
        """Regions of the whole box, for up to four inputs."""
        parts = (p for p in self.all_of(RegionSurvey) if p.corners is None)
        return next(parts, None)

    @property
    def units(self) -> UnitStates | None:
        """Units that do nothing there."""
        return self.one_of(UnitStates)

    @property
    def distance(self) -> Enclosure | None:
        """To the target or network, if one was given."""
        found = self.one_of(Distance)
        return None if found is None else found.value

    @property
    def sampled(self) -> SampledError | None:
        """The same from independent inputs, for a target under its own law."""
        found = self.one_of(SampledDistance)
        return None if found is None else found.error

    @property
    def reason(self) -> str:
        """Why something is missing; empty if nothing is."""
        return "; ".join(fact.reason for fact in self.all_of(LeftOut))

    def to_json(self) -> dict[str, object]:
        """One flat document; a slice that was given stands in front."""
        parts = [self.box_regions, *(p for p in self.slices if p.is_given)]
        first = next((part for part in parts if part is not None), None)
        document: dict[str, object] = {"where": first.where if first else self.where}
        document |= dict.fromkeys(ALONG if self.box is None else OVER)
        document |= {"level": str(self.level), "rigour": str(self.rigour)}
        if self.box is not None:
            document |= {"box": str(self.box), "output": self.output + 1}
            document["slices"] = [part.as_slice() for part in self.slices]
        for fact in self.facts:
            if not isinstance(fact, RegionSurvey) or fact is first:
                document |= fact.to_json()
        return document | {"reason": self.reason}

    def plot(self) -> "Axes":
        """What can be drawn of it, as matplotlib axes: the function, a map, or lines.

        Raises:
            HypothesisError: nothing of these was looked at.
        """
        return report("plot_inspection", self)
