"""Facts of a network of several inputs: along lines, in slices and on a box."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from flint import fmpq

from depthsep._deadline import check_time, deadline, end_after, seconds_left
from depthsep._errors import HypothesisError, TooLargeError
from depthsep._plural import plural
from depthsep._progress import followed
from depthsep.analysis.inspection._distances import check_against, measured
from depthsep.analysis.inspection._inspection import Inspection
from depthsep.analysis.inspection._plan import Plan
from depthsep.analysis.inspection._random_chords import (
    float_ends,
    given_slice,
    random_chords,
)
from depthsep.analysis.inspection._region_domains import region_domains
from depthsep.analysis.inspection._surveys import surveys
from depthsep.analysis.inspection.facts._fact import AbstractFact
from depthsep.analysis.inspection.facts._left_out import LeftOut
from depthsep.analysis.inspection.facts._lines import LineSurvey
from depthsep.analysis.inspection.facts._regions import RegionSurvey
from depthsep.analysis.inspection.facts._units import (
    UnitStates,
    states_by_bounds,
    states_in_regions,
)
from depthsep.analysis.line.pieces._crossings import crossings
from depthsep.analysis.line.pieces._enumerate import on_line
from depthsep.analysis.line.pieces._piece_counts import kinks, most_pieces
from depthsep.analysis.regions import along
from depthsep.analysis.regions._along import Along
from depthsep.laws import Box
from depthsep.networks import Network

SAMPLES = 4096
NO_REGIONS = (
    "regions are counted only for networks whose units are ReLUs, "
    "leaky ReLUs, clips or |z|"
)


def facts_over(known: Inspection, box: Box, plan: Plan) -> Iterator[AbstractFact]:
    """Lines, slices, the box, units, the distance: the quick ones first."""
    network = known.network
    domains = region_domains(known, box, plan) if _has_kinks(network) else []
    names = ["lines", *(domain.where for domain in domains), "distance"]
    stage = followed(names, len(names), str)
    regions_end = end_after(seconds_left() * (1.0 if plan.other is None else 0.5))
    next(stage)
    if plan.lines and all(a.pieces for a in network.activations):
        yield _lines(known, box, plan)
    whole, found = None, surveys(domains, plan, regions_end)
    for _ in domains:
        next(stage)
        part = next(found)
        whole = part if part.corners is None else None
        yield part
    if _has_kinks(network):
        yield replace(_units(network, box, plan.seed, whole), where=str(box))
    else:
        yield LeftOut(NO_REGIONS)
    next(stage)
    yield from measured(network, box, plan)


def _has_kinks(network: Network) -> bool:
    kinds = network.activations
    return all(a.relus for a in kinds)


def check_box(network: Network, box: Box, plan: Plan) -> None:
    """Refuse what does not fit together."""
    if not plan.exact:
        raise HypothesisError(
            "with --float64, pieces are counted only along an interval "
            "or a line; leave out --float64, or give a line (--line)"
        )
    if box.in_dim != network.in_dim:
        raise HypothesisError(
            f"the box has dimension {box.in_dim}, the network "
            f"{plural(network.in_dim, 'input')}; these must agree"
        )
    if not 0 <= plan.output < network.out_dim:
        raise HypothesisError(
            f"output {plan.output + 1}, counted from 1, does not exist; "
            f"the network has {network.out_dim}"
        )
    check_against(network, plan)
    for given in plan.given:
        given_slice(network, given)
    if plan.lines < 0 or (plan.slices or 0) < 0:
        raise HypothesisError("the numbers of lines and slices must be 0 or more")
    if plan.seed < 0:
        raise HypothesisError(f"the seed is {plan.seed}; give 0 or more")


def _lines(known: Inspection, box: Box, plan: Plan) -> LineSurvey:
    """Counts along random lines, as many as a quarter of the time is enough for."""
    network, counts = known.network, []
    chords = random_chords(box, plan.lines, plan.seed)
    try:
        with deadline(seconds_left() / 4):
            for ends in followed(chords, len(chords), "lines"):
                counts.append(_along(network, ends, plan, known.level))
                check_time()
    except TooLargeError:
        pass  # the record says how many lines were followed
    most = most_pieces(kinks(network)) if network.widths else 1
    return LineSurvey(tuple(counts), len(chords), most, known.level, plan.seed)


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
    points = rng.uniform(low, high, (SAMPLES, len(low)))
    return states_by_bounds(network, box, points)
