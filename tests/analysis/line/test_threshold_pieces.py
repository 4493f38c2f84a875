"""Networks with threshold units along a line: jumps, single points, crossings."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import crossings, on_interval
from depthsep.approximation import distance, fewest_pieces
from depthsep.exact import PiecewiseAffine
from depthsep.laws import Segment
from depthsep.networks import THRESHOLD, Network
from support.nets import (
    affine,
    as_floats,
    dyadics,
    fmpq_of,
    intervals,
    mixed_networks,
    networks,
    rationals,
    threshold_networks,
)
from support.oracles import cut, fraction, pieces, runs, value

STEP = Network.from_arrays([[1]], [0], [[1]], [0], activation=THRESHOLD)
DROP = Network.from_arrays([[-1]], [0], [[1]], [0], activation=THRESHOLD)
# 1 at 0 and nowhere else
SPIKE = Network.from_arrays([[1], [-1]], [0, 0], [[1, 1]], [-1], activation=THRESHOLD)


def same_values(function, slow, network, points):
    for x in [*slow.points, *points]:
        assert fraction(function(x)) == value(network, [x])


@pytest.mark.parametrize("kind", [threshold_networks, mixed_networks])
@pytest.mark.parametrize("whole", [True, False])
@given(st.data())
def test_pieces_agree_with_slow_fractions(kind, whole, data):
    network = data.draw(kind)
    ends = (None, None) if whole else data.draw(intervals())
    assert on_interval(network, *ends).pieces == pieces(cut(network, *ends))


@pytest.mark.parametrize("kind", [threshold_networks, mixed_networks])
@pytest.mark.parametrize("whole", [True, False])
@given(st.data())
def test_values_and_crossings_agree_with_slow_fractions(kind, whole, data):
    network = data.draw(kind)
    ends = (None, None) if whole else data.draw(intervals())
    function, slow = on_interval(network, *ends), cut(network, *ends)
    share = data.draw(st.fractions(0, 1, max_denominator=9))
    x = data.draw(rationals) if whole else ends[0] + share * (ends[1] - ends[0])
    same_values(function, slow, network, [x])
    for level in (0, Fraction(1, 2), slow.at[0], slow.at[-1]):
        assert crossings(function, fmpq_of(Fraction(level))) == runs(slow, level)


@given(networks(activations=(THRESHOLD,), weights=dyadics), intervals())
def test_float64_gives_the_same_values_where_few_bits_suffice(network, ends):
    floats = on_interval(as_floats(network), *ends, exact=False)
    x = (ends[0] + ends[1]) / 2 + Fraction(1, 1000)
    if not any(abs(float(x) - float(k)) < 1e-9 for k in floats.knots):
        assert floats.floats(np.array([float(x)]))[0] == float(value(network, [x]))


@pytest.mark.parametrize(
    ("network", "ends", "count"),
    [
        (STEP, (-1, 1), 2),
        (STEP, (None, None), 2),
        (STEP, (0, 1), 1),  # 1 on all of it
        (STEP, (-1, 0), 2),  # 0, and 1 at the last point alone
        (DROP, (0, 1), 2),  # 1 at the first point alone, then 0
        (DROP, (-1, 0), 1),
        (SPIKE, (-1, 1), 3),
        (SPIKE, (None, None), 3),
        (SPIKE, (0, 1), 2),
        (SPIKE, (-1, 0), 2),
    ],
)
def test_single_points_count_as_pieces_at_the_ends_too(network, ends, count):
    assert pieces(cut(network, *ends)) == count
    assert on_interval(network, *ends).pieces == count


@pytest.mark.parametrize("ends", [(-1, 1), (None, None), (0, 1), (-1, 0)])
def test_jumps_that_cancel_leave_one_piece(ends):
    one = Network.from_arrays([[1], [1]], [0, 0], [[1, -1]], [3], activation=THRESHOLD)
    assert on_interval(one, *ends).pieces == 1
    assert len(on_interval(one, *ends).simplified().knots) <= 2


def test_the_step_takes_its_upper_value_at_the_jump():
    function = on_interval(STEP, -1, 1)
    assert [function(x) for x in (-1, "-1e-9", 0, "1e-9", 1)] == [0, 0, 1, 1, 1]
    assert [function(x) for x in (-1, 1)] == [0, 1]
    assert crossings(function) == 2
    assert crossings(on_interval(SPIKE)) == 3


def test_distances_ignore_single_points():
    spike, zero = on_interval(SPIKE, -1, 1), on_interval(affine(0, 0), -1, 1)
    for norm in ("linf", "l1", "l2"):
        assert distance(spike, zero, norm, Segment(-1, 1)).upper == 0


def test_distances_across_a_jump_are_exact():
    step, half = on_interval(STEP, -1, 1), on_interval(affine("1/2", "1/2"), -1, 1)
    on = Segment(-1, 1)
    assert distance(step, half, "linf", on).upper == fmpq(1, 2)
    assert distance(step, half, "l1", on).upper == fmpq(1, 4)
    assert distance(step, half, "l2", on).square == fmpq(1, 12)


def test_a_function_with_jumps_has_no_tunnel():
    jump = PiecewiseAffine.through([0, 1, 1, 1, 2], [0, 0, 1, 1, 1])
    with pytest.raises(
        HypothesisError, match="f must be continuous, on a bounded interval"
    ):
        fewest_pieces(jump, 1, continuous=True)
