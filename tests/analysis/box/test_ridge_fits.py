"""Polynomials near ridges: those of numpy, of the lowest degree that will do."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import Network, Segment
from depthsep.analysis.box._ridge_fits import Sampled, fitted_shapes
from depthsep.analysis.box._ridges import Ridge, RidgeSum

KINKS = (0, 1, 2)
SLOPES = (0.5, -1.25, 2)


def ridge(direction):
    """0.25 + sum_k slope_k relu(t - kink_k) on [-1, 3]."""
    network = Network.from_arrays(np.ones((3, 1)), [0, -1, -2], [SLOPES], [0.25])
    return Ridge(direction, network, Segment(-1, 3))


@pytest.mark.parametrize("degree", [0, 1, 4, 9])
def test_the_fit_is_that_of_numpy(degree):
    sampled = Sampled.of(ridge((1,)))
    t = np.linspace(-1, 3, 4096)
    values = 0.25 + sum(
        s * np.maximum(t - k, 0) for s, k in zip(SLOPES, KINKS, strict=True)
    )
    np.testing.assert_allclose(sampled.values, values, atol=1e-12)
    near = np.polynomial.Polynomial.fit(t, values, degree).convert().coef
    np.testing.assert_allclose(sampled.fitted(degree), near, atol=1e-9)
    np.testing.assert_allclose(
        sampled.off(near), values - np.polynomial.Polynomial(near)(t), atol=1e-12
    )


@pytest.mark.parametrize(("room", "degree"), [(9.0, 1), (0.1, 8), (0.0, 8)])
def test_the_lowest_degree_that_will_do_is_taken(room, degree):
    found = RidgeSum((ridge((1, 0)), ridge((0, 1))), fmpq(1, 2))
    points = np.random.default_rng(0).uniform(-1, 3, (50, 2))
    truth = 0.5 + sum(np.interp(x, *sampled_curve()) for x in points.T)
    shapes = fitted_shapes(found, points, truth, room)
    assert [len(shape) for shape in shapes] == [degree + 1] * 2
    assert shapes[0] == shapes[1]


def sampled_curve():
    sampled = Sampled.of(ridge((1,)))
    return sampled.points, sampled.values
