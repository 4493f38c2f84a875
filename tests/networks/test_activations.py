"""Activations as values: enclosures hold values, exact forms agree, ReLU forms too."""

import copy
import pickle

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import examine, on_interval
from depthsep.interop import read_network, write_npz, write_onnx
from depthsep.networks import (
    ABS,
    ACTIVATIONS,
    RELU,
    SIGMOID,
    TANH,
    Activation,
    Network,
    activation_named,
    as_relu,
    deepen,
    elu,
    leaky_relu,
    network_from_json,
    network_to_json,
    prune,
)
from depthsep.networks.activations._more_activations import SQUARE
from depthsep.problems import Problem

ALL = (*ACTIVATIONS, leaky_relu("1/100"), leaky_relu(0), elu("1/2"), elu(2))
EXACT = [a for a in ALL if a.pieces or a is SQUARE]
reals = st.floats(-6, 6, allow_nan=False).map(lambda x: round(x, 6))


@pytest.mark.parametrize("activation", ALL, ids=repr)
@given(a=reals, b=reals)
def test_balls_hold_the_values_of_all_points_inside(activation, a, b):
    with ctx.workprec(80):
        low, high = sorted(fmpq(*x.as_integer_ratio()) for x in (a, b))
        ball = activation.balls(arb(low).union(arb(high)))
        for share in (0, fmpq(1, 3), fmpq(2, 3), 1):
            point = low + (high - low) * share
            value = activation.floats(np.array([float(arb(point).mid())]))[0]
            slack = arb(0, 1e-9 * max(1.0, abs(value)))
            assert (ball + slack).overlaps(arb(float(value)))


@pytest.mark.parametrize("activation", EXACT, ids=repr)
@given(x=reals)
def test_exact_values_are_the_floats(activation, x):
    value = activation.exact(fmpq(*x.as_integer_ratio()))
    assert float(arb(value).mid()) == pytest.approx(
        float(activation.floats(np.array([x]))[0]), abs=1e-12
    )


@pytest.mark.parametrize("activation", ALL, ids=repr)
@given(a=reals, b=reals)
def test_what_is_said_to_increase_or_stay_above_zero_does(activation, a, b):
    low, high = activation.floats(np.array(sorted((a, b))))
    assert low <= high + 1e-12 or not activation.increasing
    assert min(low, high) >= 0 or not activation.nonnegative
    middle = activation.floats(np.array([(a + b) / 2]))[0]
    assert middle <= (low + high) / 2 + 1e-12 or not activation.convex


@pytest.mark.parametrize("activation", ALL, ids=repr)
def test_names_are_read_back(activation):
    assert activation_named(activation.name) is activation
    network = Network.from_arrays([[1]], [0], [[2]], [1], activation=activation)
    assert network_from_json(network_to_json(network)) == network


@pytest.mark.parametrize("activation", ALL, ids=repr)
def test_copies_and_pickles_are_the_activation_itself(activation):
    """Networks in other processes are told apart by which activation they have."""
    for same in (pickle.loads(pickle.dumps(activation)), copy.deepcopy(activation)):
        assert same is activation


def test_an_activation_of_ones_own_is_copied_as_it_is():
    own = Activation("relu", abs, abs, np.abs, 2, True)
    again = pickle.loads(pickle.dumps(own))
    assert again is not RELU and again == own


@pytest.mark.parametrize("name", ["swish", "leaky_relu:2", "leaky_relu:x", ""])
def test_unknown_names_are_refused(name):
    with pytest.raises(HypothesisError):
        activation_named(name)


@pytest.mark.parametrize("activation", [ABS, leaky_relu("1/10")], ids=repr)
def test_piecewise_affine_units_have_a_relu_form(activation, tmp_path):
    rng = np.random.default_rng(3)
    weights = [
        rng.standard_normal(s) for s in ((4, 1), (4,), (3, 4), (3,), (1, 3), (1,))
    ]
    network = Network.from_arrays(*weights, activation=activation)
    plain = as_relu(network)
    assert all(a is RELU for a in plain.activations)
    for x in (fmpq(-3, 7), fmpq(0), fmpq(22, 7)):
        assert plain([x]) == network([x])
    f = on_interval(network, -3, 3)
    assert all(f(x) == network([x])[0] for x in (fmpq(-2), fmpq(1, 3), fmpq(5, 2)))
    write_onnx(network, tmp_path / "n.onnx", rounded=True)
    read = read_network(tmp_path / "n.onnx")
    assert np.allclose(read.floats([[0.3]]), network.floats([[0.3]]))


def test_networks_of_smooth_units_run_and_are_enclosed(tmp_path):
    network = Network.from_arrays([[1], [2]], [0, 1], [[3, -1]], [2], activation=TANH)
    with ctx.workprec(80):
        (ball,) = network.balls([arb(0, 1)])
        assert ball.contains(arb(float(network.floats([[0.5]])[0, 0])))
    with pytest.raises(HypothesisError, match="no exact values"):
        network([fmpq(1, 2)])
    with pytest.raises(HypothesisError, match="npz"):
        write_onnx(network, tmp_path / "n.onnx")
    write_npz(network, tmp_path / "n.npz")
    assert read_network(tmp_path / "n.npz") == network


def test_smooth_units_are_examined_in_balls_alone():
    network = Network.from_arrays([[1]], [0], [[1]], [0], activation=SIGMOID)
    assert examine(network, Problem("square", accuracy=1)).method == "balls"
    with pytest.raises(HypothesisError, match="not piecewise affine"):
        on_interval(network, 0, 1)


def test_absolute_values_are_examined():
    network = Network.from_arrays([[1]], ["-1/3"], [[1]], [0], activation=ABS)
    found = examine(network, Problem("expr:abs(x - 1/3)", accuracy="1/1000"))
    assert found.error.is_at_most(fmpq(1, 1000))


def test_deepening_passes_on_what_may_be_negative():
    network = Network.from_arrays([[1]], [0], [[1]], [0], activation=leaky_relu("1/2"))
    deeper = deepen(network, 4)
    assert deeper.depth == 4 and deeper([-3]) == network([-3])


def test_pruning_follows_units_that_do_not_increase():
    network = Network.from_arrays([[1], [0]], [0, 2], [[1, 1]], [0], activation=ABS)
    smaller = prune(network, [(-2, 1)])
    assert smaller.widths == (1,)
    for x in (-2, fmpq(-1, 2), 0, 1):
        assert smaller([x]) == network([x])
