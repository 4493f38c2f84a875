r"""The infinite-width limit of a radial task: alpha and the second layer alone.

Every particle of the first layer is multiplied by the same number, w' = 2 c_d T w with
T = E_r[r S(r)], so alpha' = 4 c_d T alpha, next to the velocities of the second layer.
D channels that start alike stay alike: the sums over them of second-layer slopes move D
times as fast, all else as for D = 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep.dynamics.radial._constants import relu_mean_float
from depthsep.dynamics.radial.learning._subspace_limit import (
    Pairs,
    SubspaceLaw,
    subspace_law,
)
from depthsep.dynamics.radial.network._network import RadialNetwork, Rates
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.radius._responses import product_mean, responses
from depthsep.dynamics.radial.radius._units import joined, negative
from depthsep.dynamics.radial.task._start import goal_of, rates_of
from depthsep.dynamics.radial.task._task import RadialTask

TOLERANCE = 1e-12
ROUGH = 1e-6  # for pairs of lengths, whose means over angles err by more
MOST_STEPS = 20_000


class Reduced(NamedTuple):
    """A state of the limit, or a sequence of them.

    Attributes:
        alpha: c_d E|w|^2, of each channel.
        slopes: the sum over channels of each second-layer unit's slopes.
    """

    alpha: Float[Array, "..."]
    slopes: Float[Array, "... second"]
    offsets: Float[Array, "... second"]
    scales: Float[Array, "... second"]


@dataclass(frozen=True, eq=False)
class InfiniteWidth:
    """The limit at the records of a task.

    Attributes:
        times: (r,).
        flow: by an adaptive solver of order 8, tolerance 1e-12.
        stepped: by the same steps as the network (Euler or Heun), so that what is left
            between it and the network is due to the width; the flow itself where the
            network's solver is adaptive.
        loss, stepped_loss: (r,), half mean squares of the target minus the limit.
        inside: (r,), of a subspace target: the share of E|w|^2 that lies in the
            subspace, along the flow; None for other targets.
    """

    times: np.ndarray
    flow: Reduced
    stepped: Reduced
    loss: np.ndarray
    stepped_loss: np.ndarray
    inside: np.ndarray | None = None


def infinite_width(task: RadialTask) -> InfiniteWidth:
    """The limit of a task: its flow, and the same steps.

    Raises:
        HypothesisError: outputs that differ, or a subspace target with weights of its
            own, which have no such limit; a flow that the solver cannot follow.
    """
    if task.no_flow is not None:
        raise HypothesisError(f"no reduced flow: {task.no_flow.reason}")
    if task.sees_a_part:
        return _of_subspace(task)
    with jax.enable_x64(True):
        law = _law_of(task)
        goal = law.goal
        times = jnp.asarray(task.recorded * task.step)
        start = reduced_start(task)
        flow = _followed(law, start, times, TOLERANCE)
        stepped = flow
        if task.solver != "adaptive":
            recorded = jnp.asarray(task.recorded)
            stepped = _steps(law, start, task.step, recorded, task.solver == "heun")
        losses = [_losses(states, goal) for states in (flow, stepped)]
        found = jax.device_get((times, flow, stepped, *losses))
    return InfiniteWidth(*found)


def _of_subspace(task: RadialTask) -> InfiniteWidth:
    """The limit of pairs of lengths, inside the subspace and outside."""
    with jax.enable_x64(True):
        law, start = subspace_law(task)
        times = jnp.asarray(task.recorded * task.step)
        flow = _followed(law, start, times, ROUGH)
        stepped = flow
        if task.solver != "adaptive":
            recorded = jnp.asarray(task.recorded)
            stepped = _pair_steps(
                law, start, task.step, recorded, task.solver == "heun"
            )
        squares = jax.vmap(law.square)
        losses = [jax.jit(jax.vmap(law.loss))(states) for states in (flow, stepped)]
        inside, outside = squares(flow)
        c_d = relu_mean_float(task.dim)
        reduced = [
            Reduced(c_d * jnp.add(*squares(x)), x.slopes, x.offsets, x.scales)
            for x in (flow, stepped)
        ]
        share = inside / (inside + outside)
        found = jax.device_get((times, *reduced, *losses, share))
    return InfiniteWidth(*found)


def _followed(law: "Law", start: Any, times: Array, tolerance: float) -> Any:
    """The flow at times.

    Raises:
        HypothesisError: the solver does not get there.
    """
    flow, fine = _solve(law, start, times, tolerance)
    if not bool(fine):
        raise HypothesisError(
            "the infinite-width flow could not be followed: it explodes, or its "
            "law has atoms at kinks; change the start or the law"
        )
    return flow


@eqx.filter_jit
def _pair_steps(
    law: SubspaceLaw, start: Pairs, h: float, recorded: Array, heun: bool
) -> Pairs:
    """The network's own steps: of lengths, as directions stay what they are."""

    def once(_: Array, state: Pairs) -> Pairs:
        first = law(state)
        ahead = jax.tree.map(lambda x, v: x + h * v, state, first)
        if heun:
            second = law(ahead)
            both = jax.tree.map(lambda x, y: (x + y) / 2, first, second)
            ahead = jax.tree.map(lambda x, v: x + h * v, state, both)
        return ahead

    return _recorded(once, start, recorded)


