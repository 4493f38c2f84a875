"""Piecewise-affine functions: pieces, jumps, rays, values."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.exact import PiecewiseAffine


def through(knots, values, left=None, right=None):
    f = PiecewiseAffine.through(knots, values)
    rays = [None if s is None else fmpq(s) for s in (left, right)]
    return PiecewiseAffine(f.knots, f.values, *rays)


@pytest.mark.parametrize(
    ("function", "pieces"),
    [
        (through([0, 1], [0, 1]), 1),
        (through([0, 1, 2], [0, 1, 2]), 1),
        (through([0, 1, 2], [0, 1, 0]), 2),
        (through([0, 1, 2], [0, 1, 2], 1, 1), 1),
        (through([0, 1, 2], [0, 1, 2], 0, 1), 2),
        (through([0, 1, 2], [0, 1, 2], 0, 0), 3),
        (through([0, 1], [0, 0], 1, 0), 2),
        (through([0, 1], [0, 0], None, 3), 2),
        (through([0, 1, 1, 1, 2], [0, 0, 1, 1, 1]), 2),
        (through([0, 1, 1, 1, 2], [0, 0, 5, 1, 1]), 3),
        (through([0, 1, 1, 1, 2], [0, 0, 5, 0, 0]), 3),
        (through([0, 1, 1, 1, 2], [0, 0, 0, 0, 0]), 1),
        (through([0, 1, 1, 1, 2], [0, 1, 1, 1, 2]), 1),
        (through([0, 0, 1], [5, 0, 0]), 2),
        (through([0, 1, 1], [0, 0, 5]), 2),
        (through([0, 0, 1, 1], [5, 0, 0, 5]), 3),
        (through([0, 1, 1, 2], [0, 0, 1, 1]), 2),
    ],
)
def test_pieces_are_maximal_intervals_of_affinity(function, pieces):
    assert function.pieces == pieces
    assert function.simplified().pieces == pieces


def test_a_line_keeps_one_knot():
    assert len(through([0, 1, 2], [0, 1, 2], 1, 1).simplified().knots) == 1
    assert through([0, 1], [0, 0], 0, 0).simplified().pieces == 1


def test_values_on_gaps_rays_and_jumps():
    f = through([0, 1, 1, 1, 3], [0, 2, 7, 4, 0], 1, -1)
    assert f.is_on_whole_line and f.jumps.tolist() == [False, True, True, False]
    assert f.slopes.tolist() == [2, 0, 0, -2]
    assert [f(x) for x in (-2, 0, "1/2", 1, 2, 3, 5)] == [-2, 0, 1, 7, 2, 0, -2]
    spread = f.floats(np.array([-2.0, 0.5, 2.0, 5.0]))
    assert spread.tolist() == [-2.0, 1.0, 2.0, -2.0]


def test_values_outside_the_domain_are_refused():
    f = through([0, 1], [0, 1])
    for x in (-1, 2, float("nan")):
        with pytest.raises(HypothesisError):
            f(x)
    assert through([0, 1], [0, 1], None, 2)(5) == 9


def test_ends_with_jumps_have_the_value_at_the_point():
    f = through([0, 0, 1, 1], [5, 0, 0, 6])
    assert [f(x) for x in (0, "1/2", 1)] == [5, 0, 6]


@pytest.mark.parametrize(
    ("knots", "values"),
    [([0], [0]), ([0, 1], [0]), ([1, 0], [0, 0]), ([], []), ([0, "x"], [0, 0])],
)
def test_what_is_no_function_is_refused(knots, values):
    with pytest.raises(HypothesisError):
        PiecewiseAffine.through(knots, values)


def test_float64_functions_become_exact_at_face_value():
    f = PiecewiseAffine(np.array([0.0, 1.0]), np.array([0.1, 0.5]), 0.25, None)
    exact = f.to_exact()
    assert exact.is_exact and exact.to_exact() is exact and not f.is_exact
    assert exact(0) == fmpq(*(0.1).as_integer_ratio()) == f(0)
    assert exact(-1) == exact(0) - fmpq(1, 4)


def test_float64_slopes_that_differ_by_rounding_are_one_piece():
    x = np.linspace(0, 1, 50)
    assert PiecewiseAffine(x, 0.1 * x + 0.3).pieces == 1
    assert PiecewiseAffine(x, np.abs(x - x[20])).pieces == 2
    assert PiecewiseAffine(x, np.abs(x - x[20]), -1.0, 1.0).pieces == 2
    assert PiecewiseAffine(x, 1e-9 * np.abs(x - x[20])).pieces == 2
