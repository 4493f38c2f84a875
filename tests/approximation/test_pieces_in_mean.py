"""Theorem P: oracles, a plain dynamic programme, and what one piece costs."""

from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import linprog

from depthsep import HypothesisError, TooLargeError
from depthsep.approximation import grading, pieces_in_mean
from depthsep.approximation.mean._grid_function import (
    STRETCH,
    GridFunction,
    grid_function,
)
from depthsep.approximation.mean._piece_costs import (
    PATTERNS,
    QUARTERS,
    AbsoluteCosts,
    SquareCosts,
)
from depthsep.approximation.mean._pieces_in_mean import _counted
from depthsep.exact import nearest_float, rational
from depthsep.laws import Segment
from depthsep.problems import Problem
from support.pieces import absolute_error, best_knots, midpoints, square_costs
from support.slow import in_turn, mostly_slow

FORMULAS = [
    ("sin(20*x)", 0, 1),
    ("exp(x)", -1, 2),
    ("sqrt(x)", 0, 1),
    ("1/(1+25*x**2)", -1, 1),
    ("log(x)", "1/100", 1),
    ("abs(x)**1.5", -1, 1),
    ("abs(x-1/3)+sqrt(x)", 0, 1),
    ("erf(3*x)*sin(10*x)", -1, 1),
    ("tanh(20*x)", -1, 1),
    ("(x+1/100)**0.1", 0, 1),
    ("max(x,sin(7*x))", -1, 1),
    ("1e6*cos(3*x)", 0, 3),
]

FEW = [(*formula, "l2", 5) for formula in FORMULAS[::2]]
# five, two or eleven in l1, and two or eleven in l2, in turns
MORE = [
    *((*formula, "l1", n) for formula, n in in_turn(zip(FORMULAS[2::4]), (2, 5, 11))),
    *((*formula, "l2", n) for formula, n in in_turn(zip(FORMULAS[1::2]), (11, 2))),
]


def counted(formula: str, start, stop, norm: str, accuracy) -> int:
    problem = Problem(f"expr:{formula}", Segment(start, stop), norm, accuracy)
    found = pieces_in_mean(
        problem.line_target, problem.interval, problem.accuracy, norm
    )
    return found.fewest


# best errors of N pieces with jumps for exp on [0, 1]
EXP = {
    ("l1", 2): ".0130663121405221",
    ("l1", 4): ".00326551050323868781",
    ("l1", 8): "8.16310661343740e-4",
    ("l2", 2): ".0156376167599055728",
    ("l2", 4): ".00390589371196825126",
    ("l2", 8): "9.76252970441319e-4",
}


@pytest.mark.parametrize(("norm", "pieces"), EXP)
def test_the_exponential_needs_what_it_is_known_to(norm: str, pieces: int) -> None:
    best = rational(EXP[norm, pieces])
    assert counted("exp(x)", 0, 1, norm, best * fmpq(10**6 + 1, 10**6)) == pieces
    assert counted("exp(x)", 0, 1, norm, best * fmpq(995, 1000)) == pieces + 1


@pytest.mark.parametrize(
    ("formula", "on", "norm", "width"),
    [
        pytest.param("sin(20*x)", (0, 1), "l2", 87, marks=pytest.mark.slow),
        pytest.param("1/(1+25*x**2)", (-1, 1), "l2", 21, marks=pytest.mark.slow),
        pytest.param("log(x)", ("1/100", 1), "l1", 20, marks=pytest.mark.slow),
        pytest.param("sqrt(x)", (0, 1), "l1", 5, marks=pytest.mark.slow),
        ("sqrt(x)", (0, 1), "l2", 7),
        ("abs(x)**1.5", (-1, 1), "l2", 13),
    ],
)
def test_the_gap_at_one_hidden_layer_closes(formula, on, norm, width) -> None:
    assert counted(formula, *on, norm, "1e-3") - 1 >= width


@pytest.mark.parametrize(
    ("formula", "start", "stop", "norm", "pieces"), mostly_slow(FEW, FEW + MORE)
)
def test_a_plain_programme_does_not_do_with_less(
    formula, start, stop, norm, pieces
) -> None:
    problem = Problem(f"expr:{formula}", Segment(start, stop), norm)
    ends = [nearest_float(rational(e, name="an end")) for e in (start, stop)]
    at = midpoints(problem.target.floats, *ends, 250, 13)
    square, knots = best_knots(square_costs(at), pieces)
    reached = square**0.5 if norm == "l2" else absolute_error(at, knots)
    # midpoint sums are off by less than two thousandths
    assert counted(formula, start, stop, norm, reached * 1.002) <= pieces
    # nor is the bound empty: at half the error there is another piece to prove
    assert counted(formula, start, stop, norm, reached / 2) > pieces * 0.9


def a_ramp(cells: int) -> GridFunction:
    """0, then up by 1 in the middle cell of an odd number, then 1."""
    knots = [k * STRETCH for k in range(2 * cells + 2)]
    values = [0] * (cells + 1) + [1 << 30] * (cells + 1)
    return GridFunction(
        np.array(knots, dtype=object),
        np.array(values, dtype=object),
        knots[-1],
        fmpq(1, 1 << 30),
        fmpq(0),
    )


