r"""The acceleration experiment: does depth speed up gradient descent on l_p regression?

A linear model is trained as such, as a product of two or three layers (vector and
scalars), and by momentum, Adam, AdaGrad and Adadelta, each at the best of many rates.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jaxtyping import Array, Float, Int, PyTree

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, real, whole
from depthsep._plural import plural
from depthsep._progress import tell
from depthsep.dynamics.linear._regression import Regression, least_loss
from depthsep.evidence import Rigour

OPTIMISERS: dict[str, Callable[[], optax.GradientTransformation]] = {
    "descent": lambda: optax.sgd(1.0),
    "momentum": lambda: optax.sgd(1.0, momentum=0.9),
    "adam": lambda: optax.adam(1.0),
    "adagrad": lambda: optax.adagrad(1.0),
    "adadelta": lambda: optax.adadelta(1.0),
}
CHUNKS = 100


@dataclass(frozen=True)
class AccelerationPlan:
    """How to run the experiment.

    Attributes:
        power: p of the loss (1/p) mean |x w - y|^p.
        depths: layers of plain gradient descent.
        optimisers: out of momentum, adam, adagrad and adadelta; they train one layer.
        deep: pairs (layers, optimiser), such as (2, "momentum"), of products.
        steps: of every method.
        rates: how many, spaced evenly in the logarithm from `least` to `most`.
        start: |w| at the start, near 0; layers of a product share it evenly.
        targets: a method is timed by the steps to these multiples of the least loss;
            where that is 0, to these less 1, as shares of the loss at the start.
    """

    power: int = 4
    depths: tuple[int, ...] = (1, 2, 3)
    optimisers: tuple[str, ...] = ("momentum", "adam", "adagrad", "adadelta")
    steps: int = 4000
    rates: int = 41
    least: float = 1e-6
    most: float = 1e1
    start: float = 1e-2
    targets: tuple[float, ...] = (2.0, 1.1, 1.01)
    seed: int = 0
    deep: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        whole(self.power, "power", least=2, most=16)
        whole(self.steps, "steps", least=CHUNKS, most=10**8)
        whole(self.rates, "rates", least=2, most=1000)
        given = np.ravel(np.asarray(self.depths, dtype=object)).tolist()
        object.__setattr__(self, "depths", tuple(given))
        object.__setattr__(self, "targets", tuple(np.ravel(self.targets).tolist()))
        depths = [whole(n, "a depth", least=1) for n in given]
        names = tuple(self.optimisers)
        object.__setattr__(self, "optimisers", names)
        self._read_deep()
        if len(set(depths)) < len(depths) or not (depths or names or self.deep):
            raise HypothesisError("give one or more depths, each once, such as 1, 2, 3")
        asked = [*names, *dict.fromkeys(name for _, name in self.deep)]
        unknown = [str(n) for n in asked if n not in OPTIMISERS or n == "descent"]
        if unknown or len(set(names)) < len(names):
            raise HypothesisError(
                f"`optimisers` and `deep` name {', '.join(map(str, asked))}; choose "
                "from momentum, adam, adagrad, adadelta, each once in `optimisers`"
            )
        if not 0 < real(self.least, "least") < real(self.most, "most"):
            raise HypothesisError("`least` must be above 0 and below `most`")
        targets = np.asarray(floats(self.targets, "targets")).ravel()
        if real(self.start, "start") <= 0 or not len(targets) or targets.min() <= 1:
            raise HypothesisError(
                "give a positive `start` and one or more `targets`, all above 1"
            )
        whole(self.seed, "seed", most=2**31 - 1)

    def _read_deep(self) -> None:
        try:
            pairs = tuple((n, str(name)) for n, name in self.deep)
        except (TypeError, ValueError):
            raise HypothesisError('deep: give pairs such as (2, "momentum")') from None
        for n, _ in pairs:
            whole(n, "the number of layers in `deep`", least=2)
        if len(set(pairs)) < len(pairs):
            raise HypothesisError("deep: give each pair once")
        object.__setattr__(self, "deep", pairs)

    @property
    def methods(self) -> tuple[tuple[str, int, str], ...]:
        """All methods: a label, the layers, the optimiser."""
        return (
            *((plural(n, "layer"), n, "descent") for n in self.depths),
            *((name, 1, name) for name in self.optimisers),
            *((f"{plural(n, 'layer')}, {name}", n, name) for n, name in self.deep),
        )


@dataclass(frozen=True, eq=False)
class Descent:
    """One method at its best rate: `sampled`.

    Attributes:
        method: such as "2 layers", "adam" or "2 layers, adam".
        rate: with the least loss at the end.
        losses: at that rate, at 101 evenly spaced steps, the first before any.
        steps_to: steps until the loss is within each target for good; -1 if never.
        rates_to: the rate that gets there first, for each target on its own; None if
            none does.
        at_edge: one of these rates is the smallest or largest tried, so that others
            may be better (targets met at the start aside).
    """

    method: str
    rate: float
    losses: np.ndarray = field(repr=False)
    steps_to: tuple[int, ...]
    rates_to: tuple[float | None, ...]
    at_edge: bool
    rigour: Rigour = Rigour.SAMPLED


@dataclass(frozen=True, eq=False)
class Acceleration:
    """The methods side by side on one regression.

    Attributes:
        digest: of the file of the data; empty if they come from none.
        best_loss: the least loss of the convex problem, by a trust-region method; 0
            where the data are realisable.
        steps: of the records of `losses`.
    """

    data: str
    plan: AccelerationPlan
    best_loss: float
    steps: np.ndarray = field(repr=False)
    methods: tuple[Descent, ...]
    digest: str = ""

    def goal(self, share: str) -> str:
        """What a target asks for; `share` is a percentage, or what stands for it."""
        if self.best_loss:
            return f"within {share} of the least loss"
        return f"at or below {share} of the loss at the start"

    def verdict(self) -> str:
        """Which method came first to the last target, and whether depth helped."""
        plan = self.plan
        timed = {m.method: m.steps_to[-1] for m in self.methods if m.steps_to[-1] >= 0}
        goal = self.goal(f"{100 * (plan.targets[-1] - 1):g} %")
        if not timed:
            return f"no method was {goal} after {plural(plan.steps, 'step')}"
        best = min(timed, key=lambda k: timed[k])
        names = [plural(n, "layer") for n in plan.depths if n > 1]
        deep = min((timed[n] for n in names if n in timed), default=None)
        helped = _helped(timed.get(plural(1, "layer")), deep, plan)
        for name in dict.fromkeys(name for _, name in plan.deep):
            helped += self._optimiser_helped(name, timed)
        return f"{goal}: {best} came first ({plural(timed[best], 'step')}); {helped}"

    def _optimiser_helped(self, name: str, timed: dict[str, int]) -> str:
        """Depth and an optimiser together, against that optimiser on one layer."""
        both = [timed[m] for m in timed if m.endswith(f", {name}")]
        if name not in self.plan.optimisers or not (both and name in timed):
            return ""
        return (
            f"; with {name}, the fastest deeper product took "
            f"{plural(min(both), 'step')}, and one layer took {timed[name]}"
        )


def _helped(plain: int | None, deep: int | None, plan: AccelerationPlan) -> str:
    if 1 not in plan.depths or max(plan.depths) == 1:
        return "one layer and deeper products were not both run"
    most = plural(plan.steps, "step")
    if deep is None:
        if plain is None:
            return "neither one layer nor a deeper product came that close"
        return (
            "depth did not help: no deeper product came that close in "
            f"{most}, and one layer did in {plain}"
        )
    if plain is None:
        return (
            f"depth helped: a deeper product took {plural(deep, 'step')}, and one "
            f"layer did not come that close in {plan.steps}"
        )
    word = "helped" if deep < plain else "did not help"
    return (
        f"depth {word}: a deeper product took {plural(deep, 'step')}, "
        f"and one layer took {plain}"
    )


def accelerate(
    data: Regression,
    plan: AccelerationPlan | None = None,
) -> Acceleration:
    """Run every method at every rate, and keep each at its best.

    Raises:
        HypothesisError: inputs that are not (n, d) and (n,), or not finite.
    """
    chosen = AccelerationPlan() if plan is None else plan
    x = floats(data.inputs, "the inputs", ndim=2).astype(np.float64)
    y = floats(data.values, "the values", ndim=1).astype(np.float64)
    if len(x) != len(y) or not x.size:
        raise HypothesisError(
            f"the numbers of inputs and values are {len(x)} and "
            f"{len(y)}; give one value for each input, at least one of "
            "each, and at least one number in each input"
        )
    rates = np.geomspace(chosen.least, chosen.most, chosen.rates)
    methods = chosen.methods
    with jax.enable_x64(True):
        best = least_loss(x, y, chosen.power)
        found = []
        for k, (label, depth, name) in enumerate(methods):
            given = (jnp.asarray(v) for v in (x, y, rates))
            tried = _descents(*given, jnp.asarray(best), chosen, depth, name)
            found.append(_best(label, rates, jax.device_get(tried), chosen))
            tell((k + 1) / len(methods), f"{label} on {data.name}")
    steps = _places(chosen.steps)
    return Acceleration(data.name, chosen, best, steps, tuple(found), data.digest)


def _places(steps: int) -> np.ndarray:
    """The steps of the records."""
    return np.linspace(0, steps, CHUNKS + 1).round().astype(int)


class _Descents(NamedTuple):
    """One method at every rate.

    Attributes:
        losses: (rates, 101), as in `Descent`; NaN from where one was not finite.
        reached: (rates, targets), the first step from which on the loss stays at or
            below each level; more than all steps if none.
    """

    losses: Float[Array, "rates places"]
    reached: Int[Array, "rates targets"]


_State = tuple[tuple[Array, Array], PyTree, Array, Array]
"""Layers, the optimiser's memory, steps to each level, whether all was finite."""


