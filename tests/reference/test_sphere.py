"""Reference values for spheres: harmonics, Legendre polynomials, expansions, tails."""

import re
from functools import cache

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.exact import rational
from depthsep.laws import SquaredTransform, law_from_text
from depthsep.lower_bounds import (
    ZonalKink,
    ZonalWave,
    printed_example_width,
    weighted_widths,
)
from depthsep.special import (
    BesselLadder,
    bessel_j,
    harmonic_dimension,
    legendre,
    sphere_density,
    squared_transform_cdf,
    tube_fraction,
    unit_ball_radius,
    unit_ball_transform,
)
from support.places import reference
from support.slow import mostly_slow

ENTRIES = reference("sphere")


LONG = {"tailrec_100_10001": pytest.mark.slow}


def entries(pattern):
    found = [(m.groups(), e) for e in ENTRIES if (m := re.fullmatch(pattern, e["id"]))]
    assert found
    cases = [
        pytest.param(
            groups, rational(str(e["value"])), id=e["id"], marks=LONG.get(e["id"], ())
        )
        for groups, e in found
    ]
    return pytest.mark.parametrize(("given", "value"), cases)


def close(ball, value, digits=28):
    """Whether the ball is narrow and the printed value is in or next to it."""
    size = max(abs(value), fmpq(1, 10**200))
    return abs(ball - arb(value)).upper() <= arb(size) * arb(10) ** -digits


def wave(dim, frequency, shape="sin"):
    times = 10 if frequency.startswith("10 pi") else None
    pi = frequency.startswith("pi*") or times
    factor = times or int(frequency.removeprefix("pi*"))
    return ZonalWave(dim, shape, lambda: (arb.pi() if pi else arb(1)) * factor)


@cache
def tails_of(dim):
    """Of sin(pi d^3 u), the example of the ledger: all its degrees in one pass."""
    pattern = rf"(?:tail|\w+_log2)(?:rec)?_{dim}_(\d+)(?:_.*)?"
    found = [re.fullmatch(pattern, e["id"]) for e in ENTRIES]
    degrees = sorted({int(m[1]) for m in found if m})
    tails = wave(dim, f"pi*{dim**3}").tails(degrees)
    return dict(zip(degrees, tails, strict=True))


def tail_of(dim, degree):
    return tails_of(dim)[degree]


@entries(r"N_(\d+)_(\d+)")
def test_dimensions_of_harmonics(given, value):
    assert harmonic_dimension(*map(int, given)) == value


@entries(r"P_(\d+)_(\d+)_(.*)")
def test_legendre_polynomials(given, value):
    dim, degree, x = given
    with ctx.workprec(2048):
        assert close(legendre(int(dim), int(degree), arb(rational(x))), value)


@entries(r"cd_(\d+)")
def test_the_density_of_one_coordinate(given, value):
    with ctx.workprec(200):
        assert close(sphere_density(int(given[0])), value)


@entries(r"alpha_sin_(\d+)_(\d+)_(.*)")
def test_coefficients_of_sines(given, value):
    dim, degree, frequency = given
    found = wave(int(dim), frequency).coefficient(int(degree))
    with ctx.workprec(200):
        assert close(found, value)


def test_a_coefficient_of_a_cosine():
    (value,) = (e["value"] for e in ENTRIES if e["id"] == "alpha_cos_5_20_pi*10")
    found = wave(5, "pi*10", "cos").coefficient(20)
    with ctx.workprec(200):
        assert close(found, rational(value))
    assert wave(5, "pi*10", "cos").coefficient(21) == 0


@entries(r"alpha_(abs|sign)_(\d+)_(\d+)")
def test_coefficients_of_kinks(given, value):
    shape = {"abs": "Abs", "sign": "sign"}[given[0]]
    f = ZonalKink(int(given[1]), shape)
    with ctx.workprec(200):
        assert close(f.coefficient(int(given[2])), value)
    assert f.coefficient(int(given[2]) + 1) == f.coefficient(0) == 0


@pytest.mark.parametrize("shape", ["Abs", "sign"])
@pytest.mark.parametrize("dim", [2, 3, 8])
def test_coefficients_of_kinks_sum_to_the_norm(shape, dim):
    f = ZonalKink(dim, shape)
    tails = [f.tail(n) for n in (f.first, f.first + 20, f.first + 400)]
    assert tails[0].mass.overlaps(f.norm_squared)
    assert tails[0].mass > tails[1].mass > tails[2].mass > 0
    for tail in tails:
        assert tail.shared * tail.dimension <= tail.mass * (1 + 1e-9)


