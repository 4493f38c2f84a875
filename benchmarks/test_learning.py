"""Ten steps of the three-layer learner beside plain autodiff and the rate of sgemm.

The same directions, the same loss (exact in the radius), the same network; float32, all
cores. `share_of_sgemm` counts the flops of both products once (4 pairs width dim), and
`executed` those really done (6, where signs are found again instead of kept).
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from depthsep.dynamics import RadialTask, learn_radial, predicted_bytes, radial_loss
from depthsep.dynamics.radial.learning._flow import states_at
from depthsep.dynamics.radial.learning._infinite import _law_of, _sized
from depthsep.dynamics.radial.learning._steps import State, runner
from depthsep.dynamics.radial.network._layout import tiles_for
from depthsep.dynamics.radial.network._velocity import residual
from depthsep.dynamics.radial.task._start import (
    goal_of,
    starting_network,
    training_directions,
)

WIDTH, PAIRS, STEPS = 4096, 2048, 10
DIMS = pytest.mark.parametrize("dim", [32, 256])


@pytest.fixture(autouse=True)
def double():
    with jax.enable_x64(True):
        yield


def sgemm() -> float:
    """Flops a second of NumPy's float32 product on all cores, the best of nine."""
    from threadpoolctl import threadpool_limits

    a, best = np.random.default_rng(0).standard_normal((2048, 2048), np.float32), np.inf
    with threadpool_limits(os.cpu_count()):
        for _ in range(9):
            started = time.perf_counter()
            a @ a
            best = min(best, time.perf_counter() - started)
    return 2 * 2048**3 / best


def task(dim: int) -> RadialTask:
    return RadialTask(dim, WIDTH, pairs=PAIRS)


@DIMS
def test_a_step_by_tiles(benchmark, dim):
    what = task(dim)
    tiles, ready = tiles_for(WIDTH, dim, PAIRS), runner(what)
    start = radial_loss(starting_network(what), what)
    state = [State(starting_network(what), jnp.asarray(0), jnp.asarray(0.5))]

    def steps():
        state[0] = jax.block_until_ready(ready.advance(state[0], STEPS))

    benchmark.pedantic(steps, rounds=15, warmup_rounds=2)
    assert radial_loss(state[0].network, what) < start / 100
    flops = 4 * PAIRS * WIDTH * dim * STEPS
    useful = flops / benchmark.stats.stats.min / sgemm()
    benchmark.extra_info["share_of_sgemm"] = useful
    benchmark.extra_info["executed"] = useful * (1 if tiles.keep else 1.5)


@DIMS
def test_baseline_plain_autodiff(benchmark, dim):
    what = task(dim)
    goal, at = goal_of(what), training_directions(what, None)
    both = jnp.concatenate([at.points, -at.points])

    def loss(network):
        size = jnp.sqrt((network.weights**2).sum(axis=1))
        first = (jnp.maximum(both @ network.weights.T, 0) * size).mean(axis=1)
        first = first.astype(jnp.float64).reshape(1, 2, -1)
        units, found = residual(network, goal, at, first)
        tilt, level = units.weight * units.slope, units.weight * units.offset
        values = (tilt * found.first + level * found.zeroth).sum(axis=0)
        return (at.weights / 2 * values).sum() / 2

    @jax.jit
    def plain(network):
        gradient = jax.grad(loss)(network)
        return jax.tree.map(
            lambda x, g: x - (0.5 * len(x) * g).astype(x.dtype), network, gradient
        )

    network = starting_network(what)

    def steps():
        now = network
        for _ in range(STEPS):
            now = plain(now)
        jax.block_until_ready(now)

    assert float(loss(network)) == pytest.approx(
        radial_loss(network, what, directions=at), rel=1e-5
    )
    benchmark.pedantic(steps, rounds=7, warmup_rounds=1)


def limit():
    """The law of a limit, its start, and the times of 101 records."""
    what = RadialTask(8, 64)
    return _law_of(what), _sized(what), what.recorded * what.step


def followed(law, start, times):
    return states_at(law, start, times, 1e-12, 20_000).size


def by_diffrax(law, start, times):
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(lambda t, y, law: law(y)),
        diffrax.Dopri8(),
        times[0],
        times[-1],
        None,
        start,
        args=law,
        saveat=diffrax.SaveAt(ts=jnp.asarray(times)),
        stepsize_controller=diffrax.PIDController(rtol=1e-12, atol=1e-12),
        max_steps=20_000,
    )
    return solution.ys.size


@pytest.mark.parametrize("way", [followed, by_diffrax])
def test_the_limit_of_a_run_of_its_own(benchmark, way):
    """With what a new process compiles, and after it."""
    given = limit()
    sizes = benchmark.pedantic(
        lambda: way(*given).block_until_ready(), setup=jax.clear_caches, rounds=3
    )
    np.testing.assert_allclose(sizes, followed(*given), atol=1e-9)
    started = time.perf_counter()
    way(*given).block_until_ready()
    benchmark.extra_info["compiled"] = time.perf_counter() - started


SIZES = [(100_000, 256, 4096, 4), (20_000, 32, 4096, 64), (1_000_000, 1000, 256, 4)]


@pytest.mark.parametrize("size", SIZES, ids=lambda s: "-".join(map(str, s)))
def test_memory_of_a_step(benchmark, size):
    """One process takes two steps; its peak above that of a small run is extra.

    Sizes: neurons, inputs, pairs, second-layer units. The largest needs 13 GB, and is
    left out where there are fewer.
    """
    if not Path("/proc/self/status").exists():
        pytest.skip("peaks are read from /proc, which this system does not have")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if predicted_bytes(*size[:3]) > 0.8 * memory:
        pytest.skip(f"a machine of {memory / 1e9:.0f} GB is too small for this")
    code = (
        "from pathlib import Path\n"
        "from depthsep.dynamics import RadialTask, predicted_bytes\n"
        "from depthsep.dynamics.radial.learning._steps import State, runner\n"
        "from depthsep.dynamics.radial.task._start import starting_network\n"
        "import jax, jax.numpy as jnp\n"
        "def peak(m, d, pairs, second):\n"
        "    task = RadialTask(d, m, pairs=pairs, second=second)\n"
        "    ready = runner(task)\n"
        "    start = State(starting_network(task), jnp.asarray(0), jnp.asarray(0.5))\n"
        "    jax.block_until_ready(ready.advance(start, 2))\n"
        "    status = Path('/proc/self/status').read_text('ascii')\n"
        "    return int(status.split('VmHWM:')[1].split()[0]) * 1024\n"
        "with jax.enable_x64(True):\n"
        f"    small, size = peak(64, 4, 64, {size[3]}), {size}\n"
        "    print(small, peak(*size), predicted_bytes(*size[:3], second=size[3]))\n"
    )

    def run():
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    small, peak, predicted = map(int, benchmark.pedantic(run, rounds=1).split())
    benchmark.extra_info |= {"peak_bytes": peak, "small_run_bytes": small}
    benchmark.extra_info["predicted_bytes"] = predicted
    assert peak - small < 1.25 * predicted + 64e6  # and what compiling takes


SMALL = {"dim": 4, "width": 64, "pairs": 128, "time": 20.0}


@pytest.mark.parametrize("records", [101, 2])
def test_records_of_a_small_run(benchmark, records):
    """All else is compiled and run once: what is left is its records, and its end."""
    task = RadialTask(**SMALL, records=records)
    found = benchmark.pedantic(learn_radial, (task,), warmup_rounds=1, rounds=5)
    assert np.isfinite(found.loss)
