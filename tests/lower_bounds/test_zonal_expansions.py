"""Zonal expansions, single units, the two blocks, tubes, against second oracles."""

import numpy as np
import pytest
from flint import fmpq
from scipy.integrate import quad
from scipy.special import eval_gegenbauer, gamma, jv

from depthsep import HypothesisError, TooLargeError
from depthsep.analysis import on_interval
from depthsep.constructions import inner_product_network, lipschitz_network
from depthsep.constructions.by_hand._lipschitz import (
    inner_product_units,
    lipschitz_units,
)
from depthsep.exact import rational
from depthsep.laws import SpherePair
from depthsep.lower_bounds import separable_unit, zonal_expansion
from depthsep.lower_bounds.symmetric._sphere_values import tube_inner_product
from depthsep.networks import RELU, TANH
from depthsep.separation import bound
from depthsep.special import harmonic_dimension
from depthsep.targets import Expression, InnerProduct
from support.slow import mostly_slow

FORMULAS = {
    "-2*sin(5*t)+1": lambda t: -2 * np.sin(5 * t) + 1,
    "3-cos(4*t)": lambda t: 3 - np.cos(4 * t),
    "1-abs(t)/2": lambda t: 1 - abs(t) / 2,
    "2*sign(t)-1": lambda t: 2 * np.sign(t) - 1,
    "t*exp(t)": lambda t: t * np.exp(t),
    "sin(-3*t)": lambda t: -np.sin(3 * t),
}


def zonal(d, n, t):
    """sqrt(N) P_n by scipy's Gegenbauer polynomials (Chebyshev for d = 2)."""
    size = harmonic_dimension(d, n) ** 0.5
    if d == 2:
        return size * np.cos(n * np.arccos(t))
    lam = (d - 2) / 2
    return size * eval_gegenbauer(n, lam, t) / eval_gegenbauer(n, lam, 1.0)


def mean_on_sphere(d, f):
    """E f(u_1) with the density written out."""
    c = gamma(d / 2) / np.sqrt(np.pi) / gamma((d - 1) / 2)

    def integrand(a):
        return f(np.cos(a)) * c * np.sin(a) ** (d - 2)

    return quad(integrand, 0, np.pi, points=[np.pi / 2], limit=200)[0]


@pytest.mark.parametrize(
    ("d", "formula"),
    mostly_slow(
        [(3, f) for f in FORMULAS],
        [(d, f) for d in (2, 3, 6) for f in FORMULAS if (d, f) != (6, "t*exp(t)")],
    ),
)
def test_coefficients_are_integrals(d, formula):
    expansion, f = zonal_expansion(InnerProduct(formula, d)), FORMULAS[formula]
    for n in range(6):
        value = mean_on_sphere(d, lambda t, n=n: f(t) * zonal(d, n, t))
        assert abs(expansion.coefficient(n) - value).upper() < 1e-8
    mass = mean_on_sphere(d, lambda t: f(t) ** 2) - mean_on_sphere(d, f) ** 2
    whole = expansion.residual(0)
    assert float(whole) <= mass**0.5 + 1e-9
    assert float(whole) == pytest.approx(mass**0.5, rel=3e-3)


def test_fitted_units_leave_no_less_than_the_rank_bound():
    d, rng = 3, np.random.default_rng(0)
    target = InnerProduct("sin(5*t)", d)
    expansion, x = zonal_expansion(target), SpherePair(d).sample(40_000, 1)
    y = target.floats(x)
    for units in (1, 3, 6, 12):
        w, b = rng.normal(size=(2 * d, units)) * 2, rng.normal(size=units)
        features = np.c_[np.tanh(x @ w + b), np.ones(len(x))]
        rest = y - features @ np.linalg.lstsq(features, y, rcond=None)[0]
        assert float(expansion.residual(units)) <= 1.02 * np.sqrt((rest**2).mean())
    residuals = [float(expansion.residual(r)) for r in (0, 1, 3, 6, 12, 1000)]
    assert residuals == sorted(residuals, reverse=True) and residuals[1] > 0.6


def test_norms_bound_falls_with_the_norms_and_the_width_does_too():
    expansion = zonal_expansion(InnerProduct("sin(9*t)", 3))
    values = [float(expansion.residual_for_norms(s)) for s in ("0", "1/2", "2", "9")]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(float(expansion.residual(0)))
    assert values[-1] == 0
    for bad in (expansion.residual_for_norms, expansion.residual):
        with pytest.raises(HypothesisError):
            bad(-1)
    with pytest.raises(
        HypothesisError, match="coefficients are known only up to degree"
    ):
        expansion.coefficient(10**6)


@pytest.mark.parametrize("formula", ["sin(2000*t)", "exp(3000*t)"])
def test_what_is_not_expanded_is_refused(formula):
    with pytest.raises(HypothesisError):
        zonal_expansion(InnerProduct(formula, 3))


