"""Convex and concave: by signs of weights, by second derivatives, by witnesses."""

import numpy as np
import pytest
from flint import fmpq

from depthsep.analysis import facts
from depthsep.analysis.bounds._balls import Ball
from depthsep.analysis.bounds._bends import least_bends
from depthsep.analysis.bounds._followed import followed
from depthsep.analysis.bounds._gradients import hessians_on
from depthsep.analysis.facts._convex import bends_by_signs
from depthsep.analysis.facts._shape import Shape
from depthsep.evidence import Rigour
from depthsep.laws import Box, Segment
from depthsep.networks import (
    ABS,
    EXP,
    GELU,
    HARDTANH,
    RELU,
    SIGMOID,
    SILU,
    SOFTPLUS,
    TANH,
    Affine,
    Network,
    elu,
    leaky_relu,
)
from support.units import drawn

CONVEX_UNITS = (RELU, leaky_relu("1/10"), SOFTPLUS, EXP, elu("1/2"), elu())


def input_convex(seed, activation, inputs=10, last=1.0):
    """Weights behind the first layer are not negative, but for the last sign."""
    rng = np.random.default_rng(seed)
    layers = [
        Affine(rng.normal(size=(12, inputs)), rng.normal(size=12)),
        Affine(np.abs(rng.normal(size=(8, 12))) / 12, rng.normal(size=8)),
        Affine(last * np.abs(rng.normal(size=(1, 8))), [0.0]),
    ]
    return Network(layers, [activation] * 2)


def shape_of(network, on=None, seconds=10):
    found = facts(network, on, seconds=seconds).facts
    return next(fact for fact in found if isinstance(fact, Shape))


@pytest.mark.parametrize("activation", CONVEX_UNITS, ids=str)
def test_input_convex_networks_are_convex(activation) -> None:
    convex, concave = bends_by_signs(input_convex(0, activation))
    assert convex.all() and not concave.any()
    convex, concave = bends_by_signs(input_convex(0, activation, last=-1.0))
    assert concave.all() and not convex.any()


@pytest.mark.slow
@pytest.mark.parametrize("activation", [RELU, SOFTPLUS], ids=str)
def test_facts_know_it_in_more_dimensions_than_boxes_cover(activation) -> None:
    assert shape_of(input_convex(0, activation, inputs=5), seconds=4).kind == "convex"


@pytest.mark.parametrize("activation", [TANH, GELU, HARDTANH, SIGMOID, elu(2)], ids=str)
def test_other_units_prove_nothing_by_signs(activation) -> None:
    convex, concave = bends_by_signs(input_convex(0, activation))
    assert not convex.any() and not concave.any()


def test_a_convex_unit_that_falls_keeps_affine_functions_alone() -> None:
    one = Network([Affine([[1.0]], [0.0]), Affine([[1.0]], [0.0])], [ABS])
    assert bends_by_signs(one)[0].all()
    two = Network([*one.layers[:1], *one.layers[:1], one.layers[1]], [ABS, ABS])
    assert not bends_by_signs(two)[0].any()


@pytest.mark.parametrize("seed", range(20))
def test_signs_agree_with_chords(seed) -> None:
    """Random signs of weights: what is called convex lies below its chords."""
    rng = np.random.default_rng(seed)
    network = drawn(seed, [2, 3, 2, 1], CONVEX_UNITS[seed % len(CONVEX_UNITS)])
    layers = [network.layers[0]]
    for layer in network.layers[1:]:
        layers.append(Affine(np.abs(layer.weight) * rng.choice([1, 1, -1]), layer.bias))
    network = Network(layers, network.activations)
    a, b = rng.uniform(-2, 2, (2, 4000, 2))
    ends = (network.floats(a) + network.floats(b)) / 2
    sag = (ends - network.floats((a + b) / 2))[:, 0]
    convex, concave = bends_by_signs(network)
    assert not convex[0] or sag.min() >= -1e-9
    assert not concave[0] or sag.max() <= 1e-9


@pytest.mark.parametrize(
    ("activation", "bias", "dim"),
    [(SILU, 0.0, 1), (TANH, -1.5, 2), (SILU, 0.0, 3)],
    ids=str,
)
def test_convex_on_a_box_by_second_derivatives(activation, bias, dim) -> None:
    rng = np.random.default_rng(dim)
    inner = Affine(0.3 * rng.normal(size=(4 * dim, dim)), np.full(4 * dim, bias))
    outer = np.abs(rng.normal(size=(1, 4 * dim)))
    box = Segment(-1, 1) if dim == 1 else Box.cube(Segment(-1, 1), dim)
    for sign, kind in ((1, "convex"), (-1, "concave")):
        network = Network([inner, Affine(sign * outer, [0.0])], [activation])
        found = shape_of(network, box, seconds=30)
        assert (found.kind, found.rigour) == (kind, Rigour.ENCLOSED)


def test_where_it_bends_both_ways_it_is_neither() -> None:
    network = Network([Affine([[2.0]], [0.0]), Affine([[1.0]], [0.0])], [TANH])
    found = shape_of(network, Segment(-1, 1))
    assert found.kind == "neither convex nor concave"
    assert shape_of(network, Segment(-1, fmpq(-1, 100))).kind == "convex"


@pytest.mark.parametrize("activation", [TANH, GELU, SOFTPLUS], ids=str)
def test_hessians_hold_differences_of_gradients(activation) -> None:
    net = followed(drawn(4, [3, 6, 5, 1], activation))
    low = np.random.default_rng(5).uniform(-1, 1, (20, 3))
    found = hessians_on(net, low, low + 0.05, np.ones(1))
    points = low + 0.05 * np.random.default_rng(6).random((20, 3))
    there = hessians_on(net, points, points, np.ones(1))
    assert (np.abs(there.middle - found.middle) <= found.reach + there.reach).all()
    least = np.linalg.eigvalsh(there.middle).min(1)
    assert (least_bends(found) <= least + 1e-9).all()
    assert np.allclose(least_bends(there), least, atol=0.05)


def test_matrices_that_are_not_known_prove_nothing() -> None:
    middle = np.array([np.eye(2), np.diag([1.0, -1e-9]), np.full((2, 2), np.nan)])
    found = least_bends(Ball(middle, np.zeros_like(middle)))
    assert found[0] > 0.9 and found[1] < 0 and found[2] == -np.inf
    assert least_bends(Ball(middle[:1], np.full((1, 2, 2), 0.6)))[0] < 0
