"""A network of several inputs, looked at along lines, in slices and on a box."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from flint import fmpq

from depthsep._deadline import check_time, deadline, end_after, seconds_left
from depthsep._errors import HypothesisError, TooLargeError
from depthsep._progress import followed
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

SAMPLES = 4096
NO_REGIONS = "regions are those of ReLUs, leaky ones and |z| alone"


def survey(
    network: Network,
    box: Box | None = None,
    plan: Plan | None = None,
    *,
    told: Callable[[Survey], None] = lambda known: None,
) -> Survey:
    """Look at a network of any number of inputs on a box.

    Regions and pieces are counted for ReLUs, leaky ReLUs and |z|; along lines for
    thresholds too. Of other networks only the size is told. What the time is not enough
    for is left out, and named.

    Args:
        network: the network.
        box: [-1, 1] in every input if not given.
        plan: what to look at, and for how long; 100 lines, and three slices beyond two
            inputs.
        told: called with what is known so far whenever a fact is added, the quick ones
            first.

    Raises:
        HypothesisError: a box of other dimensions, an output that does not exist.
    """
    chosen = plan or Plan()
    where = box or Box.cube(Uniform(-1, 1), max(2, network.in_dim))
    _check(network, where, chosen)
    known = Survey(
        network,
        size(network),
        where,
        rational(chosen.level, name="the level"),
        chosen.output,
        norm=chosen.norm,
    )
    with deadline(chosen.seconds):
        told(known)
        for fuller in _facts(known, chosen):
            told(known := fuller)
    return known


def _facts(known: Survey, plan: Plan) -> Iterator[Survey]:
    """The same with one fact more each, the quick ones first."""
    network, box = known.network, known.box
    domains = region_domains(network, box, plan) if _has_kinks(network) else []
    names = ["lines", *(domain.where for domain in domains), "distance"]
    stage = followed(names, len(names), str)
    regions_end = end_after(seconds_left() * (0.5 if plan.against else 1.0))
    next(stage)
    if plan.lines and all(a.pieces == 2 for a in network.activations):
        known = replace(known, lines=_lines(known, plan))
        yield known
    for k, domain in enumerate(domains):
        next(stage)
        with deadline(seconds_left(regions_end) / (len(domains) - k)):
            known = _with_part(known, domain.survey(plan, known.level))
        yield known
    if _has_kinks(network):
        known = replace(known, units=_units(known, plan.seed))
        yield known
    next(stage)
    distance, sampled, missed = measured(network, box, plan)
    reasons = ("" if _has_kinks(network) else NO_REGIONS, missed)
    reason = "; ".join(filter(None, reasons))
    yield replace(known, distance=distance, sampled=sampled, reason=reason)


def _has_kinks(network: Network) -> bool:
    kinds = network.activations
    return all(a is RELU or slope_below(a) is not None for a in kinds)


def _with_part(known: Survey, part: RegionSurvey) -> Survey:
    if part.corners is None:
        return replace(known, box_regions=part)
    return replace(known, slices=(*known.slices, part))


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


def _lines(known: Survey, plan: Plan) -> LineSurvey:
    """Counts along random lines, as many as a quarter of the time is enough for."""
    network, counts = known.network, []
    chords = random_chords(known.box, plan.lines, plan.seed)
    try:
        with deadline(seconds_left() / 4):
            for ends in followed(chords, len(chords), "lines"):
                counts.append(_along(network, ends, plan, known.level))
                check_time()
    except TooLargeError:
        pass  # the record says how many lines were followed
    most = most_pieces(network.widths) if network.widths else 1
    return LineSurvey(tuple(counts), len(chords), most, plan.seed)


def _along(
    network: Network, ends: Sequence[Sequence[fmpq]], plan: Plan, level: fmpq
) -> Along:
    if network.is_continuous:
        return along(network, *ends, level=level, output=plan.output)
    f = on_line(network, *ends, output=plan.output)
    return Along(f.pieces, crossings(f, level))


def _units(known: Survey, seed: int) -> UnitStates:
    network, regions = known.network, known.box_regions
    if regions is not None and regions.subdivision is not None:
        cells = regions.subdivision.complex
        return states_in_regions(network, cells.patterns, cells.negative)
    low, high = float_ends(known.box).T
    rng = np.random.default_rng([seed, 2])
    points = rng.uniform(low, high, (SAMPLES, len(low)))
    return states_by_bounds(network, known.box, points)
