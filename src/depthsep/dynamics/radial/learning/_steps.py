"""Solvers of the mean-field flow: compiled runs of Euler, Heun or an adaptive pair."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from jaxtyping import Array, Float, Int

from depthsep.dynamics.radial.network._layout import tiles_for
from depthsep.dynamics.radial.network._network import Directions, RadialNetwork, Rates
from depthsep.dynamics.radial.network._tiles import Tiles
from depthsep.dynamics.radial.network._velocity import Goal, Look, look, velocity
from depthsep.dynamics.radial.task._start import goal_of, rates_of, training_directions
from depthsep.dynamics.radial.task._task import Projection, RadialTask

Found = TypeVar("Found", RadialNetwork, Look)
AXIS = "neurons"
TOLERANCE = 1e-6
MOST_STEPS = 100_000
LAYERS = RadialNetwork(P(AXIS), P(AXIS), P(), P(), P())  # type: ignore[arg-type]


class State(NamedTuple):
    """Where a run stands; `length` is the adaptive solver's next step."""

    network: RadialNetwork
    step: Int[Array, ""]
    length: Float[Array, ""]


class Machine(eqx.Module):
    """What a task's steps need; equal machines share their compiled code.

    Attributes:
        goal: arrays; all else is fixed when compiling.
        width: of the whole network, over all devices.
        mesh: the devices that share the neurons; None for one.
    """

    goal: Goal
    tiles: Tiles = eqx.field(static=True)
    rates: Rates = eqx.field(static=True)
    width: int = eqx.field(static=True)
    solver: str = eqx.field(static=True)
    step: float = eqx.field(static=True)
    projection: Projection | None = eqx.field(static=True)
    mesh: Mesh | None = eqx.field(static=True)

    def velocity(self, network: RadialNetwork, at: Directions) -> RadialNetwork:
        """Of every particle."""
        function = partial(velocity, rates=self.rates, width=self.width)
        return self._sharded(function, network, at, LAYERS)

    def look(self, network: RadialNetwork, at: Directions) -> Look:
        """What the network does on directions."""
        function, result = partial(look, width=self.width), Look(P(), P(), P())  # type: ignore[arg-type]
        return self._sharded(function, network, at, result)

    def projected(self, network: RadialNetwork) -> RadialNetwork:
        """After the projection, if there is one."""
        return network if self.projection is None else self.projection(network)

    def _sharded(
        self,
        function: Callable[..., Found],
        network: RadialNetwork,
        at: Directions,
        result: Found,
    ) -> Found:
        """With neurons spread over the mesh.

        Devices exchange F on the directions, nothing as long as the neurons.
        """
        if self.mesh is None:
            return function(network, at, goal=self.goal, tiles=self.tiles)
        arrays, rest = eqx.partition(self.goal, eqx.is_array)
        tiles = self.tiles._replace(axis=AXIS)

        def local(network: RadialNetwork, at: Directions, arrays: Goal) -> Found:
            goal = eqx.combine(arrays, rest)
            return function(network, at, goal=goal, tiles=tiles)

        specs = (LAYERS, P(), P())
        mapped = jax.shard_map(local, mesh=self.mesh, in_specs=specs, out_specs=result)
        return mapped(network, at, arrays)


class Runner(NamedTuple):
    """A task made ready to run.

    Attributes:
        advance: (state, number of steps) to the state after them.
        look: what a network does on given directions.
        at: the training directions of a step, drawn once where they stay the same.
    """

    advance: Callable[[State, int], State]
    look: Callable[[RadialNetwork, Directions], Look]
    at: Callable[[Array], Directions]


def runner(task: RadialTask, devices: int = 1) -> Runner:
    """Prepare a task for a number of devices that divides its width."""
    tiles = tiles_for(
        task.width,
        task.dim,
        task.pairs,
        bottleneck=task.bottleneck,
        precision=task.precision,
        devices=devices,
    )
    machine = Machine(
        jax.tree.map(jnp.asarray, goal_of(task)),
        tiles,
        rates_of(task),
        task.width,
        task.solver,
        task.step,
        task.projection,
        None if devices == 1 else mesh_of(devices),
    )
    fixed = None if task.fresh else training_directions(task, None)

    def at(step: Array) -> Directions:
        return training_directions(task, int(step)) if fixed is None else fixed

    def go(state: State, count: int) -> State:
        if fixed is not None:
            return _advance((machine, fixed, jnp.asarray(count)), state)
        for _ in range(count):
            state = _advance((machine, at(state.step), jnp.asarray(1)), state)
        return state

    return Runner(go, partial(_look, machine), at)


@eqx.filter_jit
def _look(machine: Machine, network: RadialNetwork, at: Directions) -> Look:
    return machine.look(network, at)


@eqx.filter_jit(donate="all-except-first")
def _advance(given: tuple[Machine, Directions, Array], state: State) -> State:
    """Steps; the old state's memory becomes the new one's."""
    machine, at, count = given
    if machine.solver == "adaptive":
        return _adapt(machine, at, count, state)
    step = {"euler": _euler, "heun": _heun}[machine.solver]

    def once(_: Array, now: State) -> State:
        network = machine.projected(step(machine, now.network, at))
        return State(network, now.step + 1, now.length)

    return lax.fori_loop(0, count, once, state)


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


def _euler(machine: Machine, network: RadialNetwork, at: Directions) -> RadialNetwork:
    return add(network, machine.velocity(network, at), machine.step)


def _heun(machine: Machine, network: RadialNetwork, at: Directions) -> RadialNetwork:
    first = machine.velocity(network, at)
    second = machine.velocity(add(network, first, machine.step), at)
    return add(network, add(first, second, 1.0), machine.step / 2)


def add(network: RadialNetwork, velocity: RadialNetwork, h: float) -> RadialNetwork:
    """Particles moved for a time h, each array in its own type."""
    return jax.tree.map(lambda x, v: x + (h * v).astype(x.dtype), network, velocity)


def _adapt(machine: Machine, at: Directions, count: Array, state: State) -> State:
    """From one record to the next by Heun's method and its embedded Euler step.

    It restarts at every record with the mean step of the one before, so that a run
    that goes on after a stop takes the same steps.
    """
    import diffrax

    dtype, span = state.network.weights.dtype, count * machine.step

    def field(_t: object, y: RadialNetwork, _: None) -> RadialNetwork:
        narrow = eqx.tree_at(lambda n: n.weights, y, y.weights.astype(dtype))
        moved = machine.velocity(narrow, at)
        return jax.tree.map(lambda v: v.astype(jnp.float64), moved)

    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(field),
        diffrax.Heun(),
        0.0,
        span,
        jnp.minimum(state.length, span),
        jax.tree.map(lambda x: x.astype(jnp.float64), state.network),
        stepsize_controller=diffrax.PIDController(rtol=TOLERANCE, atol=TOLERANCE),
        max_steps=MOST_STEPS,
        throw=False,
    )
    fine = diffrax.is_okay(solution.result)
    end = jax.tree.map(lambda x: jnp.where(fine, x[-1], jnp.nan), solution.ys)
    end = eqx.tree_at(lambda n: n.weights, end, end.weights.astype(dtype))
    taken = span / jnp.maximum(solution.stats["num_accepted_steps"], 1)
    return State(machine.projected(end), state.step + count, taken)
