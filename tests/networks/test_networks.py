"""Networks: exact values, float64 and balls together, immutability, refusals."""

import json
import math
import tracemalloc
from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import FileFormatError, HypothesisError, UndecidedError
from depthsep.networks import (
    RELU,
    THRESHOLD,
    Activation,
    Affine,
    Network,
    activation_named,
    network_digest,
    network_from_json,
    network_to_json,
    size,
)
from support.nets import (
    dyadics,
    encloses,
    fmpq_of,
    mixed_networks,
    networks,
    rationals,
    threshold_networks,
)
from support.oracles import fraction, value

SMALL = Network.from_arrays([[1], [-2]], [0, "1/3"], [[3, -1]], [5])


@given(mixed_networks, rationals)
def test_the_exact_value_is_what_fractions_give(network, x):
    assert fraction(network([x])[0]) == value(network, [x])


@given(networks(inputs=3, outputs=2, activations=(RELU, THRESHOLD)), st.data())
def test_the_exact_values_of_several_inputs_and_outputs_agree(network, data):
    x = [data.draw(rationals) for _ in range(3)]
    for k, found in enumerate(network(x)):
        assert fraction(found) == value(network, x, k)


@given(mixed_networks, rationals, st.fractions(0, 1, max_denominator=50))
def test_balls_enclose_the_values_of_every_point_they_contain(network, x, radius):
    point = fmpq_of(x)
    try:
        (ball,) = network.balls([arb(point, fmpq_of(radius))])
    except UndecidedError:
        return
    for offset in (-radius, 0, radius / 3, radius):
        assert encloses(ball, network([x + offset])[0])


@given(networks(weights=dyadics), dyadics)
def test_float64_values_are_exact_while_few_bits_are_needed(network, x):
    assert float(network.floats(np.array([float(x)]))[0]) == float(value(network, [x]))


def test_float64_values_are_vectorised_over_any_axes():
    points = np.linspace(-2, 2, 24).reshape(2, 3, 4, 1)
    values = SMALL.floats(points)
    assert values.shape == (2, 3, 4, 1)
    assert values[1, 2, 3, 0] == pytest.approx(float(value(SMALL, [2])))


@given(threshold_networks, rationals)
def test_threshold_units_are_one_from_zero_on(network, x):
    at_zero = Network.from_arrays([[1]], [-x], [[1]], [0], activation=THRESHOLD)
    assert at_zero([x])[0] == 1
    assert at_zero([x - Fraction(1, 1000)])[0] == 0
    assert fraction(network([x])[0]) == value(network, [x])


def test_a_threshold_of_a_ball_around_zero_is_undecided_between_both():
    step = Network.from_arrays([[1]], [0], [[1]], [0], activation=THRESHOLD)
    (ball,) = step.balls([arb(0, 1)])
    assert ball.contains(0) and ball.contains(1)
    with pytest.raises(UndecidedError):
        step.balls([arb("nan")])


@given(mixed_networks)
def test_networks_survive_json_and_keep_their_digest(network):
    document = json.loads(json.dumps(network_to_json(network)))
    again = network_from_json(document)
    assert again == network
    assert network_digest(again) == network_digest(network)


def test_float64_weights_survive_json_as_float64():
    network = Network.from_arrays(*(np.full((1, 1), 0.1), np.array([1e-300])) * 2)
    again = network_from_json(json.loads(json.dumps(network_to_json(network))))
    assert again.is_float and again == network


def test_the_digest_does_not_depend_on_how_numbers_are_stored():
    floats = Network.from_arrays(np.array([[0.5]]), np.array([3.0]))
    assert network_digest(floats) == network_digest(Network.from_arrays([["1/2"]], [3]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (([[1, 2]], [34]), ([[1, 23]], [4])),
        (([[1]], [12]), ([[11]], [2])),
        (([[1]], [-12]), ([[1]], [12])),
        (([[1, 2]], [3]), ([[1], [2]], [3, 0])),
        (([["1/2"]], [1]), ([[1]], [2])),
    ],
)
def test_different_networks_have_different_digests(one, other):
    digests = {network_digest(Network.from_arrays(*arrays)) for arrays in (one, other)}
    assert len(digests) == 2


