r"""Steps of two-layer networks on fresh samples, all rates and seeds at once.

In mean-field descent particles (v_i, b_i, c_i) move at the width times the rate, since
each sees 1/m of the gradient; the level c_0 is not a particle and moves at the rate.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jaxtyping import Array, Float, PyTree

from depthsep.dynamics.radial.task._draws import BATCHES, TWO_LAYERS, stream
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.dynamics.radial.two_layer._budget import MEAN_FIELD, TwoLayerBudget
from depthsep.dynamics.radial.two_layer._loss import TwoLayer

SCALED: dict[str, Callable[[], optax.GradientTransformation]] = {
    "adam": lambda: optax.adam(1.0),
    "momentum": lambda: optax.sgd(1.0, momentum=0.9),
    "sgd": lambda: optax.sgd(1.0),
    MEAN_FIELD: lambda: optax.sgd(1.0),
}
CHUNK = 100  # steps between visits of the host
BLOCK = 1 << 25  # activations that are held at once


class States(NamedTuple):
    """Networks in training and their optimisers' memories, (rates, seeds, ...)."""

    layers: TwoLayer
    memories: PyTree


class _Samples(NamedTuple):
    """What the steps of a chunk see; those from `taken` on are not taken."""

    key: Array
    radii: Float[Array, "steps batch"]
    shares: Float[Array, " steps"]
    first: Array
    taken: Array


class Steps:
    """The steps of one optimiser."""

    def __init__(
        self, task: RadialTask, width: int, plan: TwoLayerBudget, name: str
    ) -> None:
        self.task, self.width, self.plan = task, width, plan
        self.power = 1.0 if name == MEAN_FIELD else 0.5
        self.optimiser = SCALED[name]()
        of_particles = jnp.asarray(float(width if name == MEAN_FIELD else 1))
        speeds = TwoLayer(of_particles, of_particles, of_particles, jnp.asarray(1.0))
        self._chunk = jax.jit(partial(_chunk, self.optimiser, task, self.power, speeds))

    def starts(self) -> States:
        """Standard normal v, b and c, and c_0 = 0; the same for every rate."""
        return _starts(self.task, self.width, self.optimiser, self.plan)

    def run(
        self, states: States, first: int, shares: np.ndarray
    ) -> Iterator[tuple[int, States]]:
        """Steps at the rates times `shares`, from number `first` on, in chunks."""
        rates = jnp.asarray(self.plan.rates)
        for done in range(0, len(shares), CHUNK):
            part = shares[done : done + CHUNK]
            samples = _samples(self.task, self.plan, first + done, part)
            states = self._chunk(states, rates, samples)
            yield done + len(part), states


def _starts(
    task: RadialTask,
    width: int,
    optimiser: optax.GradientTransformation,
    plan: TwoLayerBudget,
) -> States:
    def one(key: Array) -> TwoLayer:
        v, b, c = jax.random.split(key, 3)
        kind = jnp.float32
        return TwoLayer(
            jax.random.normal(v, (width, task.dim), kind),
            jax.random.normal(b, (width,), kind),
            jax.random.normal(c, (width,), kind),
            jnp.zeros((), kind),
        )

    keys = jax.random.split(stream(task.seed, TWO_LAYERS), plan.seeds)
    layers = jax.vmap(one)(keys)
    layers = jax.tree.map(
        lambda x: jnp.broadcast_to(x, (len(plan.rates), *x.shape)), layers
    )
    return States(layers, jax.vmap(jax.vmap(optimiser.init))(layers))


def _samples(
    task: RadialTask, plan: TwoLayerBudget, first: int, shares: np.ndarray
) -> _Samples:
    rng = np.random.default_rng((task.seed, 17, first))
    radii = task.radial_law.draw_radii(CHUNK * plan.batch, rng).reshape(CHUNK, -1)
    filled = np.zeros(CHUNK)
    filled[: len(shares)] = shares
    return _Samples(
        stream(task.seed, BATCHES),  # folded with the step
        jnp.asarray(radii, jnp.float32),
        jnp.asarray(filled),
        jnp.asarray(first),
        jnp.asarray(len(shares)),
    )


def _chunk(
    optimiser: optax.GradientTransformation,
    task: RadialTask,
    power: float,
    speeds: TwoLayer,
    states: States,
    rates: Float[Array, " rates"],
    given: _Samples,
) -> States:
    """Steps on samples that all rates and seeds share."""

    def loss(layer: TwoLayer, x: Array, y: Array) -> Array:
        return ((layer.values(x, power) - y) ** 2).mean() / 2

    def once(k: Array, states: States) -> States:
        place = given.first + k
        x, y = _points(task, jax.random.fold_in(given.key, place), given.radii[k])

        def move(one: tuple[TwoLayer, PyTree, Array]) -> States:
            layer, memory, rate = one
            gradient = jax.grad(loss)(layer, x, y)
            update, memory = optimiser.update(gradient, memory, layer)
            now = given.shares[k] * rate
            update = jax.tree.map(
                lambda u, s: (now * s * u).astype(u.dtype), update, speeds
            )
            return States(optax.apply_updates(layer, update), memory)  # type: ignore[arg-type]

        return lax.map(move, (*states, every), batch_size=at_once)

    shape = states.layers.level.shape
    every = jnp.repeat(rates, shape[1])
    width = states.layers.scales.shape[-1]
    at_once = max(BLOCK // (given.radii.shape[1] * width), 1)
    flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), states)
    moved = lax.fori_loop(0, given.taken, once, flat)
    return jax.tree.map(lambda x: x.reshape(*shape, *x.shape[1:]), moved)


def _points(
    task: RadialTask, key: Array, radii: Float[Array, " batch"]
) -> tuple[Float[Array, "batch dim"], Float[Array, " batch"]]:
    """Inputs of given radii in random directions, and the target there."""
    knots, heights = (jnp.asarray(x, jnp.float32) for x in task.profile.relus())
    z = jax.random.normal(key, (len(radii), task.dim), jnp.float32)
    x = radii[:, None] * z / jnp.linalg.norm(z, axis=1, keepdims=True)
    size = radii
    if task.basis is not None:
        size = jnp.linalg.norm(x @ jnp.asarray(task.basis, jnp.float32), axis=1)
    return x, jnp.maximum(knots - size[:, None], 0.0) @ heights
