"""Proofs of upper bounds: the parts of an interval on which an error is plain to see.

The cuts are where some unit changes its sign, so that the network is affine on every
part, and further ones until Taylor's quadratic at the middle of each part is near
enough to f.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from flint import arb, ctx, fmpq

from depthsep._errors import TooLargeError
from depthsep._progress import followed
from depthsep.analysis import Examination, examine, sign_changes
from depthsep.evidence import Inapplicable
from depthsep.exact import decimal, text
from depthsep.networks import RELU, Network, network_to_json
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, Sawtooth, interval_ball
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._proof import Entry, Proof
from depthsep.witnesses._ridges import ridges_of

PRECISION = 160
MOST_PARTS = 200_000
DEEPEST = 60  # halvings of a part
DIGITS = 6  # of the claimed error
SHARE = 2  # of the slack: what is left to what f is enclosed by
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
    if not isinstance(problem.target, AbstractLineTarget) and not _is_product(problem):
        return Inapplicable("proofs of networks are for intervals, and x1*x2 in linf")
    if any(a is not RELU for a in network.activations):
        return Inapplicable("proofs are written for networks of ReLUs")
    found = examine(network, problem)
    if isinstance(found, Inapplicable):
        return found
    if not found.error.is_at_most(problem.accuracy):
        return Inapplicable(f"the error is {found.error}, above the accuracy")
    entry = network_to_json(network)
    reason = ""
    for level in range(ROUNDS):
        try:
            evidence = _evidence(network, problem, found, level)
        except TooLargeError as refusal:
            return Inapplicable(str(refusal))
        error = _error(problem, entry, evidence)
        if isinstance(error, str):
            reason = error
            continue
        claim = {
            "depth": network.depth,
            "widths": list(network.widths),
            "error": text(error),
        }
        return Proof("upper", "parts", problem, claim, evidence, reference or entry)
    return Inapplicable(f"the evidence is not accepted: {reason}")


def _error(problem: Problem, network: Entry, evidence: Entry) -> fmpq | str:
    """What the evidence proves, rounded up to few digits; or what is wrong with it."""
    checker: Any = checker_module()  # it has no types
    try:
        read = checker.network_of(network, Path())
        found = checker.check_upper(checker.Problem(problem.to_json()), read, evidence)
    except (checker.Refused, checker.Unreadable) as refusal:
        return str(refusal)
    exact = fmpq(found.numerator, found.denominator)
    if exact > problem.accuracy:
        return "the bound of the error is above the accuracy"
    short = decimal(exact, DIGITS, upward=True)
    return min(fmpq(*map(int, short.as_integer_ratio())), problem.accuracy)


def _is_product(problem: Problem) -> bool:
    return problem.norm == "linf" and problem.target.text == "product"


def _evidence(
    network: Network, problem: Problem, found: Examination, level: int
) -> Entry:
    slack = max(problem.accuracy - found.error.upper, fmpq(0))
    if not isinstance(problem.target, AbstractLineTarget):
        return _ridges(network, problem, level)
    return _line(network, problem, slack, level)


def _ridges(network: Network, problem: Problem, level: int) -> Entry:
    """Parts of each ridge; x^2 has a constant second derivative, so nothing is left."""
    found = ridges_of(network, problem.law.box)
    if isinstance(found, Inapplicable):
        raise TooLargeError(str(found))
    ridges = [
        {
            "direction": [text(c) for c in form],
            "coefficient": text(size),
            **_line(part, one, fmpq(0), level),
        }
        for form, size, part, one in found
    ]
    return {"ridges": ridges}


def _line(network: Network, problem: Problem, slack: fmpq, level: int) -> Entry:
    """Cuts of an interval."""
    on = problem.interval
    cuts, values = zip(*sign_changes(network, on.start, on.stop), strict=True)
    target = problem.line_target
    if isinstance(target, Sawtooth):
        return _entry(_with_folds(cuts, target))
    parts = _Parts(target, slack, level)
    places = [cuts[0]]
    steps = list(zip(pairwise(cuts), pairwise(values), strict=True))
    with ctx.workprec(PRECISION):
        for (a, b), (v, w) in followed(steps, len(steps), "parts of the network"):
            for stop in parts.of(a, b, v, (w - v) / (b - a)):
                places.append(stop)
                if len(places) > MOST_PARTS:
                    raise TooLargeError(
                        f"the proof would need more than {MOST_PARTS} parts; the error "
                        "is too near the accuracy"
                    )
    return _entry(places)


def _entry(cuts: Sequence[fmpq]) -> Entry:
    return {"cuts": [text(c) for c in cuts]}


def _with_folds(cuts: Sequence[fmpq], target: Sawtooth) -> list[fmpq]:
    """With the sawtooth's own kinks."""
    pieces = 1 << target.folds
    if pieces > MOST_PARTS:
        raise TooLargeError(f"the sawtooth has {pieces} pieces, too many to list")
    return sorted({*cuts, *(fmpq(k, pieces) for k in range(pieces + 1))})


@dataclass(frozen=True)
class _Parts:
    """How a piece of a network is cut further."""

    target: AbstractLineTarget
    slack: fmpq
    level: int

    def of(self, a: fmpq, b: fmpq, value: fmpq, slope: fmpq) -> Iterator[fmpq]:
        """Ends of parts on which Taylor's quadratic is near enough.

        Args:
            value, slope: of the network at a, and on the piece.
        """
        waiting = [(a, b, 0)]
        while waiting:
            s, t, deep = waiting.pop()
            if deep == DEEPEST or self._is_near(s, t, value + slope * (s - a), slope):
                yield t
            else:
                middle = (s + t) / 2
                waiting += [(middle, t, deep + 1), (s, middle, deep + 1)]

    def _is_near(self, s: fmpq, t: fmpq, value: fmpq, slope: fmpq) -> bool:
        """Whether what is left is a share of the slack at most."""
        half, jet = arb(t - s) / 2, self.target.jet(interval_ball(s, t))
        if jet.second.is_finite():
            off = jet.second.rad() * half**2
        else:
            line = interval_ball(*sorted((value, value + slope * (t - s))))
            off = abs(jet.value - line).upper()
        return bool(off * SHARE * 4**self.level <= arb(self.slack))
