"""Proofs of lower bounds: one kind of witness for each setting."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.evidence import Inapplicable
from depthsep.exact import text
from depthsep.laws import Segment
from depthsep.lower_bounds import (
    CellCount,
    best_line,
    l1_pieces,
    l2_pieces,
    pieces_for_quadratic,
)
from depthsep.problems import RELU_UNITS, Problem
from depthsep.targets import (
    AbstractBoxTarget,
    AbstractLineTarget,
    AbstractTarget,
    Expression,
    InnerProduct,
    Radial,
    Sawtooth,
    Square,
)
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._proof import Entry, Proof
from depthsep.witnesses._question import question_of
from depthsep.witnesses._squares import as_function_of_square
from depthsep.witnesses.lower._alternations import alternations
from depthsep.witnesses.lower._bends import (
    Bends,
    Countable,
    Needed,
    Packings,
    least_width,
)
from depthsep.witnesses.lower._blind import blind_directions
from depthsep.witnesses.lower._cells import cells_in_box
from depthsep.witnesses.lower._lines import lines_in_box, signed_lines_in_box
from depthsep.witnesses.lower._mean import potentials
from depthsep.witnesses.lower._points import three_points
from depthsep.witnesses.lower._ranks import ridge_ranks
from depthsep.witnesses.lower._segments import packings_in_box, segments_in_box

HALF = fmpq(1, 2)
NOTHING = Inapplicable("a single affine function may meet the accuracy")
ONE_LAYER = Inapplicable("the bound by ranks of matrices is only for one hidden layer")
Proposal = tuple[str, Entry]
DEEPEST = 1000


def prove_lower(
    problem: Problem, depth: int, *, skips: bool = True
) -> Proof | Inapplicable:
    """Why no network of this depth is narrower, for others to check.

    Of ReLU networks, or of units with up to t affine pieces, by Theorem U. A bound on
    weights is left out: the proof is about networks of any weights.

    Args:
        depth: affine layers, 2 or more.
        skips: whether networks with skip connections are included; of other units than
            ReLUs they always are.

    Returns:
        The proof, or why there is none in a form that the checker knows.
    """
    if not 2 <= depth <= DEEPEST:
        raise HypothesisError(
            f"the depth is {depth}; give 2 to {DEEPEST}", parameter="depth"
        )
    asked = question_of(problem)
    if isinstance(asked, Inapplicable):
        return asked
    units = problem.networks.units
    kinks, by_relus = units.kinks, units.continuous and units.reads_one
    if kinks is None or not by_relus or units.degree > 1:
        return Inapplicable(f"proofs are not supported for networks of {units.words}")
    plain = units == RELU_UNITS
    skips = skips or not plain
    ways = _ways(asked, depth - 1, skips=skips)
    if not ways:
        return Inapplicable("proofs are not supported for this kind of target")
    answers = [_witness(asked, way) for way in ways]
    found = {
        w: -(-least_width(w.bends, depth - 1, skips=skips) // kinks)
        for w in answers
        if isinstance(w, Witness)
    }
    width = max(found.values(), default=0)
    if width == 0:
        reasons = [
            w
            if isinstance(w, Inapplicable)
            else (ONE_LAYER if w.kind == "ranks" and depth > 2 else NOTHING)
            for w in answers
        ]
        return Inapplicable.together(reasons, NOTHING.reason)
    best = max(found, key=found.__getitem__)
    claim = {"depth": depth, "width": width, "skips": skips}
    claim |= {} if plain else {"unit_pieces": units.pieces}
    return Proof("lower", best.kind, asked, claim, best.evidence)


@dataclass(frozen=True, eq=False)
class Witness:
    """Evidence that the checker accepts, with what it finds there."""

    kind: str
    evidence: Entry
    bends: Bends | Countable


@dataclass(frozen=True)
class Way:
    """How evidence is found; some ask for how many hidden layers."""

    propose: Callable[..., Proposal | Inapplicable]
    layers: tuple[int, ...] = ()


@lru_cache(maxsize=256)
def _witness(problem: Problem, way: Way) -> Witness | Inapplicable:
    """What the checker finds in the evidence."""
    checker = checker_module()
    try:
        asked = checker.Problem(problem.to_json())
        found = way.propose(problem, *way.layers)
        if isinstance(found, Inapplicable):
            return found
        kind, evidence = found
        bends = checker.BENDS[kind](asked, evidence)
    except (TooLargeError, HypothesisError) as refusal:
        return Inapplicable(str(refusal))
    except (checker.Refused, checker.Unreadable) as refusal:
        return Inapplicable(f"the checker refused the proof: {refusal}")
    return Witness(kind, evidence, _counted_by(checker, bends))


def _counted_by(checker: ModuleType, bends: Any) -> Bends | Countable:
    for kind, what in (("Units", "units"), ("Arcs", "arcs"), ("Inputs", "inputs")):
        if isinstance(bends, getattr(checker, kind)):
            return Needed(int(bends), what)
    if isinstance(bends, checker.Cells):
        return CellCount(int(bends), *bends.tiles)
    return Packings(bends) if isinstance(bends, checker.Packings) else bends


def _ways(problem: Problem, layers: int, *, skips: bool) -> list[Way]:
    """That serve this kind of problem, and so many hidden layers."""
    if isinstance(problem.target, AbstractBoxTarget):
        return _ways_in_a_box(layers, skips=skips)
    known = (ways for kind, ways in WAYS if isinstance(problem.target, kind))
    return [Way(propose) for propose in next(known, ())]


def _ways_in_a_box(layers: int, *, skips: bool) -> list[Way]:
    some = [Way(_in_a_box), Way(cells_in_box, (min(layers, 2),))]
    if not skips:  # a skip may see what the first layer is blind to
        some.append(Way(blind_directions))
    if layers > 1:
        return [*some, Way(packings_in_box, (layers,))]
    return [*some, Way(_by_signs_in_a_box)]


def _on_an_interval(problem: Problem) -> Proposal | Inapplicable:
    if problem.norm == "linf":
        return _points(problem, problem.interval, {})
    return _mean(problem)


def _square(problem: Problem) -> Proposal | Inapplicable:
    bend = problem.interval.length**2
    pieces = pieces_for_quadratic(bend, problem.accuracy, problem.norm)
    return _counted("square", pieces)


def _sawtooth(problem: Problem) -> Proposal | Inapplicable:
    target = problem.target_as(Sawtooth)
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


def _in_a_box(problem: Problem) -> Proposal | Inapplicable:
    target = problem.target_as(AbstractBoxTarget)
    if problem.norm != "linf":
        return lines_in_box(problem)
    line = best_line(target, problem.law.box)
    restricted = target.on_line(line.start, line.stop)
    one = Problem(restricted, Segment(0, 1), accuracy=problem.accuracy)
    ends = [[text(c) for c in end] for end in (line.start, line.stop)]
    return _points(one, one.interval, {"segment": ends})


def _by_signs_in_a_box(problem: Problem) -> Proposal | Inapplicable:
    if problem.norm == "linf":
        return segments_in_box(problem)
    return signed_lines_in_box(problem)


def _points(problem: Problem, on: Segment, more: Entry) -> Proposal | Inapplicable:
    triples = three_points(problem, on)
    if not triples:
        return NOTHING
    points = [[text(t) for t in triple] for triple in triples]
    return "points", {**more, "points": points}


def _through_0(problem: Problem) -> Proposal | Inapplicable:
    """A radial function on a diameter of the ball: p -> f(p^2) on [-1, 1]."""
    if problem.norm != "linf":
        return Inapplicable(
            "the bound by pieces on a diameter of the ball is only for linf errors"
        )
    text_of_p = as_function_of_square(problem).formula.replace("sqrt(x)", "abs(x)")
    one = Problem(Expression(text_of_p), Segment(-1, 1), accuracy=problem.accuracy)
    return _points(one, one.interval, {})


WAYS: tuple[
    tuple[
        type[AbstractTarget], tuple[Callable[[Problem], Proposal | Inapplicable], ...]
    ],
    ...,
] = (
    (Sawtooth, (_sawtooth,)),
    (Square, (_square,)),
    (AbstractLineTarget, (_on_an_interval,)),
    (InnerProduct, (ridge_ranks, alternations)),
    (Radial, (ridge_ranks, alternations, _through_0)),
)
