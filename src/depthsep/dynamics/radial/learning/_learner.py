"""Running a radial task: records, checkpoints, failures, and the end measured."""

import time
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep._progress import tell
from depthsep.dynamics.radial.learning._checkpoint import fingerprint, load, save
from depthsep.dynamics.radial.learning._run import (
    RadialRun,
    Trajectory,
    failure_of,
    row_of,
    unreached,
)
from depthsep.dynamics.radial.learning._steps import Runner, State, placed, runner
from depthsep.dynamics.radial.network._network import RadialNetwork
from depthsep.dynamics.radial.observing._decomposition import (
    no_parts,
    spread_of_parts,
)
from depthsep.dynamics.radial.observing._measure import standard_error
from depthsep.dynamics.radial.task._draws import TEST
from depthsep.dynamics.radial.task._start import (
    directions_of,
    starting_network,
)
from depthsep.dynamics.radial.task._task import RadialTask

EXACT_EVERY = 2048  # widths up to which N is summed exactly at every record
EXACT_ENDS = 32_768  # widths up to which it is at the first and the last
TEST_PAIRS = 4096
SECONDS = 20.0


class _Saved(NamedTuple):
    state: State
    trajectory: Trajectory  # rows of NumPy, filled in place
    record: Float[Array, ""]
    seconds: Float[Array, ""]


def learn_radial(
    task: RadialTask,
    *,
    checkpoint: str | Path | None = None,
    every: float = SECONDS,
    devices: int | None = None,
) -> RadialRun:
    """Follow the flow of a task to its end, in float64 mode whatever JAX's setting.

    Args:
        checkpoint: a file to continue from if it exists, and to write: the run then
            ends where an undisturbed one ends, bit for bit on one machine with as many
            devices.
        every: seconds between checkpoints; they are made at records.
        devices: how many share the neurons; all that divide the width if not given.

    Raises:
        HypothesisError: a checkpoint of another task, or a place not to be written; a
            checkpoint for a task with a projection, which a file cannot identify.
    """
    place = None if checkpoint is None else Path(checkpoint)
    if place is not None and task.projection is not None:
        raise HypothesisError(
            "a checkpoint does not record which projection was used; "
            "leave out the checkpoint or the projection"
        )
    if place is not None and not place.parent.is_dir():
        raise HypothesisError(f"there is no folder {place.parent}; make it first")
    count = shares(task.width)
    if devices is not None:
        count = whole(devices, "devices", least=1)
    if task.width % count or count > len(jax.devices()):
        raise HypothesisError(
            f"a first layer of width {task.width} cannot be shared evenly by {count} "
            "devices here; give a number of devices that divides the width and is at "
            f"most {len(jax.devices())}, the number on this machine"
        )
    with jax.enable_x64(True):
        return _learn(task, place, every, count)


def _learn(
    task: RadialTask,
    checkpoint: Path | None,
    every: float,
    count: int,
) -> RadialRun:
    ready = runner(task, count)
    name = fingerprint(task.describe())
    saved = None if checkpoint is None else load(checkpoint, lambda: _fresh(task), name)
    saved = _fresh(task) if saved is None else saved
    saved = saved._replace(trajectory=jax.tree.map(np.array, saved.trajectory))
    network = placed(saved.state.network, count)
    saved = saved._replace(state=saved.state._replace(network=network))
    done, written = int(saved.record), time.monotonic()
    failure = failure_of(task, _at(saved.trajectory, done - 1)) if done else None
    for record in range(done, len(task.recorded) if failure is None else done):
        begun = time.monotonic()
        saved, failure = _one_record(task, ready, saved, record)
        spent = saved.seconds + (time.monotonic() - begun)
        saved = saved._replace(seconds=spent, record=jnp.asarray(record + 1.0))
        last = record + 1 == len(task.recorded) or failure is not None
        if checkpoint is not None and (last or time.monotonic() - written >= every):
            save(checkpoint, saved, name)
            written = time.monotonic()
        tell((record + 1) / len(task.recorded), _line(saved.trajectory, record))
        if failure is not None:
            break
    return _measured(task, ready, saved, failure)


def shares(width: int) -> int:
    """The most devices that can share the neurons evenly."""
    count = len(jax.devices())
    return next(k for k in range(count, 0, -1) if width % k == 0)


def _one_record(
    task: RadialTask, ready: Runner, saved: _Saved, record: int
) -> tuple[_Saved, str | None]:
    ahead = int(task.recorded[record]) - int(saved.state.step)
    state = ready.advance(saved.state, ahead) if ahead else saved.state
    at = ready.at(state.step)
    found = ready.look(state.network, at)
    exact = task.width <= EXACT_EVERY or (
        record in (0, len(task.recorded) - 1) and task.width <= EXACT_ENDS
    )
    row = jax.device_get(row_of(state, at, found, exact))
    for rows, value in zip(saved.trajectory, row, strict=True):
        rows[record] = value
    saved = saved._replace(state=state)
    return saved, failure_of(task, row)


def _at(trajectory: Trajectory, record: int) -> Trajectory:
    return Trajectory(*(x[record] for x in trajectory))


def _fresh(task: RadialTask) -> _Saved:
    state = State(starting_network(task), jnp.asarray(0), jnp.asarray(task.step))
    return _Saved(state, unreached(task), jnp.asarray(0.0), jnp.asarray(0.0))


def _line(trajectory: Trajectory, record: int) -> str:
    loss, alpha = float(trajectory.loss[record]), float(trajectory.alpha[record])
    return f"half-MSE {loss:.3g}, alpha {alpha:.4g}"


def _spreads(
    task: RadialTask, network: RadialNetwork, rows: Trajectory, last: int
) -> tuple[float, float]:
    """N at the start and at the end; of a subspace target against F~ of both parts."""
    if task.has_proper_subspace and no_parts(task) is None:
        ends = (starting_network(task), network)
        first, final = (spread_of_parts(end, task, 512) for end in ends)
        return first, final
    kinds = (rows.spread_exact, rows.spread)
    first, final = (
        float(kinds[0][k] if np.isfinite(kinds[0][k]) else kinds[1][k])
        for k in (0, last)
    )
    return first, final


def _measured(
    task: RadialTask, ready: Runner, saved: _Saved, failure: str | None
) -> RadialRun:
    network, rows = saved.state.network, saved.trajectory
    at = directions_of(task, TEST, TEST_PAIRS, task.precision)
    losses = np.asarray(ready.look(network, at).losses)
    first, final = _spreads(task, network, rows, int(saved.record) - 1)
    return RadialRun(
        task,
        jax.device_get(network),
        jax.tree.map(np.asarray, rows),
        float(losses.mean()),
        standard_error(losses, task.dim),
        first,
        final,
        failure,
        float(saved.seconds),
    )
