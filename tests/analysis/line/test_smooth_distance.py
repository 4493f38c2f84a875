"""Enclosed distances to formulas hold the true value; poles are refused."""

import itertools

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from depthsep import HypothesisError, TooLargeError
from depthsep.analysis import on_interval
from depthsep.approximation import distance_to_target, linearise
from depthsep.constructions import fold_network
from depthsep.evidence import Rigour
from depthsep.exact import PiecewiseAffine, ball_upper
from depthsep.laws import Segment
from depthsep.problems import NORMS
from depthsep.targets import Expression, Sawtooth, Square, interval_ball
from support.nets import UNIT, affine
from support.slow import in_turn

# formula, the same for mpmath, interval, places where it bends sharply
FORMULAS = [
    ("sin(20*x)", lambda x: mp.sin(20 * x), (0, 1), []),
    ("abs(x - 1/3)", lambda x: abs(x - mpf(1) / 3), (0, 1), [mpf(1) / 3]),
    ("sqrt(x)", mp.sqrt, (0, 1), []),
    ("exp(x)", mp.exp, (-1, 2), []),
    ("max(x, 1 - x, sin(9*x))", lambda x: max(x, 1 - x, mp.sin(9 * x)), (0, 1), []),
    ("min(sin(3*x), cos(3*x))", lambda x: min(mp.sin(3 * x), mp.cos(3 * x)),
     (0, 1), [mp.pi / 12]),
    ("sqrt(1 - x**2)", lambda x: mp.sqrt(abs(1 - x * x)), (-1, 1), []),
    ("1/(1 + 25*x**2)", lambda x: 1 / (1 + 25 * x * x), (-1, 1), []),
    ("abs(sin(20*x))/3", lambda x: abs(mp.sin(20 * x)) / 3, (0, 1),
     [k * mp.pi / 20 for k in range(1, 7)]),
    ("acos(x)", mp.acos, (-1, 1), []),
    ("x**x", lambda x: mp.exp(x * mp.log(x)), ("1/100", 2), []),
    ("erf(5*x) - tanh(3*x)", lambda x: mp.erf(5 * x) - mp.tanh(3 * x), (-1, 1), [0]),
    ("log(1 + x)*atan(7*x)", lambda x: mp.log(1 + x) * mp.atan(7 * x), (0, 3), []),
    ("x**(3/2)", lambda x: x ** mpf("1.5"), (0, 1), []),
    ("x**(1/3)", mp.cbrt, (0, 1), []),
    ("acosh(x)", mp.acosh, (1, 2), []),
]  # fmt: skip


def number(x):
    return mpf(int(x.p)) / int(x.q)


def true_norm(f, formula, norm, on, kinks):
    """The norm of f - formula to about nine digits, by quadrature or dense search."""
    mp.dps = 20
    a, b = number(on.start), number(on.stop)
    knots, values = ([number(x) for x in y.tolist()] for y in (f.knots, f.values))

    def r(x):
        i = max(0, min(len(knots) - 2, sum(k <= x for k in knots) - 1))
        slope = (values[i + 1] - values[i]) / (knots[i + 1] - knots[i])
        return abs(formula(x) - values[i] - slope * (x - knots[i]))

    if norm == "linf":
        return largest(r, a, b)
    marks = sorted({a, b, *(k for k in knots if a < k < b), *kinks})
    fine = [
        x + (y - x) * i / 12 for x, y in itertools.pairwise(marks) for i in range(12)
    ] + [b]
    power = 1 if norm == "l1" else 2
    whole = mp.quad(lambda x: r(x) ** power, fine, maxdegree=3) / (b - a)
    return whole if norm == "l1" else mp.sqrt(whole)


def largest(r, a, b, count=400):
    """A lower bound of the supremum, close to it: a grid, refined about its best."""
    for _ in range(6):
        places = [a + (b - a) * i / count for i in range(count + 1)]
        best = max(places, key=r)
        half = (b - a) / count
        a, b, count = max(a, best - half), min(b, best + half), 40
    return r(best)


@pytest.mark.parametrize(
    ("text", "formula", "ends", "kinks", "norm"),
    in_turn(FORMULAS, NORMS),
    ids=[f[0] for f in FORMULAS],
)
def test_the_enclosure_holds_the_true_distance(text, formula, ends, kinks, norm):
    on = Segment(*ends)
    f = on_interval(fold_network((2, 2)), on.start, on.stop)
    found = distance_to_target(f, Expression(text), norm, on, relative=1e-4)
    true = true_norm(f, formula, norm, on, kinks)
    slack = mpf("1e-4") if norm == "l1" else mpf("2e-5")
    assert found.rigour is Rigour.ENCLOSED
    assert found.lower <= found.upper
    assert number(found.lower) <= true * (1 + slack)
    assert true * (1 - slack) <= number(found.upper)
    assert number(found.upper) - number(found.lower) <= mpf("1.1e-4") * true


@settings(max_examples=9, deadline=None)
@given(st.fractions(-1, 1, max_denominator=9), st.fractions(-1, 1, max_denominator=9))
def test_random_lines_are_enclosed_against_sine(slope, level):
    f = on_interval(affine(slope, level), 0, 1)
    for norm in NORMS:
        found = distance_to_target(f, Expression("sin(5*x)"), norm, UNIT)
        true = true_norm(f, lambda x: mp.sin(5 * x), norm, UNIT, [])
        assert number(found.lower) <= true * (1 + mpf("1e-3"))
        assert true * (1 - mpf("1e-3")) <= number(found.upper)


