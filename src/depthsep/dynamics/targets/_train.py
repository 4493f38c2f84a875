r"""Training ReLU networks of a given depth on a problem, all restarts at once.

Adam with a cosine decay on minibatches of a fixed sample, inputs and values scaled to
unit size; the scales are folded into the weights at the end. On an interval the best
restart is then measured exactly, as any network is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import inf

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jaxtyping import Array, Float, PyTree

from depthsep._errors import DepthsepError, HypothesisError
from depthsep._inputs import Numbers, whole
from depthsep._progress import tell
from depthsep.analysis import inspect, line_error
from depthsep.claims import Attempt, Learned, TrainingPlan
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import float_above, nearest_float
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import AbstractTarget

CELLS = 16_384  # of an interval: a training point in the middle of each
SAMPLES = 65_536  # training points elsewhere
FRESH = 65_536  # points of the measured error, none of them trained on
HUGE = 1e30
FRESH_SEED = 2**31  # beyond the seeds of plans
SHARP = 8  # the power that stands for sup errors while training
Layers = list[tuple[Array, Array]]


@dataclass(frozen=True)
class _Data:
    """A sample, scaled; x = centre + scale * u, y = middle + size * v."""

    inputs: np.ndarray
    values: np.ndarray
    centre: np.ndarray
    scale: np.ndarray
    middle: float
    size: float


def learn_target(
    problem: Problem,
    depth: int,
    plan: TrainingPlan | None = None,
) -> Learned:
    """Train networks of a depth on a problem, width by width, until one meets it.

    Args:
        depth: affine layers, 2 or more.

    Raises:
        HypothesisError: a depth below 2, or a target that cannot be sampled.
    """
    whole(depth, "depth", least=2, most=200)
    chosen = TrainingPlan() if plan is None else plan
    widths, data = sorted(set(chosen.beside(None))), _data(problem, chosen.seed)
    tried: list[Attempt] = []
    best: tuple[float, Rigour, int, Network, bool] | None = None
    for k, width in enumerate(widths):
        with jax.enable_x64(False):  # float32 whatever JAX's setting
            trained = _train(data, depth, width, chosen, problem.norm)
        network, seed = _best_restart(trained, data, problem.norm)
        error, rigour, met = _measured(network, problem)
        tried.append(Attempt(width, error, chosen.seed + seed))
        if best is None or met or error < best[0]:
            best = (error, rigour, width, network, met)
        line = f"width {width}: error {error:.3g}"
        tell((k + 1) / len(widths), line)
        if met:
            break
    assert best is not None
    error, rigour, width, network, met = best
    seeds = tuple(range(chosen.seed, chosen.seed + chosen.restarts))
    return Learned(width, error, seeds, rigour, met, tuple(tried), network)


def train_from(
    layers: Sequence[tuple[Numbers, Numbers]],
    x: np.ndarray,
    y: np.ndarray,
    plan: TrainingPlan,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Adam on mean squares from given layers [(W, b), ...], in float64.

    Args:
        x: (n, d); batches are drawn from the rows with replacement.
        y: (n,).
        plan: its steps, batch, rate and seed.

    Raises:
        HypothesisError: training diverged.
    """
    with jax.enable_x64(True):
        given = [(jnp.asarray(w), jnp.asarray(b)) for w, b in layers]
        run = jax.jit(partial(_descended, plan=plan, norm="l2"))
        key, rate = jax.random.key(plan.seed), jnp.asarray(plan.rate)
        data = {"x": jnp.asarray(x), "y": jnp.asarray(y)}
        trained = jax.device_get(run(given, key=key, rate=rate, **data))
    if not all(np.isfinite(p).all() for layer in trained for p in layer):
        raise HypothesisError("training diverged; lower the rate")
    return trained


def _data(problem: Problem, seed: int) -> _Data:
    law = problem.law
    if not law.has_mean:
        raise HypothesisError(
            f"under {law}, |x| has no mean: errors of networks that do not vanish far "
            "from 0 are infinite, and sample means do not converge; choose another law"
        )
    if law.setting == "line" and not problem.is_weighted:
        on = law.interval
        start, length = nearest_float(on.start), nearest_float(on.length)
        inputs = start + length * (np.arange(CELLS)[:, None] + 0.5) / CELLS
        centre, scale = np.array([start + length / 2]), np.array([length / 2])
    else:
        inputs = law.sample(SAMPLES, seed)
        centre, scale = inputs.mean(0), inputs.std(0)
        far = np.median(np.abs(inputs - centre), axis=0)
        scale = np.where(np.isfinite(scale) & (scale < 10 * far), scale, far)
    values = _values(problem.target, inputs)
    if not np.isfinite(values).all() or np.abs(values).max() > HUGE:
        raise HypothesisError(
            f"{problem.target} is not finite, or its absolute value is "
            f"above {HUGE:g}, on samples of {law}; it cannot be learned"
        )
    middle, size = float(values.mean()), float(values.std()) or 1.0
    scale = np.where(scale > 0, scale, 1.0)
    inputs = (inputs - centre) / scale
    return _Data(inputs, (values - middle) / size, centre, scale, middle, size)


def _values(target: AbstractTarget, inputs: np.ndarray) -> np.ndarray:
    x = inputs[:, 0] if target.in_dim == 1 else inputs
    return np.asarray(target.floats(x), dtype=np.float64).reshape(len(inputs))


