"""A network of several inputs, looked at along lines, in slices and on a box."""

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._progress import followed
from depthsep.analysis.box.followed._branch_and_bound import time_limit
from depthsep.analysis.line.pieces._crossings import crossings
from depthsep.analysis.line.pieces._enumerate import on_line
from depthsep.analysis.line.pieces._piece_counts import most_pieces
from depthsep.analysis.regions import (
    Along,
    along,
)
from depthsep.analysis.survey._distances import (
    check_against,
    measured,
)
from depthsep.analysis.survey._random_chords import (
    float_ends,
    given_slice,
    random_chords,
)
from depthsep.analysis.survey._records import LineSurvey, Plan, RegionSurvey, Survey
from depthsep.analysis.survey._region_domains import region_domains
from depthsep.analysis.survey._unit_states import (
    UnitStates,
    states_by_bounds,
    states_in_regions,
)
from depthsep.exact import rational
from depthsep.laws import Box, Uniform
from depthsep.networks import (
    RELU,
    Network,
    size,
    slope_below,
)

SLICES = 3
SAMPLES = 4096
MOST_INTEGRATED = 20_000


def survey(
    network: Network,
    box: Box | None = None,
    plan: Plan | None = None,
) -> Survey:
    """Look at a network of any number of inputs on a box.

    Regions and pieces are counted for ReLUs, leaky ReLUs and |z|; along lines for
    thresholds too. Of other networks only the size is told.

    Args:
        network: the network.
        box: [-1, 1] in every input if not given.
        plan: what to look at; 100 lines, and three slices beyond two inputs.

    Raises:
        HypothesisError: a box of other dimensions, an output that does not exist.
    """
    chosen = plan or Plan()
    where = box or Box.cube(Uniform(-1, 1), max(2, network.in_dim))
    _check(network, where, chosen)
    at = rational(chosen.level, name="the level")
    kinks = all(a is RELU or slope_below(a) is not None for a in network.activations)
    pieces = all(a.pieces == 2 for a in network.activations)
    domains = region_domains(network, where, chosen) if kinks else []
    seconds = time_limit(chosen.seconds)
    names = ["lines", *(domain.where for domain in domains), "distance"]
    stage = followed(names, len(names), str)
    next(stage)
    lines = _lines(network, where, chosen, at) if pieces else None
    parts = []
    for domain in domains:
        next(stage)
        parts.append(domain.survey(chosen, at, seconds / (2 * len(domains))))
    regions = parts.pop(0) if parts and parts[0].corners is None else None
    units = _units(network, where, chosen.seed, regions) if kinks else None
    next(stage)
    distance, sampled, missed = measured(network, where, chosen)
    reasons = [] if kinks else ["regions are those of ReLUs, leaky ones and |z| alone"]
    reason = "; ".join([*reasons, *([missed] if missed else [])])
    return Survey(
        network,
        size(network),
        where,
        at,
        chosen.output,
        lines,
        regions,
        tuple(parts),
        units,
        distance,
        chosen.norm,
        reason,
        sampled,
    )


def _check(network: Network, box: Box, plan: Plan) -> None:
    if network.in_dim == 1:
        raise HypothesisError(
            "a survey needs two inputs or more; `inspect` shows the pieces of a "
            "network of one input"
        )
    if box.in_dim != network.in_dim:
        raise HypothesisError(
            f"the box has {box.in_dim} sides, the network {network.in_dim} inputs"
        )
    if not 0 <= plan.output < network.out_dim:
        raise HypothesisError(
            f"output {plan.output + 1} does not exist; the network has "
            f"{network.out_dim}"
        )
    check_against(network, plan)
    for given in plan.given:
        given_slice(network, given)
    if plan.lines < 0 or (plan.slices or 0) < 0:
        raise HypothesisError("give 0 lines or slices, or more")
    if plan.seed < 0:
        raise HypothesisError(f"the seed is {plan.seed}; give 0 or more")


def _lines(network: Network, box: Box, plan: Plan, level: fmpq) -> LineSurvey | None:
    if not plan.lines:
        return None
    chords = random_chords(box, plan.lines, plan.seed)
    each = followed(chords, len(chords), "lines")
    counts = [_along(network, ends, plan, level) for ends in each]
    most = most_pieces(network.widths) if network.widths else 1
    return LineSurvey(tuple(counts), most, plan.seed)


def _along(
    network: Network, ends: Sequence[Sequence[fmpq]], plan: Plan, level: fmpq
) -> Along:
    if network.is_continuous:
        return along(network, *ends, level=level, output=plan.output)
    f = on_line(network, *ends, output=plan.output)
    return Along(f.pieces, crossings(f, level))


def _units(
    network: Network, box: Box, seed: int, regions: RegionSurvey | None
) -> UnitStates:
    if regions is not None and regions.subdivision is not None:
        cells = regions.subdivision.complex
        return states_in_regions(network, cells.patterns, cells.negative)
    low, high = float_ends(box).T
    rng = np.random.default_rng([seed, 2])
    return states_by_bounds(network, box, rng.uniform(low, high, (SAMPLES, len(low))))
