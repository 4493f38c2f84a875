"""Bounds of Barron norms of sums, products and compositions."""

import numpy as np
import pytest
from flint import fmpq
from scipy import integrate, special

from depthsep import HypothesisError
from depthsep.evidence import Enclosure, Rigour
from depthsep.infinite_width import (
    Cosine,
    Gaussian,
    GivenTransform,
    Mixture,
    NormBounds,
)
from depthsep.infinite_width.norms._norm_bounds import smoothness_constant
from depthsep.separation import bound

WAVE = NormBounds.of(Cosine([1, 2], phase=0))  # cos 2 pi (x + 2 y)


def test_a_product_of_gaussians_is_a_gaussian_and_keeps_the_bound():
    one, two = Gaussian(3, 1), Gaussian(3, 2)
    product = NormBounds.of(one) * NormBounds.of(two)
    exact = float(Gaussian(3, "0.894427190999916").moment(1))  # 1/s^2 = 1 + 1/4
    assert float(product.total) == pytest.approx(1)
    assert exact <= float(product.first) <= 1.5 * exact


def test_powers_and_series_of_a_cosine():
    length = 5**0.5
    assert float(WAVE.first) == pytest.approx(length)
    square = WAVE.of_polynomial([0, 0, 1])  # cos^2 = 1/2 + cos(2 .)/2: C = |w|
    assert length <= float(square.first) == pytest.approx(2 * length)
    composed = WAVE.of_analytic("exp")
    # e^{cos z} = I_0(1) + 2 sum I_n(1) cos n z
    n = np.arange(1, 40)
    exact = 2 * (special.iv(n, 1.0) * n).sum() * length
    assert exact <= float(composed.first) == pytest.approx(np.e * length)
    for name, slope in (("sin", np.cosh(1)), ("cos", np.sinh(1))):
        assert float(WAVE.of_analytic(name).first) == pytest.approx(slope * length)
    small = WAVE * "1/2"
    assert float(small.of_analytic("1/(1-g)").first) == pytest.approx(2 * length)
    assert float(small.of_analytic("log(1+g)").first) == pytest.approx(length)


def test_sums_constants_and_ridges():
    both = NormBounds.of(Mixture(Gaussian(1, 1), Cosine([1], phase=0)))
    apart = NormBounds.of(Gaussian(1, 1)) + NormBounds.of(Cosine([1], phase=0))
    assert float(both.first) == pytest.approx(float(apart.first))
    constant = NormBounds.of_constant(-3)
    assert constant.total == 3 and constant.first == 0
    line = NormBounds.of(Gaussian(1, 1))
    assert line.of_ridge([3, 4]).first == 5 * line.first
    assert (2 * line).first == (line * -2).first


@pytest.mark.parametrize(("dim", "order"), [(1, 2), (2, 3), (3, 4), (5, 6)])
def test_the_constant_of_sobolev_norms_by_quadrature(dim, order):
    area = 2 * np.pi ** (dim / 2) / special.gamma(dim / 2)
    square = integrate.quad(
        lambda k: area * k ** (dim + 1) * (1 + (2 * np.pi * k) ** 2) ** -order,
        0,
        np.inf,
    )[0]
    assert float(smoothness_constant(dim, fmpq(order))) == pytest.approx(square**0.5)
    assert float(bound("barron-smooth", dim=dim, order=order).value) == pytest.approx(
        square**0.5
    )


def test_what_does_not_converge_is_refused():
    with pytest.raises(HypothesisError, match="d/2"):
        smoothness_constant(4, fmpq(3))
    for name in ("log(1+g)", "1/(1-g)"):
        with pytest.raises(HypothesisError, match="must be less than 1"):
            WAVE.of_analytic(name)
    with pytest.raises(HypothesisError, match="the series"):
        bound("barron-composition", function="tan")
    value = bound("barron-composition", function="sin", total="1/2", first=2).value
    assert float(value) == pytest.approx(2 * np.cosh(0.5))


def test_sampled_moments_and_negative_numbers_bound_nothing():
    seen = Enclosure(fmpq(1), fmpq(2), Rigour.SAMPLED)
    given = GivenTransform(
        *(2, lambda x: x[:, 0], np.zeros(2), {0: seen, 1: seen}),
        lambda count, rng, power: (np.zeros((count, 2)), np.zeros(count)),
    )
    with pytest.raises(HypothesisError, match="from samples"):
        NormBounds.of(given)
    for total, first in ((-1, 1), (1, -1), (10**9, 1)):
        with pytest.raises(
            HypothesisError, match="both must be 0 or more, and V at most"
        ):
            NormBounds(fmpq(total), fmpq(first))
