"""Activation regions of a box or a slice, and what is said of them."""

from dataclasses import dataclass

from flint import fmpq

from depthsep.analysis.inspection._random_chords import Point
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.inspection.facts._integrals import integral_json, integral_rows
from depthsep.analysis.regions import Subdivision
from depthsep.analysis.regions._integrals import Integrals
from depthsep.analysis.regions._levels import LevelSet
from depthsep.exact import integer_words, json_integer, readable, text


@dataclass(frozen=True)
class RegionSurvey(AbstractFact):
    """Regions on a box, or on the parallelogram x0 + s (x1 - x0) + t (x2 - x0).

    Attributes:
        where: the domain in words; `corners`: x0, x1, x2 of a slice, which was given
            or drawn.
        output, level: whose parts above and below are counted.
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
    output: int
    level: fmpq
    subdivision: Subdivision | None
    more_than: int
    most: int
    reached: int | None
    affine_regions: int | None = None
    distinct_maps: int | None = None
    boundary: LevelSet | None = None
    integrals: Integrals | None = None
    missing: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The output and the domain."""
        return f"output {self.output + 1} on {self.where}"

    def rows(self) -> Rows:
        """Counts, bounds, parts above and below, integrals."""
        rows = [("most for such widths", f"{integer_words(self.most)} (cited)")]
        if self.subdivision is None:
            least = self.more_than
            found = f"more than {least} (exact)" if least else "unknown"
            left_out = [
                ("left out", f"the count, because {why}") for why in self.missing
            ]
            return [("activation regions", found), *rows, *left_out]
        if self.reached is not None:
            reached = f"at least {integer_words(self.reached)} (cited)"
            rows.append(("some such networks have", reached))
        if self.boundary is not None:
            named = (
                f"{self.boundary.above} where the output is above the "
                f"level, {self.boundary.below} where it is below"
            )
            name = f"parts at level {readable(self.level)}"
            rows.append((name, f"{named} (exact)"))
        rows += integral_rows(self.integrals)
        left_out = [("left out", why) for why in self.missing]
        return [*self._counts(self.subdivision), *rows, *left_out]

    def _counts(self, found: Subdivision) -> Rows:
        rows = [("activation regions", f"{len(found)} (exact)")]
        if self.affine_regions is not None:
            rows.append(("affine regions", f"{self.affine_regions} (exact)"))
            rows.append(("different affine maps", f"{self.distinct_maps} (exact)"))
        counts = found.counts
        faces = f"{counts.vertices}, {counts.edges} (exact)"
        return [*rows, ("vertices, edges", faces)]

    def to_json(self) -> dict[str, object]:
        """Counts, bounds and integrals; of a slice its corners, too."""
        bounds: dict[str, object] = {
            "most_regions": json_integer(self.most),
            "reached_regions": self.reached and json_integer(self.reached),
        }
        if self.missing:
            bounds["left_out"] = list(self.missing)
        if self.subdivision is None:
            missing = {"activation_regions": None, "more_than": self.more_than}
            return missing | bounds
        counts, edge = self.subdivision.counts, self.boundary
        document: dict[str, object] = {
            "activation_regions": counts.activation_regions,
            "affine_regions": self.affine_regions,
            "distinct_maps": self.distinct_maps,
            "vertices": counts.vertices,
            "edges": counts.edges,
            **bounds,
        }
        if edge is not None:
            document |= {"parts_above": edge.above, "parts_below": edge.below}
        return document | integral_json(self.integrals)

    def as_slice(self) -> dict[str, object]:
        """The same with where it is."""
        points = [[text(x) for x in point] for point in self.corners or ()]
        return {"where": self.where, "corners": points, **self.to_json()}
