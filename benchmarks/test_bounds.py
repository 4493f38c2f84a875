"""Bounds of networks on boxes beside evaluation there, and facts beside regions."""

from itertools import pairwise

import numpy as np
import pytest

from depthsep.analysis import facts
from depthsep.analysis.bounds import _tables
from depthsep.analysis.bounds._backward import bounds_on
from depthsep.analysis.bounds._followed import difference, followed
from depthsep.analysis.bounds._forward import forms_on
from depthsep.analysis.bounds._tables import FAR, NEAR, table_units
from depthsep.analysis.regions import extremes
from depthsep.laws import Box, Segment
from depthsep.networks import RELU, TANH, Affine, Network

BOXES = 256


def drawn(widths, activation=RELU):
    rng = np.random.default_rng(0)
    layers = [
        Affine(rng.normal(size=(m, n)) * 1.4 / n**0.5, rng.normal(size=m) / 2)
        for n, m in pairwise(widths)
    ]
    return Network(layers, [activation] * (len(layers) - 1))


def boxes(dim):
    low = np.random.default_rng(1).uniform(-1, 0.9, (BOXES, dim))
    return low, low + 0.1


@pytest.mark.parametrize("activation", [RELU, TANH], ids=str)
def test_bounds_of_five_inputs_and_six_layers(benchmark, activation):
    net = followed(drawn([5, *[50] * 6, 5], activation))
    found = benchmark(bounds_on, net, *boxes(5))
    assert (found.low <= found.high).all()


def test_forms_of_five_inputs_and_six_layers(benchmark):
    """What a try of one cut costs beside sharp bounds."""
    net = followed(drawn([5, *[50] * 6, 5]))
    _, form = benchmark(forms_on, net, *boxes(5))
    assert (form.reach >= 0).all()


def test_evaluation_at_as_many_points(benchmark):
    network = drawn([5, *[50] * 6, 5])
    assert benchmark(network.floats, boxes(5)[0]).shape == (BOXES, 5)


def test_bounds_of_a_difference(benchmark):
    network = drawn([5, *[50] * 6, 5])
    rounded = Network(
        [Affine(np.round(w.weight, 4), w.bias) for w in network.layers],
        network.activations,
    )
    found = benchmark(bounds_on, difference(network, rounded), *boxes(5))
    assert (found.low <= found.high).all()


SQUARE = Box.cube(Segment(-1, 1), 2)


def test_facts_of_two_inputs(benchmark):
    network = drawn([2, 16, 16, 1])
    found = benchmark.pedantic(facts, (network, SQUARE), rounds=3)
    assert not found.to_json()["left_out"]


def test_the_range_alone_over_all_regions(benchmark):
    network = drawn([2, 16, 16, 1])
    found = benchmark.pedantic(extremes, (network, SQUARE), rounds=3)
    assert found.least < found.largest


def test_facts_of_smooth_units(benchmark):
    network = drawn([2, 16, 16, 1], TANH)
    found = benchmark.pedantic(facts, (network, SQUARE), rounds=3)
    assert not found.to_json()["left_out"]


@pytest.mark.parametrize("far", [NEAR, FAR])
def test_the_table_of_a_smooth_unit(benchmark, monkeypatch, far):
    """Made once for all networks; with FAR it is the one that every unit had before."""
    monkeypatch.setattr(_tables, "BENT", (TANH.name,) if far == FAR else ())
    found = benchmark.pedantic(table_units.__wrapped__, (TANH,), rounds=5)
    assert found.firsts.high[0].max() >= 1
