"""Maurey's sampling: laws, greedy choices, exact variances."""

from fractions import Fraction
from math import comb, log, sqrt

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.infinite_width import (
    Cosine,
    DiscreteMeasure,
    FiniteLaw,
    Gaussian,
    Mixture,
    barron_relus,
    barron_thresholds,
    error_against_width,
    sampling_variance,
    slope,
    threshold_mass,
    univariate,
)
from depthsep.laws import Segment
from depthsep.networks import RELU, THRESHOLD
from depthsep.separation import bound
from depthsep.targets import target_from_text
from support.slow import mostly_slow

UNIT = Segment(0, 1)
fractions = st.fractions(-2, 2, max_denominator=7)


def expression(text):
    return target_from_text(f"expr:{text}")


def on_points(target, count=500):
    x = (np.arange(count) + 0.5)[:, None] / count
    return x, lambda points: target.floats(points[:, 0])


@pytest.mark.parametrize(
    ("centred", "width"), mostly_slow([(True, 10)], [(False, 100), (True, 10)])
)
def test_the_mean_squared_error_is_the_exact_variance(centred, width):
    target = expression("sin(2*pi*x)")
    points, f = on_points(target)
    representation = univariate(target, UNIT)
    (entry,) = error_against_width(
        representation, f, [width], seeds=range(200), points=points, centred=centred
    )
    exact = float(sampling_variance(target, UNIT, centred=centred)) / width
    assert abs(entry.mean_squared_error - exact) <= 4 * entry.standard_error


def test_a_sample_need_not_satisfy_the_bound_of_the_mean():
    # f = x, all thresholds at 0: squared error 1/3, above Z^2 / k = 1/k
    k, measure = 10, DiscreteMeasure([((1,), 0)], [1])
    network = measure.network(THRESHOLD)
    x = np.linspace(0, 1, 1001)[:, None]
    assert ((network.floats(x) - x) ** 2).mean() > 1 / k


def test_discrete_measures_merge_atoms_and_split_into_disjoint_parts():
    atoms = [((1, 0), 0), ((0, 1), 1), ((1, 0), 0), ((1, 1), 2)]
    measure = DiscreteMeasure(atoms, [1, -2, 3, 0])
    assert measure.total_variation == 6 and len(measure.atoms) == 2
    positive, negative = measure.jordan()
    assert not set(positive.atoms) & set(negative.atoms)
    assert positive.masses == (4,) and negative.masses == (2,)
    assert measure.network(RELU)([3, 5]) == (4 * 3 - 2 * 4,)
    with pytest.raises(HypothesisError, match="zero"):
        DiscreteMeasure([((1,), 0)], [0]).network()


@given(
    st.lists(st.tuples(fractions, fractions), min_size=1, max_size=6),
    st.integers(1, 12),
)
def test_the_greedy_choice_never_exceeds_the_variance(rows, count):
    values = np.array([[fmpq(x.numerator, x.denominator) for x in r] for r in rows])
    law = FiniteLaw(values, np.array([fmpq(1, len(rows))] * len(rows)))
    chosen = law.greedy(count)
    assert law.is_exact and law.squared_error(chosen) <= law.variance / count


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_greedy_thresholds_never_exceed_the_variance(count):
    rng = np.random.default_rng(count)
    offsets, points = np.sort(rng.random(300)), np.linspace(0, 1, 200)
    values = (points[None, :] >= offsets[:, None]).astype(float)
    law = FiniteLaw(values, np.full(300, 1 / 300), np.full(200, 1 / 200))
    assert law.squared_error(law.greedy(count)) <= law.variance / count * (1 + 1e-9)


def test_the_mean_over_all_samples_is_the_variance():
    law = FiniteLaw(
        np.array([[fmpq(1), fmpq(0)], [fmpq(-1), fmpq(1, 2)], [fmpq(0), fmpq(3)]]),
        np.array([fmpq(1, 2), fmpq(1, 3), fmpq(1, 6)]),
    )
    mean = fmpq(0)
    for i in range(3):
        for j in range(3):
            chance = law.probabilities[i] * law.probabilities[j]
            mean += chance * law.squared_error(np.array([i, j]))
    assert mean == law.variance / 2


