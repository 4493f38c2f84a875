"""Proofs of upper bounds: the parts of an interval on which an error is plain to see.

The cuts are where some unit changes its sign, so that the network is affine on every
part, and further ones until Taylor's quadratic at the middle of each part is near
enough to f.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from flint import ctx, fmpq

from depthsep._errors import TooLargeError
from depthsep._progress import followed
from depthsep.analysis import Examination, examine, sign_changes
from depthsep.evidence import Inapplicable
from depthsep.exact import decimal, rational, text
from depthsep.networks import RELU, Network, network_to_json
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, Sawtooth
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._cuts import MOST_PARTS, PRECISION, Parts, require_few
from depthsep.witnesses._numbers import fmpq_of
from depthsep.witnesses._proof import Entry, Proof
from depthsep.witnesses._question import question_of
from depthsep.witnesses.upper._ridges import is_by_ridges, ridge_evidence

DIGITS = 6  # of the claimed error
ROUNDS = 3


def prove_upper(
    network: Network, problem: Problem, reference: Entry | None = None
) -> Proof | Inapplicable:
    """Why this network is within the accuracy, for others to check.

    Args:
        reference: to a file with the same network beside the proof; else the proof
            holds the weights.

    Returns:
        The proof, or why there is none in a form that the checker knows.
    """
    asked = _question(network, problem)
    if isinstance(asked, Inapplicable):
        return asked
    found = examine(network, asked)
    if isinstance(found, Inapplicable):
        return found
    if not found.error.is_at_most(asked.accuracy):
        return Inapplicable(found.error.against(asked.accuracy, asked.norm))
    entry = network_to_json(network)
    accepted = _accepted(network, asked, found, entry)
    if isinstance(accepted, Inapplicable):
        return accepted
    evidence, error = accepted
    claim = {
        "depth": network.depth,
        "widths": list(network.widths),
        "error": text(error),
    }
    return Proof("upper", "parts", asked, claim, evidence, reference or entry)


def _question(network: Network, problem: Problem) -> Problem | Inapplicable:
    if not isinstance(problem.target, AbstractLineTarget) and not is_by_ridges(problem):
        return Inapplicable(
            "proofs that a network meets the accuracy are written only for targets on "
            "an interval, x1*x2, inner: targets and radial: targets"
        )
    if any(a is not RELU for a in network.activations):
        return Inapplicable(
            "proofs that a network meets the accuracy are written only for "
            "ReLU networks"
        )
    return question_of(problem)


def _accepted(
    network: Network, problem: Problem, found: Examination, entry: Entry
) -> tuple[Entry, fmpq] | Inapplicable:
    """Evidence with what it proves: finer and finer until the checker is content."""
    checker, reason = checker_module(), ""
    for level in range(ROUNDS):
        try:
            evidence = _evidence(network, problem, found, level)
        except TooLargeError as refusal:
            return Inapplicable(str(refusal))
        except (checker.Refused, checker.Unreadable) as refusal:
            return Inapplicable(f"the checker refused the proof: {refusal}")
        error = _error(problem, entry, evidence)
        if not isinstance(error, str):
            return evidence, error
        reason = error
    return Inapplicable(f"the proof was not accepted: {reason}")


def _error(problem: Problem, network: Entry, evidence: Entry) -> fmpq | str:
    """What the evidence proves, rounded up to few digits; or what is wrong with it."""
    checker = checker_module()
    try:
        read = checker.network_of(network, Path())
        found = checker.check_upper(checker.Problem(problem.to_json()), read, evidence)
    except (checker.Refused, checker.Unreadable) as refusal:
        return str(refusal)
    exact = fmpq_of(found)
    if exact > problem.accuracy:
        return "the proved bound on the error is above the accuracy"
    short = decimal(exact, DIGITS, upward=True)
    return min(rational(short), problem.accuracy)


def _evidence(
    network: Network, problem: Problem, found: Examination, level: int
) -> Entry:
    slack = max(problem.accuracy - found.error.upper, fmpq(0))
    if is_by_ridges(problem):
        return ridge_evidence(network, problem, slack, level)
    return _line(network, problem, slack, level)


def _line(network: Network, problem: Problem, slack: fmpq, level: int) -> Entry:
    """Cuts of an interval."""
    on = problem.interval
    cuts, values = zip(*sign_changes(network, on.start, on.stop), strict=True)
    target = problem.line_target
    if isinstance(target, Sawtooth):
        return _entry(_with_folds(cuts, target))
    parts = Parts(target, slack, level)
    places = [cuts[0]]
    steps = list(zip(pairwise(cuts), pairwise(values), strict=True))
    with ctx.workprec(PRECISION):
        for (a, b), (v, w) in followed(steps, len(steps), "parts of the network"):
            for stop in parts.of(a, b, v, (w - v) / (b - a)):
                places.append(stop)
                require_few(len(places))
    return _entry(places)


def _entry(cuts: Sequence[fmpq]) -> Entry:
    return {"cuts": [text(c) for c in cuts]}


def _with_folds(cuts: Sequence[fmpq], target: Sawtooth) -> list[fmpq]:
    """With the sawtooth's own kinks."""
    pieces = 1 << target.folds
    if pieces > MOST_PARTS:
        raise TooLargeError(f"the sawtooth has {pieces} pieces, too many to list")
    return sorted({*cuts, *(fmpq(k, pieces) for k in range(pieces + 1))})
