"""`python benchmarks/gpu.py`: steps of the learner on an accelerator, as one table.

The share of the sgemm limit is the time of a step's two large products alone, in plain
float32 on the same device, over the time of the step. Where JAX has no accelerator it
says so and ends; nothing is measured then.
"""

import argparse
import sys
import time
from functools import partial

import jax
import jax.numpy as jnp

from depthsep.dynamics import RadialTask, learn_radial, task_flops
from depthsep.dynamics.radial.learning._steps import State, runner
from depthsep.dynamics.radial.task._start import starting_network

SHAPES = (  # dim, width, pairs
    (32, 100_000, 2_048),
    (256, 100_000, 2_048),
    (32, 1_000_000, 2_048),
    (256, 1_000_000, 2_048),
    (32, 100_000, 16_384),
)
STEPS, ROUNDS = 10, 3
HEAD = ("dim", "width", "directions", "step", "of sgemm", "memory")


def step_seconds(task: RadialTask) -> float:
    """The least time of one step, of a few rounds of several, compiled beforehand."""
    ready = runner(task)
    state = State(starting_network(task), jnp.asarray(0), jnp.asarray(task.step))
    times = []
    for _ in range(ROUNDS + 1):  # the first one compiles
        state, seconds = timed(partial(ready.advance, state, STEPS))
        times.append(seconds)
    return min(times[1:]) / STEPS


def timed(work):
    """What one call gives, and the seconds to the end of what it started."""
    begun = time.perf_counter()
    found = jax.block_until_ready(work())
    return found, time.perf_counter() - begun


def sgemm_seconds(task: RadialTask) -> float:
    """The products of a step alone: (pairs, d) by (d, m), and its result by (m, d)."""
    rows = min(task.width, 1 << 16)  # a block: the whole would not fit

    @jax.jit
    def products(x, w):
        ahead = x @ w.T
        return ahead, ahead.T @ x

    x = jnp.ones((task.pairs, task.dim), jnp.float32)
    w = jnp.ones((rows, task.dim), jnp.float32)
    jax.block_until_ready(products(x, w))
    least = min(timed(lambda: products(x, w))[1] for _ in range(ROUNDS))
    return least * task.width / rows


def memory(device: jax.Device) -> str:
    """The most that was in use, where the device counts it."""
    used = (device.memory_stats() or {}).get("peak_bytes_in_use")
    return "-" if used is None else f"{used / 1e9:.2f} GB"


def rows(shapes, device: jax.Device):
    """One row a shape."""
    for dim, width, pairs in shapes:
        task = RadialTask(dim, width, pairs=pairs, time=float(STEPS), step=1.0)
        with jax.enable_x64(True):
            step, limit = step_seconds(task), sgemm_seconds(task)
        yield (str(dim), f"{width:,}", f"{pairs:,}", f"{1e3 * step:.3g} ms",
               f"{limit / step:.2f}", memory(device))  # fmt: skip


def main() -> int:
    """Print the table; say so where there is no accelerator."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--anyway", action="store_true", help="small shapes, on a CPU")
    device = jax.devices()[0]
    anyway = parser.parse_args().anyway
    if device.platform == "cpu" and not anyway:
        print("JAX has no accelerator here (it runs on the CPU): nothing is measured")
        return 0
    print(
        f"{device.device_kind}, {len(jax.devices())} of them; JAX {jax.__version__}\n"
    )
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD))
    shapes = ((8, 1_000, 256), (32, 1_000, 256)) if anyway else SHAPES
    for row in rows(shapes, device):
        print("| " + " | ".join(row) + " |", flush=True)
    check = RadialTask(8, 512, pairs=128, time=5.0, records=5)
    run = learn_radial(check)
    print(f"\na small run: half-MSE {run.loss:.3g}, {task_flops(check):.3g} flops")
    return 0


if __name__ == "__main__":
    sys.exit(main())
