"""Means on a box: over a network's regions where these are few, or over small boxes."""

from flint import fmpq

from depthsep.analysis.box.by_region._region_mean import region_mean
from depthsep.analysis.box.followed._mean_error import mean_error
from depthsep.evidence import Enclosure
from depthsep.laws import Box
from depthsep.networks import Network
from depthsep.targets import AbstractBoxTarget


def box_mean(
    network: Network,
    target: AbstractBoxTarget,
    box: Box,
    *,
    norm: str,
    limit: fmpq,
    seconds: float,
) -> Enclosure:
    """The l1 or l2 error, enclosed until it is known whether it is at most the limit.

    Raises:
        HypothesisError: as `mean_error` does.
    """
    formula = target.as_formula()
    found = region_mean(
        network, formula, box, norm=norm, enough=limit, seconds=seconds / 2
    )
    if found is not None and (found.is_at_most(limit) or found.is_above(limit)):
        return found
    other = mean_error(network, target, box, norm=norm, limit=limit, seconds=seconds)
    return other if found is None or other.upper <= found.upper else found
