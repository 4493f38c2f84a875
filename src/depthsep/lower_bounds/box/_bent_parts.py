"""Parts of a box on which a function bends everywhere: bounds of its Hessian."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import frexp

from flint import arb, ctx, fmpq, fmpq_mat

from depthsep.exact import ball_upper
from depthsep.laws import Box, Uniform
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
    """

    box: Box
    determinant: fmpq

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
    halves = (Uniform(side.start, middle), Uniform(middle, side.stop))
    return [Box([*box.sides[:k], half, *box.sides[k + 1 :]]) for half in halves]


def _bent(formula: Formula, box: Box) -> BentPart | None:
    balls = [interval_ball(side.start, side.stop) for side in box.sides]
    hessian = enclosed_hessian(formula, balls)
    if hessian is None:
        return None
    for sign in (1, -1):
        determinant = _below(hessian, sign)
        if determinant is not None:
            return BentPart(box, determinant)
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


def _below(hessian: list[list[arb]], sign: int) -> fmpq | None:
    """det H of an H > 0 with sign * Hessian >= H everywhere; None if there is none.

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
    minors = [
        fmpq_mat([row[:k] for row in middles[:k]]).det() for k in range(1, dim + 1)
    ]
    return minors[-1] if all(minor > 0 for minor in minors) else None


def _rounded(x: arb, unit: fmpq) -> fmpq:
    return (ball_upper(x) / unit).floor() * unit
