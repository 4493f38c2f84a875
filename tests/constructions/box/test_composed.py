"""Formulas on a box part by part: claims against sampled errors, and what is proved."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import Problem, Segment
from depthsep.claims import Upper
from depthsep.constructions import CONSTRUCTIONS
from depthsep.constructions.box.composed._composed import Composed
from depthsep.constructions.box.composed._room import steepest_slope
from depthsep.evidence import Inapplicable, Rigour
from depthsep.exact import Interval
from depthsep.separation import best_upper
from depthsep.targets import Expression
from support.slow import in_turn, mostly_slow

COMPOSED = next(c for c in CONSTRUCTIONS if isinstance(c, Composed))
UNIT, SYMMETRIC = Segment(0, 1), Segment(-1, 1)
FORMULAS = [
    ("exp(-x1**2-x2**2)", SYMMETRIC),
    ("x1/(1+x2)", UNIT),
    ("max(x1,x2)**2", UNIT),
    ("x1*x2*x3", UNIT),
    ("abs(x1-x2)*sin(x1)", SYMMETRIC),
    ("min(x1,x2,x3)**2+exp(x1)", UNIT),
    ("2*x1*exp(x2)-3/(1+x1**2)", UNIT),
    ("-exp(-abs(x1)-abs(x2))", SYMMETRIC),
    ("pi*tanh(x1*x2)/2", SYMMETRIC),
    ("(x1-x2)/(1+x1+x2)", UNIT),
    ("sin(pi*x1)*cos(pi*x2)", UNIT),
    ("sqrt(x1**2+x2**2)", UNIT),
    ("log(1+x1*x2*x3)", UNIT),
]
QUICK = FORMULAS[1:6]
QUOTIENT = "(x1-x2)/(1+x1+x2)"  # the slower one of two
FOLDED = "abs(x1-x2)*sin(x1)"
BOUNDED = [row for row in FORMULAS[:11] if row[0] != FOLDED]


def sampled_error(network, problem, count=40_000) -> float:
    """The largest error at random points and corners, by the network's own layers."""
    d, side = problem.law.in_dim, problem.sides[0]
    rng = np.random.default_rng(5)
    x = rng.uniform(size=(count, d))
    x[: count // 4] = x[: count // 4].round()
    x = float(side.start) + float(side.length) * x
    h = x.T
    for layer in network.layers[:-1]:
        h = np.maximum(layer.weight.astype(float) @ h + _column(layer), 0)
    out = network.layers[-1].weight.astype(float) @ h + _column(network.layers[-1])
    return float(np.abs(out[0] - problem.target.floats(x)).max())


def _column(layer):
    return layer.bias.astype(float)[:, None]


ASKED = [("1/10", 4), ("1/100", 6), ("1/100", 4), ("1/10", 6)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "on", "accuracy", "depth"),
    [(*row, *ask) for *row, ask in in_turn(FORMULAS, ASKED) if row[0] != QUOTIENT],
    ids=str,
)
def test_networks_are_within_the_accuracy(formula, on, accuracy, depth) -> None:
    problem = Problem(f"expr:{formula}", on, accuracy=accuracy)
    claim = COMPOSED.prove(problem, depth)
    assert isinstance(claim, Upper)
    assert tuple(claim.network.widths) == claim.widths
    assert claim.network.depth == depth
    limit = float(problem.accuracy.p) / float(problem.accuracy.q)
    assert sampled_error(claim.network, problem) <= limit


PARTS = st.recursive(
    st.sampled_from(["x1", "x2", "2", "1/3", "pi"]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*"), inner, inner).map(
            lambda t: f"({t[1]}{t[0]}{t[2]})"
        ),
        st.tuples(st.sampled_from(["exp", "sin", "abs", "tanh", "-"]), inner).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
        st.tuples(st.sampled_from(["max", "min"]), inner, inner).map(
            lambda t: f"{t[0]}({t[1]},{t[2]})"
        ),
        inner.map(lambda part: f"1/(2+({part})**2)"),
    ),
    max_leaves=5,
)


