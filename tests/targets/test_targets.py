"""Targets: jets enclose derivatives, floats agree, text reads back, laws fit."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
import sympy
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf
from mpmath.libmp import to_rational

from depthsep import HypothesisError
from depthsep.exact import ball_upper
from depthsep.laws import SignCube
from depthsep.problems import Problem
from depthsep.targets import (
    Expression,
    Parity,
    Radial,
    Sawtooth,
    Square,
    interval_ball,
    sawtooth_value,
    target_from_text,
    zigzag,
)
from support.nets import encloses, fmpq_of
from support.oracles import fraction

X = sympy.Symbol("x", real=True)
# a formula for every function and operation, with an interval inside its domain
SMOOTH = [
    ("x", -2, 2), ("x**2 - 3*x + 1/7", -2, 2), ("x**7", -2, 2), ("(x - 1/3)**4", -1, 1),
    ("sin(3*x)", -3, 3), ("cos(x/2)", -3, 3), ("tan(x)", -1.5, 1.5),
    ("asin(x)", -0.99, 0.99), ("acos(x)", -0.99, 0.99), ("atan(5*x)", -3, 3),
    ("sinh(x)", -2, 2), ("cosh(x)", -2, 2), ("tanh(4*x)", -2, 2),
    ("asinh(x)", -3, 3), ("acosh(x)", 1.01, 4), ("atanh(x)", -0.99, 0.99),
    ("exp(-x*x)", -2, 2), ("log(x)", 0.01, 5), ("ln(1 + x**2)", -2, 2),
    ("sqrt(x)", 0.01, 4), ("erf(2*x)", -2, 2), ("1/x", 0.1, 3), ("x**-3", -3, -0.1),
    ("x**(1/3)", 0.01, 3), ("x**pi", 0.01, 3), ("x**x", 0.1, 2), ("2**x", -3, 3),
    ("e**(x/3)", -3, 3), ("sin(x)/x", 0.1, 4), ("sin(cos(x)*exp(x))", -2, 1),
    ("(1 + x**2)**(-1/2)", -2, 2), ("x*sin(1/x)", 0.1, 2),
    ("sqrt(1 - x**2)", -0.9, 0.9),
]  # fmt: skip
KINKED = [
    ("abs(x)", 0, (-1, 1)),
    ("abs(x - 1/3)", "1/3", (-1, 1)),
    ("max(x, 1 - x)", "1/2", (-1, 1)),
    ("max(0, x)*3", 0, (0, 3)),
    ("max(x, 2*x, 3*x)", 0, (1, 3)),
    ("abs(x) + x", 0, (0, 2)),
]
CASES = pytest.mark.parametrize(
    ("text", "low", "high"), SMOOTH, ids=[c[0] for c in SMOOTH]
)


def derivatives(text):
    """f, f' and f'' by sympy, which the library uses for reading only."""
    formula = Expression(text).expression
    return [sympy.lambdify(X, formula.diff(X, k), "mpmath") for k in range(3)]


def true_values(functions, x):
    mp.dps = 50
    at = mpf(int(x.p)) / int(x.q)
    return [mpf(f(at)) for f in functions]


def holds(ball, value):
    """Whether the ball, blown up by 30 digits' rounding, holds an mpmath number."""
    if not ball.is_finite():
        return True  # says nothing, which is true
    near = fmpq(*to_rational(value._mpf_))
    slack = (abs(near) + 1) / 10**30
    return -ball_upper(-ball) - slack <= near <= ball_upper(ball) + slack


