"""Weights as a search moves them: derivatives, and changes that keep the function."""

import numpy as np
import pytest

from depthsep.constructions.search._weights import Weights


@pytest.fixture
def weights() -> Weights:
    rng = np.random.default_rng(1)
    shapes = ((5, 1), (4, 5), (3, 4), (1, 3))
    return Weights(tuple((rng.normal(size=s), rng.normal(size=s[0])) for s in shapes))


X = np.linspace(-1, 1, 101)


def test_derivatives_agree_with_differences(weights: Weights) -> None:
    step = 1e-6
    for i in range(weights.vector.size):
        move = np.zeros(weights.vector.size)
        move[i] = step
        change = (weights.moved(move)(X) - weights.moved(-move)(X)) / (2 * step)
        assert np.allclose(weights.jacobian(X)[:, i], change, atol=1e-7)


def test_the_network_has_the_same_values(weights: Weights) -> None:
    network = weights.network()
    assert network.widths == weights.widths
    assert np.allclose(network.floats(X[:, None])[:, 0], weights(X))
    assert np.allclose(Weights.of(network)(X), weights(X))


def test_balancing_changes_units_and_not_the_function(weights: Weights) -> None:
    balanced = weights.balanced(X)
    assert np.allclose(balanced(X), weights(X))
    for read in balanced.hidden(X):
        assert np.allclose(np.sqrt(np.mean(read**2, axis=0)), 1.0)


def test_knots_are_where_slopes_change(weights: Weights) -> None:
    knots = weights.knots(-1.0, 1.0)
    fine = np.linspace(-1, 1, 20001)
    assert np.allclose(np.interp(fine, knots, weights(knots)), weights(fine))


def test_a_unit_split_at_no_distance_changes_nothing(weights: Weights) -> None:
    wider = weights.split(1, 2, 0.0)
    assert wider.widths == (5, 5, 3)
    assert np.allclose(wider(X), weights(X))
    assert weights.widened(6).widths == (6, 6, 6)


def test_a_unit_that_nobody_reads_can_be_left_out(weights: Weights) -> None:
    layers = [(weight.copy(), bias.copy()) for weight, bias in weights.layers]
    layers[2][0][:, 1] = 0.0
    unread = Weights(tuple(layers))
    assert unread.without(1, 1).widths == (5, 3, 3)
    assert np.allclose(unread.without(1, 1)(X), unread(X))


def test_other_intervals_and_multiples(weights: Weights) -> None:
    there = weights.reading(3.0, 7.0).times(2.5)
    assert np.allclose(there(5 + 2 * X), 2.5 * weights(X))
