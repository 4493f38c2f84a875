"""Pieces and crossings along lines by the filter, against the exact enumeration."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError, TooLargeError
from depthsep.analysis import (
    crossings,
    most_pieces,
    most_regions,
    most_regions_without_rank,
    regions_reached,
)
from depthsep.analysis.line.pieces._enumerate import on_line
from depthsep.analysis.regions import along, regions
from depthsep.analysis.regions._counts import region_bound
from depthsep.exact import rational
from depthsep.networks import ABS, TANH, Network, leaky_relu
from depthsep.separation import bound
from support.regions import cube, random_network


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    dim=st.integers(1, 4),
    bits=st.sampled_from([1, 2, 4, None]),
    level=st.sampled_from(["0", "1/2", "-1"]),
)
def test_counts_are_those_of_the_enumeration(seed, dim, bits, level):
    rng = np.random.default_rng(seed)
    network = random_network(rng, [dim, 5, 4, 1], bits)
    a, b = ([rational(float(v)) for v in rng.integers(-4, 4, dim)] for _ in range(2))
    if a == b:
        b[0] += 1
    f = on_line(network, a, b)
    found = along(network, a, b, level=level)
    assert found == (f.pieces, crossings(f, level))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), bits=st.sampled_from([1, 2, 3]))
def test_kinks_of_one_hidden_layer_are_those_of_any_output(seed, bits):
    network = random_network(np.random.default_rng(seed), [1, 8, 3], bits)
    (w, b), (out, _) = (
        ([[rational(float(x)) for x in row] for row in layer.weight], layer.bias)
        for layer in network.layers
    )
    bends = {}
    for k, ((slope,), bias) in enumerate(zip(w, b, strict=True)):
        if slope != 0 and -2 < (place := -rational(float(bias)) / slope) < 2:
            bend = [abs(slope) * row[k] for row in out]
            before = bends.get(place, [fmpq(0)] * 3)
            bends[place] = [x + y for x, y in zip(before, bend, strict=True)]
    pieces = 1 + sum(any(x != 0 for x in bend) for bend in bends.values())
    assert along(network, [fmpq(-2)], [fmpq(2)], output=2).pieces == pieces


def test_too_many_pieces_and_missing_outputs_are_refused():
    teeth = Network.from_arrays(
        [[1.0]] * 9, [-float(k) for k in range(9)], [[1.0] * 9], [0.0]
    )
    ends = [fmpq(-1)], [fmpq(9)]
    assert along(teeth, *ends, most=10).pieces == 10
    with pytest.raises(TooLargeError, match="more than 5 pieces"):
        along(teeth, *ends, most=5)
    for output in (-1, 1):
        with pytest.raises(HypothesisError, match="does not exist"):
            along(teeth, *ends, output=output)


def test_the_crossing_number_is_of_one_output_and_the_pieces_of_all():
    network = Network.from_arrays(
        [[1], [1]], [0, -1], [[1, 0], [0, 1]], [0, "-1/2"]
    )  # relu(x), relu(x - 1) - 1/2
    ends = [fmpq(-1)], [fmpq(2)]
    assert along(network, *ends, output=1) == (3, 2)
    assert along(network, *ends, output=0, level=1) == (3, 2)
    assert along(network, *ends, output=0, level=-1) == (3, 1)


@pytest.mark.parametrize(
    ("widths", "inputs", "most"),
    [
        ((5,), 2, 16),  # 1 + 5 + 10
        ((3,), 5, 8),
        ((4, 6), 1, 35),
        ((1, 1), 1, 3),  # where the first unit is off the second sees a constant
        ((), 3, 1),
    ],
)
def test_bounds_by_hand(widths, inputs, most):
    assert most_regions(widths, inputs) == most
    assert most_regions(widths, inputs) <= most_regions_without_rank(widths, inputs)


def test_with_one_input_and_width_two_it_is_theorem_a():
    for widths in ((2,), (2, 3), (5, 2, 7)):
        assert most_regions(widths, 1) == most_pieces(widths)
        assert most_regions_without_rank(widths, 1) == most_pieces(widths)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    dim=st.integers(1, 3),
    widths=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    activation=st.sampled_from([None, ABS, leaky_relu("1/4")]),
)
def test_no_network_has_more_regions_than_its_bound(seed, dim, widths, activation):
    plain = random_network(np.random.default_rng(seed), [dim, *widths, 1], 3)
    between = plain.activations if activation is None else [activation] * len(widths)
    network = Network(plain.layers, between)
    found = regions(network, cube(dim, -8, 8)).activation_regions
    assert found <= region_bound(network)
    assert region_bound(network, 1) <= region_bound(network)


def test_some_network_reaches_what_is_said_to_be_reached():
    folds = Network.from_arrays(
        *(np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]]), np.zeros(4)),
        *(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.array([-0.5, -0.25])),
        *(np.ones((1, 2)), np.zeros(1)),
    )
    found = regions(folds, cube(2)).activation_regions
    assert regions_reached((4, 2), 2) == 16 <= found <= most_regions((4, 2), 2)


def test_bounds_that_do_not_apply_are_refused():
    assert regions_reached((4, 2), 3) == regions_reached((4, 2), 2)
    with pytest.raises(
        HypothesisError, match="give widths of 0 or more and at least one"
    ):
        most_regions((2,), 0)
    smooth = Network.from_arrays([[1.0]], [0.0], [[1.0]], [0.0], activation=TANH)
    with pytest.raises(HypothesisError, match="ReLUs, leaky"):
        region_bound(smooth)


def test_they_are_in_the_catalogue():
    assert bound("regions-most", widths="5", inputs=2).value == 16
    assert bound("regions-reached", widths="4,2", inputs=2).value == 16
