"""Kinks that face left save a unit at depth 2, where the slopes allow that."""

from itertools import combinations

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import Problem, Segment, separate
from depthsep.analysis import certify
from depthsep.constructions import QuadraticByFolds
from depthsep.constructions.line._exact_kinks import kink_network
from depthsep.constructions.line._facing import facing_left
from depthsep.constructions.line._spread_interpolant import SpreadInterpolant
from depthsep.exact import PiecewiseAffine

SMALL = st.integers(-6, 6).map(lambda k: fmpq(k, 2))


@given(SMALL, st.lists(SMALL, max_size=8))
def test_a_choice_is_found_exactly_where_there_is_one(first, jumps):
    found = facing_left(first, jumps)
    kinks = range(len(jumps))
    sums = {
        sum((jumps[k] for k in chosen), fmpq(0))
        for n in range(len(jumps) + 1)
        for chosen in combinations(kinks, n)
    }
    assert (found is not None) == (-first in sums)
    if found is not None:
        assert sum((jumps[k] for k in found), fmpq(0)) == -first


@given(st.lists(SMALL, min_size=3, max_size=7))
def test_the_network_is_the_function_either_way(values):
    knots = [fmpq(k) for k in range(len(values))]
    f = PiecewiseAffine.through(knots, values)
    network = kink_network(f)
    assert network.width <= len(values) - 1
    for k in range(2 * len(values) - 1):
        x = fmpq(k, 2)
        a, b = values[k // 2], values[-(-k // 2)]
        assert network((x,)) == ((a + b) / 2,)


QUADRATICS = [
    ("x**2", "-10", "10", "2", 4),
    ("x**2", "-1/3", "2", "1e-3", 26),
    ("3*x - 2*x**2", "-1", "3", "1/100", None),
    ("x**2", "0", "1", "1e-2", None),
    ("x**2 + x", "-2", "-1/2", "1e-4", None),
]


@pytest.mark.parametrize(("target", "start", "stop", "accuracy", "units"), QUADRATICS)
def test_quadratics_keep_the_accuracy(target, start, stop, accuracy, units):
    problem = Problem(f"expr:{target}", Segment(start, stop), accuracy=accuracy)
    upper = QuadraticByFolds().prove(problem, 2)
    assert certify(upper.network, problem).error.is_at_most(problem.accuracy)
    assert tuple(upper.network.widths) == upper.widths
    if units is not None:
        (row,) = separate(problem, depths=[2])
        assert row.lower.width == row.upper.width == units


@pytest.mark.parametrize(
    ("target", "on"),
    [
        ("1/(1+exp(-x))", (-8, 8)),
        ("tanh(x)", (-5, 5)),
        ("exp(-x**2)", (-3, 3)),
        ("cos(x)", (-4, 4)),
    ],
)
def test_a_flat_piece_saves_a_unit(target, on):
    problem = Problem(f"expr:{target}", Segment(*on), accuracy="1e-2")
    upper = SpreadInterpolant().prove(problem, 2)
    found = certify(upper.network, problem)
    assert found.pieces == upper.width + 1
    (row,) = separate(problem, depths=[2])
    assert row.lower.width == row.upper.width == upper.width


def test_steep_functions_keep_their_unit():
    problem = Problem("expr:exp(x)", accuracy="1e-2")
    upper = SpreadInterpolant().prove(problem, 2)
    x = np.linspace(0, 1, 1001)
    off = np.abs(upper.network.floats(x[:, None])[:, 0] - np.exp(x))
    assert off.max() <= 1e-2 and certify(upper.network, problem).pieces == upper.width