def _recorded(once: Callable[[Array, Any], Any], start: Any, recorded: Array) -> Any:
    """The states at records, the start first."""

    def record(state: Any, ends: tuple[Array, Array]) -> tuple[Any, Any]:
        ahead = lax.fori_loop(*ends, once, state)
        return ahead, ahead

    _, after = lax.scan(record, start, (recorded[:-1], recorded[1:]))
    return jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), start, after)


def reduced_velocity(task: RadialTask, state: Reduced) -> Reduced:
    """The right-hand side of the limit at any state: alpha', a', b', c'.

    Raises:
        HypothesisError: a task whose limit is not one of alpha and the second layer (of
            a subspace target it is one of pairs), or a state of another size.
    """
    shapes = [np.shape(np.asarray(x, dtype=np.float64)) for x in state]
    if shapes != [(), *[(task.second,)] * 3]:
        raise HypothesisError(
            f"the state needs one alpha, and {task.second} slopes, offsets and scales"
        )
    if task.no_limit is not None:
        raise HypothesisError(f"no reduced flow: {task.no_limit.reason}")
    with jax.enable_x64(True):
        found = _law_of(task)(Reduced(*map(jnp.asarray, state)))
        return jax.tree.map(np.asarray, found)


def _law_of(task: RadialTask) -> "_Law":
    c_d = relu_mean_float(task.dim) * jnp.ones(())
    goal = jax.tree.map(jnp.asarray, goal_of(task))
    return _Law(goal, c_d, rates_of(task), task.bottleneck)


def reduced_start(task: RadialTask) -> Reduced:
    """alpha and the second layer at time 0."""
    return Reduced(
        jnp.asarray(task.alpha),
        jnp.asarray(task.slopes),
        jnp.asarray(task.offsets),
        jnp.ones(task.second),
    )


class _Law(eqx.Module):
    """The right-hand side; equal ones share compiled code."""

    goal: Goal
    c_d: Float[Array, ""]
    rates: Rates = eqx.field(static=True)
    channels: int = eqx.field(static=True)

    def __call__(self, state: Reduced) -> Reduced:
        """alpha', a', b', c'."""
        network, rates = _network(state), self.rates
        own = negative(network.units(state.alpha[None]))
        units = joined(own, self.goal.units(jnp.asarray(1.0)))
        found = responses(units, self.goal.moments)
        zeroth, first = (x[: network.second] for x in found)
        pull = (state.scales * state.slopes * first).mean()
        slopes = state.alpha * first
        return Reduced(
            rates.first * 4 * self.c_d * pull * state.alpha,
            rates.second * self.channels * state.scales * slopes,
            rates.second * state.scales * zeroth,
            rates.scales * (state.slopes * slopes + state.offsets * zeroth),
        )


def _network(state: Reduced) -> RadialNetwork:
    """The second layer; it has no first."""
    empty = jnp.zeros((0, 1))
    return RadialNetwork(
        empty, None, state.slopes[:, None], state.offsets, state.scales
    )


@eqx.filter_jit
def _solve(law: "Law", start: Any, times: Array, tolerance: float) -> tuple[Any, Array]:
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(lambda t, y, law: law(y)),
        diffrax.Dopri8(),
        times[0],
        times[-1],
        None,
        start,
        args=law,
        saveat=diffrax.SaveAt(ts=times),
        stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance),
        max_steps=MOST_STEPS,
        throw=False,
    )
    assert solution.ys is not None  # asked for by `saveat`
    return solution.ys, diffrax.is_okay(solution.result)


@eqx.filter_jit
def _steps(law: _Law, start: Reduced, h: float, recorded: Array, heun: bool) -> Reduced:
    """The network's own steps at infinite width, at the records.

    w is multiplied, so alpha by a square.
    """

    def growth(velocity: Reduced, state: Reduced) -> Array:
        return velocity.alpha / (2 * state.alpha)

    def once(_: Array, state: Reduced) -> Reduced:
        first = law(state)
        ahead = _moved(state, first, growth(first, state), h)
        if heun:
            second = law(ahead)
            factor = 1 + h * growth(first, state)
            both = growth(first, state) + factor * growth(second, ahead)
            mean = jax.tree.map(lambda x, y: (x + y) / 2, first, second)
            ahead = _moved(state, mean, both / 2, h)
        return ahead

    return _recorded(once, start, recorded)


def _moved(state: Reduced, velocity: Reduced, growth: Array, h: float) -> Reduced:
    ahead = jax.tree.map(lambda x, v: x + h * v, state, velocity)
    return ahead._replace(alpha=(1 + h * growth) ** 2 * state.alpha)


Law = _Law | SubspaceLaw


@eqx.filter_jit
def _losses(states: Reduced, goal: Goal) -> Float[Array, " records"]:
    def loss(state: Reduced) -> Array:
        own = negative(_network(state).units(state.alpha[None]))
        units = joined(own, goal.units(jnp.asarray(1.0)))
        return product_mean(units, responses(units, goal.moments)) / 2

    return jax.vmap(loss)(states)