@entries(r"norm2_sin_(\d+)_(.*)")
def test_norms_of_sines(given, value):
    with ctx.workprec(200):
        assert close(wave(int(given[0]), given[1]).norm_squared, value)


@pytest.mark.slow
@entries(r"tail(?:rec)?_(\d+)_(\d+)(?:_.*)?")
def test_tails_of_sines(given, value):
    dim, degree = map(int, given)
    found = tail_of(dim, degree)
    assert found.dimension == harmonic_dimension(dim, degree)
    with ctx.workprec(200):
        assert close(found.mass, value)


@entries(r"polyerr_(\d+)_(\d+)_(\d+)")
def test_best_polynomials_miss_the_mass_of_higher_degrees(given, value):
    dim, m, k = map(int, given)
    f = ZonalWave(dim, "sin", lambda: arb.pi() * arb(dim).sqrt() * m)
    degree = k + 1 if k % 2 == 0 else k + 2
    with ctx.workprec(200):
        found = f.tail(degree).mass
        assert close(found, value)
        # the printed lemma, for whole m: at least (m - k) / (4 e pi m)
        assert found >= arb(m - k) / (4 * arb(1).exp() * arb.pi() * m)


@entries(r"rank_log2(?:rec)?_(\d+)_(\d+)(?:_.*)?")
def test_the_rank_bound(given, value):
    dim, degree = map(int, given)
    found = tail_of(dim, degree)
    with ctx.workprec(200):
        width = found.dimension * (1 - arb(fmpq(1, 100)) / found.mass)
        assert close(width.log() / arb(2).log(), value, 27)


@entries(r"(thm|lin)_log2(?:rec)?_(\d+)_(\d+)(?:_.*)?")
def test_bounds_for_bounded_weights(given, value):
    kind, dim, degree = given[0], int(given[1]), int(given[2])
    tail = tail_of(dim, degree)
    found = weighted_widths(dim, tail, fmpq(1, 10), fmpq(2) ** dim)
    width = found.theorem if kind == "thm" else found.linear
    with ctx.workprec(200):
        assert close(width.log() / arb(2).log(), value, 27)
        # weaker than the bound that knows no weights
        assert width < tail.dimension * (1 - arb(fmpq(1, 100)) / tail.mass)


@entries(r"slidewidth_log2_(\d+)")
def test_the_final_example_as_printed(given, value):
    with ctx.workprec(200):
        found = printed_example_width(int(given[0]))
        assert close(found.log() / arb(2).log(), value, 27)


def test_the_final_example_bites_from_nineteen_dimensions_on():
    assert printed_example_width(18) < 1 < printed_example_width(19)
    wave_of_25 = wave(25, f"pi*{25**3}")
    mass = wave_of_25.norm_squared
    # ||P_n F||^2 >= 1 / (5 e pi), a square where the slides print the norm
    with ctx.workprec(100):
        assert mass > 1 / (5 * arb(1).exp() * arb.pi())
        assert (1 / (5 * arb(1).exp() * arb.pi())).sqrt() > arb("0.15")


@pytest.mark.parametrize(
    ("dim", "at_least"), [(3, 7.25), (4, 15.13), (5, 24.09), (10, 78.46), (20, 211.42)]
)
def test_the_full_solve_is_above_the_best_single_degree(dim, at_least):
    f = wave(dim, f"pi*{dim**3}")
    tail = f.tail(f.best_degree(fmpq(1, 10)))
    with ctx.workprec(200):
        full = ((tail.mass - fmpq(1, 100)) / tail.shared).log() / arb(2).log()
        assert at_least < full < at_least + 0.1


@given(st.integers(0, 9), st.integers(2, 60), st.integers(0, 40))
def test_the_ladder_is_within_its_bound(twice, argument, index):
    order = fmpq(twice, 2)
    if order + index >= argument:
        return
    ladder = BesselLadder(order, lambda: arb(argument), 128)
    *_, value = ladder.values(index + 1)
    with ctx.workprec(300):
        off = abs(
            arb(value) / arb(2) ** 128 - bessel_j(order + index, arb(argument), 200)
        )
        assert off <= ladder.error_at(index)