def test_samples_follow_the_probabilities():
    law = FiniteLaw([[0.0], [1.0]], [0.25, 0.75])
    assert law.sample(4000, seed=1).mean() == pytest.approx(0.75, abs=0.03)


@pytest.mark.parametrize(
    ("values", "probabilities"),
    [
        ([[1.0]], [0.5]),
        ([[1.0], [2.0]], [1.5, -0.5]),
        ([1.0], [1.0]),
        ([[1.0]], [1, 0]),
    ],
)
def test_laws_that_are_none_are_refused(values, probabilities):
    with pytest.raises(HypothesisError):
        FiniteLaw(values, probabilities)


def test_measures_over_points_are_laws_whose_mean_is_the_function():
    measure = DiscreteMeasure([((1,), 0), ((-1,), "-1/2")], [2, -1])
    points = np.array([[0.0], [0.25], [1.0]])
    law = measure.law(points)
    network = measure.network()
    assert [network(p)[0] for p in points.tolist()] == law.mean.tolist()


@pytest.mark.parametrize("width", [0, -1, 1 << 30])
def test_widths_out_of_range_are_refused(width):
    with pytest.raises(HypothesisError, match="width"):
        univariate(expression("x"), UNIT).network(width, 0)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: Gaussian(2, 0),
        lambda: Gaussian(0, 1),
        lambda: Gaussian(2, 1, centre=(1,)),
        lambda: Cosine((0, 0)),
        lambda: Mixture(),
        lambda: Mixture(Gaussian(1, 1), Gaussian(2, 1)),
        lambda: barron_thresholds(Gaussian(1, 1), 0),
        lambda: barron_relus(Gaussian(1, 1), -1),
        lambda: slope([]),
        lambda: error_against_width(univariate(expression("x"), UNIT), len, []),
    ],
)
def test_hypotheses_are_checked(bad):
    with pytest.raises(HypothesisError):
        bad()


def test_sampling_refuses_what_makes_no_sense():
    for radius in (0, -1):
        with pytest.raises(HypothesisError, match="radius"):
            threshold_mass(Gaussian(2, 1), radius)
    with pytest.raises(HypothesisError, match="not be negative"):
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


def test_points_of_a_measure_are_given_as_lists_or_arrays():
    measure = DiscreteMeasure([((1, 2), 0), ((0, 1), "1/2")], [1, -2])
    points = [["1/2", 1], [0, 3]]
    given, same = measure.law(points), measure.law(np.array(points, dtype=object))
    assert (given.values == same.values).all()
    for bad in ([], [1, 2], [[1]], [[[1, 2]]]):
        with pytest.raises(HypothesisError, match=r"give one or more, in shape"):
            measure.law(bad)


@pytest.mark.parametrize(("dim", "width"), [(1, 50), (2, 30), (3, 5)])
def test_patterns_of_thresholds_are_at_most_those_of_the_bound(dim, width):
    rng = np.random.default_rng(dim)
    weights, bias = rng.normal(size=(width, dim)), rng.normal(size=width)
    points = rng.normal(size=(50_000, dim)) * rng.exponential(5, (50_000, 1))
    seen = len(np.unique(points @ weights.T >= bias, axis=0))
    patterns = sum(comb(width, i) for i in range(dim + 1))
    assert seen <= patterns
    found = bound("maurey-sup", mass=3, dim=dim, width=width).value
    by_hand = 6 * sqrt(2 * log(2 * patterns) / width)
    assert float(found) == pytest.approx(by_hand, rel=1e-12)


def test_the_mean_sup_error_of_sampled_thresholds_is_below_the_bound():
    rng = np.random.default_rng(0)
    x, errors = np.linspace(0, 1, 2001), []
    for _ in range(50):  # x^2 on [0, 1] is the integral of 2 b 1[x >= b]: mass 1
        b = np.sqrt(rng.uniform(size=400))
        errors.append(np.abs((x[:, None] >= b).mean(axis=1) - x**2).max())
    assert np.mean(errors) <= float(bound("maurey-sup", mass=1, dim=1, width=400).value)
