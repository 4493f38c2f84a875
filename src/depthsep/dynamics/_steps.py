"""Solvers of the mean-field flow: compiled runs of Euler, Heun or an adaptive pair."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from jaxtyping import Array, Float, Int

from depthsep.dynamics._radial_network import Directions, RadialNetwork
from depthsep.dynamics._start import (
    goal_of,
    rates_of,
    training_directions,
)
from depthsep.dynamics._task import RadialTask
from depthsep.dynamics._tiles import Tiles
from depthsep.dynamics._velocity import Look, look, velocity

AXIS = "neurons"
TOLERANCE = 1e-6
MOST_STEPS = 100_000
LAYERS = RadialNetwork(P(AXIS), P(AXIS), P(), P(), P())  # type: ignore[arg-type]


class State(NamedTuple):
    """Where a run stands; `length` is the adaptive solver's next step."""

    network: RadialNetwork
    step: Int[Array, ""]
    length: Float[Array, ""]


Moved = Callable[[RadialNetwork, Directions], RadialNetwork]


class Runner(NamedTuple):
    """A task made ready to run.

    Attributes:
        advance: (state, number of steps) to the state after them.
        look: what a network does on given directions.
    """

    advance: Callable[[State, int], State]
    look: Callable[[RadialNetwork, Directions], Look]


def runner(task: RadialTask, tiles: Tiles, devices: int = 1) -> Runner:
    """Compile a task for a number of devices that divides its width."""
    goal, rates = goal_of(task), rates_of(task)
    mesh = None if devices == 1 else mesh_of(devices)
    width = task.width
    moving = partial(velocity, goal=goal, rates=rates, width=width)
    looking = partial(look, goal=goal, width=width)
    moved = sharded(moving, tiles, mesh, LAYERS)
    seen = sharded(looking, tiles, mesh, Look(P(), P(), P()))  # type: ignore[arg-type]
    fixed = None if task.fresh else training_directions(task, None)
    step = {"euler": _euler, "heun": _heun}.get(task.solver)
    if step is None:
        advance = partial(_adapt, task, moved)
    else:
        advance = jax.jit(partial(_repeat, task, moved, step), donate_argnums=0)

    draw = jax.jit(partial(training_directions, task))

    def go(state: State, count: int) -> State:
        if fixed is not None:
            return advance(state, jnp.asarray(count), fixed)
        for _ in range(count):
            at = draw(int(state.step))  # a plain number: drawn on one device
            state = advance(state, jnp.asarray(1), at)
        return state

    return Runner(go, jax.jit(seen))


def sharded(
    function: Callable[..., Any], tiles: Tiles, mesh: Mesh | None, result: Any
) -> Callable[[RadialNetwork, Directions], Any]:
    """A function of network and directions with neurons spread over a mesh.

    Devices exchange F on the directions, nothing as long as the neurons.
    """
    if mesh is None:
        return partial(function, tiles=tiles)
    return jax.shard_map(
        partial(function, tiles=tiles._replace(axis=AXIS)),
        mesh=mesh,
        in_specs=(LAYERS, P()),
        out_specs=result,
    )


def mesh_of(devices: int) -> Mesh:
    """The first devices in a row."""
    return jax.make_mesh(
        (devices,),
        (AXIS,),
        axis_types=(AxisType.Auto,),
        devices=jax.devices()[:devices],
    )


def placed(network: RadialNetwork, devices: int) -> RadialNetwork:
    """The network with its neurons spread over the devices."""
    if devices == 1:
        return network
    mesh = mesh_of(devices)

    def place(x: Array, spec: P) -> Array:
        return jax.device_put(x, NamedSharding(mesh, spec))

    outputs = network.outputs
    return RadialNetwork(
        place(network.weights, P(AXIS)),
        None if outputs is None else place(outputs, P(AXIS)),
        place(network.slopes, P()),
        place(network.offsets, P()),
        place(network.scales, P()),
    )


def _repeat(
    task: RadialTask,
    moved: Moved,
    step: Callable[..., RadialNetwork],
    state: State,
    count: Array,
    at: Directions,
) -> State:
    def once(_: Array, now: State) -> State:
        network = step(moved, now.network, at, task.step)
        if task.projection is not None:
            network = task.projection(network)
        return State(network, now.step + 1, now.length)

    return lax.fori_loop(0, count, once, state)


def _euler(
    moved: Moved, network: RadialNetwork, at: Directions, h: float
) -> RadialNetwork:
    return add(network, moved(network, at), h)


def _heun(
    moved: Moved, network: RadialNetwork, at: Directions, h: float
) -> RadialNetwork:
    first = moved(network, at)
    second = moved(add(network, first, h), at)
    return add(network, add(first, second, 1.0), h / 2)


def add(network: RadialNetwork, velocity: RadialNetwork, h: float) -> RadialNetwork:
    """Particles moved for a time h, each array in its own type."""
    return jax.tree.map(lambda x, v: x + (h * v).astype(x.dtype), network, velocity)


def _adapt(
    task: RadialTask,
    moved: Moved,
    state: State,
    count: Array,
    at: Directions,
) -> State:
    """From one record to the next by an adaptive solver, restarted at its last step."""
    found, length = _adaptive(moved, state.network, at, count * task.step, state.length)
    if task.projection is not None:
        found = task.projection(found)
    return State(found, state.step + count, length)


@eqx.filter_jit
def _adaptive(
    moved: Moved, network: RadialNetwork, at: Directions, span: Array, length: Array
) -> tuple[RadialNetwork, Array]:
    """Heun's method of order 2 with its embedded Euler step."""
    dtype = network.weights.dtype

    def field(t: Any, y: RadialNetwork, _: None) -> RadialNetwork:
        network = eqx.tree_at(lambda n: n.weights, y, y.weights.astype(dtype))
        return jax.tree.map(lambda v: v.astype(jnp.float64), moved(network, at))

    wide = jax.tree.map(lambda x: x.astype(jnp.float64), network)
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(field),
        diffrax.Heun(),
        0.0,
        span,
        jnp.minimum(length, span),
        wide,
        stepsize_controller=diffrax.PIDController(rtol=TOLERANCE, atol=TOLERANCE),
        max_steps=MOST_STEPS,
        saveat=diffrax.SaveAt(t1=True),
        throw=False,
    )
    fine = diffrax.is_okay(solution.result)
    end = jax.tree.map(lambda x: jnp.where(fine, x[-1], jnp.nan), solution.ys)
    end = eqx.tree_at(lambda n: n.weights, end, end.weights.astype(dtype))
    taken = span / jnp.maximum(solution.stats["num_accepted_steps"], 1)
    return end, taken
