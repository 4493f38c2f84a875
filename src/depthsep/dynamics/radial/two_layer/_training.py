r"""Two-layer networks trained for comparison, all rates and seeds at once.

f(x) = c_0 + m^-s sum_i c_i relu(v_i.x + b_i), s = 1/2, or 1 for mean-field descent.
Trained on fresh samples of the law; rates are chosen on validation directions, results
are on others. What an optimiser does not find may still exist: these bound nothing.
"""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jaxtyping import Array, Float, PyTree

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep.dynamics.radial.network._network import Directions
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.radius._moments import moments
from depthsep.dynamics.radial.task._draws import (
    BATCHES,
    TEST,
    TWO_LAYERS,
    VALIDATION,
    stream,
)
from depthsep.dynamics.radial.task._start import directions_of, goal_of
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.dynamics.radial.two_layer._budget import (
    MEAN_FIELD,
    TwoLayerBudget,
    TwoLayerResult,
)
from depthsep.dynamics.radial.two_layer._loss import TwoLayer, half_mean_squares

SCALED: dict[str, Callable[[], optax.GradientTransformation]] = {
    "adam": lambda: optax.adam(1.0),
    "momentum": lambda: optax.sgd(1.0, momentum=0.9),
    "sgd": lambda: optax.sgd(1.0),
    MEAN_FIELD: lambda: optax.sgd(1.0),
}
WIDEST_TWO_LAYER = 10**7
CHUNK = 100  # steps between visits of the host
BLOCK = 1 << 25  # activations that are held at once


class _States(NamedTuple):
    """Networks in training and their optimisers' memories, (rates, seeds, ...)."""

    layers: TwoLayer
    memories: PyTree


class _Samples(NamedTuple):
    """What the steps of a chunk see; those from `taken` on are not."""

    key: Array
    radii: Float[Array, "steps batch"]
    first: Array
    taken: Array


def check_two_layer(task: RadialTask) -> None:
    """Refuse laws under which almost every two-layer network has an infinite loss.

    Raises:
        HypothesisError: |x|^2 has no mean.
    """
    if not np.isfinite(moments(task.radial_law).total()).all():
        raise HypothesisError(
            f"under {task.radial_law} |x| has no mean, so two-layer networks that do "
            "not vanish far out have infinite losses; compare under another law"
        )


def learn_two_layer(
    task: RadialTask,
    width: int,
    budget: TwoLayerBudget | None = None,
    *,
    progress: Callable[[float, str], None] | None = None,
) -> tuple[TwoLayerResult, ...]:
    """Train two-layer networks on a task's law and target, by every optimiser.

    Raises:
        HypothesisError: as `check_two_layer`.
    """
    check_two_layer(task)
    plan = TwoLayerBudget() if budget is None else budget
    whole(width, "width", least=1, most=WIDEST_TWO_LAYER)
    with jax.enable_x64(True):
        trained = []
        for k, name in enumerate(plan.optimisers):

            def shown(share: float, line: str, k: int = k) -> None:
                if progress is not None:
                    progress((k + share) / len(plan.optimisers), line)

            trained.append(_train(task, width, plan, name, shown))
        return tuple(trained)


def _train(
    task: RadialTask,
    width: int,
    plan: TwoLayerBudget,
    name: str,
    progress: Callable[[float, str], None],
) -> TwoLayerResult:
    power = 1.0 if name == MEAN_FIELD else 0.5
    rates = jnp.asarray(plan.rates) * (width if name == MEAN_FIELD else 1)
    states = _starts(task, width, SCALED[name](), plan)
    step = jax.jit(partial(_chunk, SCALED[name](), task, power, plan.steps))
    check = partial(_losses, goal_of(task), power)
    validation = directions_of(task, VALIDATION, plan.validation, "float64")
    before, late = check(states.layers, validation), 4 * plan.steps // 5
    for first, count in _chunks(late, plan.steps):
        if first == late:
            before = check(states.layers, validation)
        states = step(states, rates, _samples(task, plan, first, count))
        share = (first + count) / plan.steps
        progress(share, f"two layers of width {width} by {name}")
    after = check(states.layers, validation)
    best = int(np.argmin(np.where(np.isfinite(after), after, np.inf).mean(axis=1)))
    chosen = jax.tree.map(lambda x: x[best : best + 1], states.layers)
    losses = check(chosen, directions_of(task, TEST, plan.test, "float64"))[0]
    return TwoLayerResult(
        name,
        width,
        plan.rates[best],
        best in (0, len(plan.rates) - 1),
        plan.steps,
        tuple(losses.tolist()),
        float(1 - after[best].mean() / before[best].mean()),
    )


def _starts(
    task: RadialTask,
    width: int,
    optimiser: optax.GradientTransformation,
    plan: TwoLayerBudget,
) -> _States:
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
    return _States(layers, jax.vmap(jax.vmap(optimiser.init))(layers))


def _chunks(late: int, steps: int) -> list[tuple[int, int]]:
    """First steps and lengths of chunks, one of which begins at `late`."""
    cuts = sorted({*range(0, late, CHUNK), *range(late, steps, CHUNK), steps})
    return [(a, b - a) for a, b in pairwise(cuts)]


def _samples(
    task: RadialTask, plan: TwoLayerBudget, first: int, count: int
) -> _Samples:
    rng = np.random.default_rng((task.seed, 17, first))
    radii = task.radial_law.draw_radii(CHUNK * plan.batch, rng).reshape(CHUNK, -1)
    key = stream(task.seed, BATCHES)  # folded with the step
    return _Samples(
        key, jnp.asarray(radii, jnp.float32), jnp.asarray(first), jnp.asarray(count)
    )


def _chunk(
    optimiser: optax.GradientTransformation,
    task: RadialTask,
    power: float,
    steps: int,
    states: _States,
    rates: Float[Array, " rates"],
    given: _Samples,
) -> _States:
    """Steps on samples that all rates and seeds share."""

    def loss(layer: TwoLayer, x: Array, y: Array) -> Array:
        return ((layer.values(x, power) - y) ** 2).mean() / 2

    def once(k: Array, states: _States) -> _States:
        place = given.first + k
        x, y = _points(task, jax.random.fold_in(given.key, place), given.radii[k])
        decay = (1 + jnp.cos(jnp.pi * place / steps)) / 2

        def move(one: tuple[TwoLayer, PyTree, Array]) -> _States:
            layer, memory, rate = one
            gradient = jax.grad(loss)(layer, x, y)
            update, memory = optimiser.update(gradient, memory, layer)
            update = jax.tree.map(lambda u: (decay * rate * u).astype(u.dtype), update)
            return _States(optax.apply_updates(layer, update), memory)  # type: ignore[arg-type]

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


def _losses(goal: Goal, power: float, layers: TwoLayer, at: Directions) -> np.ndarray:
    """Half mean squares, (rates, seeds)."""
    shape = layers.level.shape
    flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), layers)
    found = [
        float(half_mean_squares(layer, at, goal, jnp.asarray(power)))
        for layer in (
            jax.tree.map(lambda x, k=k: x[k], flat) for k in range(np.prod(shape))
        )
    ]
    return np.array(found).reshape(shape)
