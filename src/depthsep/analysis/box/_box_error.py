"""Examine a network on a box: by ridges, by branch and bound, by means."""

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError, UndecidedError
from depthsep.analysis.box._against_maximum import distance_to_maximum
from depthsep.analysis.box._box_mean import box_mean
from depthsep.analysis.box._one_form_error import of_one_form_error
from depthsep.analysis.box._ridge_error import (
    PROBES,
    against_formula,
    against_polynomial,
    corners,
)
from depthsep.analysis.box._ridges import ridge_sum
from depthsep.analysis.box.by_region._region_error import region_error
from depthsep.analysis.box.followed._branch_and_bound import not_followed, sweep
from depthsep.analysis.line._examine import Effort, Examination
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import ball_upper, decimal, plain, rational
from depthsep.laws import Box, uniform_on
from depthsep.networks import Network
from depthsep.problems import Problem, plain_above
from depthsep.targets import AbstractBoxTarget

PRECISION = 128
KEPT = 6
MOST_SWEPT = 256  # units of a sum of ridges
MOST_AVERAGED = 4  # inputs


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
    """The error on the box, enclosed: in l1 and l2 by the sup where that will do.

    Where the sup error may be larger than the accuracy, means are enclosed by
    `box_mean`.

    Args:
        seconds: for a sweep, and for means.
    """
    refused = not_followed(network, problem.law.box)
    if refused:
        return Inapplicable(refused)
    if problem.norm == "linf":
        return _sup_error(network, problem, seconds)
    if problem.is_weighted:
        return _weighted_error(network, problem, seconds)
    bound = _bound(network, problem, seconds)
    low, high = fmpq(0), bound if isinstance(bound, fmpq) else None
    reason = bound.reason if isinstance(bound, Inapplicable) else ""
    if high is None or high > problem.accuracy:
        mean = _mean_error(network, problem, seconds)
        if isinstance(mean, Inapplicable):
            reason = mean.reason
        else:
            low, high = mean.lower, min(mean.upper, high or mean.upper)
    return Inapplicable(reason) if high is None else _enclosed(low, high)


def _weighted_error(
    network: Network, problem: Problem, seconds: float
) -> Enclosure | Inapplicable:
    """A mean under a density, from above: by a plain mean, or by the sup."""
    plain = plain_above(problem)
    assert plain is not None  # boxes have no open ends
    found = box_error(network, plain, seconds)
    if isinstance(found, Inapplicable):
        return found
    return _enclosed(fmpq(0), found.upper * (problem.accuracy / plain.accuracy))


def _enclosed(low: fmpq, high: fmpq) -> Enclosure:
    return Enclosure(min(low, high), high, Rigour.ENCLOSED)


def _bound(network: Network, problem: Problem, seconds: float) -> fmpq | Inapplicable:
    """A bound of the sup error, hence of every other, that takes little time."""
    forms = problem.target_as(AbstractBoxTarget).as_maximum()
    if forms is None:
        of_one_form = of_one_form_error(network, problem)
        return _by_ridges(network, problem) if not of_one_form else of_one_form.upper
    found = distance_to_maximum(network, forms, problem.law.box, seconds / 2)
    return found if isinstance(found, Inapplicable) else found.upper


def _mean_error(
    network: Network, problem: Problem, seconds: float
) -> Enclosure | Inapplicable:
    """The accuracy where it is proved; both sides where it is not met."""
    accuracy, box = problem.accuracy, problem.law.box
    if box.in_dim > MOST_AVERAGED:
        return Inapplicable(
            f"mean errors are enclosed only for at most {MOST_AVERAGED} "
            f"inputs, not {box.in_dim}"
        )
    try:
        target, norm = problem.target_as(AbstractBoxTarget), problem.norm
        found = box_mean(
            network, target, box, norm=norm, limit=accuracy, seconds=seconds
        )
    except HypothesisError as refusal:
        return Inapplicable(str(refusal))
    if found.upper > accuracy:
        return found
    # the limit, not what was found below it: that depends on the machine's rounding
    return Enclosure(fmpq(0), accuracy, Rigour.ENCLOSED)


def _sup_error(
    network: Network, problem: Problem, seconds: float
) -> Enclosure | Inapplicable:
    """The sup error, enclosed.

    The network is split into ridges G_j(w_j . x), the polynomial into q_j(w_j . x) of
    the same directions, in rationals. Each G_j - q_j is enclosed on the range of
    w_j . x; the sum of these ranges bounds the sup error. Against a formula f the q_j
    are fitted to the ridges, and sup |sum q_j - f| is enclosed by branch and bound.
    From below: values at the worst of some thousand points.

    A network that is not such a sum is followed over the whole box, see `sweep`; so is
    a small one if the accuracy lies between this bound and the one from below.
    """
    box, target = problem.law.box, problem.target_as(AbstractBoxTarget)
    forms = target.as_maximum()
    if forms is not None:
        return distance_to_maximum(network, forms, box, seconds)
    of_one_form = of_one_form_error(network, problem)
    if of_one_form is not None:
        return of_one_form
    upper = _by_ridges(network, problem)
    if isinstance(upper, Inapplicable):
        return _swept(network, problem, seconds)
    lower = _from_below(network, target, box)
    if lower <= problem.accuracy < upper and network.units <= MOST_SWEPT:
        swept = _swept(network, problem, seconds)
        if isinstance(swept, Enclosure):
            return swept
    return _enclosed(lower, upper)


def _by_ridges(network: Network, problem: Problem) -> fmpq | Inapplicable:
    """A bound of the sup error of a sum of ridges."""
    target = problem.target_as(AbstractBoxTarget)
    try:
        found = ridge_sum(network, problem.law.box)
    except TooLargeError:
        found = None
    if found is None:
        return Inapplicable(
            "the network was not recognised as a sum of a few ridge functions"
        )
    polynomial = target.as_polynomial()
    try:
        with np.errstate(all="ignore"):
            if polynomial is not None:
                return against_polynomial(found, polynomial, problem)
            return against_formula(found, target.as_formula(), problem)
    except HypothesisError as refusal:
        return Inapplicable(
            "the network, a sum of ridge functions, could not be "
            f"compared with the target: {refusal}"
        )


def _swept(
    network: Network, problem: Problem, seconds: float
) -> Enclosure | Inapplicable:
    """Whether the accuracy is proved, region by region or by branch and bound."""
    box, target = problem.law.box, problem.target_as(AbstractBoxTarget)
    try:
        formula = target.as_formula()
    except HypothesisError as refusal:
        return Inapplicable(str(refusal))
    found = region_error(
        network, formula, box, enough=problem.accuracy, seconds=seconds / 2
    )
    if found is not None and found.is_above(problem.accuracy):
        return found
    if found is not None and found.is_at_most(problem.accuracy):
        return Enclosure(found.lower, problem.accuracy, Rigour.ENCLOSED)
    lower = _from_below(network, target, box)
    limit = problem.accuracy if lower <= problem.accuracy else 4 * lower
    found = sweep(network, formula, box, limit=limit, seconds=seconds)
    if not found.complete:
        return Inapplicable(
            f"{found}; the error is at least {plain(decimal(lower, 4, upward=False))}"
        )
    # the limit, not what was found below it: that depends on the machine's rounding
    return Enclosure(lower, limit, Rigour.ENCLOSED)


def _from_below(network: Network, target: AbstractBoxTarget, box: Box) -> fmpq:
    """The largest proved error among the points where float64 finds it largest."""
    points = np.vstack([uniform_on(box).sample(PROBES, seed=0), corners(box)])
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