@pytest.mark.slow
@given(PARTS, PARTS)
def test_whatever_is_proved_of_a_formula_is_so(first, second) -> None:
    text = f"x1*({first})-x2*({second})"
    problem = Problem(f"expr:{text}", SYMMETRIC, accuracy="1/20")
    claim = COMPOSED.prove(problem, 4)
    if isinstance(claim, Upper) and claim.rigour is not Rigour.SAMPLED:
        assert sampled_error(claim.network, problem, 4000) <= 1 / 20


@pytest.mark.parametrize(("formula", "on"), mostly_slow(QUICK[:2], BOUNDED))
def test_errors_are_proved_where_slopes_are_bounded(formula, on) -> None:
    problem, construction = Problem(f"expr:{formula}", on, accuracy="1/20"), COMPOSED
    claim = construction.prove(problem, 4)
    while isinstance(claim, Upper) and claim.rigour is Rigour.SAMPLED:
        construction = construction.more_careful()
        assert construction is not None
        claim = construction.prove(problem, 4)
    assert isinstance(claim, Upper)
    assert sampled_error(claim.network, problem) <= 1 / 20


@pytest.mark.parametrize("formula", ["sqrt(x1**2+x2**2)", "(x1*x2)**(1/3)"])
def test_roots_are_followed_down_to_0(formula) -> None:
    problem = Problem(f"expr:{formula}", UNIT, accuracy="1/10")
    claim = COMPOSED.prove(problem, 4)
    assert isinstance(claim, Upper)
    assert claim.rigour is Rigour.ENCLOSED
    assert sampled_error(claim.network, problem) <= 1 / 10


@pytest.mark.parametrize(
    "formula",
    [
        "x1/(2+max(exp(1/3),x2*x1)**2)-x2/(2+(1/(2+(1/3)**2))**2)",
        "x1*x2*(exp(1/3)+max(3,x1)/1000)",
        "x1+log(pi)*max(2,x2*x1)",
    ],
)
def test_parts_that_are_nearly_constant_take_no_network(formula) -> None:
    problem = Problem(f"expr:{formula}", SYMMETRIC, accuracy="1/20")
    claim = COMPOSED.prove(problem, 4)
    assert isinstance(claim, Upper)
    assert sampled_error(claim.network, problem, 4000) <= 1 / 20


JUMPS = ["sign(x1-x2)*x1", "sign(x1-x2)", "x1+sign(x2)"]


@pytest.mark.parametrize("formula", mostly_slow(JUMPS[:1], JUMPS))
def test_jumps_are_refused(formula) -> None:
    problem = Problem(f"expr:{formula}", SYMMETRIC, accuracy="1/10")
    for construction in CONSTRUCTIONS:
        assert isinstance(construction.prove(problem, 4), Inapplicable)


def test_what_no_part_is_known_for_is_refused() -> None:
    answer = COMPOSED.prove(Problem("expr:x1**x2", Segment(1, 2)), 4)
    assert isinstance(answer, Inapplicable)
    assert answer.reason.startswith("no networks for the parts")


@pytest.mark.parametrize("formula", ["exp(x)", "1/(2+x)", "sin(3*x)*x", "x**3"])
def test_slopes_are_bounded_beyond_the_interval(formula) -> None:
    target = Expression(formula)
    found = steepest_slope(target, Interval(fmpq(-1), fmpq(1)))
    x = np.linspace(-1 - 1 / 33, 1 + 1 / 33, 10_001)
    slopes = np.abs(np.gradient(target.floats(x), x))
    assert slopes.max() * 0.999 <= float(found.p) / float(found.q) <= 1.1 * slopes.max()


@pytest.mark.slow
def test_tables_have_networks_where_polynomials_need_many_units() -> None:
    problem = Problem("expr:exp(-x1**2-x2**2)", SYMMETRIC, accuracy="5e-3")
    upper = best_upper(problem, 6, seconds=120)
    assert isinstance(upper, Upper)
    assert upper.checked and upper.width <= 8
