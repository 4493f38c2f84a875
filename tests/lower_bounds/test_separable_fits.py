"""Best sums of separable functions along given directions."""

from itertools import pairwise

import numpy as np
import pytest

from depthsep import HypothesisError, TooLargeError
from depthsep.lower_bounds import separable_fit, zonal_expansion
from depthsep.targets import InnerProduct
from support.slow import mostly_slow


def _unit(rng, count, dim):
    rows = rng.normal(size=(count, dim))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_orthogonal_directions_reach_the_rank_bound_of_the_inner_product(dim):
    expansion = zonal_expansion(InnerProduct("t", dim))
    for count in range(1, dim + 1):
        fit = separable_fit(expansion, np.eye(dim)[:count])
        exact = np.sqrt((1 - count / dim) / dim)  # E <x, x'>^2 = 1 / d
        assert fit.error == pytest.approx(exact, abs=1e-7)
        assert fit.least == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize(
    ("formula", "dim"), mostly_slow([("t**2-t", 4)], [("t*exp(t)", 3), ("t**2-t", 4)])
)
def test_no_directions_beat_the_rank_bound_and_enough_of_them_leave_nothing(
    formula, dim
):
    rows = _unit(np.random.default_rng(0), 400, dim)
    expansion = zonal_expansion(InnerProduct(formula, dim))
    errors = []
    for count in (1, 3, 8, 40, 400):
        fit = separable_fit(expansion, rows[:count])
        assert fit.error >= fit.least - 1e-9
        assert fit.error == pytest.approx(np.sqrt((fit.by_degree**2).sum()))
        errors.append(fit.error)
    # an error is the root of a difference: its square is known to rounding
    assert all(b**2 <= a**2 + 1e-12 for a, b in pairwise(errors))
    assert errors[-1] < 1e-3


def test_the_error_is_that_of_least_squares_over_samples():
    rng = np.random.default_rng(1)
    first, second = _unit(rng, 2, 3), _unit(rng, 2, 3)
    fit = separable_fit(zonal_expansion(InnerProduct("t**2+t", 3)), first, second)
    x, z = _unit(rng, 200_000, 3), _unit(rng, 200_000, 3)
    t = (x * z).sum(axis=1)
    columns = [
        (x @ v) ** i * (z @ w) ** j
        for v, w in zip(first, second, strict=True)
        for i in range(4)
        for j in range(4)
    ]
    features, values = np.stack(columns, axis=1), t**2 + t
    best, *_ = np.linalg.lstsq(features, values, rcond=None)
    sampled = np.sqrt(np.mean((values - features @ best) ** 2))
    assert fit.error == pytest.approx(sampled, rel=0.01)


def test_lengths_do_not_matter_and_copies_do_not_help():
    expansion = zonal_expansion(InnerProduct("t**2-t", 3))
    one = separable_fit(expansion, [[1.0, 2, 0]])
    again = separable_fit(expansion, [[3.0, 6, 0], [1, 2, 0]])
    assert again.error == pytest.approx(one.error)


@pytest.mark.parametrize(
    ("first", "second"),
    [([[1.0, 0]], None), ([[0.0, 0, 0]], None), ([[1.0, 0, 0]], np.eye(3))],
)
def test_directions_that_do_not_fit_are_refused(first, second):
    expansion = zonal_expansion(InnerProduct("t", 3))
    with pytest.raises(HypothesisError, match="directions"):
        separable_fit(expansion, first, second)


def test_too_many_directions_are_refused():
    expansion = zonal_expansion(InnerProduct("abs(t)", 3))
    with pytest.raises(TooLargeError, match="fewer directions"):
        separable_fit(expansion, np.ones((2000, 3)))
