"""Particles beside infinite width: with the symmetry, and where errors compound."""

from dataclasses import replace

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.dynamics import RadialTask, couple, learn_radial, near_a_line

TASK = RadialTask(4, 64, pairs=512, time=20.0, records=4, seed=3)


def test_coupled_particles_are_their_start_times_a_number():
    found = couple(TASK)
    run = learn_radial(TASK)
    start = run.start_weights.astype(float)
    alpha = run.infinite.stepped.alpha
    grown = start * np.sqrt(alpha[-1] / alpha[0])
    end = np.asarray(run.network.weights, dtype=float)
    expected = ((end - grown) ** 2).sum() / (grown**2).sum()
    assert found.distance[-1] == pytest.approx(expected, rel=1e-4)
    assert found.distance[0] < 1e-12 and found.reference is None
    assert (found.times == run.times).all()
    assert found.gap[0] == pytest.approx(run.trajectory.spread[0], rel=1e-6)


@pytest.mark.slow
def test_a_reference_and_its_first_particles_start_alike():
    start = np.random.default_rng(3).standard_normal((256, 4))
    wide = replace(TASK, width=256, weights=start)
    found = couple(wide, 64)
    assert found.width == 64 and found.reference == 256
    assert found.distance[0] == 0 and 0 < found.distance[-1] < 0.1
    both = learn_radial(wide)
    own = both.start_weights[:64]
    alone = learn_radial(replace(TASK, weights=own))
    few = np.asarray(both.network.weights, dtype=float)[:64]
    off = ((np.asarray(alone.network.weights, dtype=float) - few) ** 2).sum()
    assert found.distance[-1] == pytest.approx(off / (few**2).sum(), rel=1e-4)


@pytest.mark.slow
def test_the_distance_falls_like_one_over_the_width():
    means = []
    for width in (16, 128):
        ends = [
            couple(replace(TASK, width=width, seed=s)).distance[-1] for s in range(5)
        ]
        means.append(np.mean(ends))
    slope = np.log(means[1] / means[0]) / np.log(8)
    assert abs(slope + 1) < 0.25


@pytest.mark.slow
def test_errors_compound_close_to_a_line_and_not_with_the_symmetry():
    symmetric = couple(replace(TASK, time=60.0, records=20))
    assert symmetric.gap.max() == symmetric.gap[0]
    start = near_a_line(256, 4, 0.02, seed=1)
    task = RadialTask(
        4, 256, pairs=256, time=100.0, records=20, subspace=1, weights=start
    )
    found = couple(task, 64)
    assert found.gap.max() > 5 * found.gap[0]
    small = np.argmax(found.gap)
    assert 0 < small < len(found.gap) - 1


def test_starts_near_a_line_have_length_one_and_little_else():
    start = near_a_line(1000, 3, 0.1, seed=2)
    assert (start**2).sum(axis=1).mean() == pytest.approx(1)
    assert np.abs(start[:, 1]).min() > 0.5 and np.std(start[:, 0]) < 0.15
    assert (start == near_a_line(1000, 3, 0.1, seed=2)).all()


@pytest.mark.parametrize(
    "change",
    [
        {"subspace": 1},
        {"solver": "adaptive"},
        {"fresh": True},
        {"weights": np.ones((64, 4))},
    ],
    ids=str,
)
def test_what_cannot_be_coupled_is_refused(change):
    with pytest.raises(HypothesisError):
        couple(RadialTask(4, 64, pairs=64, time=2.0, records=1, **change))
    with pytest.raises(HypothesisError):
        couple(TASK, 64)


def test_own_weights_are_the_start_and_part_of_the_task():
    start = np.random.default_rng(0).standard_normal((32, 3))
    given = RadialTask(3, 32, pairs=64, time=2.0, records=1, weights=start)
    run = learn_radial(given)
    assert np.allclose(run.start_weights, start, atol=1e-6)
    assert run.trajectory.alpha[0] == pytest.approx(given.alpha, rel=1e-6)
    other = RadialTask(3, 32, pairs=64, time=2.0, records=1, weights=start + 1e-3)
    assert given.describe() != other.describe()
    assert "weights" not in RadialTask(3, 32).describe()


@pytest.mark.parametrize("wrong", [np.ones((31, 3)), np.zeros((32, 3)), "x", [[1]]])
def test_weights_that_do_not_fit_are_refused(wrong):
    with pytest.raises(HypothesisError):
        RadialTask(3, 32, weights=wrong)


def test_a_second_layer_that_dies_is_reported():
    with pytest.raises(HypothesisError, match="nothing left to couple"):
        couple(replace(TASK, time=500, step=50))


def test_huge_weights_are_refused():
    with pytest.raises(HypothesisError, match="at most 1e"):
        RadialTask(2, 4, weights=np.full((4, 2), 1e200))
