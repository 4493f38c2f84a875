"""Dual activations and kernels at a cosine: closed forms, quadrature, other code."""

from math import acos, pi

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep import HypothesisError
from depthsep.near_init import dual, enclosed_kernel, kernel_at_cosine

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(120)
SIGMA = {
    "erf": np.vectorize(lambda z: float(arb(z).erf().mid())),
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
}


def by_quadrature(sigma, a, b, c):
    """E sigma(u) sigma(v) by a product rule for two independent normals."""
    x, y = np.meshgrid(NODES, NODES)
    u = np.sqrt(a) * x
    v = b / np.sqrt(a) * x + np.sqrt(c - b * b / a) * y
    weight = np.outer(WEIGHTS, WEIGHTS) / (2 * pi)
    return float((weight * sigma(u) * sigma(v)).sum())


@pytest.mark.parametrize("name", SIGMA)
@pytest.mark.parametrize("given", [(1, "1/2", 1), (2, "-1/3", "1/2"), (1, 0, 1)])
def test_duals_agree_with_quadrature(name, given):
    a, b, c = (fmpq(v) for v in given)
    found = dual(name, b, (a, c))
    near = by_quadrature(SIGMA[name], *(float(arb(v).mid()) for v in (a, b, c)))
    assert abs(float(found.mid()) - near) < 1e-9 and found.rad() < 1e-30


@pytest.mark.parametrize("cosine", [-1, "-1/3", 0, "1/2", 1])
def test_relu_has_its_closed_forms(cosine):
    c = fmpq(cosine)
    t = acos(float(arb(c).mid()))
    value = (np.sin(t) + (pi - t) * np.cos(t)) / (2 * pi)
    assert abs(float(dual("relu", c).mid()) - value) < 1e-15
    assert abs(float(dual("relu", c, slope=True).mid()) - (pi - t) / (2 * pi)) < 1e-15
    both = float(kernel_at_cosine(c).mid())
    assert abs(both - value - float(arb(c).mid()) * (pi - t) / (2 * pi)) < 1e-15


@pytest.mark.parametrize("activation", ["relu", "erf", "leaky-relu:1/10", "sin"])
@pytest.mark.parametrize("depth", [2, 3, 6])
def test_kernels_at_cosines_are_those_of_points(activation, depth):
    # (3/5, 4/5) and (1, 0) have the cosine 3/5
    at = kernel_at_cosine("3/5", activation=activation, depth=depth)
    points = ([fmpq(3, 5), fmpq(4, 5)], [fmpq(1), fmpq(0)])
    assert at.overlaps(enclosed_kernel(*points, activation=activation, depth=depth))


def test_refusals():
    with pytest.raises(HypothesisError, match="the cosine is 3/2"):
        kernel_at_cosine("3/2")
    with pytest.raises(HypothesisError, match="there are no Gaussians with variances"):
        dual("relu", 2)
    with pytest.raises(HypothesisError, match="give positive variances"):
        dual("relu", 0, (0, 1), slope=True)
    assert dual("erf", 0, (0, 1), slope=True) > 0
    with pytest.raises(HypothesisError, match="no derivative"):
        dual("threshold", 0, slope=True)
    with pytest.raises(HypothesisError, match="no tangent kernel"):
        kernel_at_cosine(0, activation="threshold")