@CASES
def test_jets_enclose_the_derivatives_at_points_and_over_balls(text, low, high):
    target, functions, random = Expression(text), derivatives(text), Random(text)
    start, length = Fraction(low), Fraction(high) - Fraction(low)
    for _ in range(12):
        a = start + length * random.randint(0, 40) / 50
        b = a + length * random.choice([0, 1, 5]) / 50
        points = [fmpq_of(a + (b - a) * share / 3) for share in (0, 1, 3)]
        with ctx.workprec(150):
            over = target.jet(interval_ball(fmpq_of(a), fmpq_of(b)))
            jets = [over, *(target.jet(arb(x)) for x in points)]
        truth = [true_values(functions, x) for x in points]
        for jet, places in zip(jets, [truth, *([t] for t in truth)], strict=True):
            for values in places:
                parts = (jet.value, jet.first, jet.second)
                assert all(map(holds, parts, values))
        assert float(jets[1].value.rad()) < 1e-25


@CASES
def test_jets_are_finite_on_small_balls_inside_the_domain(text, low, high):
    target, middle = Expression(text), fmpq_of(Fraction(low) + Fraction(high)) / 2
    middle += fmpq(1, 7)
    with ctx.workprec(100):
        jet = target.jet(interval_ball(middle, middle + fmpq(1, 1000)))
    assert jet.value.is_finite() and jet.first.is_finite() and jet.second.is_finite()


