"""Exact pieces of ReLU networks against slow fractions, and float64 against exact."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError, TooLargeError
from depthsep.analysis import crossings, most_crossings, most_pieces, on_interval
from depthsep.analysis.line.pieces._enumerate import on_line
from depthsep.constructions import fold_network
from depthsep.exact import PiecewiseAffine
from depthsep.networks import Activation, Network, restrict
from support.nets import (
    affine,
    as_floats,
    dyadics,
    fmpq_of,
    intervals,
    networks,
    rationals,
    relu_networks,
)
from support.oracles import cut, fraction, pieces, runs, value

LEVELS = (0, Fraction(1, 2), 1)


def agrees(function, slow, network, points):
    """Pieces, crossings and values of the fast answer against the slow one."""
    assert function.is_exact
    assert function.pieces == pieces(slow)
    for level in (*LEVELS, slow.at[0], slow.at[-1]):
        assert crossings(function, fmpq_of(level)) == runs(slow, level)
    for x in [*slow.points, *points]:
        assert fraction(function(x)) == value(network, [x])


@given(relu_networks, intervals(), st.fractions(0, 1, max_denominator=20))
def test_pieces_on_an_interval_agree_with_slow_fractions(network, ends, share):
    function, slow = on_interval(network, *ends), cut(network, *ends)
    agrees(function, slow, network, [ends[0] + share * (ends[1] - ends[0])])
    assert [function.knots[0], function.knots[-1]] == [fmpq_of(x) for x in ends]


@given(relu_networks, rationals)
def test_pieces_on_the_whole_line_agree_with_slow_fractions(network, x):
    function, slow = on_interval(network), cut(network)
    agrees(function, slow, network, [x, 1000 * x])
    assert fraction(function.left_slope) == slow.lines[0][0]
    assert fraction(function.right_slope) == slow.lines[-1][0]


@given(networks(inputs=3), st.tuples(*[rationals] * 6), st.booleans())
def test_pieces_on_lines_in_space_agree_with_slow_fractions(network, numbers, whole):
    first, second = numbers[:3], numbers[3:]
    assume(first != second)
    direction = [b - a for a, b in zip(first, second, strict=True)]
    line = restrict(network, first, direction)
    slow = cut(line) if whole else cut(line, 0, 1)
    function = on_line(network, first, second, whole=whole)
    agrees(function, slow, line, [Fraction(1, 3)])
    for t in (Fraction(0), Fraction(1, 7), Fraction(1)):
        point = [a + t * d for a, d in zip(first, direction, strict=True)]
        assert function(t) == network(point)[0]


@given(networks(weights=dyadics), st.data())
def test_ends_may_lie_on_knots(network, data):
    knots = cut(network).points
    assume(len(knots) > 1)
    chosen = data.draw(st.lists(st.sampled_from(knots), min_size=2, unique=True))
    ends = min(chosen), max(chosen)
    agrees(on_interval(network, *ends), cut(network, *ends), network, [])


@given(networks(weights=dyadics), rationals)
def test_rays_carry_on_where_intervals_end(network, x):
    whole = on_interval(network)
    right, left = on_interval(network, x), on_interval(network, None, x)
    assert (right.left_slope, left.right_slope) == (None, None)
    assert right.right_slope == whole.right_slope
    assert left.left_slope == whole.left_slope
    assert right.pieces + left.pieces - whole.pieces in (0, 1)
    for t in (x, x + 1, x + 1000):
        assert right(t) == network([t])[0] and left(2 * x - t) == whole(2 * x - t)
    with pytest.raises(HypothesisError, match="outside"):
        right(x - 1)


@given(relu_networks)
def test_no_network_has_more_pieces_or_crossings_than_its_widths_allow(network):
    function = on_interval(network)
    assert function.pieces <= most_pieces(network.widths)
    for level in LEVELS:
        found = crossings(function, fmpq_of(level))
        assert found <= most_crossings(network.widths)


@given(networks(outputs=3), intervals())
def test_each_output_can_be_followed(network, ends):
    for k in range(3):
        slow = cut(network, *ends, output=k)
        assert on_interval(network, *ends, output=k).pieces == pieces(slow)
    with pytest.raises(
        HypothesisError, match="does not exist; outputs are counted from 0"
    ):
        on_interval(network, *ends, output=3)


@given(networks(weights=dyadics, most_layers=2), intervals())
def test_the_float64_engine_agrees_where_few_bits_suffice(network, ends):
    exact = on_interval(network, *ends)
    floats = on_interval(as_floats(network), *ends, exact=False)
    assert not floats.is_exact
    spread = [float(x) for x in np.linspace(float(ends[0]), float(ends[1]), 7)]
    np.testing.assert_allclose(
        floats.floats(np.array(spread)), exact.floats(np.array(spread)), atol=1e-9
    )


@settings(max_examples=30)
@example(455, [3, 3])  # the right ray is flat, but for rounding
@example(23251, [4, 6, 1])  # so it is in the last layer
@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 6), min_size=1, max_size=3))
def test_both_engines_count_the_same_pieces_of_generic_networks(seed, widths):
    random, shape = np.random.default_rng(seed), [1, *widths, 1]
    arrays = []
    for m, n in itertools.pairwise(shape):
        arrays += [random.normal(size=(n, m)), random.normal(size=n)]
    network = Network.from_arrays(*arrays)
    for ends in ((None, None), (-3, 3)):
        exact, floats = (on_interval(network, *ends, exact=e) for e in (True, False))
        assert exact.pieces == floats.pieces
        np.testing.assert_allclose(exact.knots.astype(float), floats.knots, rtol=1e-6)


@pytest.mark.parametrize(
    ("arrays", "count"),
    [
        (([[1], [-1]], [0, 0], [[1, -1]], [0]), 1),  # relu(x) - relu(-x) is x
        (([[1], [-1]], [0, 0], [[1, 1]], [0]), 2),
        (([[1], [1]], [-1, -1], [[1, -1]], [0]), 1),  # a unit and its double
        (([[1], [2]], [-1, -2], [[2, -1]], [5]), 1),
        (([[0]], [3], [[1]], [0]), 1),
        (([[1], [1], [1]], [0, -1, -2], [[1, -2, 1]], [0]), 4),
        (([[1]], [0], [[1]], [-1], [[1]], [0]), 2),
        (([[1]], [0], [[-1]], [0], [[1]], [0]), 1),  # the second unit is never on
        (([[1]], [0], [[0]], [1], [[1]], [0]), 1),
    ],
)
def test_degenerate_networks_have_these_pieces(arrays, count):
    network = Network.from_arrays(*arrays)
    assert on_interval(network).pieces == count
    assert on_interval(network, -10, 10).pieces == count == pieces(cut(network))
    assert on_interval(as_floats(network), -10, 10, exact=False).pieces == count


@pytest.mark.parametrize(
    ("knots", "values", "count"),
    [
        ([0, 1, 2], [0, "1/2", 0], 3),  # touched from below: a single point
        ([0, 1, 2], [1, "1/2", 1], 1),  # touched from above
        ([0, 1, 2], [0, 1, 0], 3),
        ([0, 1], [0, 0], 1),
        ([0, 1, 2, 3], [0, "1/2", "1/2", 0], 3),
        ([0, 1], [0, "1/2"], 2),
        ([0, 1], ["1/2", 0], 2),
    ],
)
def test_crossings_count_touching_from_below_and_not_from_above(knots, values, count):
    assert crossings(PiecewiseAffine.through(knots, values)) == count


def test_crossings_on_rays_are_counted():
    line = on_interval(affine(1, 0))
    assert crossings(line) == 2 and crossings(line, 10**9) == 2
    assert crossings(on_interval(affine(0, 0))) == 1
    kink = on_interval(Network.from_arrays([[1], [-1]], [0, 0], [[1, 1]], [0]))
    assert [crossings(kink, level) for level in (-1, 0, 1)] == [1, 1, 3]


@pytest.mark.parametrize(
    ("start", "stop"), [(1, 0), (1, 1), ("1/3", "0.3"), (float("inf"), 1)]
)
def test_empty_and_unbounded_ends_are_refused(start, stop):
    with pytest.raises(HypothesisError):
        on_interval(fold_network((2,)), start, stop)


def test_other_requests_that_make_no_sense_are_refused():
    plane = Network.from_arrays([[1, 1]], [0])
    with pytest.raises(HypothesisError, match="restrict it to a line"):
        on_interval(plane, 0, 1)
    with pytest.raises(HypothesisError, match="two different points"):
        on_line(plane, [0, 1], [0, 1])
    with pytest.raises(HypothesisError, match="two different points"):
        on_line(plane, [0, 1], [0])
    smooth = Activation("gelu", lambda x: x, abs, np.abs, 2, True)
    odd = Network(fold_network((2, 2)).layers, [smooth] * 2)
    with pytest.raises(HypothesisError, match="not piecewise affine"):
        on_interval(odd, 0, 1)
    with pytest.raises(TooLargeError, match="more than 100 pieces"):
        on_interval(fold_network((2,) * 10), 0, 1, max_pieces=100)
