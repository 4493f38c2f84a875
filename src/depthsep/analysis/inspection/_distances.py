"""How far a network of several inputs is from another or from a target."""

from collections.abc import Iterator
from math import isfinite

import numpy as np

from depthsep._deadline import seconds_left
from depthsep._errors import HypothesisError, TooLargeError
from depthsep._plural import plural
from depthsep.analysis._examine import examine
from depthsep.analysis._mean_distance import CLOSE, LEAST, mean_distance
from depthsep.analysis._sampled_error import SampledError, sampled_error
from depthsep.analysis.box.by_region._region_error import region_error
from depthsep.analysis.inspection._plan import Plan
from depthsep.analysis.inspection._random_chords import float_ends
from depthsep.analysis.inspection.facts._distances import Distance, SampledDistance
from depthsep.analysis.inspection.facts._fact import AbstractFact
from depthsep.analysis.inspection.facts._left_out import LeftOut
from depthsep.analysis.regions import network_distance
from depthsep.analysis.regions.cells._domains import MOST_DIMS
from depthsep.evidence import Enclosure, Inapplicable
from depthsep.exact import rational
from depthsep.laws import Box
from depthsep.networks import Network, single_output
from depthsep.problems import NORMS, Problem
from depthsep.targets import AbstractBoxTarget, AbstractTarget

PROBES = 20_000


def check_against(network: Network, plan: Plan) -> None:
    """Refuse what cannot be measured."""
    other = plan.other
    if plan.law is not None and not plan.has_own_law:
        raise HypothesisError(
            "a law is used only with inner: and radial: targets; leave it out, as the "
            "distance to other targets is measured on the box",
            parameter="law",
        )
    if other is None:
        return
    if other.in_dim != network.in_dim:
        raise HypothesisError(
            f"{other} takes {plural(other.in_dim, 'input')}, but the network has "
            f"{network.in_dim}"
        )
    if plan.norm not in NORMS:
        raise HypothesisError(f"unknown norm {plan.norm!r}; use linf, l1 or l2")
    if plan.has_own_law and isinstance(other, AbstractTarget):
        _problem(other, plan)
    elif isinstance(other, Network):
        if other.out_dim != 1:
            raise HypothesisError("the network to compare with must have one output")
        if network.in_dim > MOST_DIMS:
            raise HypothesisError(
                "the distance between two networks is measured only "
                f"for up to {MOST_DIMS} inputs"
            )


def measured(network: Network, box: Box, plan: Plan) -> Iterator[AbstractFact]:
    """The distance enclosed, and sampled under a law; or why it is not enclosed."""
    if plan.other is None:
        return
    if plan.has_own_law:
        sampled, found = _under_law(network, plan)
    else:
        sampled, found = None, _on_the_box(network, box, plan)
    if isinstance(found, Enclosure):
        yield Distance(found, plan.norm, plan.output)
    else:
        yield LeftOut(found.reason)
    if sampled is not None:
        yield SampledDistance(sampled, plan.output)


def _on_the_box(network: Network, box: Box, plan: Plan) -> Enclosure | Inapplicable:
    chosen, other = single_output(network, plan.output), plan.other
    try:
        if isinstance(other, Network):
            return network_distance(chosen, other, box, plan.norm, most=plan.most)
        assert isinstance(other, AbstractTarget)
        return _distance_to_target(chosen, other, box, plan)
    except (TooLargeError, HypothesisError) as refusal:
        return Inapplicable(f"the distance could not be found: {refusal}")


def _under_law(
    network: Network, plan: Plan
) -> tuple[SampledError, Enclosure | Inapplicable]:
    """The distance to a target under its law: sampled, and enclosed where it can be."""
    chosen, target = single_output(network, plan.output), plan.other
    assert isinstance(target, AbstractTarget)
    problem = _problem(target, plan)
    sampled = sampled_error(chosen, problem, seed=plan.seed)
    known = sampled.value if isfinite(sampled.value) else 1.0
    limit = rational(max(CLOSE * known, LEAST))
    problem = Problem(target, problem.law, plan.norm, limit)
    found = examine(chosen, problem, seconds=seconds_left())
    if isinstance(found, Inapplicable):
        return sampled, Inapplicable(f"the error could not be enclosed: {found.reason}")
    return sampled, found.error


def _problem(target: AbstractTarget, plan: Plan) -> Problem:
    """To measure the distance under the target's own law, or that of the plan."""
    return Problem(target, plan.law or target.default_law(), plan.norm)


def _distance_to_target(
    network: Network, target: AbstractTarget, box: Box, plan: Plan
) -> Enclosure:
    """Both sides in l1 and l2; in linf over all regions where these are few.

    Else the least of a few limits that is proved.
    """
    if plan.norm != "linf" and isinstance(target, AbstractBoxTarget):
        return mean_distance(
            network, target, box, plan.norm, seconds=plan.seconds, seed=plan.seed
        )
    best = None
    if isinstance(target, AbstractBoxTarget) and target.as_maximum() is None:
        formula = target.as_formula()
        best = region_error(network, formula, box, seconds=seconds_left() / 2)
    if best is not None and best.upper <= rational(CLOSE) * best.lower:
        return best
    low, high = float_ends(box).T
    points = np.random.default_rng(plan.seed).uniform(low, high, (PROBES, len(low)))
    off = np.abs(network.floats(points)[:, 0] - target.floats(points))
    sampled, reason = max(float(off.max()), LEAST), ""
    for share in (CLOSE, 1.25, 2.0, 4.0):
        limit = rational(share * sampled)
        problem = Problem(target, box, "linf", limit)
        found = examine(network, problem, seconds=seconds_left() / 2)
        if isinstance(found, Inapplicable):
            reason = found.reason
        elif best is None or found.error.upper < best.upper:
            best = found.error
        if best is not None and best.is_at_most(limit):
            break
    if best is None:
        raise HypothesisError(reason)
    return best