@pytest.mark.parametrize("activation", [RELU, TANH])
def test_one_unit_has_its_coefficients(activation):
    d, rng = 4, np.random.default_rng(2)
    w, bias = rng.normal(size=2 * d), 0.3
    unit = separable_unit(w, bias, activation=activation, degree=4)
    x = SpherePair(d).sample(400_000, 3)
    values = activation.floats(x @ w + bias)
    assert unit.norm == pytest.approx(np.sqrt((values**2).mean()), rel=5e-3)
    v, other = w[:d] / np.linalg.norm(w[:d]), w[d:] / np.linalg.norm(w[d:])
    for i, j in ((0, 0), (1, 0), (2, 1), (3, 3)):
        basis = zonal(d, i, x[:, :d] @ v) * zonal(d, j, x[:, d:] @ other)
        sampled = (values * basis).mean()
        room = 5 * (values * basis).std() / len(x) ** 0.5 + unit.error
        assert abs(unit.coefficients[i, j] - sampled) < room
    assert (unit.coefficients**2).sum() <= unit.norm**2 * (1 + 1e-6)
    # what a unit shares with h_n: beta_nn P_n(<v, v'>) / sqrt(N)
    h = zonal(d, 2, np.clip((x[:, :d] * x[:, d:]).sum(1), -1, 1))
    size = harmonic_dimension(d, 2)
    share = unit.coefficients[2, 2] * zonal(d, 2, v @ other) / size
    assert abs((values * h).mean() - share) < 5 * (values * h).std() / len(x) ** 0.5


@pytest.mark.parametrize("weights", [[1.0], [1.0, 2, 3], [1.0, 2]])
def test_weights_of_a_unit_are_two_points(weights):
    with pytest.raises(HypothesisError):
        separable_unit(weights)


@pytest.mark.parametrize("formula", ["sin(3*x)", "3*abs(x-1/3)", "x**2/2", "3*x"])
@pytest.mark.parametrize("accuracy", ["1/10", "3/100", "7"])
def test_lipschitz_networks_keep_their_guarantees(formula, accuracy):
    target, error = Expression(formula), rational(accuracy)
    built = lipschitz_network(target, 2, 3, accuracy)
    units = built.network.units
    assert units == lipschitz_units(2, 3, accuracy) <= max(2 * 2 * 3 / error, 0)
    x = np.linspace(-2, 2, 4001)
    off = np.abs(built.network.floats(x[:, None])[:, 0] - target.floats(x)).max()
    assert off <= float(built.bound) + 1e-9 and built.bound <= error + fmpq(1, 2**90)
    assert built.steepest <= 3 + fmpq(1, 2**90)
    assert built.largest <= 6 + fmpq(1, 2**90)
    if units:
        slopes = on_interval(built.network, -9, 9).slopes
        assert max(abs(s) for s in slopes.tolist()) == built.steepest
        first = built.network.layers[0]
        assert {int(v) for v in first.weight.ravel()} <= {1, -1}
        assert all(abs(fmpq(b)) <= 2 for b in first.bias.tolist())


def test_lipschitz_networks_refuse_what_is_out_of_range():
    for bad in ((0, 1, 1), (1, -1, 1), (1, 1, 0)):
        with pytest.raises(HypothesisError):
            lipschitz_units(*bad)
    with pytest.raises(TooLargeError):
        lipschitz_network(Expression("x"), 1, 1, fmpq(1, 10**9))


@pytest.mark.parametrize(
    ("dim", "accuracy"), [(2, "1/10"), (5, "1/100"), (10, "1/200")]
)
def test_inner_products_by_squares_keep_their_error(dim, accuracy):
    network = inner_product_network(dim, accuracy)
    assert network.units == inner_product_units(dim, accuracy)
    x = SpherePair(dim).sample(20_000, 0)
    axes = np.eye(dim)
    extreme = [np.r_[a, s * a] for a in axes for s in (1, -1)]
    x = np.r_[x, np.array(extreme)]
    off = network.floats(x)[:, 0] - (x[:, :dim] * x[:, dim:]).sum(axis=1)
    assert np.abs(off).max() <= float(rational(accuracy)) + 1e-12


@pytest.mark.parametrize(("m", "delta"), [(1, "1/2"), (3, "1"), (1, "0"), (10**9, "1")])
def test_the_tube_lemma_is_at_most_its_printed_form(m, delta):
    share = rational(delta)
    value = tube_inner_product(6, m, share)
    h = float(bound("tube-fraction", dim=6, kappa=2).value)
    assert float(value.mid()) <= np.sqrt(1 - float(share)) + np.sqrt(m * h) + 1e-12
    assert value.mid() <= 1


def test_masses_of_phi2_are_integrals_of_its_density():
    for d, t in ((1, 2.0), (4, 5.0)):
        nu = d / 2
        value = quad(lambda s, nu=nu, d=d: d / s * jv(nu, s) ** 2, 0, t)[0]
        found = bound("phi2-mass", dim=d, phase=t).value
        assert float(found) == pytest.approx(value, abs=1e-9)


def test_bounds_of_lipschitz_networks_count_the_rounding_of_values():
    built = lipschitz_network(Expression("10**60*cos(1)**2+sin(x)"), 1, 1, "1/10")
    assert built.bound > 10**20  # 128 bits of 1e60
