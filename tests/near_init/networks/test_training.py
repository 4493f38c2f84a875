"""Descent of finite networks beside their linearisation."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError, listening
from depthsep.near_init import (
    LinearTraining,
    TangentKernel,
    adversary_from_start,
    draw,
    relu_bounds_along,
)

pytestmark = pytest.mark.usefixtures("x64")

FIRST = TangentKernel("relu", 2, trained=(1,))


def test_training_refuses_what_it_cannot_use():
    import jax.numpy as jnp

    from depthsep.near_init import DenseNetwork, descend, distance, unit
    from depthsep.near_init.networks._initialisations import Layer

    layers, x = draw("he", (2, 8, 1), 0), np.ones((3, 2))
    good = {"rate": 0.1, "steps": [2]}
    for change in (
        {"rate": None},
        {"rate": 0.0},
        {"rate": -1.0},
        {"steps": [2.7]},
        {"steps": [-1]},
        {"trained": (0,)},
        {"trained": (1.5,)},
    ):
        with pytest.raises(HypothesisError):
            descend(DenseNetwork(), layers, x, np.ones(3), x, **{**good, **change})
    for y, points in (
        (np.ones((3, 1)), x),
        (np.array([1.0, np.nan, 0.0]), x),
        (np.ones(3), x[:0]),
        (np.ones(3), x[0]),
    ):
        with pytest.raises(HypothesisError):
            descend(DenseNetwork(), layers, x, y, points, **good)
    with pytest.raises(HypothesisError, match="at least one layer"):
        DenseNetwork()((), x)
    with pytest.raises(HypothesisError, match="different shapes"):
        distance(np.ones(2), np.ones((2, 2)))
    assert DenseNetwork("erf", [1.0, 1.0]) == DenseNetwork("erf", (1.0, 1.0))
    assert float(unit("relu")(jnp.asarray(-np.inf))) == 0
    assert Layer(np.ones((1, 1))).bias is None


def test_comparisons_are_refused_before_anything_is_trained():
    from depthsep.near_init import compare, kernel_errors

    x = np.array([[1.0, 0.0], [0.0, 1.0]])
    for change in (
        {"rate": 100.0},
        {"width": 7},
        {"points": 2 * x},
        {"points": x[0]},
        {"y": np.ones(3)},
        {"delta": 3},
    ):
        given = {"x": x, "y": np.ones(2), "points": x, "width": 8, **change}
        with pytest.raises(HypothesisError):
            compare(**given, steps=[1])
    nothing = kernel_errors(TangentKernel(trained=()), x, [8], seeds=2)
    assert nothing[0].mean_squared_error == 0


def circle(count, start=0.0):
    angles = start + 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def trained(width, steps=(1, 10, 100, 600)):
    from depthsep.near_init import descend, finite_network

    x, grid = circle(8, 0.3), circle(90)
    y = np.sin(2 * np.arctan2(x[:, 1], x[:, 0])) + 0.5 * x[:, 0]
    network, layers = finite_network(FIRST, 2, width, 0, init="symmetrised")
    gram = network.kernel(layers, x)[0]
    cross = network.kernel(layers, grid, x)[0]
    training = LinearTraining(gram, y)
    rate = 0.5 * training.largest_rate
    found = descend(network, layers, x, y, grid, rate=rate, steps=steps, trained=(1,))
    linear = np.array([cross @ training.descent(int(s), rate) for s in found.steps])
    return found, linear, layers


@pytest.mark.slow
def test_wide_networks_follow_their_linearisation_and_narrow_ones_leave_it():
    wide, wide_linear, layers = trained(8192)
    scale = 8192**-0.5
    delta = fmpq(1, 1000)
    bounds = np.array(
        relu_bounds_along(8192, wide.distance, 90, delta, units_per_row=2)
    )
    assert (wide.gap[1:] <= scale * bounds[1:]).all() and wide.gap[0] == 0
    # and within the exact worst case at that distance, point by point
    a, start = layers[1].weight[0], layers[0].weight
    for radius, values, linear in zip(
        wide.distance[1:], wide.values[1:], wide.linearised[1:], strict=True
    ):
        for x, gap in zip(circle(90)[::15], np.abs(values - linear)[::15], strict=True):
            assert gap <= scale * adversary_from_start(a, start, x, radius).error + 1e-9
    assert wide.loss[-1] < 1e-3 * wide.loss[0]
    follows = np.abs(wide.values - wide_linear).max()
    narrow, narrow_linear, _ = trained(64)
    leaves = np.abs(narrow.values - narrow_linear).max()
    size = np.abs(wide_linear).max()
    assert follows < 0.02 * size and leaves > 0.1 * size
    assert wide.longest[-1] < 0.2 * narrow.longest[-1]
    assert wide.distance[-1] == pytest.approx(narrow.distance[-1], rel=0.35)


def test_descent_reports_and_refuses():
    from depthsep.near_init import DenseNetwork, descend

    layers = draw("he", (2, 20, 1), 0)
    x, y = circle(4), np.ones(4)
    seen = []
    with listening(lambda share, what: seen.append(what)):
        smooth = DenseNetwork("tanh")
        found = descend(smooth, layers, x, y, x, rate=0.05, steps=[5, 2])
    assert seen == ["step 0", "step 2", "step 5"]
    assert found.steps.tolist() == [0, 2, 5]
    assert found.loss[2] < found.loss[0] and found.values.shape == (3, 4)
    assert found.layers[0].bias is not None and (found.layers[0].bias != 0).any()
    second = descend(
        DenseNetwork(), layers, x, y, x, rate=0.05, steps=[3], trained=(2,)
    )
    assert (second.layers[0].weight == layers[0].weight).all()
    assert (second.gap < 1e-12).all()  # linear in the last layer
    with pytest.raises(HypothesisError, match="lower the rate"):
        descend(DenseNetwork(), layers, x, y, x, rate=1e6, steps=[60])
    with pytest.raises(HypothesisError, match="the targets"):
        descend(DenseNetwork(), layers, x, np.ones(3), x, rate=0.1, steps=[1])
    with pytest.raises(HypothesisError, match="a trained layer is 3"):
        descend(DenseNetwork(), layers, x, y, x, rate=0.1, steps=[1], trained=(3,))


def test_deviations_of_smooth_networks_stay_within_proposition_3_4():
    from depthsep.near_init import DenseNetwork, descend, smooth_bound
    from depthsep.near_init.bounds._linear_bounds import smoothness

    layers = draw("scaled", (2, 300, 1), 0)
    x = circle(5)
    layers = tuple(type(w)(w.weight) for w in layers)
    found = descend(
        DenseNetwork("tanh"), layers, x, x[:, 0], x, rate=0.2, steps=[200], trained=(1,)
    )
    radius = fmpq(*float(found.distance[-1]).as_integer_ratio())
    weight = fmpq(*float(np.abs(layers[1].weight).max()).as_integer_ratio())
    bound = smooth_bound(smoothness("tanh"), radius, weight)
    assert 0 < found.gap[-1] <= float(bound.upper())
