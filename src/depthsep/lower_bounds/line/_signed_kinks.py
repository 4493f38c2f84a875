"""Signed kinks: a unit of the last layer bends upwards everywhere, or downwards."""

from dataclasses import dataclass
from typing import ClassVar

from depthsep._errors import HypothesisError
from depthsep.approximation import convex_runs, runs_in_mean
from depthsep.claims import AbstractLowerBound, Lower
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.laws import Segment
from depthsep.lower_bounds._once import once_for_all_networks
from depthsep.lower_bounds._pieces import RELU_SETTING
from depthsep.lower_bounds.line._best_pieces import MOST_PIECES, pieces_on
from depthsep.lower_bounds.line._curvature import curvature_pieces
from depthsep.lower_bounds.line._mean_pieces import ON_AN_INTERVAL, mean_pieces
from depthsep.lower_bounds.line._signed_needs import (
    Needs,
    PiecesOfRuns,
    signed_units,
    signed_width,
)
from depthsep.problems import Problem


@once_for_all_networks
def needs_of(problem: Problem) -> Needs | Inapplicable:
    """What the runs of convexity of the target need."""
    if problem.norm == "linf":
        return _pieces_of_runs(problem)
    pieces = mean_pieces(problem)
    if isinstance(pieces, Inapplicable):
        return pieces
    runs = runs_in_mean(pieces)
    return runs if runs.are_mixed else _NO_INFLECTION


_NO_INFLECTION = Inapplicable(
    "no inflection point of the target was found", off_topic=True
)


def _pieces_of_runs(problem: Problem) -> PiecesOfRuns | Inapplicable:
    """In linf. Pieces may jump; they are counted for an interpolant."""
    if curvature_pieces(problem) > MOST_PIECES:
        return Inapplicable(
            f"more than {MOST_PIECES} pieces are needed, too many to count one by one"
        )
    target = problem.line_target
    runs = convex_runs(target, problem.interval)
    if len({run.sign for run in runs}) < 2:
        return _NO_INFLECTION
    needs: list[tuple[int, int]] = []
    for run in runs:
        on = Segment(run.start, run.stop)
        pieces = pieces_on(problem, on, continuous=False)
        if isinstance(pieces, Inapplicable):
            return pieces
        needs.append((run.sign, pieces))
    return PiecesOfRuns(tuple(needs))


def _evaluate(convex: tuple[int, ...], concave: tuple[int, ...], layers: int) -> Value:
    if min(*convex, *concave, 1) < 1:
        raise HypothesisError(
            "every number in `convex` and `concave` must be 1 or more"
        )
    needs = [*((1, n) for n in convex), *((-1, n) for n in concave)]
    width = signed_width(PiecesOfRuns(tuple(needs)), layers)
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class SignedKinks(AbstractLowerBound):
    """Runs of convexity need units of both signs in the last hidden layer."""

    statement: ClassVar[Statement] = Statement(
        "signed-kinks",
        "Width needed for a function that is convex on some intervals "
        "and concave on others",
        (
            RELU_SETTING,
            "m^+ units of the last hidden layer bend upwards, and m^- bend downwards",
            (
                "there is one input, and f is convex (sign s(J) = +) or concave (s(J) "
                "= -) on each of several disjoint intervals J"
            ),
            (
                "in linf, N_J is the least number of affine pieces, jumps allowed, "
                "that are within the accuracy of f on J; in l1 and l2, the numbers N_J "
                "are not fixed: the bound is its least value over all N_J for which "
                "the least errors with N_J pieces on each J (in l2, their squares) add "
                "up to at most the accuracy (in l2, its square)"
            ),
        ),
        Source("depthsep", "Theorem S"),
        (
            Parameter(
                "convex",
                "integers",
                "the numbers N_J of the intervals J where f is convex",
            ),
            Parameter(
                "concave",
                "integers",
                "the numbers N_J of the intervals J where f is concave",
            ),
            LAYERS,
        ),
        _evaluate,
        sample="convex=20,20 concave=20,20 layers=2",
        tex=(
            r"\text{the least width for which some } m^+ + m^- = m_L "
            r"\text{ satisfies } \sum_J "
            r"\left( \left\lceil \frac{N_J}{m^{s(J)} + 1} \right\rceil - 1 \right) "
            r"\le \prod_{i < L} (m_i + 1) - 1"
        ),
        proof=proved("signed-kinks"),
    )

    scope = ON_AN_INTERVAL

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.exact_form is not None:
            return Inapplicable(
                "an exact bound is used for this target", off_topic=True
            )
        needs, layers = needs_of(problem), depth - 1
        if isinstance(needs, Inapplicable):
            return needs
        return Lower(
            width=signed_width(needs, layers),
            units=signed_units(needs, layers),
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:sin(20*x)", accuracy="1e-3"),
            Problem("expr:erf(3*x)*sin(10*x)", Segment(-1, 1), accuracy="1e-2"),
            Problem("expr:sin(20*x)", norm="l1", accuracy="1e-2"),
        ]