@pytest.mark.parametrize("cells", range(2, 14, 3))
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_knot_inside_a_cell_may_be_better_than_its_ends(
    norm: str, cells: int
) -> None:
    """Both pieces are nearly free with a knot half-way up, neither is at an end."""
    x = np.linspace(0, cells + 0.5, 200_001)
    x = (x[1:] + x[:-1]) / 2
    f = np.maximum(x - cells, 0)
    rows = np.stack([np.ones_like(x), x], axis=1)
    if norm == "l2":
        line = np.linalg.lstsq(rows, f, rcond=None)[0]
        reached = np.mean((f - rows @ line) ** 2) ** 0.5
    else:  # f is convex: the line through the quarter points, where it is 0
        reached = np.mean(f)
    accuracy = fmpq(int(reached * 1.001 * 10**9), 10**9)
    for guess in (2, 3, 5):
        assert _counted(a_ramp(cells), accuracy, norm, guess).fewest <= 2


@pytest.mark.parametrize("pattern", [QUARTERS, *PATTERNS])
def test_sign_patterns_are_orthogonal_to_affine_functions(pattern) -> None:
    ends = [fmpq(-1), *pattern, fmpq(1)]
    assert all(a <= b for a, b in pairwise(ends))
    signs = [(-1) ** k for k in range(len(ends) - 1)]
    parts = list(zip(signs, pairwise(ends), strict=True))
    assert sum((s * (b - a) for s, (a, b) in parts), fmpq(0)) == 0
    assert sum((s * (b * b - a * a) for s, (a, b) in parts), fmpq(0)) == 0
    assert all(STRETCH % int(2 * (1 + place).q) == 0 for place in pattern)


def grid_of(formula: str, norm: str, cells: int):
    problem = Problem(f"expr:{formula}", Segment(0, 1), norm, "1e-2")
    asked = problem.line_target, problem.interval, problem.accuracy, norm
    return grid_function(*asked, grading(*asked), cells)


@pytest.mark.parametrize("formula", ["exp(x)", "sin(9*x)", "sin(30*x)", "sqrt(x)"])
def test_one_piece_costs_what_a_fit_says(formula: str) -> None:
    for norm, kind in (("l1", AbsoluteCosts), ("l2", SquareCosts)):
        h = grid_of(formula, norm, 60)
        rng, unit = np.random.default_rng(3), fmpq(h.unit, 10**12)
        for _ in range(12):
            i, j = sorted(int(k) for k in rng.choice(len(h.knots), 2, replace=False))
            cost = kind(h).of(np.array([i]), np.array([j]), unit).costs
            found = fitted_cost(h, i, j, kind.power)
            claimed = float(cost[0]) / 1e12
            assert claimed <= found * 1.001
            if norm == "l2":
                assert claimed == pytest.approx(found, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("formula", ["sin(9*x)", "sin(30*x)", "abs(x-1/3)*sin(9*x)"])
def test_the_pattern_that_floats_propose_costs_most(formula: str) -> None:
    h = grid_of(formula, "l1", 60)
    costs, unit = AbsoluteCosts(h), fmpq(h.unit, 10**12)
    i, j = np.triu_indices(len(h.knots), 5)
    every = [costs.of_pattern(pattern, i, j, unit) for pattern in PATTERNS]
    most = np.max(every, axis=0)
    assert (np.choose(costs.likely_best(i, j), every) >= most - most // 10**6 - 1).all()


def fitted_cost(h, i: int, j: int, power: int) -> float:
    """The integral with the best line, by many points, over a length of 1."""
    x = np.linspace(h.places[i], h.places[j], 2001)
    x = (x[1:] + x[:-1]) / 2
    y = np.interp(x, h.places, (h.values - h.values[0]).astype(float))
    rows, length = np.stack([np.ones_like(x), x], axis=1), h.places[j] - h.places[i]
    if power == 2:
        line = np.linalg.lstsq(rows, y, rcond=None)[0]
        return float(np.mean((y - rows @ line) ** 2) * length)
    few = slice(None, None, 8)
    n = len(x[few])
    answer = linprog(
        np.concatenate([[0, 0], np.full(n, 1 / n)]),
        A_ub=np.block([[rows[few], -np.eye(n)], [-rows[few], -np.eye(n)]]),
        b_ub=np.concatenate([y[few], -y[few]]) / (np.abs(y).max() + 1),
        bounds=[(None, None)] * 2 + [(0, None)] * n,
    )
    line = answer.x[:2] * (np.abs(y).max() + 1)
    return float(np.mean(np.abs(y - rows @ line)) * length)


def test_what_cannot_be_counted_is_refused(monkeypatch) -> None:
    monkeypatch.setattr("depthsep.approximation.mean._grading.MOST_ROUGH", 1000)
    on = Segment(0, 1)
    jump = Problem("expr:sin(20*x)", on).line_target
    with pytest.raises(HypothesisError, match="use l1 or l2"):
        pieces_in_mean(jump, on, fmpq(1, 10), "linf")
    with pytest.raises(TooLargeError):
        pieces_in_mean(jump, on, fmpq(1, 10**6), "l1")
