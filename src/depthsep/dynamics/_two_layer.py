r"""Two-layer networks trained for comparison, all rates and seeds at once.

f(x) = c_0 + m^-s sum_i c_i relu(v_i.x + b_i), s = 1/2, or 1 for mean-field descent.
Trained on fresh samples of the law; rates are chosen on validation directions, results
are on others. What an optimiser does not find may still exist: these bound nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole
from depthsep.dynamics._cells import cells, square_mean
from depthsep.dynamics._draws import directions, draw_directions, stream
from depthsep.dynamics._moments import moments
from depthsep.dynamics._radial_network import Directions
from depthsep.dynamics._radii import draw_radii
from depthsep.dynamics._responses import Units, joined, negative
from depthsep.dynamics._start import goal_of
from depthsep.dynamics._task import RadialTask
from depthsep.dynamics._velocity import Goal
from depthsep.evidence import Rigour

MEAN_FIELD = "mean-field"
OPTIMISERS: dict[str, Callable[[], optax.GradientTransformation]] = {
    "adam": lambda: optax.adam(1.0),
    "momentum": lambda: optax.sgd(1.0, momentum=0.9),
    "sgd": lambda: optax.sgd(1.0),
    MEAN_FIELD: lambda: optax.sgd(1.0),
}
CHUNK = 100  # steps between visits of the host
RAYS = 64  # evaluated at once
VALIDATION, TEST, CHOICE = 3, 2, 4  # streams of randomness


class TwoLayer(NamedTuple):
    """v, b, c and c_0."""

    weights: Float[Array, "width dim"]
    offsets: Float[Array, " width"]
    scales: Float[Array, " width"]
    level: Float[Array, ""]


@dataclass(frozen=True)
class TwoLayerBudget:
    """How long and how to train.

    Attributes:
        steps, batch: of stochastic gradients, with a cosine decay of the rate.
        rates: tried by every optimiser (mean-field: times the width).
        seeds: how many starts.
        optimisers: names out of adam, momentum, sgd, mean-field.
        validation, test: pairs of directions.
    """

    steps: int = 4000
    batch: int = 512
    rates: tuple[float, ...] = (1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1)
    seeds: int = 3
    optimisers: tuple[str, ...] = ("adam", "momentum", MEAN_FIELD)
    validation: int = 128
    test: int = 1024

    def __post_init__(self) -> None:
        for name in ("steps", "batch", "seeds", "validation", "test"):
            whole(getattr(self, name), name, least=1, most=10**9)
        unknown = [n for n in self.optimisers if n not in OPTIMISERS]
        if unknown or not self.optimisers:
            raise HypothesisError(
                f"optimisers {', '.join(unknown) or 'none'}; choose from "
                f"{', '.join(OPTIMISERS)}"
            )
        if not self.rates or min(real(r, "a rate") for r in self.rates) <= 0:
            raise HypothesisError("give one positive rate or more")


@dataclass(frozen=True)
class TwoLayerResult:
    """What one optimiser made of the two-layer network: `sampled`.

    Attributes:
        rate: chosen by the mean validation loss over seeds; `at_edge`: it is the
            smallest or largest that was tried, so others may be better.
        losses: half mean squares on test directions, one a seed, exact in the radius.
        falling: the share by which the validation loss fell in the last fifth of the
            steps; near 0 once training has converged.
    """

    optimiser: str
    width: int
    rate: float
    at_edge: bool
    steps: int
    losses: tuple[float, ...]
    falling: float
    rigour: Rigour = Rigour.SAMPLED

    @property
    def best(self) -> float:
        """The least loss over seeds."""
        return min(self.losses)


def equal_parameters(task: RadialTask) -> int:
    """The width of a two-layer network with at most the task's parameters.

    (width d + 2 m2 - 1) // (d + 2): v_i, b_i, c_i, and one c_0.
    """
    own = task.width * task.dim + 2 * task.second
    return max((own - 1) // (task.dim + 2), 1)


def equal_compute(task: RadialTask, budget: TwoLayerBudget) -> int:
    """The width whose training takes as many flops as the task's.

    A step of the task takes 4 pairs width d, one of the two-layer network 6 batch
    width d.
    """
    own = task.steps * 4 * task.pairs * task.width
    return max(own // (budget.steps * 6 * budget.batch), 1)


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


def two_layer_values(
    layer: TwoLayer, x: Float[Array, "points dim"], power: float
) -> Float[Array, " points"]:
    """f at points; the sum is divided by width^power."""
    active = jnp.maximum(x @ layer.weights.T + layer.offsets, 0.0)
    return layer.level + active @ layer.scales / len(layer.scales) ** power


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
    whole(width, "width", least=1, most=10**7)
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
    rates = np.array(plan.rates) * (width if name == MEAN_FIELD else 1)
    optimiser = OPTIMISERS[name]()
    states = _starts(task, width, power, optimiser, plan)
    step = jax.jit(partial(_chunk, optimiser, task, power, plan.steps))
    check = partial(_losses, task, goal_of(task), power)
    validation = _sample(task, plan.validation, VALIDATION)
    before, late = check(states[0], validation), 4 * plan.steps // 5
    for first, count in _chunks(late, plan.steps):
        if first == late:
            before = check(states[0], validation)
        batches = _batches(task, plan, first, count)
        states = step(states, jnp.asarray(rates), *batches)
        share = (first + count) / plan.steps
        progress(share, f"two layers of width {width} by {name}")
    after = check(states[0], validation)
    best = int(np.argmin(np.where(np.isfinite(after), after, np.inf).mean(axis=1)))
    chosen = jax.tree.map(lambda x: x[best : best + 1], states[0])
    losses = check(chosen, _sample(task, plan.test, TEST))[0]
    falling = 1 - after[best].mean() / before[best].mean()
    return TwoLayerResult(
        name,
        width,
        plan.rates[best],
        best in (0, len(plan.rates) - 1),
        plan.steps,
        tuple(losses.tolist()),
        float(falling),
    )


def _starts(
    task: RadialTask,
    width: int,
    power: float,
    optimiser: optax.GradientTransformation,
    plan: TwoLayerBudget,
) -> tuple[TwoLayer, Any]:
    """Layers and optimiser states, (rates, seeds, ...)."""

    def one(key: Array) -> TwoLayer:
        v, b, c = jax.random.split(key, 3)
        kind = jnp.float32
        return TwoLayer(
            jax.random.normal(v, (width, task.dim), kind),
            jax.random.normal(b, (width,), kind),
            jax.random.normal(c, (width,), kind),
            jnp.zeros((), kind),
        )

    keys = jax.random.split(stream(task.seed, CHOICE), plan.seeds)
    layers = jax.vmap(one)(keys)
    layers = jax.tree.map(
        lambda x: jnp.broadcast_to(x, (len(plan.rates), *x.shape)), layers
    )
    return layers, jax.vmap(jax.vmap(optimiser.init))(layers)


def _chunks(late: int, steps: int) -> list[tuple[int, int]]:
    """First steps and lengths of chunks, one of which begins at `late`."""
    cuts = sorted({*range(0, late, CHUNK), *range(late, steps, CHUNK), steps})
    return [(a, b - a) for a, b in pairwise(cuts)]


def _batches(
    task: RadialTask, plan: TwoLayerBudget, first: int, count: int
) -> tuple[Array, Array, Array]:
    """The key, the radii (steps, batch) and the first step of a chunk."""
    rng = np.random.default_rng((task.seed, 17, first))
    radii = draw_radii(task.radial_law, count * plan.batch, rng).reshape(count, -1)
    key = jax.random.fold_in(stream(task.seed, CHOICE), 1 + first)
    return key, jnp.asarray(radii, jnp.float32), jnp.asarray(first)


def _chunk(
    optimiser: optax.GradientTransformation,
    task: RadialTask,
    power: float,
    steps: int,
    states: tuple[TwoLayer, Any],
    rates: Float[Array, " rates"],
    key: Array,
    radii: Float[Array, "steps batch"],
    first: Array,
) -> tuple[TwoLayer, Any]:
    """Steps on samples that all rates and seeds share."""
    knots, heights = (jnp.asarray(x, jnp.float32) for x in task.profile.relus())
    basis = None if task.basis is None else jnp.asarray(task.basis, jnp.float32)

    def sample(key: Array, r: Array) -> tuple[Array, Array]:
        z = jax.random.normal(key, (len(r), task.dim), jnp.float32)
        x = r[:, None] * z / jnp.linalg.norm(z, axis=1, keepdims=True)
        size = r if basis is None else jnp.linalg.norm(x @ basis, axis=1)
        return x, jnp.maximum(knots - size[:, None], 0.0) @ heights

    def loss(layer: TwoLayer, x: Array, y: Array) -> Array:
        return ((two_layer_values(layer, x, power) - y) ** 2).mean() / 2

    def move(layer: TwoLayer, memory: Any, rate: Array, x: Array, y: Array) -> Any:
        gradient = jax.grad(loss)(layer, x, y)
        update, memory = optimiser.update(gradient, memory, layer)
        update = jax.tree.map(lambda u: (rate * u).astype(u.dtype), update)
        return optax.apply_updates(layer, update), memory

    every = jax.vmap(jax.vmap(move, (0, 0, None, None, None)), (0, 0, 0, None, None))

    def once(states: Any, given: tuple[Array, Array]) -> tuple[Any, None]:
        k, r = given
        x, y = sample(jax.random.fold_in(key, k), r)
        decay = (1 + jnp.cos(jnp.pi * k / steps)) / 2
        return every(states[0], states[1], rates * decay, x, y), None

    places = first + jnp.arange(radii.shape[0])
    return lax.scan(once, states, (places, radii))[0]


def _sample(task: RadialTask, pairs: int, purpose: int) -> Directions:
    key = stream(task.seed, purpose)
    points = draw_directions(key, pairs, task.dim, "orthogonal", "float64")
    return directions(points, None if task.basis is None else jnp.asarray(task.basis))


def _losses(
    task: RadialTask, goal: Goal, power: float, layers: TwoLayer, at: Directions
) -> np.ndarray:
    """Half mean squares, (rates, seeds), exact in the radius."""
    shape = layers.level.shape
    flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), layers)
    found = [
        float(_loss_on_rays(jax.tree.map(lambda x, k=k: x[k], flat), at, goal, power))
        for k in range(int(np.prod(shape)))
    ]
    return np.array(found).reshape(shape)


@partial(jax.jit, static_argnames="power")
def _loss_on_rays(layer: TwoLayer, at: Directions, goal: Goal, power: float) -> Array:
    wide = jax.tree.map(lambda x: x.astype(jnp.float64), layer)
    width = len(wide.scales)

    def ray(point: Array, stretch: Array) -> Array:
        own = Units(
            jnp.append(wide.weights @ point, 0.0),
            jnp.append(wide.offsets, 1.0),
            jnp.append(wide.scales / width**power, wide.level),
        )
        units = joined(goal.units(stretch), negative(own))
        return square_mean(cells(units, goal.moments)) / 2

    def pair(given: tuple[Array, Array]) -> Array:
        point, stretch = given
        return (ray(point, stretch) + ray(-point, stretch)) / 2

    losses = lax.map(pair, (at.points, at.stretch), batch_size=RAYS)
    return (at.weights * losses).sum()
