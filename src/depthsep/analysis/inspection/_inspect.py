"""Look at a network along an interval or a line, or on a box."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from depthsep._deadline import deadline
from depthsep._errors import HypothesisError, OutOfTimeError
from depthsep.analysis.inspection._along import check_along, facts_along, where_along
from depthsep.analysis.inspection._inspection import Inspection
from depthsep.analysis.inspection._over_box import check_box, facts_over
from depthsep.analysis.inspection._plan import Plan
from depthsep.analysis.inspection.facts._fact import AbstractFact
from depthsep.analysis.inspection.facts._left_out import LeftOut
from depthsep.analysis.inspection.facts._sizes import Sizes
from depthsep.evidence import Rigour
from depthsep.exact import rational
from depthsep.laws import Box, Segment
from depthsep.networks import Network
from depthsep.targets import AbstractLineTarget

Told = Callable[[Inspection], None]


def inspect(
    network: Network,
    on: Segment | Box | None = None,
    plan: Plan | None = None,
    *,
    told: Told = lambda known: None,
    **choices: object,
) -> Inspection:
    """Look at a network of any number of inputs.

    Of one input, or along a line, all affine pieces; of several inputs regions of the
    box (up to four inputs) and of slices, pieces along random lines. Units that do
    nothing, and the distance to a target or another network. Regions and pieces are
    those of ReLUs, leaky ReLUs and |z|, pieces also of thresholds; of smooth units the
    size and a distance to a target are told. What the time is not enough for is left
    out, and named.

    Args:
        network: the network.
        on: an interval for one input, else a box. If not given: all of R, or the
            target's own interval; [-1, 1] in every input.
        plan: what to look at, and for how long.
        told: called with what is known so far whenever a fact is added, the quick ones
            first.
        choices: fields of the plan, in place of those of `plan`.

    Raises:
        HypothesisError: an interval, box, line, output or target that does not fit.
        TooLargeError: along a line, more pieces than can be enumerated, and the network
            does not split into functions of one variable.
    """
    if not isinstance(on, Segment | Box | None):
        raise HypothesisError("give an interval or a box: Segment(A, B) or Box([...])")
    chosen = replace(plan or Plan(), **choices)  # type: ignore[arg-type]
    if network.in_dim == 1 or chosen.line is not None:
        known, facts = _along(network, on, chosen)
    else:
        known, facts = _over(network, on, chosen)
    try:
        with deadline(chosen.seconds):
            told(known)
            for fact in facts:
                told(known := known.with_fact(fact))
    except OutOfTimeError:
        late = (
            f"everything else, as the time limit of {chosen.seconds:g} s was reached "
            "(allow more with --seconds)"
        )
        told(known := known.with_fact(LeftOut(late)))
    return known


Found = tuple[Inspection, Iterator[AbstractFact]]


def _along(network: Network, on: Segment | Box | None, plan: Plan) -> Found:
    if isinstance(on, Box):
        if on.in_dim != 1:
            raise HypothesisError(
                f"{on} is not an interval; give an interval, or only a line",
                parameter="on",
            )
        (on,) = on.sides
    if on is None and isinstance(plan.other, AbstractLineTarget):
        on = plan.other.default_law().interval
    check_along(network, on, plan)
    rigour = Rigour.EXACT if plan.exact else Rigour.SAMPLED
    if not all(a.pieces for a in network.activations):
        rigour = Rigour.ENCLOSED
    known = _started(network, where_along(on, plan.line), None, plan, rigour)
    return known, facts_along(known, on, plan)


def _over(network: Network, on: Segment | Box | None, plan: Plan) -> Found:
    if isinstance(on, Segment):
        on = Box.cube(on, network.in_dim)
    box = on or Box.cube(Segment(-1, 1), network.in_dim)
    check_box(network, box, plan)
    known = _started(network, str(box), box, plan, Rigour.EXACT)
    return known, facts_over(known, box, plan)


def _started(
    network: Network, where: str, box: Box | None, plan: Plan, rigour: Rigour
) -> Inspection:
    level = rational(plan.level, name="the level")
    facts = (Sizes(network),)
    return Inspection(network, where, box, plan.output, level, plan.norm, rigour, facts)
