"""A network of several inputs, looked at along lines, in slices and on a box."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep._progress import tell
from depthsep.analysis.line.pieces._crossings import crossings
from depthsep.analysis.line.pieces._enumerate import on_line
from depthsep.analysis.line.pieces._piece_counts import most_pieces
from depthsep.analysis.regions import (
    Along,
    Polygon,
    along,
    integrals,
    level_set,
    subdivide,
)
from depthsep.analysis.regions._counts import region_bound, regions_reached
from depthsep.analysis.survey._distances import (
    MOST_DIMS,
    check_against,
    measured,
)
from depthsep.analysis.survey._random_chords import (
    Point,
    drawn_slice,
    float_ends,
    given_slice,
    random_chords,
)
from depthsep.analysis.survey._records import LineSurvey, Plan, RegionSurvey, Survey
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
    restrict,
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
    tell(0.0, "lines")
    lines = _lines(network, where, chosen, at) if pieces else None
    regions: RegionSurvey | None = None
    slices: tuple[RegionSurvey, ...] = ()
    if kinks:
        if network.in_dim <= MOST_DIMS and not chosen.given:
            tell(0.1, "regions of the box")
            regions = _on_box(network, where, chosen, at)
        slices = _slices(network, where, chosen, at)
    units = _units(network, where, chosen.seed, regions) if kinks else None
    if chosen.against is not None:
        tell(0.9, "distance")
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
        slices,
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
    counts = [_along(network, ends, plan, level) for ends in chords]
    most = most_pieces(network.widths) if network.widths else 1
    return LineSurvey(tuple(counts), most, plan.seed)


def _along(
    network: Network, ends: Sequence[Sequence[fmpq]], plan: Plan, level: fmpq
) -> Along:
    if network.is_continuous:
        return along(network, *ends, level=level, output=plan.output)
    f = on_line(network, *ends, output=plan.output)
    return Along(f.pieces, crossings(f, level))


def _on_box(network: Network, box: Box, plan: Plan, level: fmpq) -> RegionSurvey:
    return _regions(network, box, f"{box}", None, plan, level)


def _slices(
    network: Network, box: Box, plan: Plan, level: fmpq
) -> tuple[RegionSurvey, ...]:
    unless_told = SLICES if network.in_dim > 2 else 0
    count = unless_told if plan.slices is None else plan.slices
    rng = np.random.default_rng([plan.seed, 1])
    corners = [given_slice(network, c) for c in plan.given]
    if not corners:
        corners = [drawn_slice(rng, float_ends(box)) for _ in range(count)]
    found = []
    square = Polygon([(0, 0), (1, 0), (1, 1), (0, 1)])
    for k, (x0, x1, x2) in enumerate(corners, start=1):
        tell(0.3 + 0.6 * (k - 1) / len(corners), f"slice {k} of {len(corners)}")
        steps = [[b - a for a, b in zip(x0, x, strict=True)] for x in (x1, x2)]
        flat = restrict(network, x0, *steps)
        where = "a slice given" if plan.given else f"slice {k}, drawn"
        found.append(_regions(flat, square, where, (x0, x1, x2), plan, level))
    return tuple(found)


def _regions(
    network: Network,
    domain: Uniform | Box | Polygon,
    where: str,
    corners: tuple[Point, ...] | None,
    plan: Plan,
    level: fmpq,
) -> RegionSurvey:
    most = region_bound(network)
    relus = all(a is RELU for a in network.activations)
    reached = regions_reached(network.widths, network.in_dim) if relus else None
    given = bool(plan.given) and corners is not None
    bare = RegionSurvey(where, given, corners, None, plan.most, most, reached)
    try:
        found = subdivide(network, domain, most=plan.most)
        edge = level_set(
            network, domain, level=level, output=plan.output, most=4 * plan.most
        )
    except TooLargeError:
        return bare
    sums = None
    if len(found) <= MOST_INTEGRATED and (corners is None or given):
        sums = integrals(network, domain, output=plan.output, exact=len(found) <= 1000)
    return replace(bare, subdivision=found, boundary=edge, integrals=sums)


def _units(
    network: Network, box: Box, seed: int, regions: RegionSurvey | None
) -> UnitStates:
    if regions is not None and regions.subdivision is not None:
        cells = regions.subdivision.complex
        return states_in_regions(network, cells.patterns, cells.negative)
    low, high = float_ends(box).T
    rng = np.random.default_rng([seed, 2])
    return states_by_bounds(network, box, rng.uniform(low, high, (SAMPLES, len(low))))