def test_the_digest_tells_activations_apart():
    step = Network(SMALL.layers, [THRESHOLD])
    assert network_digest(step) != network_digest(SMALL)


@pytest.mark.parametrize(
    "damage",
    [
        None,
        [],
        {},
        {"layers": [], "activations": []},
        {"layers": 3, "activations": []},
        {"layers": [3], "activations": []},
        {"layers": [{"weight": [[1]]}], "activations": []},
        {"layers": [{"weight": 1, "bias": [0]}], "activations": []},
        {"layers": [{"weight": [], "bias": []}], "activations": []},
        {"layers": [{"weight": [[]], "bias": [0]}], "activations": []},
        {"layers": [{"weight": [[1], [1, 2]], "bias": [0, 0]}], "activations": []},
        {"layers": [{"weight": [["1/0"]], "bias": [0]}], "activations": []},
        {"layers": [{"weight": [["x"]], "bias": [0]}], "activations": []},
        {"layers": [{"weight": [[None]], "bias": [0]}], "activations": []},
        {"layers": [{"weight": [[True]], "bias": [0]}], "activations": []},
        {"layers": [{"weight": [[math.nan]], "bias": [0.0]}], "activations": []},
        {"layers": [{"weight": [[math.inf]], "bias": [0.0]}], "activations": []},
        {"layers": [{"weight": [[1]], "bias": [0]}], "activations": ["relu"]},
        {"layers": [{"weight": [[1]], "bias": [0]}] * 2, "activations": ["swish"]},
        {"layers": [{"weight": [[1]], "bias": [0]}] * 2, "activations": []},
        {"layers": [{"weight": [[1, 1]], "bias": [0]}] * 2, "activations": ["relu"]},
    ],
)
def test_damaged_documents_are_refused(damage):
    with pytest.raises(FileFormatError):
        network_from_json(damage)


def test_nothing_can_be_assigned():
    for thing, name in ((SMALL, "layers"), (SMALL, "activations"), (SMALL, "new")):
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(thing, name, ())
    with pytest.raises(FrozenInstanceError):
        SMALL.layers[0].weight = np.ones((1, 1))
    for array in (SMALL.layers[0].weight, SMALL.layers[0].bias):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_changing_the_callers_arrays_changes_nothing():
    weight, bias, row = np.ones((1, 1)), np.zeros(1), [fmpq(1, 3)]
    network = Network.from_arrays(weight, bias, [row], [0])
    weight[0, 0], bias[0], row[0] = 9, 9, fmpq(9)
    assert network([1])[0] == fmpq(1, 3)
    layers = list(network.layers)
    wrapped = Network(layers)
    layers.pop()
    assert wrapped.depth == 2


def test_a_read_only_view_of_a_writable_array_does_not_leak():
    weight = np.ones((1, 1))
    view = weight.view()
    view.flags.writeable = False
    layer = Affine(view, np.zeros(1))
    weight[0, 0] = 9
    assert layer([fmpq(1)]) == [1]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("as_array", [True, False])
def test_numbers_that_are_not_finite_are_refused(bad, as_array):
    weight = np.array([[bad]]) if as_array else [[bad]]
    with pytest.raises(HypothesisError, match="finite"):
        Affine(weight, [0])
    with pytest.raises(HypothesisError, match="finite"):
        Affine([[1]], np.array([bad]) if as_array else [bad])
    with pytest.raises(HypothesisError, match="finite"):
        SMALL([bad])


@pytest.mark.parametrize(
    ("weight", "bias"),
    [
        ([[1, 2]], [0, 0]),
        ([1, 2], [0, 0]),
        ([[[1]]], [0]),
        ([[1]], [[0]]),
        (np.zeros((0, 1)), np.zeros(0)),
        (np.zeros((1, 0)), np.zeros(1)),
        ([[True]], [0]),
        ([[1j]], [0]),
        ([["one"]], [0]),
        ([[None]], [0]),
    ],
)
def test_layers_that_are_no_affine_map_are_refused(weight, bias):
    with pytest.raises(HypothesisError):
        Affine(weight, bias)


