"""Sums of kernels near functions on a circle."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError, TooLargeError
from depthsep.near_init import TangentKernel, kernel_sum
from depthsep.near_init.kernels._kernel_sums import BEND, SLOPE, _kappa
from depthsep.separation import bound

ANGLES = np.linspace(0, 2 * np.pi, 50_001)
FORMULAS = {
    "cos(3*x)": lambda x: np.cos(3 * x),
    "exp(sin(x))": lambda x: np.exp(np.sin(x)),
    "abs(sin(x))": lambda x: np.abs(np.sin(x)),
    "1/(2+sin(x)*cos(x)+sin(2*x))": lambda x: 1 / (2 + 1.5 * np.sin(2 * x)),
    "1/(2+cos(x))": lambda x: 1 / (2 + np.cos(x)),
}


def on_the_circle(t):
    t = np.atleast_1d(t)
    return np.stack([np.cos(t), np.sin(t), np.ones_like(t)], axis=1) / np.sqrt(2)


def test_it_is_the_tangent_kernel_of_padded_points():
    kernel = TangentKernel("relu", 2, trained=(1,))
    t = np.linspace(-3, 9, 200)
    direct = kernel(on_the_circle(t), on_the_circle(0.0))[:, 0]
    assert np.abs(_kappa(t) - direct).max() < 1e-12


def test_slopes_and_bends_of_the_kernel_are_within_what_is_proved():
    t = np.linspace(1e-3, 2 * np.pi - 1e-3, 200_001)
    slope = np.gradient(_kappa(t), t, edge_order=2)
    bend = np.gradient(slope, t, edge_order=2)[5:-5]
    assert 0.2 < np.abs(slope).max() < float(SLOPE.p) / float(SLOPE.q)
    assert 0.2 < np.abs(bend).max() < float(BEND.p) / float(BEND.q)


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("accuracy", ["1/4", "1/20"])
def test_the_error_is_enclosed_and_below_the_accuracy(formula, accuracy):
    found = kernel_sum(formula, accuracy)
    seen = np.abs(FORMULAS[formula](ANGLES) - found.floats(ANGLES)).max()
    assert found.error.upper <= fmpq(*map(int, accuracy.split("/")))
    assert float(found.error.lower.p) / float(found.error.lower.q) <= seen + 1e-12
    assert seen <= float(found.error.upper.p) / float(found.error.upper.q)
    by_points = TangentKernel("relu", 2, trained=(1,))(
        on_the_circle(ANGLES[::500]), on_the_circle(found.centres)
    )
    assert np.allclose(by_points @ found.weights, found.floats(ANGLES[::500]))


@pytest.mark.parametrize(
    ("formula", "accuracy", "words"),
    [
        ("abs(x-3)", "1/10", "on the circle"),
        ("cos(x)", "0", "positive"),
        ("1/sin(x)", "1/10", "finite|circle|defined"),
    ],
)
def test_what_is_no_function_on_the_circle_is_refused(formula, accuracy, words):
    with pytest.raises(HypothesisError, match=words):
        kernel_sum(formula, accuracy)


def test_too_fine_an_accuracy_is_refused():
    with pytest.raises(TooLargeError, match="kernels the least error proved is"):
        kernel_sum("abs(sin(x))", "1e-6")


def test_it_is_in_the_catalogue():
    assert bound("kernel-sums", accuracy="1/10").value == 32