@CASES
def test_float64_values_agree_with_the_balls(text, low, high):
    target = Expression(text)
    x = np.linspace(low, high, 41)
    values = target.floats(x)
    assert values.shape == x.shape and values.dtype == np.float64
    for place, value in zip(x.tolist(), values.tolist(), strict=True):
        with ctx.workprec(100):
            exact = float(target.jet(arb(fmpq(*place.as_integer_ratio()))).value)
        assert value == pytest.approx(exact, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize(
    ("text", "place", "slopes"), KINKED, ids=[c[0] for c in KINKED]
)
def test_at_a_kink_the_slope_holds_both_sides_and_the_bend_is_unbounded(
    text, place, slopes
):
    target, x = Expression(text), fmpq_of(Fraction(place))
    with ctx.workprec(80):
        for radius in (0, fmpq(1, 1000)):
            jet = target.jet(interval_ball(x - radius, x + radius))
            assert jet.value.is_finite() and not jet.second.is_finite()
            for slope in slopes:
                assert jet.first.overlaps(arb(slope))
        for side, slope in zip((-1, 1), slopes, strict=True):
            near, far = (x + side * fmpq(1, n) for n in (100, 90))
            jet = target.jet(interval_ball(min(near, far), max(near, far)))
            assert jet.second.is_finite() and encloses(jet.first, fmpq(slope))


def test_undefined_values_are_not_finite():
    for text, x in (
        ("log(x)", -1),
        ("sqrt(x)", -1),
        ("asin(x)", 2),
        ("1/x", 0),
        ("acosh(x)", 0),
        ("atanh(x)", 1),
        ("x**0.5", -1),
        ("x**-2", 0),
    ):
        assert not Expression(text).jet(arb(x)).value.is_finite()  # fmt: skip


@pytest.mark.parametrize(
    "text", ["x**1.5", "x**(1/3)", "sqrt(x)", "x**pi", "abs(x)**0.3"]
)
def test_powers_have_their_value_at_zero(text):
    jet = Expression(text).jet(arb(0))
    assert jet.value.is_finite() and encloses(jet.value, fmpq(0))
    assert Expression(text).floats(np.array([0.0]))[0] == 0


@given(st.integers(1, 60), st.fractions(-1, 2, max_denominator=999))
def test_sawtooth_values_follow_the_closed_form_and_the_composition(folds, x):
    value = x
    for _ in range(min(folds, 12)):
        value = max(0, min(2 * value, 2 - 2 * value))
    if folds <= 12:
        assert fraction(sawtooth_value(folds, fmpq_of(x))) == value
    if 0 <= x <= 1:
        assert sawtooth_value(folds, fmpq_of(x)) == 1 - abs(
            1 - fmpq_of(Fraction(2**folds) * x % 2)
        )
    else:
        assert sawtooth_value(folds, fmpq_of(x)) == 0


@given(st.integers(1, 10), st.fractions(0, 1, max_denominator=999))
def test_sawtooth_jets_floats_and_pieces_agree(folds, x):
    target, value = Sawtooth(folds), sawtooth_value(folds, fmpq_of(x))
    jet = target.jet(arb(fmpq_of(x)))
    assert encloses(jet.value, value)
    assert float(value.p) / float(value.q) == pytest.approx(
        target.floats(np.array([float(x)]))[0], abs=2.0 ** (folds - 50)
    )
    assert target.piecewise(1 << folds)(x) == value
    if jet.second.is_finite():
        assert abs(jet.first) == 2**folds


def test_sawtooths_enclose_all_slopes_across_a_tooth():
    jet = Sawtooth(3).jet(interval_ball(fmpq(1, 20), fmpq(3, 10)))
    assert jet.first.contains(8) and jet.first.contains(-8)
    assert jet.value.contains(0) and jet.value.contains(1)
    assert not jet.second.is_finite()
    assert Sawtooth(3).floats(np.array([-1.0, 2.0])).tolist() == [0, 0]


def test_squares_and_zigzags():
    assert Square().jet(arb(3)).first == 6 and Square().jet(arb(3)).second == 2
    assert Square().floats(np.array([3.0])).tolist() == [9]
    assert zigzag(5).values.tolist() == [0, 1, 0, 1, 0, 1]


def test_parities_multiply_signs():
    target = Parity(3)
    assert target.floats(np.array([[1, -1, -1], [1, 1, -1]])).tolist() == [1, -1]
    problem = Problem(target)
    assert problem.law == SignCube(3) and problem.target_as(Parity) is target
    with pytest.raises(HypothesisError, match="parity:3 is not an instance"):
        _ = problem.line_target
    with pytest.raises(HypothesisError, match="which is not a law on an interval"):
        _ = problem.interval


@pytest.mark.parametrize(
    "written",
    ["square", "sawtooth:1", "sawtooth:1000", "parity:1", "parity:1048576",
     "expr:sin(20*x)", "expr:x**2 + 1/3", "expr:max(x, 1 - x)"],
)  # fmt: skip
def test_text_reads_back(written):
    target = target_from_text(written)
    assert target.text == str(target) == written
    assert target_from_text(target.text) == target
    assert hash(target) == hash(target_from_text(f"  {written} "))
    assert target != target_from_text("expr:x")


@pytest.mark.parametrize(
    "written",
    ["", "circle", "square:2", "sawtooth", "sawtooth:", "sawtooth:0", "sawtooth:1001",
     "sawtooth:-1", "sawtooth:1.5", "sawtooth:\u0663", "sawtooth:9999999999",
     "parity:0", "parity:x", "parity:1048577", "expr", "expr:", "expr: ", "SQUARE"],
)  # fmt: skip
def test_unknown_targets_are_refused_with_the_forms_that_exist(written):
    with pytest.raises(HypothesisError, match=r"use|needs a whole|takes|write"):
        target_from_text(written)


def test_gaussian_targets_are_formulas():
    assert (
        target_from_text("gaussian:1/2", 3).formula
        == "exp(-(x1**2 + x2**2 + x3**2)/(1/2))"
    )
    assert target_from_text("gaussian:1").dim == 2
    assert target_from_text("gaussian:2", 1) == Expression("exp(-(x**2)/(8))")
    for written in ("gaussian:0", "gaussian:-1", "gaussian:x"):
        with pytest.raises(HypothesisError):
            target_from_text(written)


@pytest.mark.parametrize(
    ("profile", "jumps"),
    [
        ("exp(-r)-exp(-1) on 0,1", ()),
        ("cos(pi*r/2) on 0,1", ()),
        ("sin(r)-sin(2) on 0,2", ()),
        ("exp(-r) on 0,1", (1,)),
        ("exp(-r)-exp(-1)+1/10**40 on 0,1", (1,)),
    ],
)
def test_a_profile_jumps_only_where_it_does_not_end_at_0(profile, jumps):
    assert Radial(profile, 3).jumps == jumps
