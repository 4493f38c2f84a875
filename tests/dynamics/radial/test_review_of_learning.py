"""Defects that a referee found in learning, and their mending."""

import json
import math
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from depthsep._errors import HypothesisError
from depthsep.dynamics import (
    AccelerationPlan,
    RadialTask,
    Regression,
    TwoLayerBudget,
    TwoLayerResult,
    accelerate,
    decompose,
    descend,
    flow,
    learn_radial,
    moments,
)
from depthsep.dynamics.radial.learning._learner import _standard_error
from depthsep.dynamics.radial.radius._responses import by_cells, by_pairs
from depthsep.dynamics.radial.radius._units import Units
from depthsep.dynamics.radial.task._draws import BATCHES, stream
from depthsep.dynamics.radial.task._start import starting_network
from depthsep.dynamics.radial.two_layer._training import SCALED, _starts
from depthsep.laws import law_from_text
from support.mean_field import data, three_layers


def shell(*arguments, **more):
    command = [sys.executable, "-m", "depthsep", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **more)


def units(*shape):
    rng = np.random.default_rng(sum(shape))
    return Units(*(jnp.asarray(rng.standard_normal(shape)) for _ in range(3)))


@pytest.mark.slow
@pytest.mark.parametrize("shapes", [((7, 1, 1), (9, 2, 5)), ((7, 2, 5), (9, 1, 1))])
def test_both_ways_broadcast_rays(shapes):
    with jax.enable_x64(True):
        law = moments(law_from_text("radius:3:0,2"))
        own, other = (units(*shape) for shape in shapes)
        found = by_cells(own, law, other), by_pairs(own, law, other)
        for a, b in zip(*found, strict=True):
            assert np.abs(a - b).max() < 1e-12


@pytest.mark.slow
def test_many_units_decompose():
    task = RadialTask(4, 32, second=12, pairs=64, time=2.0, records=1)
    found = decompose(learn_radial(task).network, task, pairs=64)
    assert found.terms.total == pytest.approx(found.loss, rel=1e-10)


@pytest.mark.parametrize("start", ["sphere", "gaussian", "orthogonal"])
def test_outputs_and_weights_have_random_numbers_of_their_own(start):
    given = {"bottleneck": 8, "outputs": "gaussian", "pairs": 32, "start": start}
    with jax.enable_x64(True):
        network = starting_network(RadialTask(8, 8192, **given))
    outputs, weights = np.asarray(network.outputs), np.asarray(network.weights)
    for part in (weights[:4096], weights[4096:]):
        off = np.abs(np.corrcoef(outputs[:4096].ravel(), part.ravel())[0, 1])
        assert off < 0.03


def test_samples_are_not_the_weights_that_learn_from_them():
    task, plan = RadialTask(6, 32), TwoLayerBudget(batch=32, seeds=3)
    layers = _starts(task, 32, SCALED["sgd"](), plan).layers
    for place in range(3):
        key = jax.random.fold_in(stream(0, BATCHES), place)
        sample = jax.random.normal(key, (32, 6), jnp.float32)
        for seed in range(3):
            rows = np.asarray(layers.weights[0, seed])
            off = np.corrcoef(np.ravel(rows), np.ravel(sample))[0, 1]
            assert abs(off) < 0.4


def test_the_flow_keeps_the_types_of_its_start():
    network, (x, y) = three_layers(), data()
    ahead = flow(network, x, y, time=0.1)
    dtypes = {leaf.dtype for leaf in jax.tree.leaves(ahead)}
    assert dtypes == {leaf.dtype for leaf in jax.tree.leaves(network)}
    descend(ahead, x, y, rate=0.1, steps=2)


def test_the_least_loss_is_the_least_finite_one():
    def best(*losses):
        return TwoLayerResult("adam", 4, 0.1, False, 9, losses, 0.0).best

    assert best(math.nan, 0.2) == best(0.2, math.nan) == 0.2
    assert math.isnan(best(math.inf, math.nan))


