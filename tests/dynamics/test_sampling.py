"""Particles near the uniform law on a sphere, in the Wasserstein metric."""

from math import acos, asin, ceil, pi, sqrt

import numpy as np
import pytest
from flint import fmpq
from scipy import stats

from depthsep import HypothesisError
from depthsep.separation import bound


def by_hand(dim, accuracy):
    half = (dim - 1) / 2
    r = np.linspace(accuracy, 1, 20_001)[1:-1]
    caps = stats.beta.cdf((1 - np.sqrt(1 - r**2)) / 2, half, half)
    return ((1 - accuracy**2 / r**2) / caps).max()


@pytest.mark.parametrize(("dim", "accuracy"), [(2, 0.1), (3, 0.2), (8, 0.5), (30, 0.5)])
def test_the_bound_is_the_largest_over_radii(dim, accuracy):
    found = bound("wasserstein-particles", dim=dim, accuracy=str(accuracy)).value
    exact = by_hand(dim, accuracy)
    assert ceil(0.999 * exact) <= found <= ceil(exact)


def test_evenly_spread_points_of_a_circle_need_at_least_so_many():
    for count in (4, 10, 40):
        # each of the points takes an arc of half-angle pi / count
        angles = np.linspace(0, pi / count, 10_001)
        distance = sqrt(np.mean((2 * np.sin(angles / 2)) ** 2))
        found = bound(
            "wasserstein-particles", dim=2, accuracy=str(round(distance + 1e-6, 6))
        ).value
        assert found <= count


def test_a_ball_holds_at_most_the_cap_of_the_proof():
    r = 0.4
    for y in np.linspace(0.5, 1.4, 91):
        cosine = (1 + y**2 - r**2) / (2 * y)
        if cosine <= 1:
            assert acos(cosine) <= asin(r) + 1e-9


def test_it_grows_exponentially_and_refuses_distances_that_the_origin_reaches():
    values = [
        bound("wasserstein-particles", dim=d, accuracy="1/2").value
        for d in (10, 20, 30)
    ]
    assert values[2] / values[1] == pytest.approx(values[1] / values[0], rel=0.5)
    assert values[2] > 10**5
    with pytest.raises(HypothesisError, match="at least 1/1000 and below 1"):
        bound("wasserstein-particles", dim=3, accuracy=fmpq(1))
