"""1/x away from 0 and rational functions: bounds, sizes, refusals."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError, TooLargeError
from depthsep.analysis import examine, sweep
from depthsep.constructions import rational_function_network, reciprocal_network
from depthsep.constructions.by_hand.products._reciprocal import reciprocal_bound
from depthsep.exact import rational
from depthsep.laws import Box, Segment
from depthsep.problems import Problem
from depthsep.targets import Formula, Polynomial


@pytest.mark.parametrize(
    ("delta", "accuracy"),
    [("1/2", "1/100"), ("1/10", "1/20"), ("9/10", "1/10000"), ("1/4", "2")],
)
def test_one_over_x_is_examined_exactly(delta, accuracy):
    made = reciprocal_network(delta, accuracy)
    assert made.bound <= rational(accuracy)
    problem = Problem("expr:1/x", Segment(delta, 1), accuracy=accuracy)
    found = examine(made.network, problem)
    assert found.error.upper <= made.bound
    # the tail, alone, is attained at delta
    tail = (1 - rational(delta)) ** (2**made.factors) / rational(delta)
    assert found.error.lower >= tail / 2


def test_the_bound_is_the_ledgers():
    # J = 2, k = 3, K = 4, delta = 1/2
    expected = 4 * (fmpq(1, 2) * fmpq(1, 256) + fmpq(1, 4**6)) + fmpq(1, 8)
    assert abs(reciprocal_bound("1/2", 2, 3, 4) - expected) < fmpq(1, 2**100)
    assert reciprocal_bound("1/2", 2, 3, 4) >= expected


@pytest.mark.parametrize("delta", ["0", "-1", "1", "nan"])
def test_delta_out_of_range(delta):
    with pytest.raises(HypothesisError, match="delta"):
        reciprocal_network(delta, "1/10")


def test_bounds_need_factors():
    for sizes in ((0, 5, 5), (-1, 5, 5), (2, 5, -1)):
        with pytest.raises(HypothesisError, match="give J >= 1, k >= 0 and K >= 0"):
            reciprocal_bound("1/2", *sizes)


def test_accuracies_out_of_reach():
    with pytest.raises(HypothesisError, match="accuracy is 0"):
        reciprocal_network("1/2", 0)
    with pytest.raises(TooLargeError, match="allow a larger error"):
        reciprocal_network("1e-12", "1/10")
    with pytest.raises(TooLargeError, match="allow a larger error"):
        reciprocal_network("1/2", "1e-30")


@pytest.mark.parametrize(
    ("p", "q", "delta", "accuracy"),
    [
        ("x1 - x2", "1 + x1*x2", 1, "1/10"),
        ("x1*x2 + 1/2", "2 - x1", 1, "1/5"),
        ("0*x1*x2", "1 + x2", 1, "1/5"),
        ("3", "x1**2 + x2**2 - x1 - x2 + 1", "1/2", 1),
    ],
)
def test_rational_functions_are_within_their_bound(p, q, delta, accuracy):
    made = rational_function_network(Polynomial(p), Polynomial(q), delta, accuracy)
    assert made.bound <= rational(accuracy)
    x = np.random.default_rng(0).random((4000, 2))
    truth = Polynomial(p).floats(x) / Polynomial(q).floats(x)
    off = np.abs(made.network.floats(x)[:, 0] - truth).max()
    assert rational(off) <= made.bound + fmpq(1, 10**12)


def test_the_whole_quotient_is_confirmed():
    made = rational_function_network(
        Polynomial("x1 - x2"), Polynomial("1 + x1*x2"), 1, "1/10"
    )
    box = Box.cube(Segment(0, 1), 2)
    target = Formula("(x1 - x2)/(1 + x1*x2)")
    assert sweep(made.network, target, box, limit="1/10", seconds=60).complete


@pytest.mark.parametrize("q", ["x1 - 1/2 + x2", "x1*x2", "1/2 + (x1-x2)**2 - 1/10000"])
def test_a_denominator_below_delta_is_refused(q):
    with pytest.raises(
        HypothesisError, match="which could not be proved to be at least"
    ):
        rational_function_network(Polynomial("x1"), Polynomial(q, 2), "1/2", 1)


def test_denominators_that_touch_delta_are_served():
    made = rational_function_network(
        Polynomial("x1", 2), Polynomial("1 + x1*x2*(1-x1)"), 1, 1
    )
    assert made.bound <= 1


def test_bad_rational_functions():
    one, two = Polynomial("x1", 2), Polynomial("1 + x1*x2*x3")
    with pytest.raises(HypothesisError, match="inputs"):
        rational_function_network(one, two, 1, 1)
    with pytest.raises(HypothesisError, match="both must be positive"):
        rational_function_network(one, one, 0, 1)
