"""Theorem P in tables: it holds against searches, and at every depth."""

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.approximation import pieces_in_mean, runs_in_mean
from depthsep.approximation.mean._piece_band import UNITS
from depthsep.claims import Lower, SearchPlan, Upper
from depthsep.constructions import LineSearch
from depthsep.evidence import Inapplicable
from depthsep.laws import Segment
from depthsep.lower_bounds import Curvature, MeanPieces
from depthsep.lower_bounds.line._signed_kinks import SignedKinks
from depthsep.problems import Problem
from depthsep.separation import best_lower, best_upper, bound
from support.slow import mostly_slow

CASES = [
    ("exp(x)", "3e-2", 3, "l1"),
    ("sin(8*x)", "3e-2", 4, "l1"),
    ("sqrt(x)", "3e-2", 5, "l1"),
    ("tanh(9*x-4)", "3e-2", 3, "l2"),
    ("abs(x-1/3)**1.5", "3e-3", 5, "l2"),
]
KNOWN = [
    ("exp(x)", (0, 1), "1e-3", "l1"),
    ("sin(20*x)", (0, 1), "1e-2", "l2"),
    ("1/(1+25*x**2)", (-1, 1), "1e-3", "l1"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("target", "accuracy", "depth", "norm"), CASES)
def test_no_search_falls_below_it(target, accuracy, depth, norm) -> None:
    problem = Problem(f"expr:{target}", norm=norm, accuracy=accuracy)
    lower = best_lower(problem, depth)
    assert isinstance(lower, Lower)
    assert best_upper(problem, depth).width >= lower.width
    if lower.width > 1:
        search = LineSearch(SearchPlan(rounds=1), narrowest=lower.width - 1)
        found = search.prove(problem, depth)
        assert not isinstance(found, Upper) or found.width >= lower.width


@pytest.mark.parametrize(
    ("formula", "on", "accuracy", "norm"), mostly_slow(KNOWN[:1], KNOWN)
)
def test_it_is_sharper_than_curvature(formula, on, accuracy, norm) -> None:
    problem = Problem(f"expr:{formula}", Segment(*on), norm, accuracy)
    proved = MeanPieces().prove(problem, 2)
    rough = Curvature().prove(problem, 2)
    assert isinstance(proved, Lower)
    assert isinstance(rough, Inapplicable) or rough.width <= proved.width
    upper = best_upper(problem, 2)
    assert proved.width <= upper.width <= 1.3 * proved.width


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_singular_end_anywhere_is_evaluated_with_more_digits(norm: str) -> None:
    """(x + 1) / 3 is a ball about 0 at -1, whose power is wide."""
    moved = Problem("expr:((x+1)/3)**0.3", Segment(-1, 2), norm, "1e-3")
    plain = Problem("expr:x**0.3", Segment(0, 1), norm, "1e-3")
    found = [MeanPieces().prove(problem, 2) for problem in (moved, plain)]
    assert found[0].width == found[1].width >= 4


@pytest.mark.slow
def test_kinks_of_both_signs_ask_for_more_in_the_mean() -> None:
    problem = Problem("expr:sin(20*x)", norm="l1", accuracy="1e-3")
    pieces, signed = (t.prove(problem, 3) for t in (MeanPieces(), SignedKinks()))
    assert pieces.width == 8 and signed.width == 9
    convex = Problem("expr:exp(x)", norm="l1", accuracy="1e-3")
    assert isinstance(SignedKinks().prove(convex, 3), Inapplicable)


def test_runs_are_priced_one_by_one() -> None:
    """Over all runs together paths cost as much as over the whole, but for knots."""
    target = Problem("expr:sin(20*x)").line_target
    problem = Problem("expr:sin(20*x)", norm="l2", accuracy="1e-2")
    pieces = pieces_in_mean(target, Segment(0, 1), problem.accuracy, "l2")
    runs = runs_in_mean(pieces)
    assert runs.counts == (3, 4) and runs.are_mixed
    total = runs.totals.sum(axis=0)
    assert (np.diff(runs.totals, axis=1) >= 0).all()
    slopes = np.diff(total) / np.diff(runs.prices)
    assert (np.diff(slopes) <= 1e-6 * slopes[0]).all()  # concave
    # with the pieces that are needed at these prices the error is what is allowed
    k = int(np.searchsorted(runs.prices, pieces.price))
    assert total[k] - runs.prices[k] * pieces.fewest > UNITS / 2
    assert runs.allow(pieces.fewest, pieces.fewest, 1)
    assert not runs.allow(1, 1, 2)


def test_the_statement_is_evaluated_for_a_formula() -> None:
    found = bound("pieces-in-mean", formula="log(x)", on="1/100,1", norm="l1",
                  accuracy="1e-3")  # fmt: skip
    assert found.value == 20
    for wrong in ({"on": "0,1,2"}, {"norm": "linf"}, {"formula": "log(x-1)"}):
        given = {"formula": "exp(x)", "accuracy": "1e-3", **wrong}
        with pytest.raises(HypothesisError):
            bound("pieces-in-mean", **given)
