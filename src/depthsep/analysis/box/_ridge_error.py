"""A sum of ridges on a box against a polynomial or a formula: a bound of the sup."""

from collections.abc import Iterator, Sequence

import numpy as np
from flint import fmpq

from depthsep.analysis.box._ridge_fits import Sampled, fitted_shapes
from depthsep.analysis.box._ridges import Ridge, RidgeSum
from depthsep.analysis.line._examine import line_error
from depthsep.approximation import Expanded, sup_distance
from depthsep.evidence import Enclosure, Inapplicable
from depthsep.exact import dyadic_near, nearest_float
from depthsep.laws import Box, uniform_on
from depthsep.problems import Problem
from depthsep.targets import (
    Formula,
    Polynomial,
    homogeneous_part,
    polynomial_expression,
    power_coefficients,
    power_of_form,
)

PRECISION = 128
PROBES = 4096


def against_polynomial(
    found: RidgeSum, target: Polynomial, problem: Problem
) -> fmpq | Inapplicable:
    """A bound of the sup error through the polynomial's parts along the ridges."""
    bounds: list[fmpq] = []
    reason = Inapplicable(
        "the target is not a sum of polynomials of one variable, each applied to a "
        "linear form on which one of the network's ridge functions depends"
    )
    for shapes in _matching_ridges(target, found):
        bound = _bound(found, shapes, target, problem)
        if isinstance(bound, Inapplicable):
            reason = bound
            continue
        bounds.append(bound)
        if bound <= problem.accuracy:
            break
    return min(bounds) if bounds else reason


def _bound(
    found: RidgeSum, shapes: list[list[fmpq]], target: Polynomial, problem: Problem
) -> fmpq | Inapplicable:
    """A bound of the sup error: the sum of the ranges of G_j - q_j."""
    low = high = found.constant - target.terms.get((0,) * target.dim, fmpq(0))
    for ridge, coefficients in zip(found.ridges, shapes, strict=True):
        part = signed_range(ridge, coefficients, problem)
        if isinstance(part, Inapplicable):
            return part
        low, high = low + part[0], high + part[1]
    return max(abs(low), abs(high))


def _matching_ridges(target: Polynomial, found: RidgeSum) -> Iterator[list[list[fmpq]]]:
    """q_j with sum_j q_j(w_j . x) = target up to the constant: as coefficients.

    First those with many zeros; where powers of the forms are dependent, also those
    nearest to polynomials fitted to the ridges. Nothing if there are none.
    """
    directions = [ridge.direction for ridge in found.ridges]
    powers = range(1, max(1, target.degree) + 1)
    parts = {k: homogeneous_part(target, k) for k in powers}
    columns = [power_coefficients(directions, parts[k], k) for k in powers]
    if any(column is None for column in columns):
        return
    yield _transposed(columns)
    if not any(_is_ambiguous(directions, k) for k in powers):
        return
    fits = [Sampled.of(ridge).fitted(len(powers)) for ridge in found.ridges]
    for k in powers:
        near = [dyadic_near(float(fit[k]), 40) for fit in fits]
        columns[k - 1] = power_coefficients(directions, parts[k], k, near)
    yield _transposed(columns)


def _transposed(columns: Sequence[list[fmpq] | None]) -> list[list[fmpq]]:
    """Coefficients of each q_j, constant (0) first, out of those of each power."""
    rows = zip(*(column or [] for column in columns), strict=True)
    return [[fmpq(0), *row] for row in rows]


def _is_ambiguous(directions: Sequence[tuple[int, ...]], degree: int) -> bool:
    """Whether the powers of the forms are linearly dependent."""
    ones = [fmpq(1)] * len(directions)
    return any(v != 0 for v in power_coefficients(directions, {}, degree, ones) or [])


