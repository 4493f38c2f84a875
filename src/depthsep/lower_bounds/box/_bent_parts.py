"""Parts of a box on which a function bends everywhere: bounds of its Hessian."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import frexp

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat

from depthsep.exact import ball_upper, nearest_float, rational
from depthsep.laws import Box, Segment
from depthsep.targets import AbstractBoxTarget, Formula, interval_ball

PRECISION = 96
MOST_ENTRIES = 1600  # of Hessians that are enclosed
LARGEST = 10**300  # second derivative
BITS = 30  # of the bound, relative to its largest entry


@dataclass(frozen=True)
class BentPart:
    """f - q is convex on a part of a box, or -f - q is: q(x) = x.Hx / 2, H > 0.

    Attributes:
        box: the part.
        determinant: of H.
        least_bend: a lower bound of the eigenvalues of H.
    """

    box: Box
    determinant: fmpq
    least_bend: fmpq

    @property
    def volume(self) -> fmpq:
        product = fmpq(1)
        for side in self.box.sides:
            product *= side.length
        return product

    @property
    def size(self) -> arb:
        """Its volume in the metric of H: what counts cells."""
        return arb(self.volume) * arb(self.determinant).sqrt()


@lru_cache(maxsize=64)
def most_bent_part(target: AbstractBoxTarget, box: Box) -> BentPart | None:
    """The part that is largest in its own metric, of those that halvings give.

    None if f is convex or concave, strictly, on no part that was looked at.
    """
    formula, best = target.as_formula(), None
    queue = [box]
    with ctx.workprec(PRECISION):
        for number in range(
            max(1, 2 * MOST_ENTRIES // (box.in_dim * (box.in_dim + 1)))
        ):
            if number >= len(queue):
                break
            part = queue[number]
            found = _bent(formula, part)
            if found is not None and (best is None or found.size > best.size):
                best = found
            queue += _halves(part)
    return best


def _halves(box: Box) -> list[Box]:
    k = max(range(box.in_dim), key=lambda i: box.sides[i].length)
    side = box.sides[k]
    middle = (side.start + side.stop) / 2
    halves = (Segment(side.start, middle), Segment(middle, side.stop))
    return [Box([*box.sides[:k], half, *box.sides[k + 1 :]]) for half in halves]


def _bent(formula: Formula, box: Box) -> BentPart | None:
    balls = [interval_ball(side.start, side.stop) for side in box.sides]
    hessian = enclosed_hessian(formula, balls)
    if hessian is None:
        return None
    for sign in (1, -1):
        below = _below(hessian, sign)
        if _is_positive(below):
            return BentPart(box, fmpq_mat(below).det(), _least_eigenvalue(below))
    return None


def enclosed_hessian(formula: Formula, balls: Sequence[arb]) -> list[list[arb]] | None:
    """All second derivatives on a box; None if one is unbounded or huge."""
    dim = formula.in_dim

    def bend(*axes: int) -> arb:
        return formula.along([axes.count(k) for k in range(dim)], balls).second

    pure = [bend(k) for k in range(dim)]
    matrix = [[arb(0)] * dim for _ in range(dim)]
    for i in range(dim):
        matrix[i][i] = pure[i]
        for j in range(i):
            mixed = (bend(i, j) - pure[i] - pure[j]) / 2
            matrix[i][j] = matrix[j][i] = mixed
    bounded = all(abs(entry) < LARGEST for row in matrix for entry in row)
    return matrix if bounded else None


def _below(hessian: list[list[arb]], sign: int) -> list[list[fmpq]]:
    """An H with sign * Hessian >= H everywhere.

    The middles less the largest row sum of the radii: no eigenvalue of what is left out
    exceeds that.
    """
    dim = len(hessian)
    largest = max(float(abs(entry).upper()) for row in hessian for entry in row)
    unit = fmpq(2) ** (frexp(largest)[1] - BITS)
    middles = [[_rounded(arb(e.mid()) * sign, unit) for e in row] for row in hessian]
    off = [
        sum((ball_upper(abs(e * sign - m)) for e, m in zip(row, mids, strict=True)),
            fmpq(0))
        for row, mids in zip(hessian, middles, strict=True)
    ]  # fmt: skip
    for i in range(dim):
        middles[i][i] -= max(off)
    return middles


def _is_positive(matrix: list[list[fmpq]]) -> bool:
    """Whether a symmetric matrix is positive definite: all leading minors are."""
    sizes = range(1, len(matrix) + 1)
    return all(fmpq_mat([row[:k] for row in matrix[:k]]).det() > 0 for k in sizes)


def _least_eigenvalue(matrix: list[list[fmpq]]) -> fmpq:
    """A lower bound, near what float64 finds if that is confirmed, else 0."""
    floats = np.array([[nearest_float(v) for v in row] for row in matrix])
    found = rational(float(np.linalg.eigvalsh(floats)[0])) * fmpq(999, 1000)
    left = [[v - found * (i == j) for j, v in enumerate(row)]
            for i, row in enumerate(matrix)]  # fmt: skip
    return found if found > 0 and _is_positive(left) else fmpq(0)


def _rounded(x: arb, unit: fmpq) -> fmpq:
    return (ball_upper(x) / unit).floor() * unit
