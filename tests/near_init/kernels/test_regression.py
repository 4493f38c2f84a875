"""Regression with kernels, and training with a fixed kernel."""

import math
import warnings

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.near_init import LinearTraining, TangentKernel, fit

pytestmark = pytest.mark.usefixtures("x64")

FIRST = TangentKernel("relu", 2, trained=(1,))


def test_a_small_ridge_and_a_tiny_matrix_are_solved():
    small = np.diag([1.0, 4e-16])
    for method in ("cholesky", "least-squares"):
        found = fit(small, np.ones(2), ridge=1e-13, method=method)
        assert found.coefficients == pytest.approx([1, 1 / 1.004e-13], rel=1e-6)
    found = fit(np.ones((3, 3)), np.ones(3), ridge=1e-320, method="least-squares")
    assert found.coefficients == pytest.approx(np.full(3, 1 / 3))
    assert fit(np.zeros((0, 0)), np.zeros(0)).coefficients.shape == (0,)
    with pytest.raises(HypothesisError):
        fit(1e-320 * np.eye(3), np.ones(3))
    for bad in (np.ones((3, 3, 3)), [[1, 2], [3]], "gram", np.eye(2) * 1j):
        with pytest.raises(HypothesisError):
            fit(bad, np.ones(3))
    with pytest.raises(HypothesisError, match="`ridge` is 'None'"):
        fit(np.eye(3), np.ones(3), ridge=None)


def test_training_times_that_make_no_sense_are_refused_and_late_ones_work():
    training = LinearTraining(np.array([[1.0, 1.0], [1.0, 1.0]]), np.ones(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        late = training.flow(1e300)
    assert np.ones((2, 2)) @ late == pytest.approx(np.ones(2))
    for call in (
        lambda: training.flow(math.inf),
        lambda: training.flow(-1.0),
        lambda: training.descent(2.5, 0.1),
        lambda: training.descent(3, math.nan),
        lambda: training.descent(-3, 0.1),
    ):
        with pytest.raises(HypothesisError):
            call()


def test_predictions_need_one_column_a_training_point():
    with pytest.raises(HypothesisError, match="one for each training point"):
        fit(np.eye(3), np.ones(3)).predict(np.ones((3, 2)))


def circle(count, start=0.0):
    angles = start + 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def test_cholesky_reports_its_jitter_and_least_squares_its_rank():
    x = np.concatenate([circle(5), circle(5)])  # every point twice
    gram, y = FIRST(x), np.arange(10.0) % 5
    found = fit(gram, y)
    assert found.jitter > 0 and found.residual < 1e-6
    least = fit(gram, y, method="least-squares")
    assert least.rank == 5 and least.cutoff > 0 and least.jitter == 0
    assert least.residual < 1e-8
    norms = [np.linalg.norm(f.coefficients) for f in (least, found)]
    assert norms[0] <= norms[1] + 1e-6
    clean = fit(FIRST(circle(5)), np.arange(5.0))
    assert clean.jitter == 0 and clean.residual < 1e-10
    ridge = fit(gram, y, ridge=0.1)
    assert gram @ ridge.coefficients + 0.1 * ridge.coefficients == pytest.approx(y)
    other = fit(gram, y, ridge=0.1, method="least-squares")
    assert other.coefficients == pytest.approx(ridge.coefficients)
    assert least.predict(FIRST(circle(5), x)) == pytest.approx(np.arange(5.0), abs=1e-7)
    y[0] = 7.0  # the same point has two targets: no function meets both
    with pytest.raises(HypothesisError, match="least-squares"):
        fit(gram, y)


def test_targets_that_no_kernel_sum_meets_are_refused():
    # on a regular hexagon (-1)^j is orthogonal to every kernel without bias
    gram = FIRST(circle(6))
    with pytest.raises(
        HypothesisError, match="the Gram matrix is singular or indefinite,"
    ):
        fit(gram, np.arange(6.0))
    least = fit(gram, np.arange(6.0), method="least-squares")
    assert least.rank == 5 and least.residual == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("gram", "y", "message"),
    [
        (-np.eye(3), np.ones(3), "indefinite"),
        (
            np.array([[1.0, 2.0], [2.0, 1.0]]),
            np.ones(2),
            "indefinite",
        ),
        (np.array([[1.0, 0.5], [0.0, 1.0]]), np.ones(2), "not symmetric"),
        (np.eye(3), np.ones(2), "give"),
        (np.full((2, 2), np.nan), np.ones(2), "NaN"),
    ],
)
@pytest.mark.parametrize("method", ["cholesky", "least-squares"])
def test_matrices_that_are_no_kernels_are_refused(gram, y, message, method):
    with pytest.raises(HypothesisError, match=message):
        fit(gram, y, method=method)


def test_a_gram_matrix_that_rounding_made_indefinite_is_solved():
    x = 1 + 1e-9 * np.random.default_rng(0).standard_normal((20, 2))
    gram = TangentKernel("cos", 2, 1.0, 0.3)(x)
    assert np.linalg.eigvalsh(gram)[0] < 1e-12
    for method in ("cholesky", "least-squares"):
        found = fit(gram, np.ones(20), method=method)
        assert np.isfinite(found.coefficients).all() and found.residual < 1e-5
    assert (LinearTraining(gram, np.ones(20)).values >= 0).all()


def test_training_with_a_fixed_kernel_follows_the_steps_and_the_flow():
    gram = FIRST(circle(7, 0.1))
    y = np.sin(np.arange(7.0))
    training = LinearTraining(gram, y)
    rate = 0.7 * training.largest_rate
    f, a = np.zeros(7), np.zeros(7)
    for step in range(1, 41):
        a = a + rate * (y - f)
        f = gram @ a
        assert training.descent(step, rate) == pytest.approx(a, rel=1e-9)
    assert training.descent(0, rate) == pytest.approx(np.zeros(7))
    small = training.flow(1.0) - training.descent(10**6, 1e-6)
    assert np.abs(small).max() < 1e-5
    late = training.flow(1e9)
    assert gram @ late == pytest.approx(y, abs=1e-6)
    assert training.flow(0.0) == pytest.approx(np.zeros(7))
    two = LinearTraining(gram, np.stack([y, -y], axis=1))
    assert two.flow(2.0)[:, 1] == pytest.approx(-training.flow(2.0))
    with pytest.raises(HypothesisError, match="it must be above 0 and below"):
        training.descent(3, 2 * training.largest_rate)
    null = LinearTraining(np.zeros((2, 2)), np.ones(2))
    assert null.flow(3.0) == pytest.approx([3.0, 3.0])  # a grows, f stays
