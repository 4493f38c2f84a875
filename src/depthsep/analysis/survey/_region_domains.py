"""The domains on which a survey counts regions: the box, and slices of it."""

from dataclasses import dataclass, replace

import numpy as np
from flint import fmpq

from depthsep._errors import TooLargeError
from depthsep.analysis.regions import (
    LevelSet,
    Polygon,
    integrals,
    level_set,
    subdivide,
)
from depthsep.analysis.regions._counts import region_bound, regions_reached
from depthsep.analysis.regions.cells._domains import MOST_DIMS
from depthsep.analysis.survey._random_chords import (
    Point,
    drawn_slice,
    float_ends,
    given_slice,
)
from depthsep.analysis.survey._records import Plan, RegionSurvey
from depthsep.laws import Box
from depthsep.networks import RELU, Network, restrict

SLICES = 3
MOST_INTEGRATED = 20_000
SQUARE = Polygon([(0, 0), (1, 0), (1, 1), (0, 1)])


@dataclass(frozen=True)
class RegionDomain:
    """A domain of the network's own inputs, or of the two parameters of a slice.

    Attributes:
        network: as a function on the domain.
        where: the domain in words.
        corners: of a slice; None for the box.
    """

    network: Network
    on: Box | Polygon
    where: str
    corners: tuple[Point, ...] | None = None

    def survey(self, plan: Plan, level: fmpq, seconds: float) -> RegionSurvey:
        """Its regions, then the level set, within `seconds` each."""
        network, is_given = self.network, bool(plan.given)
        relus = all(a is RELU for a in network.activations)
        bare = RegionSurvey(
            where=self.where,
            is_given=is_given,
            corners=self.corners,
            subdivision=None,
            more_than=0,
            most=region_bound(network),
            reached=regions_reached(network.widths, network.in_dim) if relus else None,
        )
        try:
            found = subdivide(network, self.on, most=plan.most, seconds=seconds)
        except TooLargeError as error:
            return replace(bare, more_than=error.more_than or 0)
        edge, sums = self._edge(plan, level, seconds), None
        if len(found) <= MOST_INTEGRATED and (self.corners is None or is_given):
            exact = len(found) <= 1000
            sums = integrals(network, self.on, output=plan.output, exact=exact)
        return replace(bare, subdivision=found, boundary=edge, integrals=sums)

    def _edge(self, plan: Plan, level: fmpq, seconds: float) -> LevelSet | None:
        try:
            return level_set(
                self.network,
                self.on,
                level=level,
                output=plan.output,
                most=4 * plan.most,
                seconds=seconds,
            )
        except TooLargeError:
            return None


def region_domains(network: Network, box: Box, plan: Plan) -> list[RegionDomain]:
    """The box, if it has few sides and no slice is given; then the slices."""
    whole = network.in_dim <= MOST_DIMS and not plan.given
    boxes = [RegionDomain(network, box, f"{box}")] if whole else []
    return [*boxes, *_slices(network, box, plan)]


def _slices(network: Network, box: Box, plan: Plan) -> list[RegionDomain]:
    unless_told = SLICES if network.in_dim > 2 else 0
    count = unless_told if plan.slices is None else plan.slices
    rng = np.random.default_rng([plan.seed, 1])
    corners = [given_slice(network, c) for c in plan.given]
    if not corners:
        corners = [drawn_slice(rng, float_ends(box)) for _ in range(count)]
    found = []
    for k, (x0, x1, x2) in enumerate(corners, start=1):
        steps = [[b - a for a, b in zip(x0, x, strict=True)] for x in (x1, x2)]
        where = "a slice given" if plan.given else f"slice {k}, drawn"
        flat = restrict(network, x0, *steps)
        found.append(RegionDomain(flat, SQUARE, where, (x0, x1, x2)))
    return found