def signed_range(
    ridge: Ridge, coefficients: list[fmpq], problem: Problem
) -> tuple[fmpq, fmpq] | Inapplicable:
    """[lo, hi] around G_j - q_j: from sup |G_j - q_j + K| with K beyond the error."""
    level = _level(ridge, coefficients)
    centred = [coefficients[0] + level, *coefficients[1:]]
    plain = _distance(ridge, centred, fmpq(0), problem)
    if isinstance(plain, Inapplicable):
        return plain
    if plain.upper == 0:
        return level, level
    shift = plain.upper
    above = _distance(ridge, centred, -shift, problem)
    below = _distance(ridge, centred, shift, problem)
    for answer in (above, below):
        if isinstance(answer, Inapplicable):
            return answer
    assert isinstance(above, Enclosure) and isinstance(below, Enclosure)
    low, high = max(-shift, shift - below.upper), min(shift, above.upper - shift)
    return level + low, level + high


def _level(ridge: Ridge, coefficients: list[fmpq]) -> fmpq:
    """About the middle of G_j - q_j: parts of a sum may differ by constants."""
    off = Sampled.of(ridge).off([nearest_float(c) for c in coefficients])
    return dyadic_near(float(off.max() + off.min()) / 2, 50)


def _distance(
    ridge: Ridge,
    coefficients: list[fmpq],
    shift: fmpq,
    problem: Problem,
) -> Enclosure | Inapplicable:
    shape = polynomial_expression([coefficients[0] + shift, *coefficients[1:]])
    one = Problem(shape, ridge.on, norm="linf", accuracy=problem.accuracy)
    return line_error(ridge.network, one)


def corners(box: Box) -> np.ndarray:
    """At most 1024 of the corners, in float64."""
    ends = [[nearest_float(v) for v in (s.start, s.stop)] for s in box.sides]
    count = min(2**box.in_dim, 1024)
    bits = (np.arange(count)[:, None] >> np.arange(box.in_dim)) & 1
    return np.array(ends)[np.arange(box.in_dim), bits]


def against_formula(
    found: RidgeSum, target: Formula, problem: Problem
) -> fmpq | Inapplicable:
    """A bound of the sup error through polynomials fitted to the ridges.

    Their degree is chosen by what float64 finds on samples; then each G_j - q_j is
    enclosed, and the sum of the q_j against the formula.
    """
    box = problem.law.box
    points = np.vstack([uniform_on(box).sample(PROBES, seed=1), corners(box)])
    truth = target.floats(points)
    if not np.isfinite(truth).all():
        return Inapplicable(
            "the target is undefined or too large for float64 at some points of the box"
        )
    shapes = fitted_shapes(found, points, truth, 0.95 * nearest_float(problem.accuracy))
    low = high = fmpq(0)
    for ridge, coefficients in zip(found.ridges, shapes, strict=True):
        part = signed_range(ridge, coefficients, problem)
        if isinstance(part, Inapplicable):
            return part
        low, high = low + part[0], high + part[1]
    middle, spread = (low + high) / 2, (high - low) / 2
    whole = _expanded(found, shapes, found.constant + middle, box.in_dim)
    left = problem.accuracy - spread
    limit = left if left > 0 else problem.accuracy
    small = problem.accuracy / 64
    found_sup = sup_distance(whole, target, box.sides, enough=limit, negligible=small)
    return spread + found_sup.upper


def _expanded(
    found: RidgeSum, shapes: list[list[fmpq]], constant: fmpq, dim: int
) -> Expanded:
    """The sum of the q_j(w_j . x) and a constant, by exponents."""
    terms = {(0,) * dim: constant + sum((s[0] for s in shapes), fmpq(0))}
    for ridge, shape in zip(found.ridges, shapes, strict=True):
        for k, c in enumerate(shape[1:], start=1):
            for exponents, ways in power_of_form(ridge.direction, k).items():
                terms[exponents] = terms.get(exponents, fmpq(0)) + c * ways
    return Expanded.of(terms, dim)
