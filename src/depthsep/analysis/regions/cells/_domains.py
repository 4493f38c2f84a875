"""Convex domains with their faces: intervals, boxes in up to 4 dimensions, polygons."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis.regions.cells._complex import Incidence
from depthsep.exact import rational
from depthsep.laws import Box, Segment

MOST_DIMS = 4
FREE = 2
Point = tuple[fmpq, ...]
Word = tuple[int, ...]


@dataclass(frozen=True)
class Faces:
    """Corners, edges and which faces bound which, as a complex starts from them."""

    corners: tuple[Point, ...]
    ends: np.ndarray
    incidences: tuple[Incidence, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Polygon:
    """A convex polygon, its corners in order, either way round.

    Raises:
        HypothesisError: fewer than 3 corners, or corners that do not turn the same way
            once round.
    """

    corners: tuple[Point, ...]

    def __init__(self, corners: Iterable[Iterable[object]]) -> None:
        try:
            points = [
                tuple(rational(x, name="a coordinate") for x in c) for c in corners
            ]
        except TypeError:
            points = []
        if len(points) < 3 or {len(p) for p in points} != {2}:
            raise HypothesisError(
                "a polygon needs three or more corners, each a pair of numbers (x, y)"
            )
        if not _is_convex(points):
            raise HypothesisError(
                "the corners do not form a convex polygon in this order; give them in "
                "order, without corners on the line between their neighbours"
            )
        object.__setattr__(self, "corners", tuple(points))


Domain = Segment | Box | Polygon


def faces_of(domain: Domain) -> Faces:
    """The face lattice of a domain.

    Raises:
        HypothesisError: no such domain, or a box of more than 4 dimensions.
    """
    if isinstance(domain, Polygon):
        return _polygon(domain.corners)
    if not isinstance(domain, Segment | Box):
        raise HypothesisError(
            f"{domain} is not an interval, a box or a polygon; give one of them"
        )
    if domain.in_dim > MOST_DIMS:
        raise HypothesisError(
            f"the box has {domain.in_dim} dimensions, but regions are "
            f"found only in up to {MOST_DIMS}; give a slice"
        )
    return _box(domain.sides)


def _polygon(corners: tuple[Point, ...]) -> Faces:
    count = len(corners)
    first = np.arange(count)
    ends = np.stack([first, np.roll(first, -1)])
    whole = Incidence(first.copy(), np.zeros(count, dtype=np.int64), first >= 0)
    return Faces(corners, ends, (whole,), (count, 1))


def _box(sides: Sequence[Segment]) -> Faces:
    """Faces are words: 0 and 1 for the ends of a side, 2 where it is free."""
    words = list(product((0, 1, FREE), repeat=len(sides)))
    by_dim = [[w for w in words if w.count(FREE) == k] for k in range(len(sides) + 1)]
    place: list[dict[Word, int]]
    place = [{w: i for i, w in enumerate(level)} for level in by_dim]
    corners = tuple(
        tuple((s.stop if at else s.start) for s, at in zip(sides, w, strict=True))
        for w in by_dim[0]
    )
    pairs = [
        np.array(
            [(place[k - 1][f], place[k][w]) for w in by_dim[k] for f in _facets(w)]
        )
        for k in range(1, len(sides) + 1)
    ]
    ends = pairs[0][:, 0].reshape(-1, 2).T.copy()
    incidences = tuple(
        Incidence(p[:, 0].copy(), p[:, 1].copy(), np.ones(len(p), dtype=bool))
        for p in pairs[1:]
    )
    return Faces(corners, ends, incidences, tuple(map(len, by_dim[1:])))


def _facets(word: Word) -> Iterator[Word]:
    for k, letter in enumerate(word):
        if letter == FREE:
            for end in (0, 1):
                yield (*word[:k], end, *word[k + 1 :])


def _is_convex(points: Sequence[Point]) -> bool:
    """Whether all turns have one sign and add up to one round."""
    count = len(points)
    steps = [
        (b[0] - a[0], b[1] - a[1])
        for a, b in zip(points, [*points[1:], points[0]], strict=True)
    ]
    turns = [_cross(steps[k - 1], steps[k]) for k in range(count)]
    if not (all(t > 0 for t in turns) or all(t < 0 for t in turns)):
        return False
    # going once round, the direction crosses the horizontal upwards exactly once
    up = [y > 0 or (y == 0 and x > 0) for x, y in steps]
    return sum(up[k] and not up[k - 1] for k in range(count)) == 1


def _cross(a: Sequence[fmpq], b: Sequence[fmpq]) -> fmpq:
    return a[0] * b[1] - a[1] * b[0]
