"""The least width that learns to an accuracy: bisection, and what it is made of."""

import math
from dataclasses import replace

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.dynamics import (
    LeastWidth,
    RadialTask,
    TwoLayerBudget,
    learn_radial,
    least_width,
    time_to,
)
from depthsep.dynamics.radial import _least_width
from depthsep.dynamics.radial._least_width import Tried, widths_up_to

TASK = RadialTask(4, 1, pairs=128, time=40.0, records=10)


@pytest.mark.parametrize("parts", [1, 2, 4])
@pytest.mark.parametrize("least", [1, 2, 3, 5, 8, 45, 63, 64, 65])
def test_the_first_width_of_the_list_that_succeeds_is_found(monkeypatch, least, parts):
    asked = []

    def attempt(task, goal):
        asked.append(task.width)
        return Tried(task.width, 1 / task.width, task.width >= least, 1.0)

    monkeypatch.setattr(_least_width, "_three", attempt)
    found = least_width(TASK, 1 / least, widest=64, parts=parts)
    widths = widths_up_to(64, 1, parts)
    better = [w for w in widths if w >= least]
    assert found.width == (better[0] if better else None)
    worse = [w for w in widths if w < least]
    assert found.below == (worse[-1] if worse else None)
    assert sorted(asked) == [t.width for t in found.tried]
    assert len(set(asked)) == len(asked) <= 2 * math.log2(len(widths)) + 4


def test_widths_are_those_of_every_accuracy():
    assert widths_up_to(16) == (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16)
    assert widths_up_to(10, 4, 2) == (4, 6, 8, 10)
    assert widths_up_to(7, 7) == (7,)


def sampled_error(network, dim, count=200_000):
    """The L2 error by plain NumPy, under |x| uniform on [0, 2]."""
    rng = np.random.default_rng(5)
    u = rng.standard_normal((count, dim))
    r = rng.uniform(0, 2, count)
    x = u / np.linalg.norm(u, axis=1)[:, None] * r[:, None]
    w = np.asarray(network.weights, dtype=float)
    first = (np.maximum(x @ w.T, 0) * np.linalg.norm(w, axis=1)).mean(axis=1)
    before = first[:, None] * np.asarray(network.slopes).T + np.asarray(network.offsets)
    f = (np.maximum(before, 0) * np.asarray(network.scales)).mean(axis=1)
    return np.sqrt(((f - np.maximum(1 - r, 0)) ** 2).mean())


@pytest.mark.slow
def test_a_loop_in_numpy_finds_the_same_errors_on_both_sides():
    found = least_width(TASK, 0.06, narrowest=4, widest=64, parts=1)
    assert isinstance(found, LeastWidth) and found.below < found.width
    for one in found.tried:
        if one.width not in (found.width, found.below):
            continue
        run = learn_radial(replace(TASK, width=one.width))
        error = sampled_error(run.network, 4)
        assert error == pytest.approx(one.error, rel=0.02)
        assert one.met == (one.error <= 0.06)
        reached = run.trajectory.loss * 2 <= 0.06**2
        assert math.isnan(one.time) == (not reached.any())
    assert 0 < found.time <= 40


@pytest.mark.slow
def test_two_layers_are_bisected_too():
    plan = TwoLayerBudget(steps=64, seeds=1, optimisers=("adam",), rates=(0.03,))
    given = {"layers": 2, "narrowest": 2, "parts": 1, "budget": plan}
    found = least_width(TASK, 0.3, widest=4, **given)
    assert found.layers == 2 and (found.below, found.width) == (2, 4)
    assert found.tried[-1].error <= 0.3 < found.tried[0].error
    nothing = least_width(TASK, 1e-6, widest=2, **given)
    assert nothing.width is None and nothing.below == 2 and math.isnan(nothing.time)


def test_times_are_those_of_the_first_record_that_is_good():
    times, losses = np.array([0.0, 1.0, 2.0, 3.0]), np.array([1, 0.02, 0.005, 0.01])
    assert time_to(times, losses, 0.1) == 2.0
    assert time_to(times, losses, 0.2) == 1.0
    assert math.isnan(time_to(times, losses, 0.01))


@pytest.mark.parametrize(
    "wrong",
    [
        {"accuracy": 0},
        {"layers": 4},
        {"widest": 0},
        {"narrowest": 9, "widest": 8},
        {"parts": 0},
    ],
)
def test_what_does_not_fit_is_refused(wrong):
    with pytest.raises(HypothesisError):
        least_width(TASK, wrong.pop("accuracy", 0.1), **wrong)
