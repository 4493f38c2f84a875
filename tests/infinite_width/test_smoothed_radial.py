"""Radial functions convolved with a Gaussian."""

from itertools import pairwise
from math import factorial

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from scipy import special

from depthsep import HypothesisError, TooLargeError
from depthsep.exact import PiecewiseAffine, rational
from depthsep.infinite_width import (
    LineTransform,
    Smoothed,
    SmoothedRadial,
    barron_relus,
    barron_thresholds,
)
from depthsep.infinite_width.norms._ball_transforms import transform_taylor
from depthsep.special import RadialPiece

ONE = fmpq(1)
SLOW = pytest.mark.slow  # more balls, or more coefficients
TENT = [RadialPiece(fmpq(0), ONE, (ONE, -ONE))]  # 1 - |x| on the unit ball
SHELLS = [RadialPiece(fmpq(i, 4), fmpq(i + 1, 4), (fmpq((-1) ** i),)) for i in range(4)]
HALVES = [RadialPiece(fmpq(i, 2), fmpq(i + 1, 2), (fmpq((-1) ** i),)) for i in (0, 1)]


def by_sums(pieces, dim, sigma, power, cells=400):
    """C_p by the midpoint rule in both integrals, float64."""
    area = 2 * np.pi ** (dim / 2) / special.gamma(dim / 2)
    r = (np.arange(cells) + 0.5) / cells
    g = np.zeros(cells)
    for piece in pieces:
        inside = (r >= float(piece.start)) & (r < float(piece.stop))
        values = sum(float(c) * r**j for j, c in enumerate(piece.coefficients))
        g += np.where(inside, values, 0)
    reach = 3.2 / sigma / np.sqrt(2)
    k = (np.arange(cells) + 0.5) * reach / cells
    waves = special.hyp0f1(dim / 2, -((np.pi * np.outer(k, r)) ** 2))
    transform = area * waves @ (r ** (dim - 1) * g) / cells
    weight = k ** (power + dim - 1) * np.exp(-2 * (np.pi * sigma * k) ** 2)
    return area * (weight * np.abs(transform)).sum() * reach / cells


@pytest.mark.parametrize(
    ("pieces", "dim", "power"),
    [
        (TENT, 1, 1),
        (TENT, 6, 0),
        pytest.param(SHELLS, 3, 2, marks=SLOW),
    ],
)
def test_norms_are_those_of_plain_sums(pieces, dim, power):
    found = SmoothedRadial(pieces, dim, "1/4").moment(power)
    assert found.upper - found.lower <= found.upper / 100
    assert float(found) == pytest.approx(by_sums(pieces, dim, 0.25, power), rel=5e-3)


def test_in_one_dimension_it_is_the_function_of_an_interval():
    line = PiecewiseAffine.through([-1, 0, 1], [0, 1, 0])
    other = Smoothed(LineTransform(line, fmpq(0)), "1/4").moment(1)
    found = SmoothedRadial(TENT, 1, "1/4").moment(1)
    assert other.lower <= found.lower <= found.upper <= other.upper


@pytest.mark.parametrize("dim", [2, 3, 7])
def test_transforms_at_zero_and_of_a_ball_are_known(dim):
    ball = SmoothedRadial([RadialPiece(fmpq(0), ONE, (ONE,))], dim, 1)
    volume = np.pi ** (dim / 2) / special.gamma(dim / 2 + 1)
    assert float(ball.transform(arb(0))) == pytest.approx(volume)
    k = 1.3
    exact = special.jv(dim / 2, 2 * np.pi * k) / k ** (dim / 2)
    assert float(ball.transform(arb(k))) == pytest.approx(exact)


@pytest.mark.parametrize("pieces", [TENT, SHELLS])
@pytest.mark.parametrize(("dim", "u"), [(1, "1/1000"), (4, 2), (9, 50)])
def test_derivatives_are_transforms_two_dimensions_higher(pieces, dim, u):
    with ctx.workprec(400):
        at = arb(rational(u))
        taylor = transform_taylor(pieces, dim, at, 6)
        for j, found in enumerate(taylor):
            (other,) = transform_taylor(pieces, dim + 2 * j, at, 1)
            assert found.overlaps((-arb.pi()) ** j / factorial(j) * other)
            assert found.rel_accuracy_bits() > 200


