"""Proofs of lower bounds: one kind of witness for each setting."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.evidence import Inapplicable
from depthsep.exact import text
from depthsep.laws import Uniform
from depthsep.lower_bounds import (
    best_line,
    l1_pieces,
    l2_pieces,
    pieces_for_quadratic,
)
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget, AbstractLineTarget, Sawtooth, Square
from depthsep.witnesses._bends import Bends, least_width
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._mean import potentials
from depthsep.witnesses._points import three_points
from depthsep.witnesses._proof import Entry, Proof

HALF = fmpq(1, 2)
NOTHING = Inapplicable("one affine piece may be within the accuracy")
Witness = tuple[str, Bends, Entry]
Proposal = tuple[str, Entry]
DEEPEST = 1000


def prove_lower(
    problem: Problem, depth: int, *, skips: bool = True
) -> Proof | Inapplicable:
    """Why no ReLU network of this depth is narrower, for others to check.

    Args:
        depth: affine layers, 2 or more.
        skips: whether networks with skip connections are included.

    Returns:
        The proof, or why there is none in a form that the checker knows.
    """
    if not 2 <= depth <= DEEPEST:
        raise HypothesisError(
            f"depth is {depth}; give 2 to {DEEPEST}", parameter="depth"
        )
    found = _witness(problem)
    if isinstance(found, Inapplicable):
        return found
    kind, bends, evidence = found
    width = least_width(bends, depth - 1, skips=skips)
    claim = {"depth": depth, "width": width, "skips": skips}
    return Proof("lower", kind, problem, claim, evidence)


@lru_cache(maxsize=64)
def _witness(problem: Problem) -> Witness | Inapplicable:
    """Evidence that the checker accepts, with the bends that it finds there."""
    found = _proposed(problem)
    if isinstance(found, Inapplicable):
        return found
    checker: Any = checker_module()  # it has no types
    kind, evidence = found
    try:
        read = checker.Problem(problem.to_json())
        return kind, checker.BENDS[kind](read, evidence), evidence
    except (checker.Refused, checker.Unreadable) as refusal:
        return Inapplicable(f"the checker says: {refusal}")


def _proposed(problem: Problem) -> Proposal | Inapplicable:
    target = problem.target
    try:
        if isinstance(target, Sawtooth):
            return _sawtooth(problem, target)
        if isinstance(target, AbstractBoxTarget):
            return _on_a_segment(problem, target)
        if not isinstance(target, AbstractLineTarget):
            return Inapplicable("proofs are written for intervals and boxes only")
        if isinstance(target, Square):
            return _square(problem)
        if problem.norm == "linf":
            return _points(problem, problem.interval, {})
        return _mean(problem)
    except (TooLargeError, HypothesisError) as refusal:
        return Inapplicable(str(refusal))


def _square(problem: Problem) -> Proposal | Inapplicable:
    bend = problem.interval.length**2
    pieces = pieces_for_quadratic(bend, problem.accuracy, problem.norm)
    return _counted("square", pieces)


def _sawtooth(problem: Problem, target: Sawtooth) -> Proposal | Inapplicable:
    counts: dict[str, Callable[[int, fmpq], int]] = {
        "l1": l1_pieces,
        "l2": l2_pieces,
        "linf": lambda folds, accuracy: 1 << folds if accuracy < HALF else 1,
    }
    pieces = counts[problem.norm](target.folds, problem.accuracy)
    return _counted("sawtooth", pieces)


def _counted(kind: str, pieces: int) -> Proposal | Inapplicable:
    if pieces < 2:
        return NOTHING
    return kind, {"pieces": pieces}


def _mean(problem: Problem) -> Proposal | Inapplicable:
    found = potentials(problem)
    if found.pieces < 2:
        return NOTHING
    evidence = {
        "knots": found.knots,
        "bits": found.bits,
        "potentials": found.potentials,
        "price": found.price,
    }
    return "mean", evidence


def _on_a_segment(
    problem: Problem, target: AbstractBoxTarget
) -> Proposal | Inapplicable:
    if problem.norm != "linf":
        return Inapplicable("on boxes, proofs are written in linf only")
    line = best_line(target, problem.law.box)
    restricted = target.on_line(line.start, line.stop)
    one = Problem(restricted, Uniform(0, 1), accuracy=problem.accuracy)
    ends = [[text(c) for c in end] for end in (line.start, line.stop)]
    return _points(one, one.interval, {"segment": ends})


def _points(problem: Problem, on: Uniform, more: Entry) -> Proposal | Inapplicable:
    triples = three_points(problem, on)
    if not triples:
        return NOTHING
    points = [[text(t) for t in triple] for triple in triples]
    return "points", {**more, "points": points}
