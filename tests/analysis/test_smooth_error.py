"""Networks of smooth units: derivatives by differences, sup errors by grids."""

from itertools import pairwise

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import CertificationError, HypothesisError, Problem, Segment
from depthsep.analysis import certify, examine, inspect
from depthsep.analysis._smooth_error import SLOPES, _NetworkJets
from depthsep.evidence import Inapplicable
from depthsep.networks import (
    ABS,
    ERF,
    EXP,
    GELU,
    SIGMOID,
    SOFTPLUS,
    TANH,
    THRESHOLD,
    Network,
    activation_named,
    leaky_relu,
)
from depthsep.networks.activations._more_activations import SQUARE


def random_net(activation, *widths, seed=0):
    rng = np.random.default_rng(seed)
    arrays = []
    for n, m in pairwise(widths):
        arrays += [rng.normal(size=(m, n)) / n**0.5, rng.normal(size=m)]
    return Network.from_arrays(*arrays, activation=activation)


@pytest.mark.parametrize("name", SLOPES)
@pytest.mark.parametrize("at", [-3, -0.5, 0, 1.25])
def test_slopes_are_derivatives(name, at):
    balls, slopes = activation_named(name).balls, SLOPES[name]
    with ctx.workprec(300):
        z, h = arb(at), arb(2) ** -60
        first, second = slopes(z)
        left, here, right = (balls(z + k * h) for k in (-1, 0, 1))
        assert abs((right - left) / (2 * h) - first) < 1e-15
        assert abs((right - 2 * here + left) / (h * h) - second) < 1e-15


@pytest.mark.parametrize("activation", [TANH, GELU, SQUARE], ids=str)
def test_jets_of_a_network_go_through_its_layers(activation):
    network = random_net(activation, 2, 4, 3, 1)
    with ctx.workprec(300):
        x, d, h = [arb(0.25), arb(-0.5)], [1, -2], arb(2) ** -60
        jet = _NetworkJets(network).along(d, x)
        left, here, right = (
            network.balls([v + k * h * s for v, s in zip(x, d, strict=True)])[0]
            for k in (-1, 0, 1)
        )
        assert jet.value.overlaps(here)
        assert abs((right - left) / (2 * h) - jet.first) < 1e-12
        assert abs((right - 2 * here + left) / (h * h) - jet.second) < 1e-12


@pytest.mark.parametrize("activation", [SIGMOID, TANH, SOFTPLUS, ERF, EXP], ids=str)
@pytest.mark.parametrize("widths", [(1, 5, 1), (1, 4, 4, 1), (2, 5, 1)], ids=str)
def test_the_sup_error_is_what_a_grid_shows(activation, widths):
    network = random_net(activation, *widths)
    target = "expr:x" if widths[0] == 1 else "expr:x1*x2"
    g = np.linspace(-1, 1, 401)
    x = g[:, None] if widths[0] == 1 else np.stack(np.meshgrid(g, g), -1).reshape(-1, 2)
    values = x[:, 0] if widths[0] == 1 else x[:, 0] * x[:, 1]
    seen = float(np.abs(network.floats(x)[:, 0] - values).max())
    on = Segment(-1, 1)
    met = Problem(target, on, accuracy=str(seen * 1.01))
    assert certify(network, met).method == "balls"
    for norm in ("l1", "l2"):
        assert certify(network, Problem(target, on, norm, str(seen * 1.01)))
    with pytest.raises(CertificationError, match="above the accuracy"):
        certify(network, Problem(target, on, accuracy=str(seen * 0.99)))


def test_inspecting_smooth_units_tells_size_and_distance():
    network = random_net(TANH, 1, 5, 1)
    found = inspect(network, on=Segment(-1, 1), target=Problem("expr:x").target)
    assert found.pieces is None and found.distance is not None
    assert found.distance.upper <= found.distance.lower * fmpq(1001, 1000)


def test_what_is_not_decided_is_not_called_above():
    network = random_net(TANH, 2, 6, 6, 1)
    problem = Problem("expr:x1*x2", Segment(-1, 1), accuracy="3")
    with pytest.raises(CertificationError, match="is not decided") as caught:
        certify(network, problem, seconds=0)
    assert "--seconds" in str(caught.value)


def test_units_that_jump_beside_smooth_ones_are_not_examined():
    mixed = random_net(TANH, 1, 2, 2, 1)
    jumping = Network(mixed.layers, [TANH, THRESHOLD])
    assert isinstance(examine(jumping, Problem("expr:x", accuracy=9)), Inapplicable)
    bent = Network(mixed.layers, [TANH, ABS])
    assert examine(bent, Problem("expr:x", accuracy=9)).method == "balls"


def test_leaky_units_beside_smooth_ones_keep_their_slope():
    layers = random_net(TANH, 1, 3, 3, 1).layers
    network = Network(layers, [TANH, leaky_relu("1/2")])
    x = np.linspace(-1, 1, 2001)
    seen = np.abs(network.floats(x[:, None])[:, 0] - x).max()
    found = inspect(network, on=Segment(-1, 1), target=Problem("expr:x").target)
    assert found.distance is not None
    low, high = (
        int(v.p) / int(v.q) for v in (found.distance.lower, found.distance.upper)
    )
    assert low <= seen * 1.0001 and seen <= high <= seen * 1.01


def test_what_smooth_units_cannot_be_asked_is_refused():
    network, on = random_net(TANH, 1, 2, 1), Segment(0, 1)
    with pytest.raises(HypothesisError, match="not compared with others"):
        inspect(network, on=on, against=network)
    jumping = Network(random_net(TANH, 1, 2, 2, 1).layers, [TANH, THRESHOLD])
    with pytest.raises(HypothesisError, match="threshold units are not examined"):
        inspect(jumping, on=on, target=Problem("expr:x").target)
