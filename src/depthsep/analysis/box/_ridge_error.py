"""Examine a network on a box, as a sum of ridges, against a polynomial or a formula."""

from collections.abc import Iterator, Sequence

import numpy as np
from flint import arb, ctx, fmpq
from numpy.polynomial.polynomial import polyval

from depthsep._errors import HypothesisError, TooLargeError, UndecidedError
from depthsep.analysis.box._against_maximum import distance_to_maximum
from depthsep.analysis.box._branch_and_bound import not_followed, sweep
from depthsep.analysis.box._polynomial_distance import Expanded, sup_distance
from depthsep.analysis.box._ridges import Ridge, RidgeSum, ridge_sum
from depthsep.analysis.line._examine import Effort, Examination, line_error
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import ball_upper, dyadic_near, nearest_float, rational
from depthsep.laws import Box
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import (
    AbstractBoxTarget,
    AffineForm,
    Formula,
    Polynomial,
    homogeneous_part,
    polynomial_expression,
    power_coefficients,
    power_of_form,
)

PRECISION = 128
PROBES = 4096
DEGREES = (1, 2, 3, 4, 5, 6, 7, 8)
KEPT = 6
MOST_SWEPT = 256  # units of a sum of ridges


def examine_box(
    network: Network, problem: Problem, effort: Effort
) -> Examination | Inapplicable:
    """The error on the box, enclosed: by ridges, or by branch and bound."""
    error = box_error(network, problem, effort.seconds)
    if isinstance(error, Inapplicable):
        return error
    return Examination(error, None, "box")


def box_error(
    network: Network,
    problem: Problem,
    seconds: float,
) -> Enclosure | Inapplicable:
    """The error on the box, enclosed.

    The network is split into ridges G_j(w_j . x), the polynomial into q_j(w_j . x) of
    the same directions, in rationals. Each G_j - q_j is enclosed on the range of
    w_j . x; the sum of these ranges bounds the sup error, hence l1 and l2 too. Against
    a formula f the q_j are fitted to the ridges, and sup |sum q_j - f| is enclosed by
    branch and bound. From below, linf: values at the worst of some thousand points.

    A network that is not such a sum is followed over the whole box, see `sweep`; so is
    a small one if the accuracy lies between this bound and the one from below.

    Args:
        seconds: for a sweep.
    """
    box, target = problem.law.box, problem.target_as(AbstractBoxTarget)
    reason = not_followed(network, box)
    if reason:
        return Inapplicable(reason)
    forms = target.as_maximum()
    if forms is not None:
        return _against_maximum(network, forms, problem, seconds)
    try:
        found = ridge_sum(network, box)
    except TooLargeError:
        found = None
    if found is None:
        return _swept(network, problem, seconds)
    polynomial = target.as_polynomial()
    if polynomial is None:
        upper = against_formula(found, target.as_formula(), problem)
    else:
        upper = _against_polynomial(found, polynomial, problem)
    if isinstance(upper, Inapplicable):
        return _swept(network, problem, seconds)
    lower = _from_below(network, target, box) if problem.norm == "linf" else fmpq(0)
    left_open = problem.norm == "linf" and lower <= problem.accuracy < upper
    if left_open and network.units <= MOST_SWEPT:
        swept = _swept(network, problem, seconds)
        if isinstance(swept, Enclosure):
            return swept
    return Enclosure(min(lower, upper), upper, Rigour.ENCLOSED)


def _against_maximum(
    network: Network,
    forms: tuple[AffineForm, ...],
    problem: Problem,
    seconds: float,
) -> Enclosure | Inapplicable:
    found = distance_to_maximum(network, forms, problem.law.box, seconds)
    if isinstance(found, Inapplicable) or problem.norm == "linf" or found.upper == 0:
        return found
    return Enclosure(fmpq(0), found.upper, Rigour.ENCLOSED)


