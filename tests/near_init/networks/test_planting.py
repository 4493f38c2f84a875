"""Planting a network beside the start."""

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.near_init import adversary, draw, network_value, plant, planted_units
from depthsep.networks import Network


def test_second_layers_as_they_are_drawn_are_understood():
    inner, outer = draw("signs", (2, 600, 1), 0)
    x = np.array([[0.6, 0.8]])
    rows = plant([1.0], [[0.6, 0.8]], outer.weight, inner.weight, "1/2")
    flat = plant([1.0], [[0.6, 0.8]], outer.weight[0], inner.weight, "1/2")
    assert (rows.planted == flat.planted).all()
    value = network_value(outer.weight, inner.weight, x)
    assert value == pytest.approx(network_value(outer.weight[0], inner.weight, x))
    assert adversary(outer.weight, inner.weight, x[0], 1).rows > 0


def test_a_network_with_biases_becomes_unit_directions():
    rng = np.random.default_rng(4)
    network = Network.from_arrays(
        np.array([[1.0, 2], [2, 4], [-1, 0.5]]),
        np.array([0.5, 1.0, 0.0]),
        np.array([[1.0, -2, 3]]),
        np.array([0.7]),
    )
    units = planted_units(network)
    assert len(units.alpha) == 3  # two units of one direction, one, and the constant
    np.testing.assert_allclose(np.linalg.norm(units.beta, axis=1), 1)
    x = rng.uniform(-0.7, 0.7, (100, 2))
    z = units.inputs(x)
    assert (np.linalg.norm(z, axis=1) <= 1).all()
    values = np.maximum(z @ units.beta.T, 0) @ units.alpha
    np.testing.assert_allclose(values, network.floats(x)[:, 0], atol=1e-12)
    signs, start = rng.choice((-1.0, 1.0), 40_000), rng.standard_normal((40_000, 3))
    planting = plant(units.alpha, units.beta, signs, start, 0.3)
    moved = np.maximum(z @ planting.planted.T, 0) @ signs
    still = np.maximum(z @ start.T, 0) @ signs
    off = np.abs(moved - still - planting.scale * values)
    assert off.max() <= planting.noise_free_error * (1 + 1e-9)


@pytest.mark.parametrize("bad", ["depth", "zero"])
def test_what_cannot_be_planted_is_refused(bad):
    zero = Network.from_arrays(
        np.ones((1, 2)), np.zeros(1), np.zeros((1, 1)), np.zeros(1)
    )
    deep = Network.from_arrays(*[np.ones((1, 1)), np.zeros(1)] * 3)
    with pytest.raises(HypothesisError):
        planted_units({"depth": deep, "zero": zero}[bad])
