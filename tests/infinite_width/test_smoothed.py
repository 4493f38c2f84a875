"""Functions convolved with a Gaussian: values, norms, networks drawn from them."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.exact import PiecewiseAffine, nearest_float
from depthsep.infinite_width import (
    LineTransform,
    Smoothed,
    barron_relus,
    barron_thresholds,
)

TENT = LineTransform(
    PiecewiseAffine.through([fmpq(-1, 2), 0, fmpq(1, 2)], [0, 1, 0]), fmpq(0)
)
STEP = LineTransform(PiecewiseAffine.through([0, 1], [1, 1]), fmpq(0))


@pytest.mark.parametrize("transform", [TENT, STEP])
@pytest.mark.parametrize("sigma", ["1/5", "1"])
def test_values_are_those_of_a_convolution(transform, sigma):
    found = Smoothed(transform, sigma)
    s, f = nearest_float(fmpq(sigma)), transform.function
    t, weights = np.polynomial.legendre.leggauss(200)
    x = np.linspace(-1, 1, 9)
    near, slope = np.zeros(9), 0.0
    for a, b in zip(f.knots[:-1], f.knots[1:], strict=True):
        half = nearest_float(b - a) / 2
        nodes = nearest_float(a) + half * (t + 1)
        y = half * weights * f.floats(nodes)
        bell = np.exp(-((x[:, None] - nodes) ** 2) / (2 * s**2))
        near += bell @ y / np.sqrt(2 * np.pi * s**2)
        at = np.exp(-(nodes**2) / (2 * s**2)) * nodes / s**2
        slope += at @ y / np.sqrt(2 * np.pi * s**2)
    assert np.allclose(found.floats(x[:, None]), near)
    assert np.isclose(found.gradient_at_zero()[0], slope)


@pytest.mark.parametrize(("transform", "power"), [(STEP, 0), (TENT, 1), (STEP, 2)])
def test_norms_hold_what_quadrature_finds(transform, power):
    found = Smoothed(transform, "1/5").moment(power)
    w = np.linspace(0, 12, 400_001)
    size = np.abs(transform.floats(w)) * np.exp(-2 * (np.pi / 5 * w) ** 2)
    near = 2 * np.trapezoid(w**power * size, w)
    low, high = nearest_float(found.lower), nearest_float(found.upper)
    assert low <= near <= high and high < 1.02 * low


def test_frequencies_have_the_density():
    found = Smoothed(STEP, "1/5")
    w, phase = found.frequencies(50_000, np.random.default_rng(0), 1)
    assert abs((w > 0).mean() - 1 / 2) < 0.02
    for cut in (0.5, 1.0, 2.0):
        v = np.linspace(0, 12, 100_001)
        density = v * np.abs(STEP.floats(v)) * np.exp(-2 * (np.pi / 5 * v) ** 2)
        share = density[v <= cut].sum() / density.sum()
        assert abs((np.abs(w) <= cut).mean() - share) < 0.015
    turned = np.exp(2j * np.pi * phase)
    assert np.allclose(turned, STEP.floats(w[:, 0]) / np.abs(STEP.floats(w[:, 0])))


@pytest.mark.parametrize("kind", [barron_thresholds, barron_relus])
def test_networks_drawn_from_it_approach_it(kind):
    smooth, x = Smoothed(TENT, "1/4"), np.linspace(-1, 1, 201)[:, None]
    representation, errors = kind(smooth), []
    for width in (500, 50_000):
        network = representation.network(width, seed=1)
        off = network.floats(x)[:, 0] - smooth.floats(x)
        errors.append(np.sqrt((off**2).mean()))
    assert errors[1] < 0.06 and errors[1] < errors[0]


def test_wide_gaussians_are_sampled():
    smooth = Smoothed(TENT, 10**9)
    w, phase = smooth.frequencies(4000, np.random.default_rng(0), 0)
    assert abs(w.std() * 2 * np.pi * 1e9 - 1) < 0.05 and np.abs(phase).max() < 1e-6
    found = smooth.moment(1)
    assert 0 <= found.lower <= found.upper


def test_refusals():
    nothing = LineTransform(PiecewiseAffine.through([0, 1], [0, 0]), fmpq(0))
    with pytest.raises(HypothesisError, match="nothing to sample"):
        Smoothed(nothing, 1).frequencies(3, np.random.default_rng(0), 1)
    with pytest.raises(HypothesisError, match="must be positive"):
        Smoothed(TENT, 0)
    with pytest.raises(HypothesisError, match="piecewise affine"):
        Smoothed(LineTransform(TENT.function, fmpq(1, 9)), 1)
