"""Forms carried forwards hold at every point, also of two networks at once."""

import numpy as np
import pytest

from depthsep.analysis.bounds._backward import bounds_on
from depthsep.analysis.bounds._balls import Ball
from depthsep.analysis.bounds._followed import difference, followed
from depthsep.analysis.bounds._forward import forms_on
from depthsep.analysis.bounds._search import AbstractBounded, OnBoxes, largest
from depthsep.exact import rational
from depthsep.networks import RELU, Affine, Network
from support.units import UNITS, drawn

SIDES = [2.0, 0.1, 1e-3, 0.0]


def rounded(network):
    layers = [
        Affine(np.round(layer.weight, 3), np.round(layer.bias, 3))
        for layer in network.layers
    ]
    return Network(layers, network.activations)


def boxes(side, seed=2):
    rng = np.random.default_rng(seed)
    low = rng.uniform(-2, 2, (20, 3))
    return low, low + side, low[:, None] + side * rng.random((20, 100, 3))


def hold(found, values):
    slack = 1e-12 * (1 + np.abs(values).max())  # of the values, which are rounded
    assert (values >= found[0][:, None] - slack).all()
    assert (values <= found[1][:, None] + slack).all()


@pytest.mark.parametrize("activation", UNITS, ids=str)
@pytest.mark.parametrize("side", SIDES)
def test_forms_hold_at_points(activation, side) -> None:
    network = drawn(1, [3, 12, 9, 2], activation)
    low, high, points = boxes(side)
    net = followed(network)
    before, form = forms_on(net, low, high)
    hold(before[0], points @ net.maps[0].weight + net.maps[0].bias)
    hold(form.ends, network.floats(points))


@pytest.mark.parametrize("side", SIDES)
def test_forms_of_differences_hold(side) -> None:
    first = drawn(6, [3, 10, 10, 2], RELU)
    second = rounded(first)
    low, high, points = boxes(side, seed=7)
    _, form = forms_on(difference(first, second), low, high)
    hold(form.ends, second.floats(points) - first.floats(points))


@pytest.mark.parametrize("size", [1e-200, 1e-8, 1.0, 1e8, 1e90])
def test_forms_hold_in_rationals_where_sums_cancel(size) -> None:
    network = drawn(3, [2, 8, 8, 1], RELU, size)
    x = np.array([[1 / 3, 2 / 3]])
    _, form = forms_on(followed(network), x, x)
    exact = network([rational(v) for v in x[0].tolist()])[0]
    low, high = (float(v[0, 0]) for v in form.ends)
    assert low == -np.inf or rational(low) <= exact
    assert high == np.inf or exact <= rational(high)


def test_small_boxes_are_bounded_as_sharply_as_backwards() -> None:
    """Both are affine where no unit is open, and differ by rounding."""
    net = followed(drawn(1, [3, 12, 9, 2], RELU))
    low, high, _ = boxes(1e-6)
    found, (_, form) = bounds_on(net, low, high), forms_on(net, low, high)
    gaps = form.ends[1] - form.ends[0]
    assert np.median(gaps / (found.high - found.low)) < 1.01


def test_products_of_balls_hold_their_ends() -> None:
    rng = np.random.default_rng(0)
    low, least = rng.normal(size=(2, 1000))
    high, most = low + rng.random(1000), least + rng.random(1000)
    found = Ball.of(low, high).times(least, most)
    bottom, top = found.ends
    for a in (low, high):
        for b in (least, most):
            assert (bottom <= a * b).all() and (a * b <= top).all()
    assert (top - bottom <= (high - low) * 4 + (most - least) * 4).all()


class Ridge(AbstractBounded):
    """-|x - y| near a corner: bounds that no single cut across x or y makes better."""

    net = followed(drawn(0, [2, 2, 1], RELU))
    tries = True

    def on_few(self, low, high):
        far = np.maximum(low[:, 0] - high[:, 1], low[:, 1] - high[:, 0]).clip(0)
        return OnBoxes(1e-3 - far, np.zeros_like(low), (low + high) / 2)

    def above(self, low, high):
        return np.zeros(len(low))

    def at(self, points):
        return -np.abs(points[:, 0] - points[:, 1])


def test_no_axis_is_cut_for_ever() -> None:
    """Boxes stay within a factor of cubes where cuts promise nothing."""
    seen = []

    class Watched(Ridge):
        def on_few(self, low, high):
            seen.append((high - low).max(1) / (high - low).min(1))
            return super().on_few(low, high)

    top = np.ones((1, 2))
    largest(Watched(), -top, top, stop_at=0.0)
    pool = largest(Watched(), -top, top, stop_at=np.inf, least=2e-3)
    assert pool.settled
    assert max(float(ratios.max()) for ratios in seen) <= 32
