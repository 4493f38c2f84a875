"""Staircases on signs: against a loop in NumPy, and what the runs show."""

import itertools

import jax
import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.dynamics import Staircase, learn_staircase
from depthsep.dynamics.targets._staircase import starting_layers

SMALL = {"dim": 4, "stairs": 3, "width": 7, "second": 5, "step": 0.1, "time": 1.0}


def function(w, points):
    first = np.maximum(points @ w["first"].T + w["biases"], 0)
    before = first @ w["second"].T / first.shape[1] + w["offsets"]
    second = np.maximum(before, 0)
    return first, second, second @ w["scales"] / second.shape[1] + w["level"]


def moved(w, points, goal, h, rate):
    """A step of gradient descent, written out."""
    first, second, output = function(w, points)
    m, m2 = first.shape[1], second.shape[1]
    gap = (goal - output) / len(goal)
    back = np.outer(gap, w["scales"]) / m2 * (second > 0)
    deep = back @ w["second"] / m * (first > 0)
    return {
        "first": w["first"] + h * rate * m * deep.T @ points,
        "biases": w["biases"] + h * rate * m * deep.sum(axis=0),
        "second": w["second"] + h * m * m2 * back.T @ first / m,
        "offsets": w["offsets"] + h * m2 * back.sum(axis=0),
        "scales": w["scales"] + h * m2 * second.T @ gap / m2,
        "level": w["level"] + h * gap.sum(),
    }


@pytest.mark.parametrize("target", ["stairs", "top"])
@pytest.mark.parametrize("frozen", [None, 0.4])
def test_ten_steps_are_those_of_a_loop_in_numpy(target, frozen):
    task = Staircase(records=10, target=target, frozen=frozen, seed=2, **SMALL)
    found = learn_staircase(task)
    points = np.array(list(itertools.product([1.0, -1.0], repeat=4)))
    stairs = np.array([points[:, :k].prod(axis=1) for k in (1, 2, 3)])
    goal = stairs.sum(axis=0) if target == "stairs" else stairs[-1]
    with jax.enable_x64(True):
        start = starting_layers(task)
    w = {name: np.array(x) for name, x in start._asdict().items()}
    for k in range(11):
        first, _, output = function(w, points)
        assert abs(found.loss[k] - ((goal - output) ** 2).mean() / 2) < 1e-10
        assert np.allclose(found.coefficients[k], stairs @ output / 16, atol=1e-10)
        rows = np.column_stack([first, np.ones(16)])
        for stair, share in zip(stairs, found.features[k], strict=True):
            rest = stair - rows @ np.linalg.lstsq(rows, stair, rcond=1e-7)[0]
            assert abs(share - (1 - (rest**2).mean())) < 1e-6
        if k < 10:
            rate = 1.0 if frozen is None or k < 4 else 0.0
            w = moved(w, points, goal, task.step, rate)
    for name, value in w.items():
        assert np.allclose(getattr(found.weights, name), value, atol=1e-10), name
    assert np.allclose(found.parts.sum(axis=1), found.coefficients, atol=1e-12)
    assert (found.split >= 1 / 3 - 1e-12).all() and (found.split <= 1).all()


@pytest.fixture(scope="module")
def runs():
    """Joint training, the top alone, and a first layer that rests early."""
    sizes = {"dim": 8, "width": 32, "records": 24}
    return {
        "stairs": learn_staircase(Staircase(**sizes)),
        "top": learn_staircase(Staircase(**sizes, target="top")),
        "frozen": learn_staircase(Staircase(**sizes, frozen=2.0)),
    }


@pytest.mark.slow
def test_lower_stairs_are_climbed_first_and_help(runs):
    climbed = runs["stairs"].reached
    assert None not in climbed and list(climbed) == sorted(climbed)
    alone = runs["top"].reached[-1]
    assert alone is None or alone > 1.5 * climbed[-1]


@pytest.mark.slow
def test_a_first_layer_that_rests_is_not_corrected(runs):
    joint, frozen = (runs[name].features[-1] for name in ("stairs", "frozen"))
    assert joint.min() > 0.99 and frozen[-1] < 0.5
    assert runs["frozen"].loss[-1] > 100 * runs["stairs"].loss[-1]
    resting = runs["frozen"].features[runs["frozen"].times >= 2.0]
    assert np.ptp(resting, axis=0).max() < 1e-12


@pytest.mark.slow
def test_units_do_not_keep_to_one_stair_each(runs):
    split = runs["stairs"].split
    assert split[0] > 0.6 and split[-1] < 0.5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dim": 15}, "1 to 14"),
        ({"stairs": 5}, "1 to 4"),
        ({"target": "bottom"}, "stairs, top"),
        ({"step": 2.0}, "`step` must be above 0 and at most `time`"),
        ({"records": 100}, "`time` / `step` must be at least `records`"),
        ({"frozen": -1.0}, "frozen"),
    ],
)
def test_bad_tasks_are_refused(change, words):
    with pytest.raises(HypothesisError, match=words):
        Staircase(**(SMALL | {"records": 5} | change))


def test_steps_that_are_too_long_are_reported():
    with pytest.raises(HypothesisError, match="smaller step"):
        learn_staircase(
            Staircase(**(SMALL | {"step": 50.0, "time": 5000.0, "records": 2}))
        )
