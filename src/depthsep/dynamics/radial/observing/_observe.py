"""A radial network's velocity and loss on chosen directions, outside any run."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from depthsep._errors import HypothesisError
from depthsep.dynamics.radial.network._layout import tiles_for
from depthsep.dynamics.radial.network._network import Directions, RadialNetwork
from depthsep.dynamics.radial.network._spread import double_sum
from depthsep.dynamics.radial.network._tiles import Tiles
from depthsep.dynamics.radial.network._velocity import Goal, look, velocity
from depthsep.dynamics.radial.task._draws import TEST
from depthsep.dynamics.radial.task._start import directions_of, goal_of, rates_of
from depthsep.dynamics.radial.task._task import RadialTask


def radial_velocity(
    network: RadialNetwork,
    task: RadialTask,
    *,
    directions: Directions | None = None,
    tiles: Tiles | None = None,
) -> RadialNetwork:
    """The mean-field velocity -m dL/dw of every particle, times the task's rates.

    Exact in the radius; on fresh directions if none are given, as many as the task's.

    Args:
        tiles: how the work is cut; chosen for the sizes if not given.

    Raises:
        HypothesisError: directions of another dimension than the network's.
    """
    with jax.enable_x64(True):
        at = _directions(network, task, directions)
        cut = _tiles(network, at) if tiles is None else tiles
        goal, rates = goal_of(task), rates_of(task)
        function = partial(velocity, goal=goal, tiles=cut, rates=rates)
        moved = jax.jit(partial(function, width=network.width))(network, at)
        return jax.device_get(moved)


def radial_loss(
    network: RadialNetwork, task: RadialTask, *, directions: Directions | None = None
) -> float:
    """Half the mean square of the task's target minus the network.

    Exact in the radius; on fresh directions if none are given.
    """
    with jax.enable_x64(True):
        at = _directions(network, task, directions)
        losses = losses_on(network, goal_of(task), at)
        return float((at.weights * losses).sum())


def losses_on(network: RadialNetwork, goal: Goal, at: Directions) -> Array:
    """(pairs,), half the mean square along each pair of rays; in float64 mode."""
    cut = _tiles(network, at)
    function = partial(look, goal=goal, tiles=cut, width=network.width)
    return jax.jit(function)(network, at).losses


def _tiles(network: RadialNetwork, at: Directions) -> Tiles:
    return tiles_for(
        network.width,
        network.dim,
        at.points.shape[0],
        bottleneck=network.bottleneck,
        precision=str(network.weights.dtype),
    )


def _directions(
    network: RadialNetwork, task: RadialTask, given: Directions | None
) -> Directions:
    at = given or directions_of(task, TEST, task.pairs, task.precision)
    if not at.points.shape[1] == network.dim == task.dim:
        raise HypothesisError(
            "the dimensions of the directions, the network and the task are "
            f"{at.points.shape[1]}, {network.dim} and {task.dim}; these must agree"
        )
    points = jnp.asarray(at.points, network.weights.dtype)
    rest = (jnp.asarray(x, jnp.float64) for x in at[1:])
    return Directions(points, *rest)


def spread(network: RadialNetwork) -> float:
    """N = E_u (F(u)/alpha - 1)^2 by the double sum over neurons, in float64.

    O(width^2 dim) time, O(512 width) memory. For D > 1: sum_k E (F_k - alpha_k)^2 over
    sum_k alpha_k^2.
    """
    return spread_gradient(network)[0]


def spread_gradient(network: RadialNetwork) -> tuple[float, np.ndarray]:
    """N, and m dN/dw_i of every neuron, (width, dim): its mean-field gradient."""
    with jax.enable_x64(True):
        wide = jax.tree.map(lambda x: jnp.asarray(x, jnp.float64), network)
        value, gradient = jax.jit(double_sum)(wide)
        return float(value), np.asarray(gradient)