def test_bessel_functions_near_the_turning_point():
    # order and argument close: plain balls lose all digits at low precision
    with ctx.workprec(400):
        value = bessel_j(fmpq(1000), arb(1000), 300)
        assert value.rad() < arb(2) ** -300
        wide = bessel_j(fmpq(1, 2), arb(2, 0.01), 100)
        exact = (arb(2) / (arb.pi() * 2)).sqrt() * arb(2).sin()
        assert abs(wide - exact) <= wide.rad() * 2


@pytest.mark.parametrize(
    ("dim", "shape", "frequency"),
    [(1, "sin", 3), (3, "tan", 3), (3, "sin", 0), (3, "sin", 10**9)],
)
def test_waves_out_of_range(dim, shape, frequency):
    with pytest.raises(HypothesisError):
        ZonalWave(dim, shape, lambda: arb(frequency))


def test_degrees_out_of_range():
    f = wave(5, "pi*125")
    for degree in (0, 2, 10**6):
        with pytest.raises(HypothesisError, match="parity"):
            f.tail(degree)
    with pytest.raises(HypothesisError):
        harmonic_dimension(1, 3)


@entries(r"Rd_(\d+)")
def test_the_radius_of_the_unit_ball(given, value):
    with ctx.workprec(200):
        assert close(unit_ball_radius(int(given[0])), value)


@entries(r"phi_(\d+)_(.*)")
def test_the_transform_of_the_unit_ball(given, value):
    found = unit_ball_transform(int(given[0]), rational(given[1]), 120)
    with ctx.workprec(200):
        assert close(found, value)


@entries(r"cdf_(\d+)_(\d+)")
def test_the_law_of_its_square(given, value):
    found = squared_transform_cdf(int(given[0]), fmpq(int(given[1])))
    with ctx.workprec(200):
        assert close(found, value)


@entries(r"h1_(\d+)_(\d+)")
def test_the_share_of_a_tube(given, value):
    dim, ratio = int(given[0]), fmpq(int(given[1]))
    with ctx.workprec(200):
        found = tube_fraction(dim, ratio)
        assert close(found, value)
        if ratio == 2:
            assert found <= arb(2) ** -(dim - 1)
    assert tube_fraction(dim, fmpq(1)) == 1


@pytest.mark.parametrize("dim", mostly_slow([1, 2, 3, 10], [1, 2, 3, 10, 100]))
def test_samples_of_the_squared_transform_follow_the_law(dim):
    count = 4000
    t = np.sort(SquaredTransform(dim).sample_radii(count, np.random.default_rng(dim)))
    # Kolmogorov-Smirnov at the 1e-4 level, at a few enclosed points
    worst = 0.0
    for share in np.linspace(0.02, 0.9 if dim < 100 else 0.7, 9):
        at = rational(round(float(t[int(share * count)]), 6))
        cdf = float(squared_transform_cdf(dim, at, 40).mid())
        worst = max(
            worst, abs(cdf - np.searchsorted(t, float(at.p) / float(at.q)) / count)
        )
    assert worst * count**0.5 < 2.23


@pytest.mark.parametrize("dim", [8, 10, 100])
def test_the_table_decides_like_the_function(dim):
    from scipy.special import jv

    from depthsep.laws._squared_transform import _is_below, _table

    rng, nu = np.random.default_rng(0), dim / 2
    t = nu / np.cos(rng.random(20_000) * np.pi / 2)
    for square in (rng.random(len(t)) / nu, jv(nu, t) ** 2 * (1 + 1e-12)):
        assert (_is_below(nu, t, square) == (square < jv(nu, t) ** 2)).all()
    values, slopes = _table(nu)
    assert np.isfinite(values).all() and np.abs(slopes).max() <= 1


def test_samples_in_a_thousand_dimensions_are_finite():
    law = SquaredTransform(1000)
    x = law.sample(300, 0)
    assert x.shape == (300, 1000) and np.isfinite(x).all()
    assert law_from_text(law.text) == law
    for dim in (0, 1001):
        with pytest.raises(HypothesisError, match="give 1 to 1000"):
            SquaredTransform(dim)


def test_balls_and_tubes_out_of_range():
    for call in (
        lambda: unit_ball_radius(0),
        lambda: squared_transform_cdf(3, fmpq(-1)),
        lambda: squared_transform_cdf(3, fmpq(10**6)),
        lambda: tube_fraction(1, fmpq(2)),
    ):
        with pytest.raises(HypothesisError):
            call()
