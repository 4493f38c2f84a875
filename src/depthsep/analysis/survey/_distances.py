"""How far a network of several inputs is from another or from a target."""

from math import isfinite

import numpy as np

from depthsep._deadline import seconds_left
from depthsep._errors import HypothesisError, TooLargeError
from depthsep.analysis._examine import examine
from depthsep.analysis._mean_distance import CLOSE, LEAST, mean_distance
from depthsep.analysis._sampled_error import SampledError, sampled_error
from depthsep.analysis.box._region_error import region_error
from depthsep.analysis.regions import network_distance
from depthsep.analysis.regions.cells._domains import MOST_DIMS
from depthsep.analysis.survey._random_chords import float_ends
from depthsep.analysis.survey._records import Plan
from depthsep.evidence import Enclosure, Inapplicable
from depthsep.exact import rational
from depthsep.laws import Box
from depthsep.networks import Network, single_output
from depthsep.problems import NORMS, Problem
from depthsep.targets import AbstractBoxTarget, AbstractTarget

PROBES = 20_000


def check_against(network: Network, plan: Plan) -> None:
    """Refuse what cannot be measured."""
    other = plan.against
    if plan.law is not None and not plan.has_own_law:
        raise HypothesisError(
            "a law is for inner: and radial: targets; give such a target, or leave it "
            "out: others are measured on the box",
            parameter="law",
        )
    if other is None:
        return
    if other.in_dim != network.in_dim:
        raise HypothesisError(
            f"inputs: {other.in_dim} of {other}, {network.in_dim} of the network"
        )
    if plan.norm not in NORMS:
        raise HypothesisError(f"unknown norm {plan.norm!r}; use linf, l1 or l2")
    if plan.has_own_law and isinstance(other, AbstractTarget):
        _problem(other, plan)
    elif isinstance(other, Network):
        if other.out_dim != 1:
            raise HypothesisError("give a network of one output to measure against")
        if network.in_dim > MOST_DIMS:
            raise HypothesisError(
                f"distances of networks are measured in up to {MOST_DIMS} inputs"
            )


def measured(
    network: Network, box: Box, plan: Plan
) -> tuple[Enclosure | None, SampledError | None, str]:
    """The distance enclosed, and sampled under a law; or why it is not enclosed."""
    if plan.against is None:
        return None, None, ""
    if plan.has_own_law:
        return _under_law(network, plan)
    return _on_the_box(network, box, plan)


def _on_the_box(
    network: Network, box: Box, plan: Plan
) -> tuple[Enclosure | None, None, str]:
    chosen = single_output(network, plan.output)
    try:
        if isinstance(plan.against, Network):
            most = plan.most
            found = network_distance(chosen, plan.against, box, plan.norm, most=most)
            return found, None, ""
        assert plan.against is not None
        return _distance_to_target(chosen, plan.against, box, plan), None, ""
    except (TooLargeError, HypothesisError) as refusal:
        return None, None, f"no distance: {refusal}"


def _under_law(
    network: Network, plan: Plan
) -> tuple[Enclosure | None, SampledError, str]:
    """The distance to a target under its law: enclosed where it can be, and sampled."""
    chosen, target = single_output(network, plan.output), plan.against
    assert isinstance(target, AbstractTarget)
    problem = _problem(target, plan)
    sampled = sampled_error(chosen, problem, seed=plan.seed)
    known = sampled.value if isfinite(sampled.value) else 1.0
    limit = rational(max(CLOSE * known, LEAST))
    problem = Problem(target, problem.law, plan.norm, limit)
    found = examine(chosen, problem, seconds=seconds_left())
    if isinstance(found, Inapplicable):
        return None, sampled, f"not enclosed: {found.reason}"
    return found.error, sampled, ""


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
        raise HypothesisError(f"the distance is not enclosed: {reason}")
    return best