@pytest.mark.slow
def test_norms_of_signed_shells_grow_exponentially_with_the_dimension():
    found = [SmoothedRadial(HALVES, d, "1/16").moment(1) for d in (2, 8, 16)]
    assert all(b.lower > 64 * a.upper for a, b in pairwise(found))
    assert found[-1].lower > 10**5


@pytest.mark.slow
def test_networks_sampled_from_it_follow_its_values():
    g, rng = SmoothedRadial(TENT, 2, "1/3"), np.random.default_rng(0)
    x = rng.normal(size=(100, 2))
    x *= (rng.random((100, 1)) ** 0.5) / np.linalg.norm(x, axis=1, keepdims=True)
    y = x[:, None, :] + rng.normal(size=(100, 20_000, 2)) / 3
    blurred = np.maximum(1 - np.linalg.norm(y, axis=2), 0).mean(axis=1)
    values = g.floats(x)
    assert np.abs(values - blurred).max() < 0.01
    for build in (barron_relus, barron_thresholds):
        network = build(g).network(20_000, seed=0)
        assert np.abs(network.floats(x)[:, 0] - values).mean() < 0.02


def test_what_has_no_such_transform_is_refused():
    with pytest.raises(HypothesisError, match="sigma"):
        SmoothedRadial(TENT, 2, 0)
    with pytest.raises(HypothesisError, match="pieces"):
        SmoothedRadial([], 2, 1)
    with pytest.raises(HypothesisError, match="pieces"):
        SmoothedRadial([RadialPiece(fmpq(0), ONE, (ONE,), ONE)], 2, 1)
    with pytest.raises(TooLargeError, match="bits, and the limit is"):
        SmoothedRadial(TENT, 2, "1/10000")
    nothing = SmoothedRadial([RadialPiece(fmpq(0), ONE, (fmpq(0),))], 2, 1)
    with pytest.raises(HypothesisError, match="nothing to sample"):
        nothing.frequencies(3, np.random.default_rng(0), 1)


@pytest.mark.parametrize(("start", "stop"), [(-1, 1), (-2, -1), (1, 0), (1, 1)])
def test_pieces_lie_between_radii_in_order(start, stop):
    with pytest.raises(HypothesisError, match="0 <= start < stop"):
        SmoothedRadial([RadialPiece(fmpq(start), fmpq(stop), (ONE,))], 2, 1)


@pytest.mark.parametrize("sigma", ["1e-200", "1e-155", "1e200"])
def test_gaussians_beyond_floats_are_refused(sigma):
    with pytest.raises(TooLargeError, match="1e-100"):
        SmoothedRadial(TENT, 2, sigma)


@pytest.mark.slow
def test_norms_of_formulas_are_those_of_plain_sums():
    dim = 2
    found = SmoothedRadial.of_formula("cos(2*x)*(1-x)", 1, dim, "1/4", error="1e-4")
    moment = found.moment(1)
    cells = 400
    r = (np.arange(cells) + 0.5) / cells
    k = (np.arange(cells) + 0.5) * 9 / cells
    area = 2 * np.pi ** (dim / 2) / special.gamma(dim / 2)
    waves = special.hyp0f1(dim / 2, -((np.pi * np.outer(k, r)) ** 2))
    values = np.cos(2 * r) * (1 - r)
    transform = area * waves @ (r ** (dim - 1) * values) / cells
    weight = k**dim * np.exp(-2 * (np.pi * k / 4) ** 2)
    plain = area * (weight * np.abs(transform)).sum() * 9 / cells
    assert float(moment) == pytest.approx(plain, rel=0.01)
    assert moment.upper - moment.lower <= moment.upper / 50
    centre = found.transform(arb("0.7"))
    assert abs(float(centre.mid()) - np.interp(0.7, k, transform)) < 1e-4
    assert 0 < float(centre.rad()) < 1e-3


def test_what_is_missing_widens_the_moments():
    exact = SmoothedRadial(TENT, 1, "1/4").moment(1)
    wider = SmoothedRadial(TENT, 1, "1/4", missing="1/100").moment(1)
    assert wider.lower < exact.lower <= exact.upper < wider.upper
    with pytest.raises(HypothesisError, match="missing"):
        SmoothedRadial(TENT, 1, "1/4", missing=-1)
    with pytest.raises(HypothesisError, match="larger error"):
        SmoothedRadial.of_formula("abs(x-1/3)", 1, 2, 1, error="1e-9")
