"""What hostile formulas and networks once did: tracebacks, false claims, no end."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.analysis import (
    examine,
    is_zero_on_segment,
    ridge_sum,
)
from depthsep.analysis.box._polynomial_distance import Expanded, sup_distance
from depthsep.constructions import step_network
from depthsep.evidence import Inapplicable
from depthsep.exact import Jet, ball_upper, jets
from depthsep.infinite_width import (
    FiniteLaw,
    Gaussian,
    Mixture,
    barron_relus,
    barron_thresholds,
    error_against_width,
    threshold_mass,
    univariate,
)
from depthsep.laws import Box, Uniform
from depthsep.lower_bounds import OnLines
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.separation import separate
from depthsep.targets import Expression, Formula, Polynomial, target_from_text


def net(*pairs):
    return Network([Affine(w, b) for w, b in pairs])


@pytest.mark.parametrize(
    ("formula", "on"),
    [
        ("max(5, asin(1+1/10**13-({x}-1/3)**2))", (0, 1)),
        ("max(5, asin({x}))", (0, "6/5")),
        ("min(-5, sqrt({x}))", ("-1/2", 1)),
        ("max(5, acosh({x}))", ("1/2", 2)),
        ("max(9, {x}**(3/2))", ("-1/2", 1)),
        ("log(-1-{x})**(3/2)", (0, 1)),
        ("acosh(log(-1-{x}))", (0, 1)),
    ],
)
def test_an_undefined_branch_is_not_hidden_by_the_other(formula, on):
    with pytest.raises(HypothesisError):
        whole = Formula(formula.format(x="x1") + " + x2")
        whole.check_defined(Box.cube(Uniform(*on), 2))
    with pytest.raises(HypothesisError):
        Expression(formula.format(x="x")).check_defined(Uniform(*on))


def test_powers_of_balls_around_zero_have_derivatives():
    jet = jets.integer_power(Jet(arb(0, 1), arb(1), arb(0)), 3)
    assert jet.first.is_finite() and jet.second.is_finite()
    assert not jets.integer_power(Jet(arb("nan"), arb(1), arb(0)), -1).value.is_finite()


def test_upper_ends_of_extreme_balls_stay_small_numbers():
    tiny = (-(arb(10) ** 30)).exp()
    assert 0 < ball_upper(tiny) <= fmpq(1, 2**65536)
    assert abs(ball_upper(-tiny)) <= fmpq(1, 2**65536)
    with pytest.raises(UndecidedError):
        ball_upper((arb(10) ** 30).exp())


@pytest.mark.parametrize(
    ("target", "on"),
    [
        ("expr:exp(-exp(20*x1+20*x2))", (0, 1)),
        ("expr:exp(-x1**2-x2**2)", (10**6, 10**6 + 1)),
        ("expr:exp(-exp(30*x))", (0, 1)),
        ("expr:tan(x1/3+pi/2-1)+x2", (0, 1)),
    ],
)
def test_extreme_formulas_get_a_table_or_one_line(target, on):
    try:
        table = separate(Problem(target, Uniform(*on), accuracy="1e-2"), depths=[2])
        assert len(table) == 1
    except HypothesisError as refusal:
        assert "\n" not in str(refusal)


@pytest.mark.parametrize(
    ("target", "on"),
    [
        ("poly:x1*x2/10**400", (0, 1)),
        ("poly:10**400*x1*x2", (0, 1)),
        ("poly:x1**3*x2", (1, 1 + fmpq(1, 10**25))),
        ("expr:x1*x2", (1, 1 + fmpq(1, 10**25))),
        ("expr:cos(x1+x2)", (0, fmpq(10) ** 400)),
    ],
)
def test_sizes_beyond_floats_are_refused(target, on):
    with pytest.raises(HypothesisError, match="rescale"):
        separate(Problem(target, Uniform(*on), accuracy="1e-2"), depths=[2])


@pytest.mark.parametrize("written", ["(x1+x2+x3+x4)**1000", "(x1+x2+x3+x4+x5+x6)**24"])
def test_polynomials_are_bounded_before_they_are_expanded(written):
    with pytest.raises(HypothesisError, match="terms are served"):
        _ = Polynomial(written).terms


def test_long_even_sums_can_be_restricted_to_lines():
    terms = [f"sin({k}*x1+x2)" for k in range(1, 71)]
    while len(terms) > 1:
        terms = [f"({'+'.join(terms[i : i + 2])})" for i in range(0, len(terms), 2)]
    answer = OnLines().prove(Problem(f"expr:{terms[0]}/70", accuracy="1/10"), 2)
    assert answer is not None


def test_ridges_that_are_dead_on_the_box():
    network = net(([[1, 1], [1, -1], [1, 0], [0, 1]], [0, 0, -9, -9]), ([[1] * 4], [0]))
    found = examine(network, Problem("product", Uniform(-1, 1), accuracy=1))
    assert found.error.lower == 3 <= found.error.upper <= 4


@pytest.mark.parametrize("row", [[1, 2], [0, 0]])
def test_affine_networks_on_a_box(row):
    network = net(([row], [-1]))
    box = Box.cube(Uniform(-1, 1), 2)
    found = ridge_sum(network, box)
    assert found.constant == -1 and len(found.ridges) == int(any(row))
    problem = Problem("poly:x1 + 2*x2 - 1", Uniform(-1, 1), accuracy=4)
    error = examine(network, problem).error
    assert error.lower == (0 if any(row) else 3) <= error.upper <= 4


def test_cells_are_cut_across_the_axis_that_matters():
    box = Box.cube(Uniform("-3/2", "1/2"), 2)
    constant = Expanded.of({(0, 0): fmpq(-2, 5)}, 2)
    found = sup_distance(
        constant, Formula("x1-x2/3"), box, enough=fmpq(1), negligible=fmpq(1, 64)
    )
    assert found.lower > 1 or found.upper - found.lower <= fmpq(1, 64)


def test_huge_weights_are_not_explored():
    network = net(([[1e300, 0]], [0]), ([[1]], [0]))
    found = examine(network, Problem("product", accuracy=1))
    assert isinstance(found, Inapplicable) and "1e100" in found.reason


def test_zero_tests_look_at_every_output():
    with pytest.raises(HypothesisError, match="2 outputs"):
        is_zero_on_segment(net(([[1]], [0]), ([[0], [1]], [0, 0])), [0], [1])


def test_errors_are_measured_on_the_domain():
    target = Expression("x**2")
    errors = error_against_width(
        univariate(target, Uniform(2, 3)), lambda x: target.floats(x[:, 0]), [400]
    )
    assert errors[0].mean_squared_error <= 2 * errors[0].bound
    with pytest.raises(HypothesisError, match="has to give shape"):
        error_against_width(univariate(target, Uniform(0, 1)), target.floats, [4])


def test_only_thresholds_are_centred():
    relus = barron_relus(Gaussian(2, 1))
    for ask in (
        relus.expected_error,
        lambda k, centred: relus.network(k, 0, centred=centred),
    ):
        with pytest.raises(HypothesisError, match="centred"):
            ask(100, centred=True)
    with pytest.raises(HypothesisError, match="width 0"):
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


@pytest.mark.parametrize("accuracy", [0, -1, "1e-12"])
def test_steps_without_end_are_refused(accuracy):
    with pytest.raises(HypothesisError):
        step_network(Expression("x**2"), Uniform(0, 1), accuracy)


@pytest.mark.parametrize("form", ["adaptive", "printed", "mid-range"])
def test_the_first_step_is_not_above_the_start(form):
    network = step_network(
        Expression("x+5"), Uniform("1/10", 1), "1/100", lipschitz=1, form=form
    )
    assert abs(network([fmpq(1, 10)])[0] - fmpq(51, 10)) <= fmpq(11, 1000)


def test_sampling_refuses_what_makes_no_sense():
    for radius in (0, -1):
        with pytest.raises(HypothesisError, match="radius"):
            threshold_mass(Gaussian(2, 1), radius)
    with pytest.raises(HypothesisError, match="not negative"):
        FiniteLaw([[1.0], [2.0]], [0.5, 0.5], [-1.0])
    with pytest.raises(HypothesisError, match="finite"):
        FiniteLaw([[1.0], [np.nan]], [0.5, 0.5])
    law = FiniteLaw([[Fraction(1)], [Fraction(2)]], [Fraction(1, 2), Fraction(1, 2)])
    assert law.variance == fmpq(1, 4)
    with pytest.raises(HypothesisError, match="chosen"):
        law.squared_error(np.array([], dtype=int))
    nothing = Gaussian(2, 1, amplitude=0)
    with pytest.raises(HypothesisError, match="nothing to sample"):
        Mixture(nothing, nothing).frequencies(3, np.random.default_rng(0), 1)


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


def test_polynomials_of_many_terms_are_made_without_their_text():
    from itertools import product

    terms = {e: fmpq(1, 3) for e in product(range(6), repeat=4)}
    made = Polynomial.of({**terms, (0, 0, 0, 7): fmpq(0)}, 4)
    assert made.terms == terms and len(made.formula) > 20_000
    assert made.exact([fmpq(1)] * 4) == fmpq(6**4, 3)
    small = Polynomial.of({(1, 1): fmpq(1, 2)}, 2)
    assert small.terms == Polynomial(small.formula, 2).terms