def test_networks_whose_shapes_do_not_fit_are_refused():
    wide = Affine([[1], [1]], [0, 0])
    with pytest.raises(HypothesisError, match="layer 1 gives 2 values"):
        Network([wide, Affine([[1]], [0])])
    with pytest.raises(HypothesisError, match="at least one affine layer"):
        Network([])
    with pytest.raises(HypothesisError, match="1 layers need 0 activations"):
        Network([wide], [RELU])
    with pytest.raises(HypothesisError, match="pairs"):
        Network.from_arrays([[1]], [0], [[1]])
    with pytest.raises(HypothesisError, match="takes 1"):
        SMALL([1, 2])
    with pytest.raises(HypothesisError, match="takes 1"):
        SMALL.floats(np.float64(1))
    with pytest.raises(HypothesisError, match="takes 1"):
        SMALL.balls([arb(1)] * 2)


def test_sizes_are_exact():
    found = size(SMALL)
    assert (found.depth, found.widths, found.width, found.units) == (2, (2,), 2, 2)
    assert found.weights == 6  # one of the eight numbers is zero
    assert found.largest_weight == 5
    assert found.bits == 3
    deep = size(Network.from_arrays(*[[["1/1024"]], [0]] * 4))
    assert (deep.depth, deep.units, deep.bits) == (4, 3, 11)
    assert size(Network.from_arrays(np.array([[-0.75]]), np.zeros(1))).bits == 3


def test_properties_say_what_a_network_is():
    assert (SMALL.depth, SMALL.hidden_layers, SMALL.in_dim, SMALL.out_dim) == (
        2,
        1,
        1,
        1,
    )
    assert SMALL.is_continuous and not SMALL.is_float
    assert not Network(SMALL.layers, [THRESHOLD]).is_continuous
    assert Network.from_arrays([[1]], [0]).width == 0
    assert repr(SMALL) == "Network(1 -> 2 -> 1, rational)"
    assert "float64" in repr(Network.from_arrays(np.ones((1, 1)), np.ones(1)))


def test_equal_maps_are_equal_whatever_their_storage():
    floats = Affine(np.array([[0.5, 2]]), np.array([1.0]))
    exact = Affine([["1/2", 2]], [1])
    assert floats == exact and exact == floats
    assert floats != Affine([["1/2", 3]], [1])
    assert floats != Affine([["1/2"]], [1])
    assert floats != "an affine map"
    with pytest.raises(TypeError):
        hash(floats)


def test_float32_and_integers_are_taken_at_face_value():
    single = Affine(np.array([[0.1]], dtype=np.float32), np.array([1], dtype=np.int8))
    assert single([fmpq(1)]) == [1 + fmpq(*np.float32(0.1).item().as_integer_ratio())]


def test_activations_are_found_by_name():
    assert (
        activation_named("relu") is RELU and activation_named("threshold") is THRESHOLD
    )
    assert repr(RELU) == "relu" and isinstance(RELU, Activation)
    with pytest.raises(HypothesisError, match="unknown activation"):
        activation_named("swish")


def test_many_points_take_little_memory_and_keep_their_values():
    rng = np.random.default_rng(3)
    network = Network.from_arrays(
        rng.normal(size=(20_000, 2)),
        rng.normal(size=20_000),
        rng.normal(size=(1, 20_000)),
        np.zeros(1),
    )
    x = rng.normal(size=(3, 1000, 2))
    tracemalloc.start()
    values = network.floats(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert values.shape == (3, 1000, 1)
    assert peak < 6e8  # 3,000 points times 20,000 units are 480 MB, several times over
    np.testing.assert_allclose(values[2, -5:], network.floats(x[2, -5:]), rtol=1e-9)
