"""The best upper and lower bound at one depth, every claim examined."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from depthsep.analysis import Examination, examine
from depthsep.claims import (
    AbstractConstruction,
    AbstractLowerBound,
    Lower,
    Measure,
    SearchPlan,
    Upper,
)
from depthsep.constructions import CONSTRUCTIONS, BoxSearch, LineSearch, Recorded
from depthsep.evidence import Enclosure, Inapplicable, Rigour, log2
from depthsep.exact import decimal, plain
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.networks import size
from depthsep.problems import Problem
from depthsep.targets import Sawtooth

MAX_SAWTOOTH_WIDTH = 1 << 12
SECONDS = 20.0  # for branch and bound, in each row
LINE_SECONDS = 600.0
ROUGH = 8  # times the accuracy: no bound of an error, but of the examiner
Asked = list[tuple[str, str]]


def best_upper(
    problem: Problem,
    depth: int,
    constructions: Sequence[AbstractConstruction] = CONSTRUCTIONS,
    asked: Asked | None = None,
    seconds: float = SECONDS,
    least: Measure = Measure.WIDTH,
    shallower: Upper | None = None,
) -> Upper | Inapplicable:
    """The certified network of this depth that is least: the narrowest, if not told.

    Networks of up to `most_weights` weights are built and examined; the error in
    the record is then what the examiner found. Larger ones rest on their theorem and
    are marked as not checked; claims that are not proofs by themselves are dropped. So
    is, where nothing is confirmed, the narrowest theorem whose network is not refuted.

    Args:
        asked: takes in what each construction answers.
        seconds: of the examiner, for each network.
        shallower: an examined network of fewer layers, which is passed on where no
            other is confirmed, or a theorem and not refuted, that is as narrow.
    """
    claims: list[tuple[Upper, AbstractConstruction]] = []
    reasons: list[Inapplicable] = []
    standing: list[Upper] = []  # if nothing is confirmed: theorems, and shallower
    widest = None if shallower is None else max(2, shallower.width)
    for construction in constructions:
        claim = _proved(construction, problem, depth)
        if asked is not None:
            asked.append((construction.statement.id, _brief(claim)))
        if isinstance(claim, Inapplicable):
            reasons.append(claim.said_by(construction.statement.id))
        elif widest is not None and claim.width > widest:
            reasons.append(
                Inapplicable(
                    "a network with fewer layers is narrower than the one constructed"
                )
            )
        else:
            claims.append((claim, construction))
    best: Upper | None = None
    # the least first, so that only what may win is examined; a careful form may be more
    for claim, construction in sorted(claims, key=lambda c: least.key(c[0])):
        if best is not None and least.key(claim) >= least.key(best):
            break
        answer = _confirmed_or_careful(claim, construction, problem, depth, seconds)
        if isinstance(answer, Undecided):
            standing.append(answer.theorem)
        if isinstance(answer, Inapplicable):
            reasons.append(answer.said_by(construction.statement.id))
        elif widest is not None and answer.width > widest:
            reasons.append(
                Inapplicable(
                    "a network with fewer layers is narrower than the one constructed"
                )
            )
        elif best is None or least.key(answer) < least.key(best):
            best = answer
    if best is not None:
        return best
    if shallower is not None:
        answer = examined(shallower.deepened(depth), problem, seconds)
        if isinstance(answer, Upper) and answer.checked:
            standing.append(answer)
    none = Inapplicable.together(reasons, "no construction was given")
    return min(standing, key=least.key, default=none)


def with_search(
    constructions: Sequence[AbstractConstruction],
    search: SearchPlan | None,
    lower: Lower | Inapplicable,
    shallower: Upper | None = None,
) -> Sequence[AbstractConstruction]:
    """The constructions, and a search for networks narrower than theirs.

    Args:
        lower: nothing narrower than it proves is tried.
        shallower: a network of fewer layers, to begin with.
    """
    if search is None or search.is_off:
        return constructions
    proven = max(1, lower.width) if isinstance(lower, Lower) else 1
    records = [c for c in constructions if isinstance(c, Recorded)]
    return (
        *constructions,
        LineSearch(search, proven, (*LineSearch.others, *records), shallower),
        BoxSearch(search, proven, (*BoxSearch.others, *records), shallower),
    )


def _proved(
    construction: AbstractConstruction, problem: Problem, depth: int
) -> Upper | Inapplicable:
    """What a construction claims; a network of another depth is refused."""
    claim = construction.prove(problem, depth)
    if isinstance(claim, Upper) and len(claim.widths) != depth - 1:
        return Inapplicable(
            "the construction gave a network of depth "
            f"{len(claim.widths) + 1}, which is not the depth asked for"
        )
    return claim


def _confirmed_or_careful(
    claim: Upper | Inapplicable,
    construction: AbstractConstruction,
    problem: Problem,
    depth: int,
    seconds: float,
) -> Upper | Inapplicable:
    """The claim as examined; if refused, what the construction's careful form gives.

    A claim that has a careful form is given a part of the time; where that was not
    enough and the careful form is not confirmed either, all of it.
    """
    if isinstance(claim, Inapplicable):
        return claim
    careful = construction.more_careful()
    if careful is None:
        return examined(claim, problem, seconds)
    part = construction.patience * seconds
    started = time.monotonic()
    answer = examined(claim, problem, part)
    ran_out = time.monotonic() - started >= part
    if isinstance(answer, Upper) and (answer.checked or not ran_out):
        return answer
    if isinstance(answer, Undecided) and answer.far_off:
        return answer  # smaller shares do not help the examiner
    second = _proved(careful, problem, depth)
    better = _confirmed_or_careful(second, careful, problem, depth, seconds)
    if isinstance(better, Upper) and better.checked:
        return better
    if ran_out and part < seconds:
        answer = examined(claim, problem, seconds)
    return answer if isinstance(answer, Upper | Undecided) else better


def examined(
    claim: Upper,
    problem: Problem,
    seconds: float = SECONDS,
) -> Upper | Inapplicable:
    """The claim with what the examiner found, or why it cannot stand."""
    if claim.predicted_weights > claim.most_weights:
        note = f"too large to be built: {_size(claim.units)} units"
        if claim.most_weights:
            note += f", {_size(claim.predicted_weights)} weights"
        return _too_large(claim, problem) or _unchecked(claim, note)
    if isinstance(problem.target, Sawtooth) and claim.width > MAX_SAWTOOTH_WIDTH:
        note = (
            f"not examined: a network of width {claim.width} is too wide to be examined"
        )
        return _too_large(claim, problem) or _unchecked(claim, note)
    network = claim.network
    if tuple(network.widths) != tuple(claim.widths):
        return Inapplicable(
            "the network that was built does not have the claimed "
            f"widths, but {network.widths}"
        )
    most = size(network).largest_weight
    claim = replace(claim, largest_weight=most, make=lambda: network)
    too_large = _too_large(claim, problem)
    if too_large is not None:
        return too_large
    if problem.law.setting == "line":  # sizes bound the work, whatever the machine
        seconds = max(seconds, LINE_SECONDS)
    found = examine(claim.network, problem, seconds=seconds)
    if isinstance(found, Inapplicable):
        return _unchecked(claim, f"not examined: {found.reason}")
    if not found.error.is_at_most(problem.accuracy):
        return _refused(claim, found.error, problem)
    return _confirmed(claim, found, problem)


@dataclass(frozen=True)
class Undecided(Inapplicable):
    """A theorem whose network is neither confirmed nor refuted.

    Attributes:
        theorem: its claim, as such.
        far_off: whether the examiner's bound is rough beyond repair.
    """

    theorem: Upper = field(kw_only=True)
    far_off: bool = field(kw_only=True)


def _refused(claim: Upper, error: Enclosure, problem: Problem) -> Inapplicable:
    """Why an error is not at most the accuracy, as far as is known."""
    said = error.against(problem.accuracy, problem.norm)
    if claim.rigour is Rigour.SAMPLED or error.is_above(problem.accuracy):
        return Inapplicable(said)
    note = (
        "not confirmed: the error could only be proved to be at most "
        f"{plain(decimal(error.upper, 2, upward=True))}"
    )
    theorem = replace(claim, most_weights=0, note=note)
    far_off = error.upper > ROUGH * problem.accuracy
    return Undecided(said, theorem=theorem, far_off=far_off)


def _too_large(claim: Upper, problem: Problem) -> Inapplicable | None:
    """Why a claim does not keep to the problem's bound of the weights, if so."""
    bound, largest = problem.weight_bound, claim.largest_weight
    if bound is None:
        return None
    if largest is None:
        return Inapplicable(
            "the network is not built, so its weights and biases are "
            "not known to stay within the bound"
        )
    if largest <= bound:
        return None
    return Inapplicable(
        "the largest weight or bias of the network is "
        f"{plain(decimal(largest, 4, upward=True))} in absolute value, "
        f"above the bound {plain(decimal(bound, 4))}"
    )


