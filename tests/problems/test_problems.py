"""Problems and laws: exact round trips, and refusals that say what to do."""

import json

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError, Problem, Segment
from depthsep.laws import SignCube, SpherePair, SquaredTransform, Uniform, law_from_text
from depthsep.problems import NORMS
from depthsep.targets import Parity, Sawtooth, Square
from support.nets import fmpq_of

positive = st.fractions("1/1000000", 10**6, max_denominator=10**6)
ends = st.tuples(st.fractions(-9, 9), positive).map(lambda t: (t[0], t[0] + t[1]))


@given(
    st.sampled_from(["square", "expr:sin(20*x)", "expr:0.1*x"]),
    ends,
    st.sampled_from(NORMS),
    positive,
)
def test_problems_on_intervals_survive_json_exactly(target, interval, norm, accuracy):
    problem = Problem(target, Segment(*interval), norm=norm, accuracy=accuracy)
    document = json.loads(json.dumps(problem.to_json()))
    assert Problem.from_json(document) == problem
    assert hash(Problem.from_json(document)) == hash(problem)
    assert problem.interval.length == fmpq_of(interval[1] - interval[0])


@pytest.mark.parametrize("target", ["sawtooth:5", "parity:7", "square", "expr:exp(x)"])
def test_targets_bring_their_own_law(target):
    problem = Problem(target)
    assert problem.law in (Uniform(0, 1), SignCube(7))
    assert (problem.norm, problem.accuracy) == ("linf", fmpq(1, 1000))
    assert Problem.from_json(problem.to_json()) == problem
    assert target in problem.target.text
    words = f"{problem.target.words} on {problem.law.words}, linf accuracy 0.001"
    assert str(problem) == words


@pytest.mark.parametrize(
    ("written", "value"),
    [("1e-6", fmpq(1, 10**6)), ("0.1", fmpq(1, 10)), ("1/3", fmpq(1, 3)), (2, fmpq(2)),
     (0.5, fmpq(1, 2)), (" 3e-2 ", fmpq(3, 100)), ("+.5", fmpq(1, 2)),
     (0.1, fmpq(*(0.1).as_integer_ratio()))],
)  # fmt: skip
def test_accuracies_are_read_exactly(written, value):
    assert Problem("square", accuracy=written).accuracy == value


@pytest.mark.parametrize(
    "accuracy",
    [0, -1, "-1e-9", "0/5", float("nan"), float("inf"), "abc", "", "1/0", "1e-6000",
     None, True, "1e", "1//2", "0x1", [1], b"1", 1j, "1 2", "9" * 30_000, "\u0663",
     "1e\u0663", "\uff11", "--1"],
)  # fmt: skip
def test_accuracies_that_are_no_positive_numbers_are_refused(accuracy):
    with pytest.raises(HypothesisError, match=r"the accuracy (is|has)"):
        Problem("square", accuracy=accuracy)


@pytest.mark.parametrize("norm", ["sup", "", "LINF", "l3", None, 2])
def test_unknown_norms_are_refused_with_the_known_ones(norm):
    with pytest.raises(HypothesisError, match="use linf, l1 or l2"):
        Problem("square", norm=norm)


@pytest.mark.parametrize(
    ("start", "stop"),
    [
        (1, 0),
        (0, 0),
        ("1/3", "0.3"),
        ("a", 1),
        (0, "inf"),
        (float("nan"), 1),
        (0, None),
    ],
)
def test_intervals_without_length_are_refused(start, stop):
    with pytest.raises(HypothesisError, match="interval"):
        Segment(start, stop)


@pytest.mark.parametrize(
    ("target", "law", "message"),
    [
        ("sawtooth:3", Segment(0, 2), r"leave out the law and the interval"),
        ("parity:3", Segment(0, 1), "is not defined on"),
        ("parity:3", SignCube(4), "the target has 3"),
        ("square", SignCube(1), "is not defined on"),
        ("expr:x", SignCube(1), "is not defined on"),
    ],
)
def test_laws_that_do_not_fit_their_target_are_refused(target, law, message):
    with pytest.raises(HypothesisError, match=message):
        Problem(target, law)


def test_parities_have_no_interval():
    with pytest.raises(HypothesisError, match="which is not a law on an interval"):
        _ = Problem("parity:3").interval
    assert Problem(Sawtooth(2)).interval == Segment()


def test_targets_may_be_given_as_objects():
    assert Problem(Square()) == Problem("square")
    assert Problem(Parity(2)) == Problem("parity:2")


@pytest.mark.parametrize("missing", ["target", "law", "norm", "accuracy"])
def test_documents_with_a_missing_field_are_refused(missing):
    document = Problem("square").to_json()
    del document[missing]
    with pytest.raises(HypothesisError, match=f"lacks {missing}"):
        Problem.from_json(document)


@pytest.mark.parametrize("law", [Uniform(), Uniform("-1/3", "1e-7"), SignCube(12)])
def test_laws_read_back_from_their_text(law):
    assert law_from_text(law.text) == law
    assert str(law) == law.text


@pytest.mark.parametrize(
    "written",
    ["", "uniform", "uniform:0", "uniform:0,1,2", "uniform:1,0", "signs:", "signs:0",
     "signs:-1", "signs:x", "signs:99999999999", "normal:0", "signs:\u0663"],
)  # fmt: skip
def test_texts_that_name_no_law_are_refused(written):
    with pytest.raises(HypothesisError):
        law_from_text(written)


def test_samples_follow_the_law_and_the_seed():
    uniform, signs = Uniform(-2, "1/2"), SignCube(3)
    x, s = uniform.sample(2000, seed=5), signs.sample(2000, seed=5)
    assert x.shape == (2000, uniform.in_dim) and s.shape == (2000, signs.in_dim)
    assert -2 <= x.min() < -1.9 and 0.4 < x.max() <= 0.5
    assert set(np.unique(s)) == {-1.0, 1.0}
    # four standard errors of the mean: 4 * 2.5 / sqrt(12 * 2000) and 4 / sqrt(2000)
    assert abs(x.mean() + 0.75) < 0.065 and abs(s.mean(axis=0)).max() < 0.09
    assert (uniform.sample(9, seed=5) == x[:9]).all()
    assert (signs.sample(9, seed=6) != s[:9]).any()


@pytest.mark.parametrize("target", ["radial:triangle:4", "inner:sin(3*t)"])
def test_the_dimension_is_taken_from_the_law(target):
    law = SquaredTransform(3) if target.startswith("radial") else SpherePair(3)
    assert Problem(target, law, norm="l2").law == law
    with pytest.raises(HypothesisError, match="needs the dimension"):
        Problem(target, norm="l2")


def test_an_accuracy_that_is_missing_is_said_to_be():
    with pytest.raises(HypothesisError, match="the accuracy is not given"):
        Problem("square", accuracy=None)
