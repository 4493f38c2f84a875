"""The domains on which a survey counts regions: the box, and slices of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flint import fmpq

from depthsep._deadline import deadline, seconds_left
from depthsep._errors import OutOfTimeError, TooLargeError
from depthsep.analysis.inspection._inspection import Inspection
from depthsep.analysis.inspection._plan import Plan
from depthsep.analysis.inspection._random_chords import (
    Point,
    drawn_slice,
    float_ends,
    given_slice,
)
from depthsep.analysis.inspection.facts._regions import RegionSurvey
from depthsep.analysis.regions import (
    Polygon,
    Subdivision,
    integrals,
    level_set,
    subdivide,
)
from depthsep.analysis.regions._counts import region_bound, regions_reached
from depthsep.analysis.regions.cells._domains import MOST_DIMS
from depthsep.laws import Box
from depthsep.networks import RELU, Network, restrict

SLICES = 3
MOST_INTEGRATED, MOST_EXACT = 20_000, 1000
FOR_REGIONS = 0.7  # of the time of a domain; the rest is for what is said of them
SQUARE = Polygon([(0, 0), (1, 0), (1, 1), (0, 1)])


@dataclass(frozen=True)
class RegionDomain:
    """A domain of the network's own inputs, or of the two parameters of a slice.

    Attributes:
        network: as a function on the domain.
        where: the domain in words.
        level: whose parts are counted.
        corners: of a slice; None for the box.
    """

    network: Network
    on: Box | Polygon
    where: str
    level: fmpq
    corners: tuple[Point, ...] | None = None

    def survey(self, plan: Plan) -> RegionSurvey:
        """Its regions, then maps, level set and integrals, while there is time."""
        network = self.network
        relus = all(a is RELU for a in network.activations)
        bare = RegionSurvey(
            where=self.where,
            is_given=bool(plan.given),
            corners=self.corners,
            output=plan.output,
            level=self.level,
            subdivision=None,
            more_than=0,
            most=region_bound(network),
            reached=regions_reached(network.widths, network.in_dim) if relus else None,
        )
        try:
            with deadline(seconds_left() * FOR_REGIONS):
                found = subdivide(network, self.on, most=plan.most)
        except TooLargeError as refusal:
            more_than = refusal.more_than or 0
            return replace(bare, more_than=more_than, missing=(_why("", refusal),))
        known = replace(bare, subdivision=found)
        for name, measure in self._measures(found, plan):
            try:
                known = replace(known, **measure())
            except TooLargeError as refusal:
                why = _why(f"{name}, because ", refusal)
                known = replace(known, missing=(*known.missing, why))
        return known

    def _measures(
        self, found: Subdivision, plan: Plan
    ) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
        """What is said of known regions, the quickest first: fields of the record."""

        def maps() -> dict[str, Any]:
            affine, distinct = found.affine_regions, found.distinct_maps
            return {"affine_regions": affine, "distinct_maps": distinct}

        def parts() -> dict[str, Any]:
            asked = {"level": self.level, "output": plan.output, "most": 4 * plan.most}
            return {"boundary": level_set(self.network, self.on, **asked)}

        def sums() -> dict[str, Any]:
            exact = len(found) <= MOST_EXACT
            sums = integrals(self.network, self.on, output=plan.output, exact=exact)
            return {"integrals": sums}

        yield "maps", maps
        yield "parts above and below the level", parts
        if len(found) <= MOST_INTEGRATED and (self.corners is None or plan.given):
            yield "integrals", sums


def _why(what: str, refusal: TooLargeError) -> str:
    option = "--seconds" if isinstance(refusal, OutOfTimeError) else "--most"
    limit = "time ran out" if option == "--seconds" else "there are too many regions"
    return f"{what}{limit} (allow more with {option})"


def region_domains(known: Inspection, box: Box, plan: Plan) -> list[RegionDomain]:
    """The slices; then the box, if it has few sides and no slice is given."""
    network, level = known.network, known.level
    whole = network.in_dim <= MOST_DIMS and not plan.given
    boxes = [RegionDomain(network, box, f"{box}", level)] if whole else []
    return [*_slices(known, box, plan), *boxes]


def _slices(known: Inspection, box: Box, plan: Plan) -> list[RegionDomain]:
    network, level = known.network, known.level
    unless_told = SLICES if network.in_dim > 2 else 0
    count = unless_told if plan.slices is None else plan.slices
    rng = np.random.default_rng([plan.seed, 1])
    corners = [given_slice(network, c) for c in plan.given]
    if not corners:
        corners = [drawn_slice(rng, float_ends(box)) for _ in range(count)]
    found = []
    for k, (x0, x1, x2) in enumerate(corners, start=1):
        steps = [[b - a for a, b in zip(x0, x, strict=True)] for x in (x1, x2)]
        where = "the given slice" if plan.given else f"random slice {k}"
        flat = restrict(network, x0, *steps)
        found.append(RegionDomain(flat, SQUARE, where, level, (x0, x1, x2)))
    return found