def _confirmed(claim: Upper, found: Examination, problem: Problem) -> Upper:
    return replace(
        claim,
        error=found.error.proved_bound(problem.accuracy),
        rigour=found.error.rigour,
        checked=True,
        pieces=found.pieces,
        make=lambda: claim.network,
    )


def _unchecked(claim: Upper, note: str) -> Upper | Inapplicable:
    if claim.rigour is Rigour.SAMPLED:
        return Inapplicable(f"{note}; without an examination the claim is not proved")
    return replace(claim, note=note)


@dataclass(frozen=True)
class Lowers:
    """What the lower bounds answer at one depth.

    Attributes:
        best: the largest proven width (then the most units) of any class of networks.
        with_skips: the largest that also binds networks with skip connections.
    """

    best: Lower | Inapplicable
    with_skips: Lower | Inapplicable


def best_lower(
    problem: Problem,
    depth: int,
    lower_bounds: Sequence[AbstractLowerBound] = LOWER_BOUNDS,
    asked: Asked | None = None,
) -> Lower | Inapplicable:
    """The largest proven width at this depth (then the most units)."""
    return best_lowers(problem, depth, lower_bounds, asked).best


def best_lowers(
    problem: Problem,
    depth: int,
    lower_bounds: Sequence[AbstractLowerBound] = LOWER_BOUNDS,
    asked: Asked | None = None,
) -> Lowers:
    """The largest proven widths at this depth, of all networks and with skips."""
    answers: list[Lower | Inapplicable] = []
    for bound in lower_bounds:
        answer = bound.prove(problem, depth)
        if isinstance(answer, Lower):
            answer = answer.of(problem.networks)
        if asked is not None:
            asked.append((bound.statement.id, _brief(answer)))
        if isinstance(answer, Inapplicable):
            answer = answer.said_by(bound.statement.id)
        answers.append(answer)
    found = [a for a in answers if isinstance(a, Lower)]
    reasons = [a for a in answers if isinstance(a, Inapplicable)]
    none = Inapplicable.together(reasons, "no lower bound was given")
    with_skips = [lower for lower in found if lower.networks.skips]
    return Lowers(_largest(found) or none, _largest(with_skips) or none)


def _largest(found: Sequence[Lower]) -> Lower | None:
    # max keeps the first of equals: the catalogue lists the stronger classes first
    return max(found, key=lambda b: (b.width, b.units), default=None)


def _brief(answer: Upper | Lower | Inapplicable) -> str:
    if isinstance(answer, Inapplicable):
        return f"does not apply: {answer.reason}"
    return f"width {_size(answer.width)}, units {_size(answer.units)}, {answer.rigour}"


def _size(n: int) -> str:
    return str(n) if n < 10**18 else f"2^{log2(n):.1f}"
