"""Triangles that a surface needs: Theorem W for triangulations of a rectangle."""

from functools import lru_cache
from itertools import product as cartesian

from flint import arb, ctx, fmpq

from depthsep.exact import ball_upper, nearest_float
from depthsep.laws import Box
from depthsep.lower_bounds.box.planes._bends import (
    DEFINITE,
    QUADRATIC,
    SADDLE,
    Rectangle,
    best_rectangle,
    count_above,
    least_hessians,
)
from depthsep.lower_bounds.box.planes._hessians import (
    PRECISION,
    Plane,
    planes_at_points,
)
from depthsep.targets import Formula

WHOLE = {DEFINITE: fmpq(27), SADDLE: fmpq(64), QUADRATIC: fmpq(64)}
"""Squares of the largest |S| sqrt(h) / E of a triangle S inside the rectangle."""
CLIPPED = {DEFINITE: fmpq(120), SADDLE: fmpq(64), QUADRATIC: fmpq(64)}
"""The same of a triangle's part in a smaller one: it has up to 7 corners."""


def triangles_needed(formula: Formula, box: Box, accuracy: fmpq) -> int:
    """Of every triangulation of a rectangle, affine on each triangle, within E in linf.

    The function may jump from triangle to triangle. Source: docs/proofs/plane-cells.md,
    "Triangulations".

    Args:
        box: (2,) its sides.
    """
    plane = _plane(formula, box)
    weights = {
        k: nearest_float(c) ** -0.5 for k, c in CLIPPED.items() if k != QUADRATIC
    }
    with ctx.workprec(PRECISION):
        everywhere = Rectangle(0, plane.cells, 0, plane.cells)
        part = best_rectangle(plane, weights, 0.5)
        return max(
            _count(plane, everywhere, WHOLE, accuracy),
            _count(plane, part, CLIPPED, accuracy),
            _by_places(plane, accuracy),
        )


@lru_cache(maxsize=4)
def _plane(formula: Formula, box: Box) -> Plane:
    return next(planes_at_points(formula, box))


def _count(
    plane: Plane, part: Rectangle, sizes: dict[str, fmpq], accuracy: fmpq
) -> int:
    area = arb(part.area(plane))
    counts = (
        count_above(area * arb(bend.least / sizes[bend.kind]).sqrt() / arb(accuracy))
        for bend in part.bends_on(plane)
    )
    return max(counts, default=1)


def _by_places(plane: Plane, accuracy: fmpq) -> int:
    """Of a function that bends more in one place than in another.

    A triangle that meets a cell lies in a neighbourhood of it, and is as small as
    D^2 f there says: so sqrt(h) of neighbourhoods is summed over cells.
    """
    total = arb(0)
    for i, j in cartesian(range(plane.cells), repeat=2):
        total += _root_around(plane, i, j, accuracy)
    cell = arb(plane.area) / plane.cells**2
    return count_above(total * cell / arb(WHOLE[DEFINITE]).sqrt() / arb(accuracy))


def _root_around(plane: Plane, i: int, j: int, accuracy: fmpq) -> arb:
    """sqrt(h) on the smallest square of cells that no triangle leaves; 0 if none."""
    n = plane.cells
    for far in range(1, n + 1):
        part, hessians = _around(plane, i, j, far)
        for first, second, h in hessians:
            reach = (_reach(second / h, accuracy), _reach(first / h, accuracy))
            if part.i1 - part.i0 == part.j1 - part.j0 == n or all(
                far * side.length / n > r
                for side, r in zip(plane.sides, reach, strict=True)
            ):
                return arb(h).sqrt()
    return arb(0)


# a search for the least error asks for many accuracies on one plane
@lru_cache(maxsize=2**14)
def _around(
    plane: Plane, i: int, j: int, far: int
) -> tuple[Rectangle, list[tuple[fmpq, fmpq, fmpq]]]:
    """The cells at most so far from one, and `least_hessians` there."""
    n = plane.cells
    part = Rectangle(max(i - far, 0), min(i + far + 1, n),
                     max(j - far, 0), min(j + far + 1, n))  # fmt: skip
    return part, least_hessians(*part.of(plane))


def _reach(bend: fmpq, accuracy: fmpq) -> fmpq:
    """Of two points of a triangle along an axis, where D^2 f >= H or <= -H.

    4 sqrt(E H_22 / det H) along the first axis, and so along the second one.
    """
    return ball_upper(4 * arb(accuracy * bend).sqrt())
