"""Whether an output is convex, concave, affine, or neither, with a witness."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._deadline import end_after, is_over
from depthsep.analysis.facts._convex import bends_by_signs, is_convex_by_bounds
from depthsep.analysis.facts._lipschitz import middle_of
from depthsep.analysis.facts._subject import Subject, point_words
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.regions.cells._domains import Point
from depthsep.evidence import Rigour
from depthsep.exact import text

AFFINE, CONVEX, CONCAVE = "affine", "convex", "concave"
NEITHER, OPEN = "neither convex nor concave", "not decided"
KINDS = {  # by whether it bends up, and down
    (False, False): AFFINE,
    (True, False): CONVEX,
    (False, True): CONCAVE,
    (True, True): NEITHER,
}
DRAWN = 20_000  # pairs of points, fewer of many inputs
NUMBERS = 1 << 21
LOOKED_AT = 16  # of them, exactly


@dataclass(frozen=True)
class Shape(AbstractFact):
    """How an output bends.

    Attributes:
        kind: affine functions beyond known regions count as convex.
        bends_up, bends_down: a point at which it does: not concave, not convex.
    """

    output: int
    kind: str
    rigour: Rigour
    bends_up: Point | None = None
    bends_down: Point | None = None

    def rows(self) -> Rows:
        """One, with the witnesses."""
        words = self.kind if self.kind == OPEN else f"{self.kind} ({self.rigour})"
        places = []
        if self.bends_up is not None and self.kind != CONVEX:
            places.append(f"bends up at {point_words(self.bends_up)}")
        if self.bends_down is not None and self.kind != CONCAVE:
            places.append(f"bends down at {point_words(self.bends_down)}")
        shown = ": " + ", ".join(places) if places else ""
        return [(f"output {self.output + 1}, shape", words + shown)]

    def to_json(self) -> dict[str, object]:
        """The kind and the witnesses."""
        rigour = None if self.kind == OPEN else str(self.rigour)
        entry: dict[str, object] = {"kind": self.kind, "rigour": rigour}
        for name in ("bends_up", "bends_down"):
            point = getattr(self, name)
            entry[name] = point and [text(x) for x in point]
        return {f"shape_{self.output + 1}": entry}


def quick_shape(subject: Subject, output: int) -> Shape | None:
    """Exact from all regions, or from signs of weights; None where they do not say."""
    if subject.regions is not None:
        return _by_regions(subject, output)
    convex, concave = (ends[output] for ends in bends_by_signs(subject.network))
    if not (convex or concave):
        return None
    return Shape(output, KINDS[not concave, not convex], Rigour.EXACT)


def shape(subject: Subject, output: int, share: float) -> Shape:
    """By second derivatives, enclosed; or witnesses against."""
    up, down = _drawn(subject, output)
    rigour = Rigour.ENCLOSED if subject.is_smooth else Rigour.EXACT
    if up is not None and down is not None:
        return Shape(output, NEITHER, rigour, up, down)
    kind = OPEN
    if (up or down) and is_convex_by_bounds(subject, output, 1 if up else -1, share):
        kind = CONVEX if up else CONCAVE
    return Shape(output, kind, rigour, up, down)


def _by_regions(subject: Subject, output: int) -> Shape:
    """A continuous piecewise affine function is convex if it bends up at every facet.

    Of two neighbours' maps the difference vanishes on the facet; it bends up where the
    second map is the larger one in the second region.
    """
    found = subject.regions
    assert found is not None
    width, start = 1 + found.network.in_dim, output * (1 + found.network.in_dim)
    maps = [m[start : start + width] for m in found.maps()]
    up: Point | None = None
    down: Point | None = None
    for first, second in found.neighbours.T.tolist():
        if maps[first] == maps[second]:
            continue
        if up is not None and down is not None:
            break
        apart = [b - a for a, b in zip(maps[first], maps[second], strict=True)]
        corners = [found.point(v) for v in found.around(second)]
        values = [_at(apart, corner) for corner in corners]
        on_facet = [c for c, v in zip(corners, values, strict=True) if v == 0]
        place = middle_of(tuple(on_facet or corners))
        if sum(values, fmpq(0)) > 0:
            up = up or place
        else:
            down = down or place
    kind = KINDS[up is not None, down is not None]
    return Shape(output, kind, Rigour.EXACT, up, down)


def _at(affine: Sequence[fmpq], point: Point) -> fmpq:
    constant, *slopes = affine
    return sum((s * x for s, x in zip(slopes, point, strict=True)), constant)


def _drawn(subject: Subject, output: int) -> tuple[Point | None, Point | None]:
    """Points halfway between two others whose mean value is larger, or smaller."""
    count = max(64, min(DRAWN, NUMBERS // max(subject.net.widest, 1)))
    points = subject.drawn(2 * count)
    ends = points[:count], points[count:]
    middle = subject.inside((ends[0] + ends[1]) / 2)
    values = [subject.floats(x)[:, output] for x in (*ends, middle)]
    sag = (values[0] + values[1]) / 2 - values[2]
    found: list[Point | None] = []
    for order in (np.argsort(-sag), np.argsort(sag)):
        sign = 1 if not found else -1
        found.append(_confirmed(subject, output, ends, order[:LOOKED_AT], sign))
    return found[0], found[1]


def _confirmed(
    subject: Subject,
    output: int,
    ends: tuple[np.ndarray, np.ndarray],
    order: np.ndarray,
    sign: int,
) -> Point | None:
    """The first middle that lies below (1) or above (-1) the chord, exactly."""
    for k in order.tolist():
        if is_over(end_after()):
            return None
        a, b = subject.point(ends[0][k]), subject.point(ends[1][k])
        place = tuple((x + y) / 2 for x, y in zip(a, b, strict=True))
        first, second, mid = (subject.value(p, output) for p in (a, b, place))
        below = (first.lower + second.lower) / 2 - mid.upper
        above = mid.lower - (first.upper + second.upper) / 2
        if (below if sign > 0 else above) > 0:
            return place
    return None