def _train(
    data: _Data, depth: int, width: int, plan: TrainingPlan, norm: str
) -> Layers:
    """Layers with a first axis of restarts, in float32."""
    keys = jax.vmap(lambda s: jax.random.fold_in(jax.random.key(s), width))(
        plan.seed + jnp.arange(plan.restarts)
    )
    share = jnp.where(jnp.arange(plan.restarts) < (plan.restarts + 1) // 2, 1.0, 1 / 3)
    x, y = (jnp.asarray(v, jnp.float32) for v in (data.inputs, data.values))
    run = jax.vmap(partial(_one, depth, width, plan, norm), (0, 0, None, None))
    return jax.jit(run)(keys, share * plan.rate, x, y)


def _one(
    depth: int,
    width: int,
    plan: TrainingPlan,
    norm: str,
    key: Array,
    rate: Array,
    x: Float[Array, "points dim"],
    y: Float[Array, " points"],
) -> Layers:
    layers = _start(jax.random.fold_in(key, 0), x.shape[1], depth, width)
    return _descended(layers, plan, norm, key, rate, x, y)


def _descended(
    layers: Layers,
    plan: TrainingPlan,
    norm: str,
    key: Array,
    rate: Array,
    x: Float[Array, "points dim"],
    y: Float[Array, " points"],
) -> Layers:
    """Adam from given layers."""
    optimiser = optax.scale_by_adam()

    def loss(layers: Layers, at: Array, power: Array) -> Array:
        gap = values(layers, x[at]) - y[at]
        if norm == "l1":
            return jnp.sqrt(gap * gap + 1e-6).mean()
        if norm == "l2":
            return (gap * gap).mean()
        top = jax.lax.stop_gradient(jnp.abs(gap).max()) + 1e-12
        return top**2 * (((gap / top) ** power).mean() + 1e-12) ** (2 / power)

    def step(
        state: tuple[Layers, PyTree], k: Array
    ) -> tuple[tuple[Layers, PyTree], None]:
        layers, memory = state
        draw = jax.random.fold_in(key, k + 1)
        at = jax.random.randint(draw, (plan.batch,), 0, len(x))
        power = jnp.where(2 * k < plan.steps, 2, SHARP)
        slope = jax.grad(loss)(layers, at, power)
        update, memory = optimiser.update(slope, memory, layers)
        h = rate * (1 + jnp.cos(jnp.pi * k / plan.steps)) / 2
        return (jax.tree.map(lambda w, u: w - h * u, layers, update), memory), None

    start = (layers, optimiser.init(layers))
    return lax.scan(step, start, jnp.arange(plan.steps))[0][0]


def _start(key: Array, inputs: int, depth: int, width: int) -> Layers:
    """He's scaling; the kinks of the first layer spread over the inputs."""
    sizes = [inputs, *[width] * (depth - 1), 1]
    layers = []
    for k, (fan, units) in enumerate(pairwise(sizes)):
        w, b = jax.random.split(jax.random.fold_in(key, k))
        weight = (2 / fan) ** 0.5 * jax.random.normal(w, (units, fan))
        bias = jax.random.uniform(b, (units,), minval=-1.0, maxval=1.0)
        layers.append((weight, bias * (1.0 if k == 0 else 0.1)))
    return layers


def values(layers: Layers, x: Float[Array, "points dim"]) -> Float[Array, " points"]:
    """The network at scaled points."""
    for weight, bias in layers[:-1]:
        x = jax.nn.relu(x @ weight.T + bias)
    weight, bias = layers[-1]
    return (x @ weight.T + bias)[:, 0]


def _best_restart(layers: Layers, data: _Data, norm: str) -> tuple[Network, int]:
    """The restart with the least error on the sample."""
    x = jnp.asarray(data.inputs, jnp.float32)
    found = jax.jit(jax.vmap(values, (0, None)))(layers, x)
    gaps = np.abs(np.asarray(found, dtype=np.float64) - data.values)
    gaps = np.where(np.isfinite(gaps), gaps, np.inf)
    sizes = gaps.max(1) if norm == "linf" else (gaps ** int(norm[1:])).mean(1)
    best = int(np.argmin(sizes))
    if not np.isfinite(sizes[best]):
        raise HypothesisError("training diverged in every restart; lower the rate")
    return _network([(w[best], b[best]) for w, b in layers], data), best


def _network(layers: Layers, data: _Data) -> Network:
    """Float64 weights with the scales folded in."""
    arrays = [np.asarray(p, dtype=np.float64) for layer in layers for p in layer]
    arrays[0] = arrays[0] / data.scale
    arrays[1] = arrays[1] - arrays[0] @ data.centre
    arrays[-2], arrays[-1] = data.size * arrays[-2], data.size * arrays[-1]
    arrays[-1] = arrays[-1] + data.middle
    return Network.from_arrays(*arrays)


def _measured(network: Network, problem: Problem) -> tuple[float, Rigour, bool]:
    """The error: on an interval as the examiner finds it, else on fresh samples."""
    if problem.is_weighted and problem.law.setting == "line":
        found = line_error(network, problem)
        if isinstance(found, Enclosure):
            met = found.is_at_most(problem.accuracy)
            return float_above(found.upper), found.rigour, met
    elif problem.law.setting == "line":
        on, norm, target = problem.interval, problem.norm, problem.line_target
        try:
            seen = inspect(network, on, target=target, norm=norm, seconds=inf)
        except DepthsepError:  # too large, undecided, unknown: sampled, and said so
            pass
        else:
            assert seen.distance is not None
            met = seen.distance.is_at_most(problem.accuracy)
            return float_above(seen.distance.upper), seen.distance.rigour, met
    error = _sampled(network, problem)
    return error, Rigour.SAMPLED, error <= nearest_float(problem.accuracy)


def _sampled(network: Network, problem: Problem) -> float:
    inputs = problem.law.sample(FRESH, FRESH_SEED)
    gaps = np.abs(network.floats(inputs)[:, 0] - _values(problem.target, inputs))
    if problem.norm == "linf":
        return float(gaps.max())
    return float(gaps.mean() if problem.norm == "l1" else np.sqrt((gaps**2).mean()))
