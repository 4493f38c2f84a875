"""The records of a run and of its steps, and why a run stops early."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep.dynamics.radial.learning._infinite import InfiniteWidth, infinite_width
from depthsep.dynamics.radial.learning._steps import State
from depthsep.dynamics.radial.network._network import Directions, RadialNetwork
from depthsep.dynamics.radial.network._spread import alphas, double_sum, sampled_spread
from depthsep.dynamics.radial.network._tiles import lengths
from depthsep.dynamics.radial.network._velocity import Look
from depthsep.dynamics.radial.radius._moments import moments
from depthsep.dynamics.radial.task._start import starting_network
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.evidence import Inapplicable, Rigour

LEVELS = (0.05, 0.5, 0.95)


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
    """The result of a task.

    Attributes:
        network: at the end.
        trajectory: at the records.
        loss: half mean square on fresh directions, exact in the radius.
        standard_error: of `loss`, over directions.
        spread_start, spread_end: N, by the double sum up to a width of 32768.
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
    failure: str | None
    seconds: float
    rigour: Rigour = Rigour.SAMPLED

    @cached_property
    def infinite(self) -> InfiniteWidth | Inapplicable:
        """The infinite-width flow by an ODE solver, and by the same steps; or why there
        is none. It is computed when it is first asked for.
        """
        if self.failure is not None:
            return Inapplicable("the run failed")
        if self.task.no_flow is not None:
            return self.task.no_flow
        try:
            return infinite_width(self.task)
        except HypothesisError as refusal:
            return Inapplicable(str(refusal))

    @property
    def error(self) -> float:
        """L2, from the target: that from its profile, and the profile's distance."""
        return (2 * self.loss) ** 0.5 + self.task.target_gap

    @property
    def times(self) -> np.ndarray:
        """The times of the records; NaN for those that were not reached."""
        steps = np.asarray(self.trajectory.steps)
        return np.where(steps < 0, np.nan, steps * self.task.step)

    @property
    def numbers(self) -> dict[str, float | int | None]:
        """What a document and a study say of it, at the last record that was reached.

        Beside infinite width only where there is such a flow: None else.
        """
        rows, limit = self.trajectory, self.infinite
        last = int(np.nonzero(np.isfinite(rows.loss))[0][-1])
        known = limit if isinstance(limit, InfiniteWidth) else None

        def at_end(of: Callable[[InfiniteWidth], np.ndarray | Array]) -> float | None:
            return None if known is None else float(of(known)[last])

        return {
            "half_mse": self.loss,
            "half_mse_standard_error": self.standard_error,
            "half_mse_train": float(rows.loss[last]),
            "alpha": float(rows.alpha[last]),
            "alpha_infinite": at_end(lambda w: w.flow.alpha),
            "alpha_infinite_same_steps": at_end(lambda w: w.stepped.alpha),
            "half_mse_infinite": at_end(lambda w: w.loss),
            "n_initial": self.spread_start,
            "n_final": self.spread_end,
            "steps": int(rows.steps[last]),
        }

    @property
    def start_weights(self) -> np.ndarray:
        """The first layer at the start, (width, dim), drawn again from the task."""
        with jax.enable_x64(True):
            return np.asarray(starting_network(self.task).weights)


def unreached(task: RadialTask) -> Trajectory:
    """No record yet."""
    rows, second = len(task.recorded), task.second

    def gap(*shape: int) -> Array:
        return jnp.full((rows, *shape), jnp.nan)

    no, never = gap(), jnp.full(rows, -1.0)
    units = (gap(second, task.bottleneck), gap(second), gap(second))
    return Trajectory(never, no, no, no, no, no, no, no, *units, gap(len(LEVELS)))


@eqx.filter_jit
def row_of(state: State, at: Directions, found: Look, exact: bool) -> Trajectory:
    """One record."""
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


def failure_of(task: RadialTask, row: Trajectory) -> str | None:
    """What went wrong by a record; None if nothing did."""
    step = int(row.steps)
    where = f"by time {step * task.step:g} (step {step} of length {task.step:g})"
    if not np.isfinite(moments(task.radial_law).total()).all() and not np.isfinite(
        row.loss
    ):
        return (
            f"{where} the loss is infinite: |x| has no mean under this law, and "
            "either a unit rises with |x| or no neuron is active in some direction; "
            "use more neurons, a smaller step, or a start with slope < 0 < offset"
        )
    if step == 0 and not np.isfinite(row.loss):
        return (
            "the loss at the start is too large for floats; give "
            "smaller starting slopes, offsets or alpha"
        )
    if not all(np.isfinite(x).all() for x in (row.loss, row.alpha, row.slopes)):
        return f"{where} {_astray(task)}, or a start with slope < 0 < offset"
    if row.most_alive == 0:
        return (
            f"{where} every second-layer unit is dead (never active), so the loss "
            f"stays at {float(row.loss):.4g}; use a step below {task.step:g}, or a "
            "start with slope < 0 < offset"
        )
    return None


def _astray(task: RadialTask) -> str:
    if task.solver == "adaptive":
        return "the adaptive solver could not follow the flow; use smaller rates"
    return f"the flow left the range of floats; use a step below {task.step:g}"
