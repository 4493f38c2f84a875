"""Interpolation on Kuhn's simplices, and cubes with samples at their centres."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError, TooLargeError
from depthsep.analysis import sweep
from depthsep.constructions import cube_network, kuhn_network
from depthsep.constructions.by_hand.cubes._kuhn import kuhn_steps
from depthsep.exact import rational
from depthsep.laws import Box, Segment
from depthsep.targets import Formula


def wavy(x):
    return np.sin(2 * x.sum(axis=1)) + x[:, 0] ** 2


def on_simplices(f, steps, x):
    """The interpolant by its definition: along the order of the coordinates."""
    corner = np.minimum(np.floor(x * steps), steps - 1)
    rest, value, at = x * steps - corner, f(corner / steps), corner.copy()
    order = np.argsort(-rest, axis=1)
    rows = np.arange(len(x))
    for k in range(x.shape[1]):
        before, axis = f(at / steps), order[:, k]
        at[rows, axis] += 1
        value = value + rest[rows, axis] * (f(at / steps) - before)
    return value


@pytest.mark.parametrize(
    ("dim", "accuracy"), [(1, "1/5"), (2, "1/6"), (3, "1/4"), (4, "1/2")]
)
def test_the_network_is_the_interpolant(dim, accuracy):
    made = kuhn_network(wavy, dim, 1, accuracy)
    assert made.bound <= rational(accuracy)
    assert made.network.hidden_layers == dim.bit_length() + 1
    x = np.random.default_rng(dim).random((600, dim))
    off = made.network.floats(x)[:, 0] - on_simplices(wavy, made.steps, x)
    assert np.abs(off).max() < 1e-12


@pytest.mark.parametrize("dim", [1, 2, 3, 5])
def test_the_step_count_is_the_least(dim):
    n = kuhn_steps(dim, "3/2", "1/7")
    bound = fmpq(3, 2) ** 2 * dim / 4
    assert bound <= n**2 * fmpq(1, 49) and bound > (n - 1) ** 2 * fmpq(1, 49)
    assert kuhn_steps(dim, 0, "1/7") == 1


def test_the_bound_is_confirmed_over_the_box():
    made = kuhn_network(lambda x: np.exp(-(x**2).sum(axis=1)), 2, "6/5", "1/8")
    box = Box.cube(Segment(0, 1), 2)
    target = Formula("exp(-x1**2-x2**2)")
    found = sweep(made.network, target, box, limit=made.bound, seconds=60)
    assert found.complete


def test_bad_simplices():
    for given in ((0, 1, 1), (2, -1, 1), (2, 1, 0)):
        with pytest.raises(HypothesisError, match="give dim >= 1, lipschitz >= 0"):
            kuhn_steps(*given)
    with pytest.raises(TooLargeError, match="grid points"):
        kuhn_network(wavy, 3, 1, "1e-3")
    with pytest.raises(TooLargeError, match="weights"):
        kuhn_network(wavy, 2, 1, "1/80")
    with pytest.raises(HypothesisError, match="finite"):
        kuhn_network(lambda x: np.full(len(x), np.nan), 2, 1, 1)


def test_centre_samples_need_fewer_cubes():
    def f(x):
        return np.minimum(x[:, 0], 1 - x[:, 1])

    corner = cube_network(f, 2, 1, "1/10")
    centre = cube_network(f, 2, 1, "1/10", samples="centre")
    assert centre.steps < corner.steps
    assert centre.step_error <= fmpq(1, 10) and centre.bump_error <= fmpq(1, 10)
    x = np.random.default_rng(0).random((40_000, 2))
    mean = np.abs(centre.network.floats(x)[:, 0] - f(x)).mean()
    assert 0.005 < mean <= 0.2


def test_tiny_bumps_end():
    made = cube_network(lambda x: np.ones(len(x)), 1, 0, "1e-60")
    assert made.bump_error <= fmpq(1, 10**60)
    with pytest.raises(TooLargeError, match="weights are needed"):
        cube_network(lambda x: np.ones(len(x)), 1, 1, "1/20000")
