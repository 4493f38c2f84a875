"""l1 and l2 errors on a box from both sides, near what samples show."""

from math import isfinite

from depthsep.analysis._sampled_error import sampled_error
from depthsep.analysis.box._box_mean import box_mean
from depthsep.evidence import Enclosure
from depthsep.exact import rational
from depthsep.laws import Box
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

CLOSE = 1.02  # the limit asked for, over what samples show
LEAST = 1e-9


def mean_distance(
    network: Network,
    target: AbstractBoxTarget,
    box: Box,
    norm: str,
    *,
    seconds: float,
    seed: int = 0,
) -> Enclosure:
    """`box_mean` with a limit just above the sampled error."""
    near = sampled_error(network, Problem(target, box, norm), seed=seed)
    known = near.value if isfinite(near.value) else 1.0
    limit = rational(max(CLOSE * known, LEAST))
    return box_mean(network, target, box, norm=norm, limit=limit, seconds=seconds)
