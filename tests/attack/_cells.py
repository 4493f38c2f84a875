"""Regions of networks of two inputs: convex polygons split one unit at a time."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ._networks import Net, slope_below

Point = tuple[Fraction, Fraction]
Plane = tuple[Fraction, Fraction, Fraction]  # p x + q y + r


@dataclass(frozen=True)
class Cell:
    """A convex polygon, its corners in order, and the affine maps of the units."""

    corners: tuple[Point, ...]
    units: tuple[Plane, ...]


@dataclass(frozen=True)
class Counts:
    """What a subdivision of a polygon consists of, and the integral of the output."""

    regions: int
    affine_regions: int
    vertices: int
    edges: int
    integral: Fraction


def cells(net: Net, inputs: Sequence[Plane], corners: Sequence[Point]) -> list[Cell]:
    """The activation regions; `inputs` are the network's inputs as planes."""
    found = [Cell(tuple(corners), tuple(inputs))]
    for layer in net.layers:
        found = [
            Cell(c.corners, tuple(_image(row, b, c.units) for row, b in rows))
            for c in found
            for rows in [list(zip(layer.weight, layer.bias, strict=True))]
        ]
        if layer.name is not None:
            below = slope_below(layer.name)
            found = [_bent(part, below) for c in found for part in _split(c)]
    return found


def counts(found: Sequence[Cell]) -> Counts:
    """Regions, merged regions, vertices, edges (by Euler) and the integral."""
    corners = {p for c in found for p in c.corners}
    sums = sum((_integral(c.corners, c.units[0]) for c in found), Fraction(0))
    vertices, regions = len(corners), len(found)
    edges = vertices + regions - 1
    return Counts(regions, _merged(found), vertices, edges, sums)


def _image(row: Sequence[Fraction], bias: Fraction, units: Sequence[Plane]) -> Plane:
    p, q, r = (
        sum((w * u[k] for w, u in zip(row, units, strict=True)), Fraction(0))
        for k in range(3)
    )
    return p, q, r + bias


def at(plane: Plane, point: Point) -> Fraction:
    """The value of an affine map at a point."""
    return plane[0] * point[0] + plane[1] * point[1] + plane[2]


def _split(cell: Cell) -> list[Cell]:
    parts = [cell.corners]
    for plane in cell.units:
        parts = [half for part in parts for half in _halves(part, plane)]
    return [Cell(part, cell.units) for part in parts]


def _halves(corners: tuple[Point, ...], plane: Plane) -> list[tuple[Point, ...]]:
    values = [at(plane, p) for p in corners]
    if not min(values) < 0 < max(values):
        return [corners]
    sides: tuple[list[Point], list[Point]] = ([], [])
    ring = list(zip(corners, values, strict=True))
    for (p, v), (q, w) in zip(ring, ring[1:] + ring[:1], strict=True):
        for side in range(2):
            if (v >= 0, v <= 0)[side]:
                sides[side].append(p)
        if v * w < 0:
            t = v / (v - w)
            cut = (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]))
            for side in sides:
                side.append(cut)
    return [tuple(side) for side in sides]


def _bent(cell: Cell, below: Fraction) -> Cell:
    n = len(cell.corners)
    middle = tuple(sum(p[k] for p in cell.corners) / n for k in range(2))
    units = tuple(
        u if at(u, middle) >= 0 else tuple(below * v for v in u) for u in cell.units
    )
    return Cell(cell.corners, units)  # type: ignore[arg-type]


def _merged(found: Sequence[Cell]) -> int:
    """Cells joined where they share a side and an affine map."""
    leader = list(range(len(found)))

    def head(k: int) -> int:
        while leader[k] != k:
            k = leader[k]
        return k

    for (i, a), (j, b) in itertools.combinations(enumerate(found), 2):
        if a.units[0] == b.units[0] and head(i) != head(j) and _touch(a, b):
            leader[head(j)] = head(i)
    return sum(1 for k, m in enumerate(leader) if k == m)


def _touch(a: Cell, b: Cell) -> bool:
    """Whether two cells share a piece of a side, more than a point."""
    return any(
        _overlap(p, q, r, s) for p, q in _sides(a.corners) for r, s in _sides(b.corners)
    )


def _sides(corners: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


def _overlap(p: Point, q: Point, r: Point, s: Point) -> bool:
    def along(point: Point) -> Fraction:
        return (point[0] - p[0]) * (q[0] - p[0]) + (point[1] - p[1]) * (q[1] - p[1])

    if _cross(p, q, r) or _cross(p, q, s):
        return False
    low, high = sorted((along(r), along(s)))
    return max(low, Fraction(0)) < min(high, along(q))


def _cross(p: Point, q: Point, r: Point) -> Fraction:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def _integral(corners: tuple[Point, ...], plane: Plane) -> Fraction:
    total, first = Fraction(0), corners[0]
    for q, r in itertools.pairwise(corners[1:]):
        area = abs(_cross(first, q, r)) / 2
        total += area * sum((at(plane, p) for p in (first, q, r)), Fraction(0)) / 3
    return total
