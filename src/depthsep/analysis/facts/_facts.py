"""The facts of a network, cheap ones first, one deadline for all."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from flint import fmpq

from depthsep._deadline import check_time, deadline
from depthsep._display import Displayed
from depthsep._errors import HypothesisError, OutOfTimeError, UndecidedError
from depthsep.analysis.facts._distance import distance
from depthsep.analysis.facts._lipschitz import lipschitz
from depthsep.analysis.facts._monotone import monotone
from depthsep.analysis.facts._ranges import MOST_OUTPUTS, ranges
from depthsep.analysis.facts._shape import quick_shape, shape
from depthsep.analysis.facts._subject import Subject
from depthsep.analysis.facts._units import idle
from depthsep.analysis.facts._zeros import constant_parts, zeros
from depthsep.analysis.inspection.facts._fact import AbstractFact
from depthsep.analysis.inspection.facts._left_out import LeftOut
from depthsep.analysis.inspection.facts._sizes import Sizes
from depthsep.exact import rational
from depthsep.laws import Box, Segment
from depthsep.networks import Network

SECONDS = 60.0


@dataclass(frozen=True)
class Facts(Displayed):
    """What is known of a network on an interval or a box.

    Attributes:
        where: the domain in words.
        facts: in the order in which they were found; every display shows them.
    """

    network: Network
    on: Segment | Box
    facts: tuple[AbstractFact, ...] = ()

    @property
    def where(self) -> str:
        """The domain in words."""
        return str(self.on)

    def to_json(self) -> dict[str, object]:
        """One document; what is missing is under `left_out`."""
        document: dict[str, object] = {"where": self.where}
        left_out: list[str] = []
        for fact in self.facts:
            if isinstance(fact, LeftOut):
                left_out.append(fact.reason)
            else:
                document |= fact.to_json()
        return document | {"left_out": left_out}


Told = Callable[[Facts], None]


def facts(
    network: Network,
    on: Segment | Box | None = None,
    *,
    output: int | None = None,
    against: Network | None = None,
    at_most: object | None = None,
    seconds: float = SECONDS,
    seed: int = 0,
    told: Told = lambda known: None,
) -> Facts:
    """Range, slopes, monotone inputs, shape, zeros, idle units; or a distance.

    Exact from all regions where these are few (up to four inputs, 20,000 regions); else
    between exact values at points and proved bounds, found by branch and bound.

    Args:
        on: an interval for one input, else a box; [-1, 1] in every input if not given.
        output: the number of the only output that is looked at, from 0.
        against: another network: its largest distance from this one is found first.
        at_most: whether that distance is at most so much.
        seconds: for all of it.
        seed: of points that are drawn.
        told: called with what is known so far whenever a fact is added.

    Raises:
        HypothesisError: a domain, output or network that does not fit, or units without
            bounds.
    """
    box = _domain(network, on)
    if output is not None and not 0 <= output < network.out_dim:
        raise HypothesisError(
            f"output {output + 1}, counted from 1, does not exist; the "
            f"network has {network.out_dim}",
            parameter="output",
        )
    outputs = tuple(range(network.out_dim)) if output is None else (output,)
    subject = Subject.on(box, network, outputs, seed)
    limit = None if at_most is None else rational(at_most, name="at_most")
    if limit is not None and against is None:
        raise HypothesisError(
            "`at_most` needs a network to compare with; give `against`"
        )
    if limit is not None and limit < 0:
        raise HypothesisError(f"`at_most` is {limit}; it must be 0 or more")
    known = Facts(network, box, (Sizes(network),))
    told(known)
    try:
        with np.errstate(all="ignore"), deadline(seconds):
            for fact in _found(subject, against, limit):
                known = replace(known, facts=(*known.facts, fact))
                told(known)
    except OutOfTimeError:
        late = (
            f"everything else, as the time limit of {seconds:g} s was reached (allow "
            "more with --seconds)"
        )
        known = replace(known, facts=(*known.facts, LeftOut(late)))
        told(known)
    return known


def _domain(network: Network, on: Segment | Box | None) -> Segment | Box:
    domain = Segment(-1, 1) if on is None else on
    if isinstance(domain, Segment) and network.in_dim > 1:
        domain = Box.cube(domain, network.in_dim)
    if isinstance(domain, Box) and domain.in_dim != network.in_dim:
        raise HypothesisError(
            f"the box has dimension {domain.in_dim}, but the number of inputs of the "
            f"network is {network.in_dim}; give one interval, or one for each input",
            parameter="on",
        )
    return domain


def _found(
    subject: Subject, against: Network | None, limit: fmpq | None
) -> Iterator[AbstractFact]:
    """Shares are of the time that is left."""
    if against is not None:
        yield distance(subject, against, limit, 1.0 if limit is not None else 0.9)
        return
    subject.net  # noqa: B018 (refuse units without bounds at once)
    yield from ranges(subject)
    units = idle(subject)
    if units is not None:
        yield units
    chosen = subject.outputs[:MOST_OUTPUTS]
    for number, output in enumerate(chosen):
        yield from _of_output(subject, output, 1 / (len(chosen) - number))
    if len(subject.outputs) > MOST_OUTPUTS:
        others = f"outputs {MOST_OUTPUTS + 1} to {len(subject.outputs)}"
        yield LeftOut(f"{others} (give one of them with --output)")


def _of_output(subject: Subject, output: int, share: float) -> Iterator[AbstractFact]:
    constant = constant_parts(subject, output)
    if constant is not None:
        yield constant
    yield from zeros(subject, output)
    known = quick_shape(subject, output)
    if known is not None:
        yield known
    finds: dict[str, Callable[[], AbstractFact]] = {
        "slope": lambda: lipschitz(subject, output, 0.6 * share),
        "monotonicity": lambda: monotone(subject, output, 0.6 * share),
        "shape": lambda: shape(subject, output, 0.6 * share),
    }
    for name, find in list(finds.items())[: 2 if known else 3]:
        check_time()
        try:
            yield find()
        except UndecidedError as error:  # values beyond all bounds
            yield LeftOut(f"output {output + 1}, {name}: {error}")