@pytest.mark.slow
def test_two_layers_that_diverge_are_said_to(tmp_path):
    wild = ("learn", "radial", "--dim", 4, "--width", 16, "--pairs", 64, "--time")
    wild += (0.001, "--step", 0.001, "--law", "radius:D:0,1000", "--records", 1)
    wild += ("--compare", "parameters", "--compare-steps", 200, "--compare-seeds", 1)
    done = shell(*wild, "--accuracy", "1/d", "--run", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "diverged" in done.stdout
    stored = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert not any(row["meets"] for row in stored["two_layer"] if None in row["losses"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--solver", "adaptive"), "adaptive"),
        (("--compare-steps", 1, "--time", 10**8, "--step", 1), "--compare-steps"),
    ],
    ids=str,
)
def test_what_cannot_be_compared_is_refused_at_once(more, message, tmp_path):
    given = ("learn", "radial", "--dim", 2, "--width", 64, "--compare", "compute")
    refused = shell(*given, *more, "--run", tmp_path / "run")
    assert refused.returncode == 2 and message in refused.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="address space limits are Linux's")
def test_more_memory_than_there_is_is_one_line(tmp_path):
    given = "learn radial --dim 1000 --width 100000000 --pairs 32 --time 1 --run run"
    limited = f"ulimit -v 16000000; exec {sys.executable} -m depthsep {given}"
    done = subprocess.run(
        ["bash", "-c", limited], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 2 and "memory" in done.stderr
    assert done.stderr.count("\n") == 1 and not list(tmp_path.iterdir())


def test_layers_that_do_not_move_are_not_counted():
    def count(*rates):
        return RadialTask(8, 64, rates=rates).parameters

    assert [count(1, 1), count(1, 0), count(0, 1)] == [520, 512, 8]


def test_a_damaged_matrix_is_one_line(tmp_path):
    place = tmp_path / "matrix.npy"
    place.write_bytes(b"\x93NUMPY\x01\x00\x10\x00{'descr': (((((  \n")
    given = ("learn", "radial", "--dim", 4, "--width", 8, "--subspace", place)
    refused = shell(*given, "--run", tmp_path / "run")
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1


def test_what_killed_writers_left_is_removed(tmp_path):
    part = tmp_path / ".checkpoint.eqx.0123.part"
    part.write_bytes(b"half")
    task = RadialTask(4, 8, pairs=32, time=1.0, records=1)
    learn_radial(task, checkpoint=tmp_path / "checkpoint.eqx")
    assert [p.name for p in tmp_path.iterdir()] == ["checkpoint.eqx"]
    with pytest.raises(HypothesisError, match="no folder"):
        learn_radial(task, checkpoint=tmp_path / "none" / "checkpoint.eqx")


def test_targets_met_at_the_start_put_no_method_at_an_edge():
    rng = np.random.default_rng(0)
    noise = Regression(rng.standard_normal((20, 3)), rng.standard_normal(20), "noise")
    plan = AccelerationPlan(depths=(1,), steps=100, rates=21, power=2, targets=(3, 1.5))
    for method in accelerate(noise, plan).methods:
        if max(method.steps_to) <= 0:
            assert method.at_edge == (method.rate in (plan.least, plan.most))


@pytest.mark.parametrize(
    "make",
    [
        lambda: TwoLayerBudget(optimisers=None),
        lambda: TwoLayerBudget(rates=(0.1, "x")),
        lambda: AccelerationPlan(depths=(1, 1)),
    ],
)
def test_odd_plans_are_refused(make):
    with pytest.raises(HypothesisError):
        make()
    assert TwoLayerBudget(rates=0.1).rates == (0.1,)
    assert TwoLayerBudget(rates=np.array([0.1, 0.2])).rates == (0.1, 0.2)


def test_standard_errors_where_blocks_are_few():
    losses = np.random.default_rng(0).standard_normal(4096) ** 2
    errors = [_standard_error(losses, dim) for dim in (8, 1000, 3000)]
    assert all(0.4 < e / (2**0.5 / 64) < 2 for e in errors)
