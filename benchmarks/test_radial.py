"""Masses, distribution functions and Taylor coefficients of radial transforms.

Beside them: one Bessel function at a time, and one transform for every coefficient.
"""

from math import factorial

import numpy as np
from flint import arb, ctx, fmpq
from scipy.special import jv, jvp

from depthsep.infinite_width.norms._ball_transforms import transform_taylor
from depthsep.laws._jax_samples import _derivatives
from depthsep.special import (
    RadialEstimate,
    RadialMass,
    RadialPiece,
    bessel_j,
    squared_transform_cdf,
)
from depthsep.special._bessel import bessel_orders

DIM, FAR = 20, 60


def _mass() -> RadialMass:
    piece = RadialPiece(fmpq(9), fmpq(40), (fmpq(1),), fmpq(4))
    return RadialMass(DIM, [piece], lambda: arb(1))


def test_mass_outside_a_radius(benchmark):
    assert benchmark(lambda: _mass().outside(fmpq(22, 5))) > 0


def test_baseline_its_estimate_in_float64(benchmark):
    estimate = RadialEstimate(_mass())
    assert benchmark(estimate.outside, 4.4) > 0


def test_distribution_function(benchmark):
    assert benchmark(squared_transform_cdf, DIM, fmpq(FAR), 60) > 0


def test_baseline_its_bessel_functions_one_by_one(benchmark):
    def one_by_one() -> arb:
        x = arb(FAR)
        return sum((bessel_j(fmpq(10 + k), x, 90) ** 2 for k in range(184)), arb(0))

    assert benchmark(one_by_one) > 0


def test_all_orders_at_one_point(benchmark):
    def orders() -> int:
        with ctx.workprec(600):
            return len(bessel_orders(arb(200), fmpq(10), 300))

    assert benchmark(orders) == 300


SHELL = [RadialPiece(fmpq(1, 2), fmpq(1), (fmpq(1), fmpq(-3), fmpq(2)))]
TERMS, AT = 24, fmpq(9)


def test_taylor_coefficients_of_a_transform(benchmark):
    found = benchmark(transform_taylor, SHELL, DIM, arb(AT), TERMS)
    assert len(found) == TERMS


def test_baseline_a_transform_for_every_coefficient(benchmark):
    def one_by_one() -> list[arb]:
        found = []
        for j in range(TERMS):
            (value,) = transform_taylor(SHELL, DIM + 2 * j, arb(AT), 1)
            found.append((-arb.pi()) ** j / factorial(j) * value)
        return found

    best = transform_taylor(SHELL, DIM, arb(AT), TERMS)
    assert all(x.overlaps(y) for x, y in zip(benchmark(one_by_one), best, strict=True))


ORDER, GRID = 50.0, np.arange(1, 40_001) * 0.05


def test_bessel_functions_with_two_derivatives(benchmark):
    assert benchmark(_derivatives, ORDER, GRID).shape == (40_000, 3)


def test_baseline_each_derivative_by_scipy(benchmark):
    def each() -> np.ndarray:
        return np.stack([jv(ORDER, GRID), *(jvp(ORDER, GRID, k) for k in (1, 2))], 1)

    assert np.allclose(benchmark(each), _derivatives(ORDER, GRID), atol=1e-12)
