r"""Functions of an inner product on spheres by one hidden layer.

On the spheres <x, x'> = |z|^2 / 2 - 1, z = x + x', |z| <= 2: F = f(<x, x'>) is radial
in z. A polynomial sum_k a_k |z|^(2 k) of degree 2 n is sum_j w_j P(<v_j, z>) for every
rule (v_j, w_j) on the sphere that is exact for even polynomials of degree 2 n, with

    P(s) = sum_k a_k s^(2 k) / mu_k, mu_k = prod_{i < k} (2 i + 1) / (d + 2 i),

mu_k = E u_1^(2 k) for u uniform on the sphere.

P is replaced by chords. For odd d, with m = (d - 1)/2, R = s^2 and q(R) the polynomial,

    P = (1 / (c_d (m - 1)!)) sum_j C(m, j) (m - 1/2)(m - 3/2)...(j + 1/2) R^j q^(j)(R)

(by (d/dR)^m of R^(m - 1/2) q), which bounds P'' in any degree; even d are dominated by
d + 1, as mu_k(d + 1) / mu_k(d) are the moments of a law on [0, 1].
"""

from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import ClassVar

import numpy as np
from flint import arb, arb_poly, ctx, fmpq, fmpq_poly

from depthsep.approximation import ChebyshevForm, chebyshev_form, monomials
from depthsep.claims import MAX_WEIGHTS, AbstractConstruction, Scope, Upper
from depthsep.constructions.symmetric._sphere_rule import direction_count, sphere_rule
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.exact import ball_upper, ceil_root, least, nearest_float
from depthsep.laws import Segment
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.special import sphere_density
from depthsep.targets import InnerProduct, Wave

PRECISION = 256
BLOCKS = 32  # equal intervals with chord counts of their own
PARTS = 8  # of a block, on which f'' is enclosed
MAX_DIRECTIONS = 1200  # that examiners read
MAX_READ_DEGREE = 24  # that examiners read


@dataclass(frozen=True)
class RidgePlan:
    """Degree, knots and, for small degrees, P itself.

    Attributes:
        degree: n, of f as a polynomial.
        cells: chords of P on [-2, 2].
        ridge: P, constant first; None where only its size is known.
        per_block: how many chords each of BLOCKS equal intervals takes.
    """

    degree: int
    cells: int
    ridge: fmpq_poly | None = None
    per_block: tuple[int, ...] = ()


def ridge_plan(
    target: InnerProduct, truncation: fmpq, chords: fmpq
) -> RidgePlan | None:
    """A plan with these two sup errors; None for functions that no degree reaches.

    For waves also one by their series; of two, one that can be built, or the smaller.
    """
    plans = []
    form = chebyshev_form(target.profile, Segment(-1, 1), truncation)
    if form is not None:
        plans.append(plan_of_form(target.dim, form, chords))
    if target.wave is not None:
        with ctx.workprec(PRECISION):
            degree = _wave_degree(target.wave, target.dim, truncation)
            bend = _wave_bend(target.wave, target.dim, degree)
        plans.append(RidgePlan(degree, _cells(bend, chords, 1)))
    units = [direction_count(target.dim, p.degree) * p.cells for p in plans]
    if form is not None and units[0] * 2 * target.dim <= MAX_WEIGHTS:
        return plans[0]
    return plans[units.index(min(units))] if plans else None


def plan_of_form(dim: int, form: ChebyshevForm, chords: fmpq) -> RidgePlan:
    """For f as a polynomial."""
    ridge = ridge_polynomial(dim, form)
    counts = tuple(_cells(b, chords, BLOCKS) for b in _bends(ridge))
    return RidgePlan(form.degree, sum(counts), ridge, counts)


def ridge_polynomial(dim: int, form: ChebyshevForm) -> fmpq_poly:
    """P, from f as a polynomial in u = R/2 - 1."""
    f = fmpq_poly(monomials(form.coefficients, Segment(-1, 1)))
    q = f(fmpq_poly([fmpq(-1), fmpq(1, 2)])).coeffs()
    powers, moment = [], fmpq(1)
    for k, a in enumerate(q):
        powers += [a / moment, fmpq(0)]
        moment *= fmpq(2 * k + 1, dim + 2 * k)
    return fmpq_poly(powers[:-1])


