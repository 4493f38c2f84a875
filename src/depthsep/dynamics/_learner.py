"""Running a radial task: records, checkpoints, failures, and the end measured."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep.dynamics._checkpoint import fingerprint, load, save
from depthsep.dynamics._draws import TEST
from depthsep.dynamics._infinite import InfiniteWidth, infinite_width
from depthsep.dynamics._layout import tiles_for
from depthsep.dynamics._moments import moments
from depthsep.dynamics._radial_network import Directions, RadialNetwork
from depthsep.dynamics._spread import alphas, double_sum, sampled_spread
from depthsep.dynamics._start import (
    directions_of,
    starting_network,
    training_directions,
)
from depthsep.dynamics._steps import Runner, State, placed, runner
from depthsep.dynamics._task import RadialTask
from depthsep.dynamics._tiles import lengths
from depthsep.dynamics._velocity import Look
from depthsep.evidence import Inapplicable, Rigour

EXACT_EVERY, EXACT_ENDS = 2048, 32_768  # widths up to which N is summed exactly
TEST_PAIRS = 4096
LEVELS = (0.05, 0.5, 0.95)
SECONDS = 20.0
Progress = Callable[[float, str], None]


class Trajectory(NamedTuple):
    """A run at its records, r of them; `sampled`.

    Attributes:
        steps: (r,), 0 first; those not reached are -1, and all else there NaN.
        loss: (r,), half mean squares on the training directions.
        alpha: (r,), c_d E|w|^2, the mean over channels.
        spread: (r,), N on the training directions (fresh ones: of that step).
        spread_exact: (r,), N by the double sum; NaN where it was too wide to sum.
        conserved: (r,), E|w|^2 - 2 E|a|^2, constant under the flow at equal rates.
        alive, most_alive: (r,), the chance that the least and the most active
            second-layer unit is active.
        slopes: (r, second, D); `offsets` and `scales`: (r, second).
        quantiles: (r, 3), of F(u)/alpha over directions at 5, 50 and 95 %.
    """

    steps: Float[Array, " records"]
    loss: Float[Array, " records"]
    alpha: Float[Array, " records"]
    spread: Float[Array, " records"]
    spread_exact: Float[Array, " records"]
    conserved: Float[Array, " records"]
    alive: Float[Array, " records"]
    most_alive: Float[Array, " records"]
    slopes: Float[Array, "records second bottleneck"]
    offsets: Float[Array, "records second"]
    scales: Float[Array, "records second"]
    quantiles: Float[Array, "records 3"]


@dataclass(frozen=True, eq=False)
class RadialRun:
    """What came of a task.

    Attributes:
        network: at the end.
        trajectory: at the records.
        loss: half mean square on fresh directions, exact in the radius.
        standard_error: of `loss`, over directions.
        spread_start, spread_end: N, by the double sum up to a width of 32768.
        infinite: the infinite-width flow by an ODE solver, and by the same steps; or
            why there is none.
        failure: why it stopped early; None if it did not.
        seconds: spent on steps and records, compiling included.
    """

    task: RadialTask
    network: RadialNetwork = field(repr=False)
    trajectory: Trajectory = field(repr=False)
    loss: float
    standard_error: float
    spread_start: float
    spread_end: float
    infinite: InfiniteWidth | Inapplicable = field(repr=False)
    failure: str | None
    seconds: float
    rigour: Rigour = Rigour.SAMPLED

    @property
    def times(self) -> np.ndarray:
        """The times of the records."""
        return np.asarray(self.trajectory.steps) * self.task.step


class _Saved(NamedTuple):
    state: State
    trajectory: Trajectory
    record: Float[Array, ""]
    seconds: Float[Array, ""]


def learn_radial(
    task: RadialTask,
    *,
    checkpoint: str | Path | None = None,
    every: float = SECONDS,
    progress: Progress | None = None,
    devices: int | None = None,
) -> RadialRun:
    """Follow the flow of a task to its end, in float64 mode whatever JAX's setting.

    Args:
        checkpoint: a file to continue from if it exists, and to write: the run then
            ends where an undisturbed one ends, bit for bit on one machine.
        every: seconds between checkpoints; they are made at records.
        progress: called with the share done and a line on where the run is.
        devices: how many share the neurons; all that divide the width if not given.

    Raises:
        HypothesisError: a checkpoint of another task, or a place not to be written; a
            checkpoint for a task with a projection, which no file can tell from others.
    """
    place = None if checkpoint is None else Path(checkpoint)
    if place is not None and task.projection is not None:
        raise HypothesisError(
            "a checkpoint cannot tell one projection from another; leave one out"
        )
    count = shares(task.width)
    if devices is not None:
        count = whole(devices, "devices", least=1)
    if task.width % count or count > len(jax.devices()):
        raise HypothesisError(
            f"{count} devices cannot share {task.width} neurons evenly on a machine of "
            f"{len(jax.devices())}"
        )
    with jax.enable_x64(True):
        return _learn(task, place, every, progress, count)


def _learn(
    task: RadialTask,
    checkpoint: Path | None,
    every: float,
    progress: Progress | None,
    count: int,
) -> RadialRun:
    tiles = tiles_for(
        task.width,
        task.dim,
        task.pairs,
        bottleneck=task.bottleneck,
        precision=task.precision,
        devices=count,
    )
    ready = runner(task, tiles, count)
    name = fingerprint(task.describe())
    saved = None if checkpoint is None else load(checkpoint, lambda: _fresh(task), name)
    saved = _fresh(task) if saved is None else saved
    network = placed(saved.state.network, count)
    saved = saved._replace(state=saved.state._replace(network=network))
    done, written = int(saved.record), time.monotonic()
    failure = _failure(task, _at(saved.trajectory, done - 1)) if done else None
    for record in range(done, len(task.recorded) if failure is None else done):
        begun = time.monotonic()
        saved, failure = _one_record(task, ready, saved, record)
        spent = saved.seconds + (time.monotonic() - begun)
        saved = saved._replace(seconds=spent, record=jnp.asarray(record + 1.0))
        last = record + 1 == len(task.recorded) or failure is not None
        if checkpoint is not None and (last or time.monotonic() - written >= every):
            save(checkpoint, saved, name)
            written = time.monotonic()
        if progress is not None:
            progress((record + 1) / len(task.recorded), _line(saved.trajectory, record))
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
    at = training_directions(task, state.step if task.fresh else None)
    found = ready.look(state.network, at)
    exact = task.width <= EXACT_EVERY or (
        record in (0, len(task.recorded) - 1) and task.width <= EXACT_ENDS
    )
    row = _row(state, at, found, exact)
    trajectory = jax.tree.map(lambda x, y: x.at[record].set(y), saved.trajectory, row)
    saved = saved._replace(state=state, trajectory=trajectory)
    return saved, _failure(task, row)


def _at(trajectory: Trajectory, record: int) -> Trajectory:
    return Trajectory(*(x[record] for x in trajectory))


@eqx.filter_jit
def _row(state: State, at: Directions, found: Look, exact: bool) -> Trajectory:
    network, first = state.network, found.first
    middle = alphas(network)
    conserved = (lengths(network.weights) ** 2).mean()
    conserved -= 2 * (network.slopes**2).sum(axis=1).mean()
    ratio = first.reshape(-1) / jnp.abs(middle).mean()
    return Trajectory(
        state.step.astype(jnp.float64),
        (at.weights * found.losses).sum(),
        middle.mean(),
        sampled_spread(network, at, first),
        double_sum(network)[0] if exact else jnp.asarray(jnp.nan),
        conserved,
        found.alive.min(),
        found.alive.max(),
        network.slopes,
        network.offsets,
        network.scales,
        jnp.quantile(ratio, jnp.asarray(LEVELS)),
    )


def _failure(task: RadialTask, row: Trajectory) -> str | None:
    step = int(row.steps)
    where = f"by time {step * task.step:g} (step {step} of {task.step:g})"
    if not np.isfinite(moments(task.radial_law).total()).all() and not np.isfinite(
        row.loss
    ):
        return (
            f"{where} the loss is infinite under a law whose |x| has no mean: a unit "
            "rises, or a direction meets no neuron; use more neurons, a smaller step, "
            "or a start with slope < 0 < offset"
        )
    if step == 0 and not np.isfinite(row.loss):
        return "the loss at the start is beyond the floats; start with smaller numbers"
    if not all(np.isfinite(x).all() for x in (row.loss, row.alpha, row.slopes)):
        return (
            f"{where} the flow left the floats; use a step below {task.step:g}, or a "
            "start with slope < 0 < offset"
        )
    if row.most_alive == 0:
        return (
            f"{where} every second-layer unit is dead (never active), so the loss "
            f"stays at {float(row.loss):.4g}; use a step below {task.step:g}, or a "
            "start with slope < 0 < offset"
        )
    return None


def _fresh(task: RadialTask) -> _Saved:
    rows, second = len(task.recorded), task.second
    gap = np.full(rows, np.nan)
    empty = Trajectory(
        *([np.full(rows, -1.0)] + [gap] * 7),  # type: ignore[arg-type]
        np.full((rows, second, task.bottleneck), np.nan),  # type: ignore[arg-type]
        np.full((rows, second), np.nan),  # type: ignore[arg-type]
        np.full((rows, second), np.nan),  # type: ignore[arg-type]
        np.full((rows, len(LEVELS)), np.nan),  # type: ignore[arg-type]
    )
    state = State(starting_network(task), jnp.asarray(0), jnp.asarray(task.step))
    trajectory = jax.tree.map(jnp.asarray, empty)
    return _Saved(state, trajectory, jnp.asarray(0.0), jnp.asarray(0.0))


def _line(trajectory: Trajectory, record: int) -> str:
    loss, alpha = float(trajectory.loss[record]), float(trajectory.alpha[record])
    return f"half-MSE {loss:.3g}, alpha {alpha:.4g}"


def _measured(
    task: RadialTask, ready: Runner, saved: _Saved, failure: str | None
) -> RadialRun:
    network, rows = saved.state.network, saved.trajectory
    at = directions_of(task, TEST, TEST_PAIRS, task.precision)
    losses = np.asarray(ready.look(network, at).losses)
    ends = (rows.spread_exact, rows.spread)
    last = int(saved.record) - 1
    first, final = (
        float(ends[0][k] if np.isfinite(ends[0][k]) else ends[1][k]) for k in (0, last)
    )
    return RadialRun(
        task,
        jax.device_get(network),
        jax.tree.map(np.asarray, rows),
        float(losses.mean()),
        _standard_error(losses),
        first,
        final,
        _limit(task) if failure is None else Inapplicable("the run failed"),
        failure,
        float(saved.seconds),
    )


def _limit(task: RadialTask) -> InfiniteWidth | Inapplicable:
    if task.no_limit is not None:
        return task.no_limit
    try:
        return infinite_width(task)
    except HypothesisError as refusal:
        return Inapplicable(str(refusal))


def _standard_error(losses: np.ndarray) -> float:
    """Of the mean loss, from eight runs of directions: those of a block depend."""
    means = [part.mean() for part in np.array_split(losses, 8)]
    return float(np.std(means, ddof=1) / len(means) ** 0.5)
