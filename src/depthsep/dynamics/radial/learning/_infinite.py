r"""The infinite-width limit of a radial task: alpha and the second layer alone.

Every particle of the first layer is multiplied by the same number, w' = 2 c_d T w with
T = E_r[r S(r)], so alpha' = 4 c_d T alpha, next to the velocities of the second layer.
D channels that start alike stay alike: the sums over them of second-layer slopes move D
times as fast, all else as for D = 1.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep.dynamics.radial._constants import relu_mean_float
from depthsep.dynamics.radial.learning._flow import states_at
from depthsep.dynamics.radial.learning._subspace_limit import (
    SubspaceLaw,
    second_layer,
    subspace_law,
)
from depthsep.dynamics.radial.network._network import Rates
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.radius._responses import (
    Responses,
    product_mean,
    responses,
)
from depthsep.dynamics.radial.radius._units import Units, joined, negative
from depthsep.dynamics.radial.task._start import goal_of, rates_of
from depthsep.dynamics.radial.task._task import RadialTask

TOLERANCE = 1e-12
ROUGH = 1e-6  # for pairs of lengths, whose means over angles err by more
MOST_STEPS = 20_000


class _Sized(NamedTuple):
    """A state by the particles' root mean square; both layers move by plain steps."""

    size: Float[Array, "..."]
    slopes: Float[Array, "... second"]
    offsets: Float[Array, "... second"]
    scales: Float[Array, "... second"]


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


class _Law(eqx.Module):
    """The right-hand side; equal ones share compiled code."""

    goal: Goal
    c_d: Float[Array, ""]
    rates: Rates = eqx.field(static=True)
    channels: int = eqx.field(static=True)

    def __call__(self, state: _Sized) -> _Sized:
        """The velocity."""
        alpha, rates = self.c_d * state.size**2, self.rates
        found = self._responses(state)[1]
        zeroth, first = (x[: len(state.slopes)] for x in found)
        pull = (state.scales * state.slopes * first).mean()
        slopes = alpha * first
        return _Sized(
            rates.first * 2 * self.c_d * pull * state.size,
            rates.second * self.channels * state.scales * slopes,
            rates.second * state.scales * zeroth,
            rates.scales * (state.slopes * slopes + state.offsets * zeroth),
        )

    def loss(self, state: _Sized) -> Float[Array, ""]:
        """Half the mean square of the target minus the limit."""
        return product_mean(*self._responses(state)) / 2

    def squares(self, state: _Sized) -> tuple[Array, None]:
        """E|w|^2; nothing lies apart."""
        return state.size**2, None

    def _responses(self, state: _Sized) -> tuple[Units, Responses]:
        alpha = self.c_d * state.size**2
        own = negative(second_layer(state).units(alpha[None]))
        units = joined(own, self.goal.units(jnp.asarray(1.0)))
        return units, responses(units, self.goal.moments)


Law = _Law | SubspaceLaw


def infinite_width(task: RadialTask) -> InfiniteWidth:
    """The limit of a task: its flow, and the same steps.

    Raises:
        HypothesisError: outputs that differ, or a subspace target with weights of its
            own, which have no such limit; a flow that the solver cannot follow.
    """
    if task.no_flow is not None:
        raise HypothesisError(
            f"the infinite-width flow cannot be computed: {task.no_flow.reason}"
        )
    with jax.enable_x64(True):
        if task.has_proper_subspace:
            (law, start), tolerance = subspace_law(task), ROUGH
        else:
            law, start, tolerance = _law_of(task), _sized(task), TOLERANCE
        times = task.recorded * task.step
        flow = states_at(law, start, times, tolerance, MOST_STEPS)
        if flow is None:
            raise HypothesisError(
                "the infinite-width flow could not be computed: its "
                "values become too large, or the law of |x| has atoms "
                "at kinks of the network; change the start or the law"
            )
        stepped = flow
        if task.solver != "adaptive":
            recorded = jnp.asarray(task.recorded)
            stepped = _steps(law, start, task.step, recorded, task.solver == "heun")
        both = [_seen(law, states) for states in (flow, stepped)]
        (first, loss, inside), (second, stepped_loss, _) = both
        found = jax.device_get((first, second, loss, stepped_loss, inside))
    return InfiniteWidth(times, *found)


@eqx.filter_jit
def _steps(law: Law, start: Any, h: float, recorded: Array, heun: bool) -> Any:
    """The network's own steps at infinite width, at the records.

    Directions of particles stay what they are, so lengths take the same steps.
    """

    def once(_: Array, state: Any) -> Any:
        first = law(state)
        ahead = jax.tree.map(lambda x, v: x + h * v, state, first)
        if not heun:
            return ahead
        both = jax.tree.map(lambda v, w: (v + w) / 2, first, law(ahead))
        return jax.tree.map(lambda x, v: x + h * v, state, both)

    def record(state: Any, ends: tuple[Array, Array]) -> tuple[Any, Any]:
        ahead = lax.fori_loop(*ends, once, state)
        return ahead, ahead

    _, after = lax.scan(record, start, (recorded[:-1], recorded[1:]))
    return jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), start, after)


@eqx.filter_jit
def _seen(law: Law, states: Any) -> tuple[Reduced, Array, Array | None]:
    """alpha and the second layer, the loss, and the share of E|w|^2 inside."""
    square, share = jax.vmap(law.squares)(states)
    layer = states.slopes, states.offsets, states.scales
    return Reduced(law.c_d * square, *layer), jax.vmap(law.loss)(states), share


def reduced_velocity(task: RadialTask, state: Reduced) -> Reduced:
    """The right-hand side of the limit at any state: alpha', a', b', c'.

    Raises:
        HypothesisError: a task whose limit is not one of alpha and the second layer (of
            a subspace target it is one of pairs), or a state of another size.
    """
    shapes = [np.shape(np.asarray(x, dtype=np.float64)) for x in state]
    if shapes != [(), *[(task.second,)] * 3] or not state.alpha >= 0:
        raise HypothesisError(
            "the state needs one number alpha that is 0 or more, and one slope, one "
            f"offset and one scale for each second-layer unit ({task.second} in all)"
        )
    if task.no_limit is not None:
        raise HypothesisError(
            f"the infinite-width flow cannot be computed: {task.no_limit.reason}"
        )
    with jax.enable_x64(True):
        law = _law_of(task)
        alpha, *layer = map(jnp.asarray, state)
        size = jnp.sqrt(alpha / law.c_d)
        moved = law(_Sized(size, *layer))
        speed = 2 * law.c_d * size * moved.size
        return jax.tree.map(np.asarray, Reduced(speed, *moved[1:]))


def _law_of(task: RadialTask) -> _Law:
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


def _sized(task: RadialTask) -> _Sized:
    alpha, *layer = reduced_start(task)
    return _Sized(jnp.sqrt(alpha / relu_mean_float(task.dim)), *layer)
