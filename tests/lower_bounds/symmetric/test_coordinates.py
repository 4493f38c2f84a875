"""The law of one coordinate of a point of the sphere, and half periods."""

from math import e, pi, sqrt

import numpy as np
import pytest
from flint import arb, fmpq
from scipy import stats

from depthsep import HypothesisError
from depthsep.separation import bound
from depthsep.special import coordinate_cdf, coordinate_density


@pytest.mark.parametrize("dim", [2, 3, 5, 40])
@pytest.mark.parametrize("x", [-0.75, 0.0, 0.3])
def test_the_law_of_a_coordinate_is_a_beta_law(dim, x):
    half = (dim - 1) / 2
    law = stats.beta(half, half, loc=-1, scale=2)
    assert float(coordinate_density(dim, arb(x))) == pytest.approx(law.pdf(x))
    assert float(coordinate_cdf(dim, arb(x))) == pytest.approx(law.cdf(x))


@pytest.mark.parametrize("dim", [2, 3, 4, 10, 100, 1000])
def test_the_density_is_large_on_a_central_interval(dim):
    edge = arb(1) / arb(dim).sqrt() * (1 - arb(2) ** -40)
    for x in (arb(0), edge):
        assert float(coordinate_density(dim, x)) >= sqrt(dim) / (2 * e * pi)


@pytest.mark.parametrize(("waves", "degree"), [(3, 1), (5, 3), (4, 6)])
def test_no_polynomial_is_nearer_to_a_sine(waves, degree):
    x, weight = np.polynomial.legendre.leggauss(200)
    basis = np.polynomial.legendre.legvander(x, degree)
    sine = np.sin(pi * waves * x)
    root = np.sqrt(weight)
    best, *_ = np.linalg.lstsq(basis * root[:, None], sine * root, rcond=None)
    square = (weight * (sine - basis @ best) ** 2).sum()
    claimed = bound("half-periods", waves=waves, degree=degree).value
    assert claimed == fmpq(max(waves - degree, 0), 2 * waves)
    assert float(claimed.p) / float(claimed.q) <= square


def test_they_are_in_the_catalogue():
    value = bound("sphere-share", dim=7, x="0").value
    assert value.lower <= fmpq(1, 2) <= value.upper
    for name, x in (("sphere-density", "1"), ("sphere-share", "3/2")):
        with pytest.raises(HypothesisError):
            bound(name, dim=3, x=x)