def _swept(
    network: Network, problem: Problem, seconds: float
) -> Enclosure | Inapplicable:
    """Whether branch and bound proves the accuracy; how far it got if not."""
    box, target = problem.law.box, problem.target_as(AbstractBoxTarget)
    try:
        formula = target.as_formula()
    except HypothesisError as refusal:
        return Inapplicable(str(refusal))
    lower = _from_below(network, target, box)
    if lower > problem.accuracy and problem.norm != "linf":
        return Inapplicable(f"the {problem.norm} error is only bounded by the sup here")
    limit = problem.accuracy if lower <= problem.accuracy else 4 * lower
    found = sweep(network, formula, box, limit=limit, seconds=seconds)
    if not found.complete:
        return Inapplicable(
            f"{found}; the error is at least {float(arb(lower).mid()):.4g}"
        )
    lower = lower if problem.norm == "linf" else fmpq(0)
    # the limit, not what was found below it: that depends on the machine's rounding
    return Enclosure(lower, limit, Rigour.ENCLOSED)


def _against_polynomial(
    found: RidgeSum, target: Polynomial, problem: Problem
) -> fmpq | Inapplicable:
    bounds: list[fmpq] = []
    reason = Inapplicable("the polynomial is not a sum of the network's ridges")
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
    fits = [fitted(ridge, len(powers)) for ridge in found.ridges]
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


def fitted(ridge: Ridge, degree: int) -> np.ndarray:
    """Coefficients of a polynomial near G_j, constant first, by least squares."""
    t = _samples(ridge)
    values = ridge.network.floats(t[:, None])[:, 0]
    found = np.polynomial.Polynomial.fit(t, values, degree).convert().coef
    # trailing zeros are left out there
    return np.pad(found, (0, degree + 1 - len(found)))


def _samples(ridge: Ridge) -> np.ndarray:
    a, b = (nearest_float(x) for x in (ridge.on.start, ridge.on.stop))
    return np.linspace(a, b, 4096)


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
    t = _samples(ridge)
    q = np.polynomial.Polynomial([nearest_float(c) for c in coefficients])
    off = ridge.network.floats(t[:, None])[:, 0] - q(t)
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


def _from_below(network: Network, target: AbstractBoxTarget, box: Box) -> fmpq:
    """The largest proved error among the points where float64 finds it largest."""
    points = np.vstack([box.sample(PROBES, seed=0), _corners(box)])
    off = np.abs(network.floats(points)[:, 0] - target.floats(points))
    worst = fmpq(0)
    for x in points[np.argsort(off)[-KEPT:]].tolist():
        exact = [rational(v) for v in x]
        exact = [
            min(max(v, side.start), side.stop)
            for v, side in zip(exact, box.sides, strict=True)
        ]
        worst = max(worst, _error_at(network, target, exact))
    return worst


def _error_at(network: Network, target: AbstractBoxTarget, x: list[fmpq]) -> fmpq:
    value, polynomial = network(x)[0], target.as_polynomial()
    if polynomial is not None:
        return abs(value - polynomial.exact(x))
    with ctx.workprec(PRECISION):
        along = target.as_formula().along([1] * target.in_dim, [arb(v) for v in x])
        off = abs(arb(value) - along.value)
        try:
            return max(fmpq(0), -ball_upper(-off))
        except UndecidedError:
            return fmpq(0)


def _corners(box: Box) -> np.ndarray:
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
    points = np.vstack([box.sample(PROBES, seed=1), _corners(box)])
    truth = target.floats(points)
    if not np.isfinite(truth).all():
        return Inapplicable("the target is not finite on the box")
    guesses = [_guess(found, points, truth, degree) for degree in DEGREES]
    # the lowest degree that will do: balls follow it best
    room = 0.95 * nearest_float(problem.accuracy)
    enough = [guess for guess in guesses if guess[0] <= room]
    shapes = enough[0][1] if enough else min(guesses, key=lambda g: g[0])[1]
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
    found_sup = sup_distance(whole, target, box, enough=limit, negligible=small)
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


def _guess(
    found: RidgeSum, points: np.ndarray, truth: np.ndarray, degree: int
) -> tuple[float, list[list[fmpq]]]:
    """About the bound for one degree, and the coefficients of the fits."""
    spread, shapes = 0.0, []
    values = np.full(len(points), nearest_float(found.constant))
    for ridge in found.ridges:
        t, fit = _samples(ridge), fitted(ridge, degree)
        off = ridge.network.floats(t[:, None])[:, 0] - polyval(t, fit)
        middle = (off.max() + off.min()) / 2
        spread += (off.max() - off.min()) / 2
        inner = points @ np.array(ridge.direction, dtype=float)
        values += polyval(inner, fit) + middle
        shapes.append([dyadic_near(float(c), 50) for c in fit])
    return spread + float(np.abs(values - truth).max()), shapes