@pytest.mark.parametrize("norm", NORMS)
def test_exact_targets_may_be_measured_through_their_jets_too(norm):
    f = on_interval(fold_network((3,)), 0, 1)
    found = distance_to_target(f, Square(), norm, UNIT, relative=1e-6)
    exact = distance_to_target(f, Expression("x*x + 0"), norm, UNIT, relative=1e-6)
    assert found.lower <= exact.upper and exact.lower <= found.upper


def test_a_bump_of_one_part_in_two_to_the_sixty_is_not_lost():
    tiny = fmpq(1, 2**60)
    f = PiecewiseAffine.through([0, fmpq(1, 2), 1], [2, fmpq(3, 2), 3 + tiny])
    found = distance_to_target(f, Expression("abs(x + 1)"), "linf", UNIT)
    assert found.upper >= 1 + tiny  # the distance at x = 1
    assert found.lower <= found.upper


def test_float64_functions_give_sampled_distances():
    f = on_interval(fold_network((2,)), 0, 1, exact=False)
    found = distance_to_target(f, Expression("sin(x)"), "linf", UNIT)
    assert found.rigour is Rigour.SAMPLED


def test_a_budget_of_cells_leaves_a_wider_proof():
    f = on_interval(affine(0, 0), 0, 1)
    wide, narrow = (
        distance_to_target(f, Expression("sin(20*x)"), "l1", UNIT,
                           relative=1e-9, max_cells=n)
        for n in (64, 4000)
    )  # fmt: skip
    assert wide.lower <= narrow.lower <= narrow.upper <= wide.upper
    assert wide.upper - wide.lower > narrow.upper - narrow.lower


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("1/x", (0, 1)),
        ("1/(x - 1/4)", (0, 1)),
        ("1/(x - 1/4)", ("1/4", 1)),
        ("log(x)", (0, 1)),
        ("log(x)", (-1, 1)),
        ("sqrt(x)", (-1, 1)),
        ("acos(x)", (0, 2)),
        ("acosh(x)", (0, 2)),
        ("atanh(x)", (0, 1)),
        ("x**(1/2) + (x - 1)**(1/2)", (0, 1)),
    ],
)
def test_formulas_without_a_value_somewhere_are_refused(text, on, norm):
    law = Segment(*on)
    f = on_interval(affine(0, 0), law.start, law.stop)
    with pytest.raises(
        HypothesisError, match=r"not finite|not defined|cannot be followed"
    ):
        distance_to_target(f, Expression(text), norm, law)


@pytest.mark.parametrize("norm", ["linf", "l2"])
@pytest.mark.parametrize(("text", "on"), [("1/(x - 1/3)", (0, 1)), ("tan(x)", (0, 2))])
def test_poles_inside_are_refused_soon(text, on, norm):
    law = Segment(*on)
    f = on_interval(affine(0, 0), law.start, law.stop)
    with pytest.raises(
        HypothesisError, match=r"cannot be followed|proved to be defined|not defined"
    ):
        distance_to_target(f, Expression(text), norm, law)


def test_the_mean_norm_refuses_a_pole_soon():
    f = on_interval(affine(0, 0), 0, 2)
    with pytest.raises(
        HypothesisError, match=r"cannot be followed|proved to be defined|not defined"
    ):
        distance_to_target(
            f, Expression("tan(x)"), "l1", Segment(0, 2), max_cells=20_000
        )


def test_a_jump_has_distances_in_every_norm():
    sign, zero = Expression("sign(x - 1/3)"), on_interval(affine(0, 0), 0, 1)
    whole = distance_to_target(zero, sign, "linf", UNIT)
    assert whole.lower <= 1 <= whole.upper
    mean = distance_to_target(zero, sign, "l1", UNIT)
    assert mean.lower <= 1 <= mean.upper
    worst = distance_to_target(on_interval(affine(1, 0), 0, 1), sign, "linf", UNIT)
    assert worst.lower <= fmpq(4, 3) <= worst.upper


@pytest.mark.parametrize(
    ("text", "formula", "ends", "kinks"), FORMULAS, ids=[f[0] for f in FORMULAS]
)
def test_linearise_stays_within_its_bound(text, formula, ends, kinks):
    on, target = Segment(*ends), Expression(text)
    line = linearise(target, on, fmpq(1, 500))
    assert line.error <= fmpq(1, 500)
    knots = line.function.knots.tolist()
    assert (knots[0], knots[-1]) == (on.start, on.stop)
    inner = [
        a + (b - a) * fmpq(i, 4) for a, b in itertools.pairwise(knots) for i in range(4)
    ]
    for x in inner[:: max(1, len(inner) // 300)]:
        with ctx.workprec(200):
            off = abs(target.jet(arb(x)).value - arb(line.function(x)))
            # balls of 200 bits cannot show that there is no error at all
            assert ball_upper(off) <= max(line.error, fmpq(1, 2**190))


def test_linearise_refuses_what_it_cannot_follow():
    for text in ("1/(x - 1/3)", "sign(x - 1/3)", "log(x)", "sqrt(x - 1/2)"):
        with pytest.raises((HypothesisError, TooLargeError)):
            linearise(Expression(text), UNIT, fmpq(1, 50), max_knots=3000)
    with pytest.raises(TooLargeError, match="more than 50 knots"):
        linearise(Expression("sin(20*x)"), UNIT, fmpq(1, 10**6), max_knots=50)
    with pytest.raises(HypothesisError, match="cannot be evaluated"):
        linearise(Sawtooth(3), UNIT, fmpq(1, 10))


def test_interval_balls_hold_both_ends():
    for a, b in ((fmpq(1, 3), fmpq(2, 3)), (fmpq(-5), fmpq(1, 7))):
        ball = interval_ball(a, b)
        assert -ball_upper(-ball) <= a and b <= ball_upper(ball)
