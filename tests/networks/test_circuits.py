"""Networks written unit by unit: squares, products, hats, and what they must equal."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import examine, on_interval
from depthsep.analysis.inspection._zero_on_segment import is_zero_on_segment
from depthsep.constructions import hats, product_network, square_wire
from depthsep.constructions.box._partition import product_wire
from depthsep.laws import Segment
from depthsep.networks import Affine, Circuit, Network, Wire, compose
from depthsep.problems import Problem

UNIT = Segment(0, 1)


def product_block(levels):
    circuit = Circuit(2)
    return circuit.network([product_wire(circuit, *circuit.inputs, levels)])


def square_block(levels):
    circuit = Circuit(1)
    return circuit.network([square_wire(circuit, circuit.inputs[0], levels)])


@pytest.mark.parametrize("levels", range(7))
def test_the_product_block_is_examined_exactly(levels):
    block = product_block(levels)
    assert list(block.widths) == [3, 4, *[5] * levels]
    found = examine(block, Problem("product", UNIT))
    assert found.error.upper <= fmpq(1, 4 ** (levels + 2)) * (1 + fmpq(1, 10**6))
    assert found.error.lower >= fmpq(1, 4 ** (levels + 2)) * fmpq(1, 2)
    for zero in ([(0, 0), (0, 1)], [(0, 0), (1, 0)]):
        assert is_zero_on_segment(block, *zero)


@pytest.mark.parametrize("levels", range(4))
def test_the_product_block_is_the_signed_product_on_the_unit_square(levels):
    block, signed = product_block(levels), product_network(levels)
    step = 2 ** (levels + 2)
    for i in range(step + 1):
        for j in range(step + 1):
            x = [fmpq(i, step), fmpq(j, step)]
            assert block(x) == signed(x)
            assert 0 <= block(x)[0] <= min(x)


@pytest.mark.parametrize("levels", range(1, 9))
def test_the_square_block_interpolates(levels):
    block = square_block(levels)
    found = examine(block, Problem("square", UNIT))
    assert found.error.upper == fmpq(1, 4 ** (levels + 1))
    f = on_interval(block, 0, 1)
    assert f.pieces == 2**levels
    assert all(
        v == t * t for t, v in zip(f.knots.tolist(), f.values.tolist(), strict=True)
    )


@pytest.mark.parametrize("steps", [1, 2, 3, 5, 8])
def test_hats_are_a_partition_of_unity(steps):
    circuit = Circuit(1)
    made = hats(circuit, circuit.inputs[0], steps)
    assert circuit.widths == [steps] and len(made) == steps + 1
    for j, hat in enumerate(made):
        f = on_interval(_alone(circuit, hat), 0, 1)
        for i in range(4 * steps + 1):
            t = fmpq(i, 4 * steps)
            assert f(t) == max(fmpq(0), 1 - abs(steps * t - j))
    whole = on_interval(_alone(circuit, circuit.sum(made)), 0, 1)
    assert whole.values.tolist() == [1, 1]


def _alone(circuit, wire):
    return circuit.network([wire])


def test_the_printed_sign_of_the_partition_fails():
    # h(z) + h(z + 1/s) = 1 - s z: 3/5 at s = 4, z = 1/10
    s, z = 4, fmpq(1, 10)

    def h(t):
        return max(fmpq(0), 1 - s * abs(t))

    assert h(z) + h(z + fmpq(1, s)) == fmpq(3, 5) == 1 - s * z
    assert h(z) + h(z - fmpq(1, s)) == 1


@given(st.lists(st.integers(-8, 8), min_size=2, max_size=2), st.integers(0, 3))
def test_values_of_any_sign_are_carried_unchanged(numbers, layers):
    circuit = Circuit(2)
    x, y = circuit.inputs
    wire = circuit.delayed(3 * x - 2 * y + 5, layers + 1)
    network = circuit.network([wire])
    assert network(numbers) == (3 * numbers[0] - 2 * numbers[1] + 5,)
    assert network.hidden_layers == layers + 1


def test_wires_of_different_layers_do_not_meet():
    circuit = Circuit(1)
    (x,) = circuit.inputs
    up = circuit.relu(x)
    with pytest.raises(HypothesisError, match="cannot be added"):
        up + x
    with pytest.raises(HypothesisError, match="cannot be used as one of layer"):
        circuit.at(circuit.relu(up), 1)


def test_shared_units_are_made_once():
    circuit = Circuit(2)
    x, y = circuit.inputs
    assert circuit.shared_relu(x - y) is circuit.shared_relu(x - y)
    assert circuit.relu(x - y) is not circuit.relu(x - y)
    assert circuit.widths == [3]


def test_a_circuit_keeps_weights_that_no_float_holds():
    circuit = Circuit(1)
    network = circuit.network([circuit.relu(circuit.inputs[0]) * fmpq(1, 3)])
    assert not network.is_float and network([1]) == (fmpq(1, 3),)
    flat = compose(Network([Affine([[1]], [0])]), network)
    assert flat([3]) == (1,)
    assert isinstance(Wire(0, {}).constant, fmpq)
    assert np.isfinite(network.floats(np.ones((1, 1)))).all()


def net(*pairs):
    return Network([Affine(w, b) for w, b in pairs])


def test_zero_tests_look_at_every_output():
    with pytest.raises(HypothesisError, match="2 outputs"):
        is_zero_on_segment(net(([[1]], [0]), ([[0], [1]], [0, 0])), [0], [1])
