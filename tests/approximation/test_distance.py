"""Exact distances between piecewise-affine functions and to exact forms."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mp, mpf

from depthsep import HypothesisError
from depthsep.analysis import on_interval
from depthsep.approximation import best_interpolant, distance, distance_to_form
from depthsep.evidence import Rigour
from depthsep.exact import PiecewiseAffine
from depthsep.laws import Segment
from depthsep.problems import NORMS
from depthsep.targets import ExactForm, Sawtooth, zigzag
from support.nets import SQUARE, UNIT, affine, fmpq_of, networks, rationals
from support.oracles import fraction

LINE = PiecewiseAffine.through([-3, 3], [0, 0])


@st.composite
def polylines(draw, start=-2, stop=3):
    inner = draw(st.lists(st.fractions(start, stop, max_denominator=9), max_size=5))
    knots = [Fraction(start), *sorted(set(inner) - {start, stop}), Fraction(stop)]
    return PiecewiseAffine.through(knots, [draw(rationals) for _ in knots])


ons = st.builds(
    lambda a, b: Segment(min(a, b), max(a, b)),
    st.fractions(-2, "1/2", max_denominator=7),
    st.fractions("2/3", 3, max_denominator=7),
)
small = st.fractions(-3, 3, max_denominator=4)


def residual_cells(f, g, on):
    """(a, b, slope, level) of f - g on every cell of the common refinement."""
    a, b = fraction(on.start), fraction(on.stop)
    inner = {fraction(k) for h in (f, g) for k in h.knots.tolist()}
    knots = [a, *sorted(k for k in inner if a < k < b), b]
    for s, t in pairwise(knots):
        u, v = (fraction(f(x)) - fraction(g(x)) for x in (s, t))
        yield s, t, u, v


def norms_of_cells(cells, length):
    """Exact l1, squared l2 and linf from the end values of affine residuals."""
    mean = square = worst = Fraction(0)
    for s, t, u, v in cells:
        h, worst = t - s, max(worst, abs(u), abs(v))
        square += h * (u * u + u * v + v * v) / 3
        if u * v < 0:
            root = h * u / (u - v)
            mean += root * abs(u) / 2 + (h - root) * abs(v) / 2
        else:
            mean += h * abs(u + v) / 2
    return mean / length, square / length, worst


@given(polylines(), polylines(), ons)
def test_distances_of_polylines_are_those_of_slow_fractions(f, g, on):
    mean, square, worst = norms_of_cells(residual_cells(f, g, on), fraction(on.length))
    assert fraction(distance(f, g, "l1", on).upper) == mean
    assert fraction(distance(f, g, "l2", on).square) == square
    assert fraction(distance(f, g, "linf", on).upper) == worst
    assert distance(f, g, "l1", on).is_point
    assert all(distance(f, g, n, on).rigour is Rigour.EXACT for n in NORMS)


@given(polylines(), polylines(), polylines(), ons)
def test_the_norms_are_ordered_symmetric_and_obey_the_triangle_inequality(f, g, h, on):
    for norm in NORMS:
        one = distance(f, g, norm, on)
        assert one == distance(g, f, norm, on)
        assert distance(f, f, norm, on).upper == 0
        around = distance(f, h, norm, on).upper + distance(h, g, norm, on).upper
        assert one.lower <= around
    mean, square, worst = (distance(f, g, n, on) for n in ("l1", "l2", "linf"))
    assert mean.upper**2 <= square.square <= worst.upper**2


@given(polylines(), ons, small, small, small)
def test_distances_to_quadratics_are_exact_or_enclosed(f, on, alpha, beta, gamma):
    form = ExactForm(*map(fmpq_of, (alpha, beta, gamma)))
    found = {norm: distance_to_form(f, form, norm, on) for norm in NORMS}
    square, worst, mean = quadratic_norms(f, (alpha, beta, gamma), on)
    assert fraction(found["l2"].square) == square
    assert fraction(found["linf"].upper) == fraction(found["linf"].lower) == worst
    low, high = (
        mpf(int(x.p)) / int(x.q) for x in (found["l1"].lower, found["l1"].upper)
    )
    assert low - mpf(10) ** -40 <= mean <= high + mpf(10) ** -40
    assert high - low <= mpf(10) ** -35 * (1 + high)


def quadratic_norms(f, coefficients, on):
    """Squared l2 (Boole, exact for degree 4), linf (vertices), l1 (50 digits)."""
    mp.dps = 60
    alpha, beta, gamma = coefficients

    def q(x):
        return alpha * x * x + beta * x + gamma

    square = worst = Fraction(0)
    mean, length = mpf(0), fraction(on.length)
    for s, t, u, v in residual_cells(f, LINE, on):
        slope = (v - u) / (t - s)

        def r(x, s=s, u=u, slope=slope):
            return u + slope * (x - s) - q(x)

        five = [r(s + (t - s) * Fraction(i, 4)) ** 2 for i in range(5)]
        weights = (7, 32, 12, 32, 7)
        square += (t - s) * sum(w * y for w, y in zip(weights, five, strict=True)) / 90
        places = [s, t]
        if alpha != 0 and s < (slope - beta) / (2 * alpha) < t:
            places.append((slope - beta) / (2 * alpha))
        worst = max([worst, *(abs(r(x)) for x in places)])
        mean += integral_of_absolute(r, alpha, slope - beta, s, t)
    return square / length, worst, mean / length.numerator * length.denominator


def integral_of_absolute(r, alpha, tilt, s, t):
    """Of |r| for r = -alpha x^2 + tilt x + const, by its roots in 60 digits."""
    level = r(Fraction(0))
    roots = []
    if alpha != 0:
        inside = tilt * tilt + 4 * alpha * level
        if inside > 0:
            root = mp.sqrt(mpf(inside.numerator) / inside.denominator)
            base = mpf(tilt.numerator) / tilt.denominator
            double = 2 * mpf(alpha.numerator) / alpha.denominator
            roots = [(base - root) / double, (base + root) / double]
    elif tilt != 0:
        roots = [
            -mpf(level.numerator)
            / level.denominator
            * tilt.denominator
            / tilt.numerator
        ]
    a, b = (mpf(x.numerator) / x.denominator for x in (s, t))
    marks = [a, *sorted(x for x in roots if a < x < b), b]

    def primitive(x):
        c, d, e = (mpf(y.numerator) / y.denominator for y in (alpha, tilt, level))
        return x * (e + x * (d / 2 - x * c / 3))

    return sum(abs(primitive(y) - primitive(x)) for x, y in pairwise(marks))


@given(polylines(0, 1), st.integers(1, 5), small)
def test_distances_to_sawtooths_are_those_to_their_polyline(f, folds, level):
    assume(len(f.knots) > 1)
    form, tent = Sawtooth(folds).exact_form(), zigzag(2**folds)
    for norm in NORMS:
        a, b = distance_to_form(f, form, norm, UNIT), distance(f, tent, norm, UNIT)
        assert (a.lower, a.upper, a.square) == (b.lower, b.upper, b.square)


@given(networks(), ons)
def test_the_distance_of_a_network_to_itself_is_zero(network, on):
    whole, part = on_interval(network), on_interval(network, on.start, on.stop)
    for norm in NORMS:
        assert distance(whole, part, norm, on).upper == 0


@pytest.mark.parametrize(
    ("form", "l1", "l2", "linf"),
    [
        (SQUARE, "1/3", "1/5", 1),
        (ExactForm(fmpq(0), fmpq(1), fmpq(0)), "1/2", "1/3", 1),
        (ExactForm(fmpq(1), fmpq(-1), fmpq(0)), "1/6", "1/30", "1/4"),
        (ExactForm(fmpq(1), fmpq(0), fmpq(-1, 4)), "1/4", "23/240", "3/4"),
        (Sawtooth(7).exact_form(), "1/2", "1/3", 1),
    ],
)
def test_distances_to_zero_have_their_textbook_values(form, l1, l2, linf):
    zero = on_interval(affine(0, 0), 0, 1)
    assert distance_to_form(zero, form, "l1", UNIT).upper == fmpq_of(Fraction(l1))
    assert distance_to_form(zero, form, "l2", UNIT).square == fmpq_of(Fraction(l2))
    assert distance_to_form(zero, form, "linf", UNIT).upper == fmpq_of(Fraction(linf))


def test_irrational_zeros_make_the_mean_an_enclosure():
    half = on_interval(affine(0, "1/2"), 0, 1)
    found = distance_to_form(half, SQUARE, "l1", UNIT)
    assert found.rigour is Rigour.ENCLOSED and not found.is_point
    assert float(found) == pytest.approx((2 * 2**0.5 - 1) / 6, rel=1e-15)


@given(polylines(), polylines(), ons)
def test_float64_distances_are_sampled_and_close(f, g, on):
    rounded = [
        PiecewiseAffine(h.knots.astype(float), h.values.astype(float)) for h in (f, g)
    ]
    for norm in NORMS:
        found = distance(*rounded, norm, on)
        assert found.rigour is Rigour.SAMPLED
        exact = float(distance(f, g, norm, on))
        assert float(found) == pytest.approx(exact, rel=1e-9, abs=1e-7)


def test_a_float64_function_gives_a_sampled_distance_to_a_form():
    f = PiecewiseAffine(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    found = distance_to_form(f, SQUARE, "linf", UNIT)
    assert found.rigour is Rigour.SAMPLED and found.upper == fmpq(1, 4)


def test_rays_serve_intervals_beyond_the_knots():
    kink = on_interval(affine(2, 1))
    assert distance_to_form(kink, SQUARE, "linf", Segment(5, 6)).upper == 23
    with pytest.raises(HypothesisError, match="is not within the domain"):
        distance_to_form(LINE, SQUARE, "linf", Segment(-4, 0))
    with pytest.raises(HypothesisError, match="is not within the domain"):
        distance(LINE, LINE, "linf", Segment(0, "7/2"))


@pytest.mark.parametrize("measure", [distance, distance_to_form])
def test_unknown_norms_are_refused(measure):
    other = LINE if measure is distance else SQUARE
    with pytest.raises(HypothesisError, match="unknown norm 'sup'"):
        measure(LINE, other, "sup", UNIT)


def test_the_distance_to_the_best_interpolant_is_its_error():
    for continuous in (True, False):
        g = best_interpolant(zigzag(8), fmpq(2, 5), continuous=continuous)
        assert distance(zigzag(8), g, "linf", UNIT).upper <= fmpq(2, 5)
