"""Integrals over features, Maurey sampling, and the networks drawn from them."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError
from depthsep.analysis import on_interval
from depthsep.approximation import monotone_runs, total_variation
from depthsep.evidence import Enclosure, Rigour
from depthsep.infinite_width import (
    Cosine,
    Gaussian,
    GivenTransform,
    Mixture,
    barron_cosines,
    barron_relus,
    barron_thresholds,
    error_against_width,
    estimated_moment,
    slope,
    threshold_density,
    threshold_mass,
    univariate,
    univariate_relus,
)
from depthsep.infinite_width.norms._gaussian_mass import mean_total
from depthsep.laws import Segment
from depthsep.targets import Expression, target_from_text
from support.slow import in_turn

UNIT = Segment(0, 1)
WIDTHS = [64, 128, 256, 512, 1024]
TRANSFORMS = [
    Gaussian(1, "7/10"),
    Gaussian(3, "1/2", amplitude=-2),
    Gaussian(2, "1/2", centre=("1/4", "-1/3")),
    Cosine((1, "1/2"), "1/8", "-1/3"),
    Mixture(Gaussian(2, 1), Cosine((1, 0), amplitude="1/2")),
]


def expression(text):
    return target_from_text(f"expr:{text}")


def on_points(target, count=500):
    x = (np.arange(count) + 0.5)[:, None] / count
    return x, lambda points: target.floats(points[:, 0])


@pytest.mark.parametrize("make", [barron_thresholds, barron_relus])
@pytest.mark.parametrize(
    ("transform", "radii"),
    in_turn([(t,) for t in TRANSFORMS], [(1, "3/2"), ("3/2", 1)]),
    ids=[type(t).__name__ for t in TRANSFORMS],
)
def test_sampled_networks_approach_the_function_below_the_bound(transform, radii, make):
    radius = radii[make is barron_relus]
    found = error_against_width(
        make(transform, radius), transform.floats, [100, 3200], seeds=range(6)
    )
    few, many = found
    for entry in found:
        assert entry.mean_squared_error <= entry.bound
    assert many.mean_squared_error < few.mean_squared_error / 12


@pytest.mark.parametrize("dim", [2, 10, 50])
def test_gaussians_converge_with_the_root_of_the_width(dim):
    g = Gaussian(dim, "1/2")
    found = error_against_width(barron_thresholds(g), g.floats, WIDTHS, seeds=range(12))
    assert -0.6 <= slope(found) <= -0.4
    assert all(e.mean_squared_error <= e.bound for e in found)


def test_centring_keeps_the_mean_and_divides_the_bound_by_four():
    g = Gaussian(2, "1/2")
    thresholds = barron_thresholds(g)
    assert thresholds.expected_error(9, centred=True) == pytest.approx(
        thresholds.expected_error(9) / 2
    )
    (entry,) = error_against_width(
        thresholds, g.floats, [6400], seeds=range(8), centred=True
    )
    assert entry.mean_squared_error <= 1.5 * entry.bound


def test_centring_needs_the_total():
    with pytest.raises(HypothesisError, match="expected value of their weights"):
        barron_relus(Gaussian(2, 1)).network(5, 0, centred=True)


def test_the_estimator_without_one_over_m_is_m_times_too_large():
    target = expression("x")
    representation = univariate(target, UNIT)
    network = representation.network(50, 0)
    printed = 50 * (network.floats(np.array([[1.0]]))[0, 0])
    assert printed == pytest.approx(50) and network.floats(np.ones((1, 1)))[0, 0] == 1


@pytest.mark.parametrize("text", ["x", "x**2", "x - x**2", "abs(x - 1/3)", "exp(x)"])
def test_thresholds_are_exactly_the_function_in_the_mean(text):
    target = expression(text)
    points, f = on_points(target)
    representation = univariate(target, UNIT)
    (entry,) = error_against_width(
        representation, f, [20_000], seeds=range(3), points=points
    )
    assert entry.mean_squared_error <= 3 * entry.bound
    assert float(representation.largest) == pytest.approx(
        float(total_variation(target, UNIT)), abs=1e-12
    )


def test_thresholds_clip_outside_the_interval():
    network = univariate(expression("x**2"), UNIT).network(30, 1)
    left, right = network.floats(np.array([[-3.0], [5.0]]))[:, 0]
    assert left == 0 and right == pytest.approx(1)


def test_constant_targets_have_nothing_to_sample():
    with pytest.raises(HypothesisError, match="constant"):
        univariate(expression("2"), UNIT)


def test_the_missing_radius_makes_the_printed_identity_false():
    # radius 1, evaluated at |x| = 3/2: it follows g(clip(x)) instead of g
    g = Gaussian(1, "3/5", centre=("7/20",))
    network = barron_thresholds(g, 1).network(200_000, 3)
    beyond, inside = network.floats(np.array([[1.5], [1.0]]))[:, 0]
    assert abs(beyond - inside) < 0.05
    assert abs(beyond - g.floats(np.array([[1.5]]))[0]) > 0.3
    wider = barron_thresholds(g, 2).network(200_000, 3)
    assert (
        abs(wider.floats(np.array([[1.5]]))[0, 0] - g.floats(np.array([[1.5]]))) < 0.1
    )


def test_the_printed_gaussian_prefactor_has_the_wrong_sign():
    # (2 pi sigma^2)^{+d/2} makes the transform larger by (2 pi sigma^2)^d
    with ctx.workprec(128):
        area = 2 * arb.pi() * arb(fmpq(49, 100))
        right = arb(Gaussian(20, "7/10", density=True).moment(1).upper)
        assert right * area**20 > 10**9 * right


def test_the_plane_has_a_series_for_the_mass():
    # M = 2/sigma sqrt(2/pi) (1 - 2 sum_k e^{-2 k^2 / sigma^2} / (4 k^2 - 1))
    with ctx.workprec(128):
        for sigma in (fmpq(1, 3), fmpq(1), fmpq(3)):
            s = arb(sigma)
            terms = ((-2 * k * k / s**2).exp() / (4 * k * k - 1) for k in range(1, 60))
            series = 2 / s * (2 / arb.pi()).sqrt() * (1 - 2 * sum(terms, arb(0)))
            found = threshold_mass(Gaussian(2, sigma))
            assert abs(series - arb(found.lower)) < 1e-25


@pytest.mark.parametrize("sigma", ["1/4", "1", "5"])
@pytest.mark.parametrize("dim", [1, 2, 7])
def test_the_mass_lies_between_total_and_moment(dim, sigma):
    g = Gaussian(dim, sigma)
    mass, total = threshold_mass(g), mean_total(g)
    with ctx.workprec(128):
        bound = 4 * arb.pi() * arb(g.moment(1).upper)
        assert not arb(mass.lower) > bound
    assert -total.lower <= mass.upper


def test_a_mass_of_too_many_periods_is_refused():
    with pytest.raises(HypothesisError, match="larger sigma"):
        threshold_mass(Gaussian(2, fmpq(1, 10**6)))


def test_users_bring_their_own_transform():
    g = Gaussian(2, 1)
    s = 1 / (2 * np.pi)

    def draw(count, rng):
        return s * rng.standard_normal((count, 2)), np.ones(count)

    moment = estimated_moment(draw, 1, 20_000, seed=1)
    assert moment.rigour is Rigour.SAMPLED
    assert moment.lower <= g.moment(1).lower <= moment.upper
    given_one = GivenTransform(2, g.floats, np.zeros(2), {1: moment}, g.frequencies)
    (entry,) = error_against_width(barron_thresholds(given_one), g.floats, [5000])
    assert entry.mean_squared_error <= entry.bound
    with pytest.raises(HypothesisError, match="power 2"):
        barron_relus(given_one)


def test_jordan_parts_of_an_integral_add_up():
    target = expression("x - x**2")
    whole = univariate(target, UNIT)
    positive, negative = whole.jordan()
    x = np.linspace(0, 1, 101)[:, None]
    up, down = (
        part.network(40_000, 5).floats(x)[:, 0] for part in (positive, negative)
    )
    assert (np.diff(up) >= 0).all() and (np.diff(down) >= 0).all()
    assert np.abs(up - down - target.floats(x[:, 0])).max() < 0.01


@pytest.mark.parametrize(
    ("text", "exact"),
    [("x**3 - 3*x/4", "3/4"), ("(2*x - 1)**4", "2"), ("2", "0"), ("x**9", "1")],
)
def test_variation_of_polynomials_with_rational_turns_is_exact(text, exact):
    found = total_variation(expression(text), UNIT)
    assert found.is_point and found.lower == fmpq(*Fraction(exact).as_integer_ratio())


@pytest.mark.parametrize(
    "text",
    ["x**3 - x/2", "exp(x)*sin(9*x)", "abs(x - 1/3)", "max(x, 1/2)", "sqrt(x+1)"],
)
def test_enclosed_variation_meets_a_fine_grid(text):
    target = expression(text)
    x = np.linspace(0, 1, 200_001)
    found = total_variation(target, UNIT)
    assert isinstance(found, Enclosure)
    assert float(found.upper.p) / float(found.upper.q) == pytest.approx(
        np.abs(np.diff(target.floats(x))).sum(), rel=1e-5
    )
    runs = monotone_runs(target, UNIT)
    assert runs[0].start == 0 and runs[-1].stop == 1
    assert all(a.stop == b.start for a, b in pairwise(runs))


@pytest.mark.parametrize("text", ["sign(x - 1/3)", "sqrt(abs(x - 1/3))"])
def test_jumps_and_cusps_have_no_bounded_slope(text):
    with pytest.raises(HypothesisError, match="slope"):
        monotone_runs(expression(text), UNIT)


def test_a_sampled_threshold_network_has_one_piece_more_than_units():
    network = univariate(expression("x"), UNIT).network(25, 7)
    assert on_interval(network, 0, 1).pieces == 26


@pytest.mark.parametrize("make", [barron_thresholds, barron_relus])
def test_a_wide_error_bar_does_not_bias_the_network(make):
    g = Gaussian(2, 1)
    moments = {}
    for power in (1, 2):
        known = g.moment(power)
        spread = known.upper / 2
        moments[power] = Enclosure(
            known.lower - spread, known.upper + spread, Rigour.SAMPLED
        )
    loose = GivenTransform(2, g.floats, np.zeros(2), moments, g.frequencies)
    (entry,) = error_against_width(make(loose), g.floats, [50_000], seeds=[0])
    assert entry.mean_squared_error < 1e-3


def test_errors_are_measured_on_the_domain():
    target = Expression("x**2")
    errors = error_against_width(
        univariate(target, Segment(2, 3)), lambda x: target.floats(x[:, 0]), [400]
    )
    assert errors[0].mean_squared_error <= 2 * errors[0].bound
    with pytest.raises(HypothesisError, match="it has to return shape"):
        error_against_width(univariate(target, Segment(0, 1)), target.floats, [4])


def test_only_thresholds_are_centred():
    relus = barron_relus(Gaussian(2, 1))
    for ask in (
        relus.expected_error,
        lambda k, centred: relus.network(k, 0, centred=centred),
    ):
        with pytest.raises(HypothesisError, match="centred"):
            ask(100, centred=True)
    with pytest.raises(HypothesisError, match="give 1 or more"):
        relus.expected_error(0)


@pytest.mark.parametrize(("sigma", "radius"), [(1, "1e-9"), ("1e7", 1), ("1/100", 1)])
def test_frequencies_are_drawn_at_any_scale(sigma, radius):
    g = Gaussian(2, sigma)
    network = barron_thresholds(g, radius).network(4000, 0)
    assert network.units == 4000
    x = float(fmpq(radius) if isinstance(radius, int) else 1e-9) * np.array(
        [[0.6, 0.3]]
    )
    spread = float(threshold_mass(g, radius)) / 4000**0.5
    off = abs(network.floats(x)[0, 0] - g.floats(x)[0])
    assert off <= 5 * spread + 1e-12


@pytest.mark.parametrize(
    ("formula", "on"),
    [("x**2", UNIT), ("sin(3*x)", UNIT), ("exp(x)-x", Segment(-1, 2))],
)
def test_relus_with_the_density_of_the_second_derivative_add_up_to_g(formula, on):
    target = Expression(formula)
    found = univariate_relus(target, on)
    width = 40_000
    network = found.network(width, 1)
    x = np.linspace(float(on.start.p), float(on.stop.p), 101)
    off = network.floats(x[:, None])[:, 0] - target.floats(x)
    assert np.sqrt((off**2).mean()) <= 3 * found.expected_error(width)
    if formula == "x**2":
        b = -network.layers[0].as_floats[1][:width]
        assert np.abs(np.histogram(b, 10, (0, 1))[0] / width - 0.1).max() < 0.01
        assert float(found.largest) == 2


@pytest.mark.parametrize("formula", ["3*x+1", "abs(x-1/2)"])
def test_relus_need_a_second_derivative(formula):
    with pytest.raises(HypothesisError):
        univariate_relus(Expression(formula), UNIT)


@pytest.mark.parametrize("transform", TRANSFORMS, ids=str)
def test_cosines_add_up_to_g_everywhere(transform):
    found = barron_cosines(transform)
    x = 5 * np.random.default_rng(0).normal(size=(50, transform.dim))
    width = 60_000
    values = found.network(width, 2).floats(x)[:, 0]
    off = np.sqrt(((values - transform.floats(x)) ** 2).mean())
    assert off <= 3 * found.expected_error(width)


@pytest.mark.parametrize("centre", [0, "2/5"])
def test_thresholds_integrate_to_g_on_the_interval(centre):
    g = Gaussian(1, "1/2", centre=(centre,), amplitude=-2)
    w = np.linspace(-4, 4, 1601)
    for x in (-0.8, 0.3, 1.0):
        inner = []
        for v in w:
            top = min(abs(v), v * x)
            b = np.linspace(0, max(top, 0), 200)
            q = threshold_density(g, np.full((len(b), 1), v), b)
            inner.append(np.trapezoid(q, b))
        value = np.trapezoid(inner, w)
        there = g.floats(np.array([[x], [0.0]]))
        assert value == pytest.approx(there[0] - there[1], abs=2e-3)
    # inversion: the integral of g~ is g(0)
    whole = np.trapezoid(g.at(w[:, None]), w)
    assert abs(whole - g.floats(np.zeros((1, 1)))[0]) < 1e-6
