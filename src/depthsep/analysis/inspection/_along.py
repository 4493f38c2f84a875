"""Facts along an interval, all of R, or a segment in R^d."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from depthsep._deadline import seconds_left
from depthsep._errors import HypothesisError, OutOfTimeError, TooLargeError
from depthsep.analysis._smooth_error import smooth_distance
from depthsep.analysis.inspection._inspection import Inspection
from depthsep.analysis.inspection._plan import SECONDS, Plan, Points
from depthsep.analysis.inspection.facts._distances import Distance
from depthsep.analysis.inspection.facts._fact import AbstractFact
from depthsep.analysis.inspection.facts._left_out import LeftOut
from depthsep.analysis.inspection.facts._pieces import Pieces
from depthsep.analysis.inspection.facts._units import UnitStates, states_in_regions
from depthsep.analysis.line._examine import pieces_of_split
from depthsep.analysis.line.pieces._crossings import crossings
from depthsep.analysis.line.pieces._enumerate import on_interval, on_line
from depthsep.analysis.line.pieces._piece_counts import kinks, most_pieces
from depthsep.analysis.regions import subdivide
from depthsep.approximation import distance, distance_to_form, distance_to_target
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine, rational
from depthsep.laws import Segment
from depthsep.networks import RELU, Network, as_relu, restrict, single_output
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, AbstractTarget

FINE_SUP, FINE_MEAN = 1e-9, 1e-5  # width of an error bar, as a share of the error
SMOOTH = "affine pieces, as some units of the network are smooth"
FEW = 20_000  # pieces up to which units are looked at one by one


def check_along(network: Network, on: Segment | None, plan: Plan) -> None:
    """Refuse what does not fit together."""
    other, is_line = plan.other, isinstance(plan.other, AbstractLineTarget)
    if isinstance(other, AbstractTarget) and (plan.line is not None or not is_line):
        raise HypothesisError(
            "no distance to a target is measured along a line; on an "
            "interval, the target must have one input",
            parameter="target",
        )
    if isinstance(other, Network) and on is None:
        raise HypothesisError(
            "to measure the distance to another network, give an interval, and no line",
            parameter="on",
        )
    if plan.line is not None and on is not None:
        raise HypothesisError("give an interval or a line, not both", parameter="line")
    if plan.law is not None or plan.given:
        raise HypothesisError(
            "laws and slices have no effect along a line or on a "
            "network of one input; leave them out"
        )
    if isinstance(other, Network) and other.out_dim != 1:
        raise HypothesisError("the network to compare with must have one output")
    if isinstance(other, AbstractLineTarget) and on is not None:
        other.check_defined([on])
    if not all(a.pieces for a in network.activations):
        _check_smooth(plan)


def _check_smooth(plan: Plan) -> None:
    if isinstance(plan.other, Network):
        raise HypothesisError(
            "networks with smooth units are not compared with others",
            parameter="against",
        )
    if plan.other is not None and plan.norm != "linf":
        raise HypothesisError(
            "for networks with smooth units, the distance is computed only in linf",
            parameter="norm",
        )


def where_along(on: Segment | None, line: Points | None) -> str:
    """The interval or line, in words."""
    if line is not None:
        ends = [", ".join(str(rational(x)) for x in point) for point in line]
        return f"the segment from ({ends[0]}) to ({ends[1]})"
    return "all of R" if on is None else f"[{on.start}, {on.stop}]"


def facts_along(
    known: Inspection, on: Segment | None, plan: Plan
) -> Iterator[AbstractFact]:
    """Pieces, then units, then the distance."""
    network = known.network
    if known.rigour is Rigour.ENCLOSED:
        yield from _of_smooth_units(network, on, plan)
        return
    try:
        f = _function(network, on, plan) if plan.exact else _sampled(network, on, plan)
    except OutOfTimeError:
        raise
    except TooLargeError as error:
        yield _counted(known, on, plan, error)
        return
    most = most_pieces(kinks(network)) if network.widths else 1
    crossed = crossings(f, known.level)
    yield Pieces(known.where, f.pieces, most, f, known.level, crossed, known.rigour)
    if plan.exact and f.pieces <= FEW:
        units = _units(network, on, plan.line)
        if units is not None:
            yield replace(units, where=known.where)
    if plan.other is not None and on is not None:
        yield Distance(_distance(f, on, plan), plan.norm, plan.output)


def _function(
    network: Network, on: Segment | None, plan: Plan, exact: bool = True
) -> PiecewiseAffine:
    if plan.line is not None:
        return on_line(network, *plan.line, exact=exact, output=plan.output)
    ends = (None, None) if on is None else (on.start, on.stop)
    return on_interval(network, *ends, exact=exact, output=plan.output)


def _sampled(network: Network, on: Segment | None, plan: Plan) -> PiecewiseAffine:
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            return _function(network, on, plan, exact=False)
    except FloatingPointError as error:
        raise HypothesisError(
            "the network's values leave the range of float64; use "
            "exact arithmetic (leave out --float64)"
        ) from error


def _counted(
    known: Inspection, on: Segment | None, plan: Plan, refusal: TooLargeError
) -> Pieces:
    """Too many pieces to enumerate: count them by splitting, where that works."""
    if plan.other is not None:
        raise _too_large(refusal, "so the distance cannot be found", plan) from refusal
    network = single_output(known.network, plan.output)
    pieces = None if on is None else pieces_of_split(network, on)
    if pieces is None:
        found = (
            "without enumeration, the pieces can be counted only on an interval"
            if on is None
            else (
                "the pieces cannot be counted without enumeration either, "
                "as the network was not found to be a composition of "
                "functions of one variable"
            )
        )
        raise _too_large(refusal, found, plan) from refusal
    most = most_pieces(kinks(network))
    return Pieces(known.where, pieces, most, None, known.level, None, Rigour.EXACT)


def _too_large(refusal: TooLargeError, found: str, plan: Plan) -> TooLargeError:
    what, part = ("on", "interval") if plan.line is None else ("line", "line")
    remedy = f"give a smaller network, or a shorter {part}"
    return TooLargeError(f"{refusal}; {found}; {remedy}", parameter=what)


def _units(
    network: Network, on: Segment | None, line: Sequence[Sequence[object]] | None
) -> UnitStates | None:
    relus = as_relu(network)
    if any(a is not RELU for a in relus.activations):
        return None
    if line is not None:
        ends = [[rational(x) for x in point] for point in line]
        step = [b - a for a, b in zip(*ends, strict=True)]
        relus, on = restrict(relus, ends[0], step), Segment(0, 1)
    if on is None:
        return None
    cells = subdivide(relus, on).complex
    return states_in_regions(network, cells.patterns, cells.negative)


def _of_smooth_units(
    network: Network, on: Segment | None, plan: Plan
) -> Iterator[AbstractFact]:
    """The distance alone: there are no pieces."""
    yield LeftOut(SMOOTH)
    if not isinstance(plan.other, AbstractTarget):
        return
    problem = Problem(plan.other, on, plan.norm)
    left = min(seconds_left(), SECONDS)
    found = smooth_distance(single_output(network, plan.output), problem, left)
    yield Distance(found, plan.norm, plan.output)


def _distance(f: PiecewiseAffine, on: Segment, plan: Plan) -> Enclosure:
    other, norm = plan.other, plan.norm
    if isinstance(other, Network):
        g = on_interval(other, on.start, on.stop, exact=f.is_exact)
        return distance(f, g, norm, on)
    assert isinstance(other, AbstractLineTarget)
    form = other.exact_form()
    if form is not None:
        return distance_to_form(f, form, norm, on)
    fine = FINE_SUP if norm == "linf" else FINE_MEAN
    return distance_to_target(f, other, norm, on, relative=fine)
