"""Functions that people write, against NumPy's and SciPy's, and what is refused."""

import re

import numpy as np
import pytest
from flint import arb, fmpq
from scipy.special import erf, expit, xlog1py

from depthsep._errors import HypothesisError
from depthsep.formulas import constant, plain_formula, read_formula
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.targets import Expression, Formula
from depthsep.witnesses import prove_lower

X = np.linspace(-4, 4, 33)
ALPHA, SCALE = 1.6732632423543772, 1.0507009873554805
SAME = {
    "relu(x)": np.maximum(X, 0),
    "relu6(3*x)": np.clip(3 * X, 0, 6),
    "leaky_relu(x)": np.where(X > 0, X, X / 100),
    "clip(x, -1, 2)": np.clip(X, -1, 2),
    "hardtanh(x)": np.clip(X, -1, 1),
    "hardsigmoid(x)": np.clip(X / 6 + 0.5, 0, 1),
    "hardswish(x)": X * np.clip(X / 6 + 0.5, 0, 1),
    "sigmoid(x)": expit(X),
    "softplus(x)": np.logaddexp(0, X),
    "silu(x)": X * expit(X),
    "swish(x)": X * expit(X),
    "gelu(x)": X * (1 + erf(X / 2**0.5)) / 2,
    "gelu_tanh(x)": X * expit(2 * (2 / np.pi) ** 0.5 * (X + 0.044715 * X**3)),
    "mish(x)": X * np.tanh(np.logaddexp(0, X)),
    "elu(x)": np.where(X > 0, X, np.expm1(X)),
    "selu(x)": SCALE * np.where(X > 0, X, ALPHA * np.expm1(X)),
    "sinc(x)": np.sinc(X / np.pi),
    "log2(x+5)": np.log2(X + 5),
    "log10(x+5)": np.log10(X + 5),
    "log1p(x/5)": xlog1py(1, X / 5),
    "expm1(x)": np.expm1(X),
    "hypot(x, 2)": np.hypot(X, 2),
    "where(x < 1, x**2, x)": np.where(X < 1, X**2, X),
    "where(x >= 0, exp(x), 1 + x)": np.where(X >= 0, np.exp(X), 1 + X),
    "where(1/2 > x, 3, x)": np.where(X < 0.5, 3, X),
    "where(x < 0, -x, log(1 + x))": np.where(X < 0, -X, np.log1p(np.maximum(X, 0))),
    "where(x < 1, where(x < -1, -1, x), 2 - x)": np.where(
        X < 1, np.maximum(X, -1), 2 - X
    ),
}


@pytest.mark.parametrize("formula", SAME)
def test_values_are_those_that_others_compute(formula: str) -> None:
    target = Expression(formula)
    at_jump = (X == 0.5) if "1/2" in formula else np.zeros(len(X), bool)
    got = target.floats(X)[~at_jump]
    assert np.abs(got - SAME[formula][~at_jump]).max() < 1e-14
    for x, value in zip(X[~at_jump], got, strict=True):
        ball = target.jet(arb(float(x))).value
        assert abs(ball - arb(float(value))) < 1e-13


@pytest.mark.parametrize("formula", ["sinc(x)", "x*sinc(3*x)", "sinc(x**2)"])
def test_jets_of_sinc_hold_differences(formula: str) -> None:
    target, rng = Expression(formula), np.random.default_rng(0)
    for middle, radius in [(0, 0.5), (0.01, 0), (3, 0.2), (-7, 1), (0, 0)]:
        jet = target.jet(arb(middle, radius))
        points = middle + radius * rng.uniform(-1, 1, 50)
        h = 1e-3
        y = [target.floats(points + k * h) for k in (-1, 0, 1)]
        slope, bend = (y[2] - y[0]) / (2 * h), (y[2] - 2 * y[1] + y[0]) / h**2
        for ball, found in ((jet.value, y[1]), (jet.first, slope), (jet.second, bend)):
            room = arb(0, 1e-4)
            assert all((ball + room).contains(arb(float(v))) for v in found)


def test_where_is_continuous_where_the_sides_meet() -> None:
    assert "sign" not in read_formula("where(x<0, -x, x**2)").text
    assert "sign" in read_formula("where(x<0, 1-x, x**2)").text
    assert "sign" not in read_formula("where(x<1, exp(x), e*x)").text
    two = Formula("where(x1 < 1/2, x1*x2, x2/2)")
    points = np.random.default_rng(0).uniform(-1, 1, (50, 2))
    wanted = np.where(points[:, 0] < 0.5, points[:, 0], 0.5) * points[:, 1]
    assert np.abs(two.floats(points) - wanted).max() < 1e-15
    assert "sign" not in two.syntax.text


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        ("gamma(x)", "gamma function is not supported"),
        ("lambertw(x)", "inverse"),
        ("floor(x)", "it has jumps"),
        ("where(abs(x)<1, x, 1)", "compare a variable with a number"),
        ("where(0 < x < 1, x, 1)", "compare a variable with a number"),
        ("where(x == 1, x, 1)", "compare a variable with a number"),
        ("x < 1", "not allowed"),
        ("clip(x, 1)", "clip takes 3 arguments, not 2"),
        ("sigmoid(x, x)", "sigmoid takes one argument, not 2"),
        ("max()", "max takes 1 to 20 arguments, not 0"),
        ("sigmoid", "not allowed"),
        ("tri(x)", "sigmoid"),
    ],
)
def test_refusals_say_why_or_what_is_known(formula: str, says: str) -> None:
    with pytest.raises(HypothesisError, match=re.escape(says)):
        read_formula(formula)


def test_proofs_spell_names_out() -> None:
    problem = Problem("expr:sigmoid(x)", Segment(-8, 8), accuracy="1e-3")
    proof = prove_lower(problem, 2)
    assert proof.document["problem"]["target"] == "expr:((1+tanh((x/2)))/2)"
    assert plain_formula("x**2 + tanh(x)") == "x**2 + tanh(x)"
    plain = Problem("expr:(1+tanh(x/2))/2", Segment(-8, 8), accuracy="1e-3")
    assert prove_lower(plain, 2).document["claim"] == proof.document["claim"]


def test_ends_of_intervals_may_be_irrational() -> None:
    on = Segment(0, "pi")
    assert on.stop == fmpq(314159265358979323846, 10**20)
    assert Segment("-pi/2", "2*e").start == -fmpq(157079632679489661923, 10**20)
    assert Segment("1e-3", "sqrt(4)").stop == 2
    for wrong in ("x", "pi pi", "__import__('os')", "log(0)", "1/0", "nan"):
        with pytest.raises(HypothesisError):
            constant(wrong)
