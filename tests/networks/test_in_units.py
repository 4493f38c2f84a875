"""Networks of ReLUs, rewritten in other units: the same values, exactly."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError, Network, TooLargeError
from depthsep.constructions import fold_network
from depthsep.networks import (
    ABS,
    HARDTANH,
    RELU6,
    TANH,
    activation_named,
    as_relu,
    clip,
    deepen,
    in_units,
    leaky_relu,
)
from support.regions import random_network

KINDS = [leaky_relu("1/10"), leaky_relu(0), ABS, HARDTANH, RELU6, clip("1/3", 2)]


def whole_numbers(rng, sizes):
    """A network of small integers, some of whose units are alike or opposite."""
    shapes = zip(sizes[1:], sizes[:-1], strict=True)
    draws = [rng.integers(-2, 3, size) for m, n in shapes for size in ((m, n), m)]
    return Network.from_arrays(*(draw.astype(float) for draw in draws))


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    sizes=st.sampled_from([[1, 4, 3, 2], [2, 5, 3, 1], [1, 1, 1], [3, 2, 2, 2, 1]]),
    kind=st.sampled_from(KINDS),
)
def test_the_function_on_the_box_is_the_same(seed, sizes, kind):
    rng = np.random.default_rng(seed)
    network = whole_numbers(rng, sizes)
    box = [("-1", "3/2")] * sizes[0]
    found = in_units(network, kind, box)
    assert found.depth == network.depth and set(found.activations) == {kind}
    for point in rng.integers(-100, 151, (12, sizes[0])).tolist():
        x = [fmpq(v, 100) for v in point]
        assert found(x) == network(x) == as_relu(found)(x)


def test_layers_are_as_wide_where_a_unit_carries_what_is_linear():
    folds = fold_network((4, 3, 2))
    assert in_units(folds, leaky_relu("1/10"), [(0, 1)]).widths == folds.widths
    assert in_units(folds, HARDTANH, [(0, 1)]).widths == folds.widths


def test_what_is_only_passed_on_takes_one_unit_in_the_end():
    rows = [[2, 1], [0, 3], [1, 1]]
    passed = deepen(Network.from_arrays(rows, [0, -1, 0], [[1, 1, -2]], [0]), 5)
    assert passed.widths == (3, 2, 2, 2)
    found = in_units(passed, leaky_relu("1/2"), [(-1, 1)] * 2)
    assert found.widths == (4, 2, 2, 1)


def test_long_paths_are_left_for_boxes(monkeypatch):
    monkeypatch.setattr("depthsep.networks._ranges.MOST_POINTS", 3)
    folds = fold_network((4, 3, 2))
    found = in_units(folds, leaky_relu("1/10"), [(0, 1)])
    assert all(found([fmpq(k, 97)]) == folds([fmpq(k, 97)]) for k in range(98))


def test_what_is_not_rewritten_is_refused():
    network = random_network(np.random.default_rng(0), [1, 3, 1])
    with pytest.raises(
        HypothesisError, match="only networks of ReLUs can be rewritten in"
    ):
        in_units(Network(network.layers, [TANH]), ABS, [(0, 1)])
    wide = Network.from_arrays(np.ones((300, 300)), np.zeros(300))
    with pytest.raises(TooLargeError, match="90000 weights"):
        in_units(wide, ABS, [(0, 1)] * 300)


def test_clips_are_read_by_their_names():
    assert activation_named("clip:-1,1") == HARDTANH and clip(0, 6) == RELU6
    assert [HARDTANH.exact(fmpq(k)) for k in (-3, 0, 3)] == [-1, 0, 1]
    assert RELU6.floats(np.array([-1.0, 2.5, 7.0])).tolist() == [0.0, 2.5, 6.0]
    with pytest.raises(HypothesisError, match="low < high"):
        clip(1, 1)
    with pytest.raises(HypothesisError, match="give a number"):
        activation_named("clip:0,x")
