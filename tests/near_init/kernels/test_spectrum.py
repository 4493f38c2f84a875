"""Eigenvalues of kernels on spheres."""

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.near_init import TangentKernel, spectrum
from depthsep.near_init.kernels._universality import circle_coefficient
from depthsep.special import harmonic_dimension
from support.slow import mostly_slow

FIRST = TangentKernel("relu", 2, trained=(1,))


def test_on_the_circle_they_are_the_known_coefficients():
    found = spectrum(FIRST, 2, 12)
    for n in range(1, 13):
        # a_n cos(n t) has the mean a_n / 2 against cos(n t)
        assert found[n] == pytest.approx(float(circle_coefficient(n)) / 2, abs=1e-12)


@pytest.mark.parametrize(("depth", "dim"), mostly_slow([(2, 3)], [(2, 3), (4, 5)]))
def test_they_add_up_to_the_kernel(depth, dim):
    kernel = TangentKernel("relu", depth, weight_variance=2.0)
    found = spectrum(kernel, dim, 200)
    sizes = [float(harmonic_dimension(dim, n)) for n in range(201)]
    unit = np.eye(1, dim)
    assert found.min() > -1e-13
    assert np.dot(sizes, found) == pytest.approx(kernel(unit)[0, 0], rel=0.02)


def test_they_are_eigenvalues():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1500, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    values = np.linalg.eigvalsh(FIRST(x) / len(x))[::-1]
    found = spectrum(FIRST, 3, 2)
    assert values[1:4] == pytest.approx(found[1] * np.ones(3), rel=0.1) or values[
        :3
    ] == pytest.approx(found[1] * np.ones(3), rel=0.1)


@pytest.mark.parametrize("dim", mostly_slow([3], [2, 3]))
def test_depth_does_not_change_the_rate_of_decay(dim):
    n = np.arange(40, 81, 2)
    for depth in (3, 6):
        kernel = TangentKernel("relu", depth, weight_variance=2.0)
        values = spectrum(kernel, dim, 80)[n]
        slope = np.polyfit(np.log(n), np.log(values), 1)[0]
        assert slope == pytest.approx(-dim, abs=0.15)


def test_dimensions_and_degrees_out_of_range_are_refused():
    for dim, degree in ((1, 3), (3, 5000)):
        with pytest.raises(HypothesisError):
            spectrum(FIRST, dim, degree)
