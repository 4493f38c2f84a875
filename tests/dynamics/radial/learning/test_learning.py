"""Runs of the three-layer learner: limits, variants, failures, checkpoints."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from depthsep import FileFormatError, HypothesisError, listening
from depthsep.dynamics import (
    RadialNetwork,
    RadialTask,
    infinite_width,
    learn_radial,
    limit_alpha,
    shell_moments,
    spread,
)
from depthsep.dynamics.radial.network._tiles import Tiles
from depthsep.dynamics.radial.network._velocity import look
from depthsep.dynamics.radial.observing._measure import standard_error
from depthsep.dynamics.radial.task._draws import TEST
from depthsep.dynamics.radial.task._start import (
    directions_of,
    goal_of,
    starting_network,
)
from depthsep.evidence import Inapplicable
from support.radial_nets import RNG, quick
from support.radial_nets import double as double
from support.slow import mostly_slow


@pytest.mark.slow
def test_a_run_follows_the_infinite_width_limit_of_the_same_steps():
    gaps = []
    for width in (128, 2048):
        run = learn_radial(quick(dim=8, width=width, pairs=512))
        gap = np.abs(run.trajectory.alpha - run.infinite.stepped.alpha).max()
        gaps.append(gap)
        assert run.failure is None
        assert (np.diff(run.trajectory.loss) < 0).all()
        exact = run.trajectory.spread_exact
        assert (np.diff(exact) <= 1e-6 * exact[:-1]).all()
        assert run.spread_end < run.spread_start
    assert gaps[1] < gaps[0] / 4 and gaps[1] < 2e-4


@pytest.mark.slow
def test_heun_and_the_adaptive_solver_end_near_the_flow():
    ends = {
        s: learn_radial(quick(solver=s, precision="float64"))
        for s in ("euler", "heun", "adaptive")
    }
    exact = ends["adaptive"].trajectory.alpha[-1]
    heun, euler = (abs(ends[s].trajectory.alpha[-1] - exact) for s in ("heun", "euler"))
    assert heun < euler / 2
    kept = ends["adaptive"].trajectory.conserved
    assert np.abs(kept - kept[0]).max() < 1e-4
    assert np.abs(np.diff(ends["euler"].trajectory.conserved)).max() > 1e-5


def test_the_initial_spread_falls_like_one_over_the_width():
    widths, rms = [64, 128, 256, 512, 1024], []
    for width in widths:
        rows = RNG.standard_normal((8, width, 8))
        rows /= np.linalg.norm(rows, axis=2, keepdims=True)
        ones = (jnp.ones((1, 1)), jnp.ones(1), jnp.ones(1))
        values = [spread(RadialNetwork(jnp.asarray(w), None, *ones)) for w in rows]
        rms.append(np.sqrt(np.mean(values)))
    slope = np.polyfit(np.log(widths), np.log(rms), 1)[0]
    assert -0.6 < slope < -0.4


@pytest.mark.slow
def test_orthogonal_starts_spread_less():
    found = [
        learn_radial(quick(start=s, time=5.0)).spread_start
        for s in ("sphere", "orthogonal")
    ]
    assert found[1] < found[0] / 4


@pytest.mark.parametrize(
    "change",
    [
        {"start": "gaussian"},
        {"directions": "independent"},
        {"dim": 2, "directions": "equispaced"},
        {"bottleneck": 2, "train_outputs": True},
    ],
    ids=str,
)
def test_variants_learn(change):
    check_that_it_learns(change)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        {"fresh": True},
        {"law": "chi:4:2"},
        {"law": "phi2:4:2"},
    ],
    ids=str,
)
def test_every_variant_learns(change):
    check_that_it_learns(change)


def check_that_it_learns(change):
    run = learn_radial(quick(**change))
    assert run.failure is None
    assert run.trajectory.loss[-1] < 0.7 * run.trajectory.loss[0]
    assert run.loss < 0.8 * run.trajectory.loss[0]
    unknown = run.task.no_flow is not None
    assert isinstance(run.infinite, Inapplicable) == unknown


@pytest.mark.slow
def test_moments_given_by_hand_are_a_law():
    radii = np.linspace(0.01, 2, 2000)
    given = learn_radial(quick(law=shell_moments(radii), time=5.0))
    named = learn_radial(quick(law="radius:4:0,2", time=5.0))
    assert given.trajectory.loss[-1] == pytest.approx(
        named.trajectory.loss[-1], rel=0.05
    )


def test_the_projection_is_applied_after_every_step():
    def clip(network):
        return RadialNetwork(
            network.weights,
            network.outputs,
            jnp.clip(network.slopes, -0.6, -0.4),
            network.offsets,
            network.scales,
        )

    run = learn_radial(quick(projection=clip))
    assert run.trajectory.slopes.min() == pytest.approx(-0.6)


def test_the_limit_alpha_is_where_the_flow_ends():
    found = infinite_width(quick(dim=8, width=1, second=1, time=2000.0, step=1.0))
    wanted = float(limit_alpha(8, 1, "-1/2").mid())
    assert found.flow.alpha[-1] == pytest.approx(wanted, rel=1e-6)
    with pytest.raises(HypothesisError, match="positive"):
        limit_alpha(8, 0, "-1/2")


def test_large_steps_that_kill_the_second_layer_are_said():
    run = learn_radial(quick(step=5.0))
    assert run.failure is not None and "dead" in run.failure
    assert run.loss == pytest.approx(1 / 12, rel=1e-6)


def test_a_flow_that_explodes_is_said():
    run = learn_radial(quick(step=2.0, rates=(4000.0, 0.0), slope=0.5, offset=0.5))
    assert run.failure is not None and "floats" in run.failure


@pytest.mark.slow
def test_the_standard_error_is_that_of_the_mean_over_fresh_directions():
    task = quick(dim=8, time=2.0, records=1)
    network, found = learn_radial(task).network, []
    given = {"goal": goal_of(task), "tiles": Tiles(32, 512), "width": 32}
    seen = jax.jit(partial(look, **given))
    for seed in range(32):
        at = directions_of(replace(task, seed=seed), TEST, 512, "float32")
        losses = np.asarray(seen(network, at).losses)
        found.append((losses.mean(), standard_error(losses, 8)))
    means, errors = np.transpose(found)
    assert 0.7 < means.std(ddof=1) / np.sqrt((errors**2).mean()) < 1.4


def same(a, b):
    leaves = zip(jax.tree.leaves(a.network), jax.tree.leaves(b.network), strict=True)
    return all((np.asarray(x) == np.asarray(y)).all() for x, y in leaves)


class Stop(Exception):
    """The run is interrupted."""


ADAPTIVE = {"solver": "adaptive", "precision": "float64"}
STOPPED = [{}, ADAPTIVE, {"fresh": True, "solver": "heun"}]


@pytest.mark.parametrize(
    "change",
    mostly_slow(STOPPED[:1], STOPPED),
    ids=str,
)
def test_a_stopped_run_goes_on_and_ends_bit_for_bit(change, tmp_path):
    task, place = quick(**change), tmp_path / "checkpoint.eqx"
    whole = learn_radial(task)

    def stop(share, line):
        if share > 0.5:
            raise Stop

    with pytest.raises(Stop), listening(stop):
        learn_radial(task, checkpoint=place, every=0.0)
    seen = []
    with listening(lambda share, line: seen.append(share)):
        run = learn_radial(task, checkpoint=place, every=0.0)
    assert 0 < len(seen) < len(task.recorded)
    assert same(run, whole)
    assert (run.trajectory.loss == whole.trajectory.loss).all()
    again = learn_radial(task, checkpoint=place)
    assert same(again, whole)


def test_a_checkpoint_of_another_task_or_a_damaged_one_is_refused(tmp_path):
    place = tmp_path / "checkpoint.eqx"
    learn_radial(quick(), checkpoint=place)
    with pytest.raises(HypothesisError, match="another task"):
        learn_radial(quick(seed=1), checkpoint=place)
    place.write_bytes(place.read_bytes()[:-100])
    with pytest.raises(FileFormatError, match="checkpoint"):
        learn_radial(quick(), checkpoint=place)
    place.write_bytes(b"\x80\x04" * 400)
    with pytest.raises(FileFormatError, match="checkpoint"):
        learn_radial(quick(), checkpoint=place)


@pytest.mark.parametrize("start", ["sphere", "gaussian", "orthogonal"])
def test_outputs_and_weights_have_random_numbers_of_their_own(start):
    given = {"bottleneck": 8, "outputs": "gaussian", "pairs": 32, "start": start}
    with jax.enable_x64(True):
        network = starting_network(RadialTask(8, 8192, **given))
    outputs, weights = np.asarray(network.outputs), np.asarray(network.weights)
    for part in (weights[:4096], weights[4096:]):
        off = np.abs(np.corrcoef(outputs[:4096].ravel(), part.ravel())[0, 1])
        assert off < 0.03


def test_what_killed_writers_left_is_removed(tmp_path):
    part = tmp_path / ".checkpoint.eqx.0123.part"
    part.write_bytes(b"half")
    task = quick()
    learn_radial(task, checkpoint=tmp_path / "checkpoint.eqx")
    assert [p.name for p in tmp_path.iterdir()] == ["checkpoint.eqx"]
    with pytest.raises(HypothesisError, match="no folder"):
        learn_radial(task, checkpoint=tmp_path / "none" / "checkpoint.eqx")


def test_standard_errors_where_blocks_are_few():
    losses = np.random.default_rng(0).standard_normal(4096) ** 2
    errors = [standard_error(losses, dim) for dim in (8, 1000, 3000)]
    assert all(0.4 < e / (2**0.5 / 64) < 2 for e in errors)