def _cells(bend: fmpq, chords: fmpq, blocks: int) -> int:
    """Chords on one of so many blocks of [-2, 2]: M h^2 / 8 <= the error."""
    return max(1, ceil_root(2 * bend / chords / blocks**2, 2))


def _bends(ridge: fmpq_poly) -> list[fmpq]:
    """Bounds of |P''| on the blocks of [-2, 2], by balls around middles; P is even."""
    second, found = ridge.derivative().derivative(), []
    bits = PRECISION + 8 * max(ridge.degree(), 0)
    half = fmpq(2, BLOCKS * PARTS)
    with ctx.workprec(bits):
        for block in range(BLOCKS // 2, BLOCKS):
            worst = fmpq(0)
            for part in range(PARTS):
                middle = arb(fmpq(-2) + half * (2 * (block * PARTS + part) + 1))
                moved = arb_poly(second.coeffs())(arb_poly([middle, 1]))
                worst = max(worst, ball_upper(abs(moved(arb(0, half)))))
            found.append(worst)
    return [*found[::-1], *found]


def _wave_degree(wave: Wave, dim: int, error: fmpq) -> int:
    """n beyond which the series 2 sum J_k(a) T_k is below the error.

    So are its derivatives up to (d + 1)/2 + 2, times what `_wave_bend` needs, so that
    these are bounded by those of the wave and a little.
    """
    a = wave.argument(PRECISION)
    low = int(ball_upper(a).ceil())
    high = low + 16
    orders = dim // 2 + 4

    def far_enough(n: int) -> bool:
        return bool(_tail(wave, n, orders) < arb(error) * a**orders) and bool(
            _tail(wave, n, 0) < error
        )

    while not far_enough(high):
        low, high = high, high + 2 * (high - low)
    return least(far_enough, low, high)


def _tail(wave: Wave, degree: int, order: int) -> arb:
    r"""A bound of sum_{k > n} 2 |J_k(a)| T_k^(j)(1), T_k^(j)(1) <= k^(2 j), n >= a.

    |J_k(k z)| <= (z e^sqrt(1 - z^2) / (1 + sqrt(1 - z^2)))^k for z <= 1 (Siegel; DLMF
    10.14.5). The quotient of two terms falls with k.
    """
    a = wave.argument(PRECISION)
    terms = [_term(a, k, order) for k in (degree + 1, degree + 2)]
    ratio = terms[1] / terms[0]
    if not ratio < 1:
        return arb("inf")
    return 2 * abs(arb(wave.amplitude)) * terms[0] / (1 - ratio)


def _term(a: arb, k: int, order: int) -> arb:
    z = a / k
    if not z < 1:
        return arb("inf")
    root = (1 - z * z).sqrt()
    return ((z.log() + root - (1 + root).log()) * k).exp() * arb(k) ** (2 * order)


def _wave_bend(wave: Wave, dim: int, degree: int) -> fmpq:
    """A bound of |P''| = |4 R Q'' + 2 Q'|, Q(R) = P(sqrt(R)), R <= 4."""
    odd = dim + 1 - dim % 2
    m = (odd - 1) // 2
    a = wave.argument(PRECISION)
    size = arb(wave.amplitude) * (1 + arb(2) ** -20)
    derivatives = [size * (a / 2) ** j for j in range(m + 3)]
    derivatives = [
        v + _tail(wave, degree, j) / arb(2) ** j for j, v in enumerate(derivatives)
    ]
    scale = 1 / (sphere_density(odd) * arb(m).gamma())
    first = second = arb(0)
    falling = fmpq(1)
    for j in range(m, -1, -1):
        b, four = comb(m, j) * arb(falling), arb(4)
        first += b * (
            four**j * derivatives[j + 1] + j * four ** (j - 1) * derivatives[j]
        )
        second += b * (
            four**j * derivatives[j + 2]
            + 2 * j * four ** (j - 1) * derivatives[j + 1]
            + j * (j - 1) * four ** (j - 2) * derivatives[j]
        )
        falling *= fmpq(2 * j - 1, 2)
    return ball_upper(scale * (16 * second + 2 * first))


def _knots(per_block: tuple[int, ...]) -> list[fmpq]:
    length = fmpq(4, BLOCKS)
    return [
        fmpq(-2) + length * (block + fmpq(k, count))
        for block, count in enumerate(per_block)
        for k in range(count)
    ] + [fmpq(2)]


def ridge_network(target: InnerProduct, plan: RidgePlan) -> Network:
    """Float64 weights: the same chords of P along each direction of z = x + x'."""
    return ridges_of(target.dim, plan, np.hstack([np.eye(target.dim)] * 2))


def ridges_of(dim: int, plan: RidgePlan, reads: np.ndarray) -> Network:
    """The same for z = reads . inputs, shape (d, in_dim)."""
    assert plan.ridge is not None
    directions, weights = sphere_rule(dim, plan.degree)
    knots = _knots(plan.per_block)
    values = [plan.ridge(t) for t in knots]
    slopes = [
        (b - a) / (t - s)
        for (s, t), (a, b) in zip(pairwise(knots), pairwise(values), strict=True)
    ]
    changes = [slopes[0], *(b - a for a, b in pairwise(slopes))]
    read = np.array([nearest_float(c) for c in changes])
    offsets = np.array([nearest_float(-t) for t in knots[:-1]])
    rows = np.repeat(directions, plan.cells, axis=0)
    return Network(
        [
            Affine(rows @ reads, np.tile(offsets, len(weights))),
            Affine(np.outer(weights, read).reshape(1, -1), [nearest_float(values[0])]),
        ]
    )


def _evaluate(dim: int, degree: int) -> Value:
    count = direction_count(max(dim, 2), degree)
    return Value(count, Rigour.EXACT, log2(count))


@dataclass(frozen=True)
class InnerByRidges(AbstractConstruction):
    """f(<x, x'>) by one hidden layer: a size that is always known, built where small.

    Args:
        share: of the accuracy for the chords; a quarter is for the polynomial.
    """

    share: fmpq = fmpq(3, 4)  # noqa: RUF009 (fmpq is immutable)

    statement: ClassVar[Statement] = Statement(
        "sphere-ridges",
        "Number of directions that is enough to write a polynomial of "
        "<x, x'> on spheres as a sum of ridge functions",
        ("the polynomial has degree n", "x and x' lie on S^(d-1)"),
        Source("depthsep", "ridge expansion of radial polynomials"),
        (
            Parameter("dim", "integer", "d, the dimension", "3", most=1000),
            Parameter("degree", "integer", "n, the degree", "5", most=10**6),
        ),
        _evaluate,
        sample="dim=3 degree=6",
        tex="(n + 1)^{d-1} "
        "\\text{ directions, all with the same function of one variable}",
        proof=proved("radial-tubes"),
    )

    scope = Scope(
        "this construction builds networks only for functions of inner products",
        InnerProduct,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target = problem.target_as(InnerProduct)
        if depth != 2:
            return Inapplicable(
                "this construction builds networks with only one hidden layer",
                off_topic=True,
            )
        room = problem.accuracy
        plan = ridge_plan(target, room / 4, room * self.share)
        if plan is None:
            return Inapplicable(
                "no polynomial of degree 128 or less was found that comes close "
                "enough to the function of the inner product"
            )
        few = direction_count(target.dim, plan.degree) <= MAX_DIRECTIONS
        built = plan.ridge is not None and few and plan.degree <= MAX_READ_DEGREE
        return Upper(
            widths=(direction_count(target.dim, plan.degree) * plan.cells,),
            error=problem.accuracy,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            detail=f"ridge expansion of degree {plan.degree}",
            make=lambda: ridge_network(target, plan),
            in_dim=target.in_dim,
            most_weights=MAX_WEIGHTS if built else 0,
        )

    def more_careful(self) -> "InnerByRidges | None":
        """The same with half as much for the chords: rounding and fits cost more."""
        return InnerByRidges(self.share / 2) if self.share > fmpq(1, 10) else None

    def examples(self) -> list[Problem]:
        return []