@partial(jax.jit, static_argnames=("plan", "depth", "name"))
def _descents(
    x: Array,
    y: Array,
    rates: Array,
    best: Array,
    plan: AccelerationPlan,
    depth: int,
    name: str,
) -> _Descents:
    """Records alone are kept, however many the steps."""
    optimiser = OPTIMISERS[name]()
    direction = jax.random.normal(jax.random.key(plan.seed), (x.shape[1],))
    share = plan.start ** (1 / depth)
    first = share * direction / jnp.linalg.norm(direction)
    layers = (first, jnp.full(depth - 1, share))

    def loss(layers: tuple[Array, Array]) -> Array:
        w = layers[0] * layers[1].prod()
        return (jnp.abs(x @ w - y) ** plan.power).mean() / plan.power

    targets = jnp.asarray(plan.targets)
    levels = jnp.where(best > 0, targets * best, (targets - 1) * loss(layers))

    def one(rate: Array) -> _Descents:
        def step(k: Array, state: _State) -> _State:
            layers, memory, reached, fine = state
            value, slope = jax.value_and_grad(loss)(layers)
            reached = jnp.where(value <= levels, reached, k + 1)
            update, memory = optimiser.update(slope, memory, layers)
            update = jax.tree.map(lambda u: rate * u, update)
            ahead = jax.tree.map(jnp.add, layers, update)
            return ahead, memory, reached, fine & jnp.isfinite(value)

        def record(state: _State, ends: tuple[Array, Array]) -> tuple[_State, Array]:
            state = lax.fori_loop(*ends, step, state)
            value = loss(state[0])
            return state, jnp.where(state[3] & jnp.isfinite(value), value, jnp.nan)

        never = jnp.zeros(levels.shape, int)
        start = (layers, optimiser.init(layers), never, jnp.asarray(True))
        end, losses = lax.scan(record, start, (places[:-1], places[1:]))
        losses = jnp.append(loss(layers), losses)
        reached = jnp.where(losses[-1] <= levels, end[2], plan.steps + 1)
        return _Descents(losses, reached)

    places = jnp.asarray(_places(plan.steps))
    return jax.vmap(one)(rates)


def _best(
    label: str, rates: np.ndarray, tried: _Descents, plan: AccelerationPlan
) -> Descent:
    ends = np.asarray(tried.losses)[:, -1]
    k = int(np.argmin(np.where(np.isfinite(ends), ends, np.inf)))
    reached = np.asarray(tried.reached)
    first = [int(t) for t in reached.argmin(axis=0)]
    steps = [int(reached[r, t]) for t, r in enumerate(first)]
    known = [n <= plan.steps for n in steps]
    used = {k, *(r for r, n in zip(first, steps, strict=True) if 0 < n <= plan.steps)}
    return Descent(
        label,
        float(rates[k]),
        np.asarray(tried.losses[k]),
        tuple(n if fine else -1 for n, fine in zip(steps, known, strict=True)),
        tuple(
            float(rates[r]) if f else None for r, f in zip(first, known, strict=True)
        ),
        not used.isdisjoint({0, len(rates) - 1}),
    )
