"""The network, the goal and the directions of a task, in float64 mode."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from depthsep._errors import HypothesisError
from depthsep.dynamics.radial._constants import relu_mean_float
from depthsep.dynamics.radial.network._network import Directions, RadialNetwork, Rates
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.radius._moments import moments
from depthsep.dynamics.radial.task._draws import (
    OUTPUTS,
    START,
    TRAIN,
    directions,
    draw_directions,
    draw_weights,
    stream,
)
from depthsep.dynamics.radial.task._task import RadialTask


def starting_network(task: RadialTask) -> RadialNetwork:
    """Particles as the task draws them."""
    slopes = jnp.asarray(task.slopes)[:, None] / task.bottleneck
    return RadialNetwork(
        _weights(task),
        _outputs(task),
        jnp.broadcast_to(slopes, (task.second, task.bottleneck)),
        jnp.asarray(task.offsets),
        jnp.ones(task.second),
    )


def _weights(task: RadialTask) -> Array:
    """The first layer: given, or drawn."""
    if task.weights is not None:
        return jnp.asarray(task.weights).astype(task.precision)
    key, square = stream(task.seed, START), task.alpha / relu_mean_float(task.dim)
    return draw_weights(key, task.width, task.dim, square, task.start, task.precision)


def _outputs(task: RadialTask) -> Array | None:
    """None for one channel that never moves."""
    if task.bottleneck == 1 and task.outputs == "channels" and not task.train_outputs:
        return None
    if task.outputs == "gaussian":
        key, shape = stream(task.seed, OUTPUTS), (task.width, task.bottleneck)
        return jax.random.normal(key, shape, jnp.float64)
    channel = jnp.arange(task.width) % task.bottleneck
    return task.bottleneck * jax.nn.one_hot(channel, task.bottleneck, dtype=jnp.float64)


def goal_of(task: RadialTask) -> Goal:
    """The target's relus and the law's moments.

    Raises:
        HypothesisError: a law without second moment, and a start whose loss is then
            infinite.
    """
    knots, weights = task.profile.relus()
    found = moments(task.radial_law)
    if not np.isfinite(found.total()).all():
        if (task.slopes >= 0).any():
            raise HypothesisError(
                f"under {task.radial_law}, a unit with slope >= 0 may have an "
                "infinite mean square; start all units with slope < 0 < offset"
            )
        if task.outputs == "gaussian":
            raise HypothesisError(
                f"under {task.radial_law}, with `outputs` = gaussian a unit may grow "
                "with |x|, so that its mean square is infinite; set `outputs` to "
                "channels"
            )
    return Goal(jnp.asarray(knots), jnp.asarray(weights), found)


def rates_of(task: RadialTask) -> Rates:
    """The rates of all parts."""
    first, second = task.rates
    return Rates(
        first,
        second,
        first if task.train_outputs else 0.0,
        second if task.train_scales else 0.0,
    )


def training_directions(task: RadialTask, step: int | Array | None) -> Directions:
    """The fixed sample, or that of a step."""
    key = stream(task.seed, TRAIN)
    if step is not None:
        key = jax.random.fold_in(key, step)
    return _directions(task, key, task.pairs, task.precision)


def directions_of(
    task: RadialTask, purpose: int, pairs: int, precision: str
) -> Directions:
    """The directions of a stream: those of TEST are never trained on."""
    return _directions(task, stream(task.seed, purpose), pairs, precision)


def _directions(task: RadialTask, key: Array, pairs: int, precision: str) -> Directions:
    points = draw_directions(key, pairs, task.dim, task.directions, precision)
    subspace = None if task.basis is None else jnp.asarray(task.basis)
    return directions(points, subspace)
