"""Targets with curves and jumps: learned as polygons, whose distance is said."""

from dataclasses import replace

import jax
import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.dynamics import (
    RadialTask,
    learn_radial,
    measure_radial,
    radial_loss,
)
from depthsep.dynamics.radial.task._start import starting_network
from depthsep.laws import law_from_text
from depthsep.targets import Radial
from support.slow import in_turn

HARD = ("ball", "shells:4", "signs:3", "cos:2", "exp(-r)-exp(-1)", "1-r**2", "1/(1+r)")


@pytest.mark.parametrize(
    ("written", "law"),
    in_turn(zip(HARD), ["radius:3:0,2", "inside:2:phi2:3:median", "chi:3:4"]),
)
def test_the_distance_of_the_polygon_is_that_of_samples(written, law):
    task = RadialTask(3, 8, law=law, target=f"radial:{written}")
    radii = law_from_text(law).draw_radii(100_000, np.random.default_rng(0))
    exact = Radial(written, 3).floats(radii[:, None])
    corners = Radial(written, 3).corners()
    places, values = (
        np.array([float(x.p) / float(x.q) for x in c])
        for c in zip(*corners, strict=True)
    )
    near = np.interp(radii, places, values, right=0.0)
    squares = (exact - near) ** 2
    error = squares.std() / len(radii) ** 0.5
    assert abs(task.target_gap**2 - squares.mean()) < 5 * error + 1e-9
    assert len(corners) <= 64 and values[-1] == 0
    size = (exact**2).mean() ** 0.5
    assert task.target_gap < (0.35 if "s" in written else 0.2) * size


@pytest.mark.parametrize("written", ["relu", "triangle:4", "1-r", "1/2-r/4 on 0,2"])
def test_affine_targets_are_learned_as_they_are(written):
    task = RadialTask(3, 8, target=f"radial:{written}")
    assert task.target_gap == 0
    radii = np.linspace(0, 3, 1000)
    exact = Radial(written, 3).floats(radii[:, None])
    assert np.allclose(task.profile.floats(radii), exact, atol=1e-12)


def test_the_distance_on_a_subspace_is_that_of_samples():
    task = RadialTask(5, 8, target="radial:ball", subspace=2)
    x = law_from_text("radius:5:0,2").sample(100_000, 3)
    inside = np.linalg.norm(x[:, :2], axis=1)
    apart = (inside <= 1) - task.profile.floats(inside)
    assert task.target_gap == pytest.approx((apart**2).mean() ** 0.5, rel=0.02)


def test_what_oscillates_too_fast_is_refused():
    with pytest.raises(HypothesisError, match="oscillates less"):
        RadialTask(8, 8, target="radial:shells:40")


def function(network, x):
    """A three-layer network, written out."""
    first = np.maximum(x @ np.asarray(network.weights, dtype=float).T, 0)
    size = np.linalg.norm(np.asarray(network.weights, dtype=float), axis=1)
    mean = (first * size).mean(axis=1)
    before = np.asarray(network.slopes)[:, 0] * mean[:, None] + network.offsets
    return (np.asarray(network.scales) * np.maximum(before, 0)).mean(axis=1)


LAW = "inside:2:phi2:3:median"
TASK = RadialTask(3, 32, law=LAW, target="radial:1-r**2")


@pytest.fixture(scope="module")
def network():
    """The start, which is as good to be measured as any other network."""
    with jax.enable_x64(True):
        return jax.device_get(starting_network(TASK))


@pytest.mark.slow
@pytest.mark.parametrize("law", ["phi2:3:median", "chi:3:4"])
def test_a_network_is_measured_under_any_law(network, law):
    found = measure_radial(network, TASK, law)
    x = law_from_text(law).sample(100_000, 5)
    goal = TASK.profile.floats(np.linalg.norm(x, axis=1))
    squares = (goal - function(network, x)) ** 2 / 2
    error = squares.std() / len(x) ** 0.5 + found.standard_error
    assert abs(found.loss - squares.mean()) < 5 * error
    assert found.error == (2 * found.loss) ** 0.5 + found.gap
    assert 0 < found.gap < 1e-3 and str(found.rigour) == "sampled"


def test_the_own_law_is_the_one_of_the_run():
    target = [(0, 1), (1, 0.25), (2, 0)]
    run = learn_radial(RadialTask(3, 32, pairs=64, time=4, law=LAW, target=target))
    found = measure_radial(run.network, run.task)
    assert found.loss == pytest.approx(radial_loss(run.network, run.task), rel=0.05)
    assert found.loss == pytest.approx(run.loss, abs=5 * run.standard_error)


def test_a_unit_that_grows_has_no_error_under_phi2(network):
    grows = replace(network, slopes=-network.slopes)
    assert measure_radial(grows, TASK, "phi2:3").loss == np.inf
    with pytest.raises(HypothesisError, match="of the task are 4 and 3"):
        measure_radial(network, TASK, "phi2:4")
