r"""Staircases on signs: how three layers climb from one monomial to the next.

chi_k(x) = x_1 ... x_k on {-1, 1}^d. The target is the staircase chi_1 + ... + chi_K, or
its top chi_K alone. The network, in mean-field scaling, is

    F_i = relu(w_i.x + b_i),  G_j = relu((1/m) sum_i v_ji F_i + e_j),
    f = (1/m2) sum_j a_j G_j + c,

trained by gradient descent on the mean over all 2^d points: nothing is drawn but the
start. Particles move with velocity -m dL/dw whatever the widths are.

Source:
    The lecture notes point, before 5.2, to the merged-staircase property of Abbe,
    Boix-Adsera and Misiakiewicz (2022) and to the backward feature correction of
    Allen-Zhu and Li; the experiment is ours.
"""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole
from depthsep._progress import tell
from depthsep.evidence import Rigour

TARGETS = ("stairs", "top")
MOST_INPUTS = 14  # 2^d points are looked at in every step
HALF = 0.5


@dataclass(frozen=True)
class Staircase:
    """What is learned, and how.

    Attributes:
        dim: d, up to 14; `stairs`: K, from 1 to d.
        width, second: units of the first and the second layer.
        target: stairs, chi_1 + ... + chi_K; or top, chi_K alone.
        frozen: the time from which the first layer is left as it is; None for never.
        step, time: of gradient descent, time / step steps to the nearest whole number;
            recorded `records` times, and at the start.
    """

    dim: int = 10
    stairs: int = 4
    width: int = 64
    second: int = 32
    target: str = "stairs"
    frozen: float | None = None
    step: float = 0.02
    time: float = 24.0
    records: int = 60
    seed: int = 0

    def __post_init__(self) -> None:
        whole(self.dim, "dim", least=1, most=MOST_INPUTS)
        whole(self.stairs, "stairs", least=1, most=self.dim)
        for name, most in (("width", 4096), ("second", 1024), ("records", 10**4)):
            whole(getattr(self, name), name, least=1, most=most)
        whole(self.seed, "seed", most=2**31 - 1)
        if self.target not in TARGETS:
            raise HypothesisError(
                f"`target` is {self.target!r}; choose {', '.join(TARGETS)}"
            )
        if not 0 < real(self.step, "step") <= real(self.time, "time"):
            raise HypothesisError("`step` must be above 0 and at most `time`")
        if not self.records <= self.time / self.step * (1 + 1e-9) <= 10**7:
            raise HypothesisError(
                f"`time` / `step` is {self.time / self.step:.4g} and "
                f"`records` is {self.records}; `time` / `step` must be "
                "at least `records` and at most 1e7"
            )
        if self.frozen is not None:
            real(self.frozen, "frozen", least=0)

    @property
    def steps(self) -> int:
        """Of the descent."""
        return round(self.time / self.step)


class Layers(NamedTuple):
    """Weights of both layers, also their velocities."""

    first: Float[Array, "width dim"]
    biases: Float[Array, " width"]
    second: Float[Array, "second width"]
    offsets: Float[Array, " second"]
    scales: Float[Array, " second"]
    level: Float[Array, ""]


@dataclass(frozen=True, eq=False)
class StaircaseRun:
    """A run at its records, r of them; means over all points, so exact but for floats.

    Attributes:
        times, loss: (r,); the loss is half the mean square.
        coefficients: (r, K), E f chi_k.
        features: (r, K), the share of chi_k that the best linear readout of the first
            layer explains, from 0 to 1.
        parts: (r, second, K), a_j E[G_j chi_k] / m2: what each unit of the second layer
            adds to each coefficient; they sum to `coefficients`.
        weights: at the end.
    """

    task: Staircase
    times: np.ndarray
    loss: np.ndarray
    coefficients: np.ndarray
    features: np.ndarray
    parts: np.ndarray
    weights: Layers
    rigour: Rigour = Rigour.SAMPLED

    @property
    def reached(self) -> tuple[float | None, ...]:
        """For each stair the first record's time with a coefficient of 1/2 or more."""
        above = self.coefficients >= HALF
        return tuple(
            float(self.times[column.argmax()]) if column.any() else None
            for column in above.T
        )

    @property
    def split(self) -> np.ndarray:
        """(r,), how far units keep to one stair: 1/K if to none, 1 if to one each.

        The mean over units, weighted by what they add, of the largest share that one
        stair has in what a unit adds (absolute values).
        """
        sizes = np.abs(self.parts)
        whole = sizes.sum(axis=(1, 2))
        return sizes.max(axis=2).sum(axis=1) / np.where(whole > 0, whole, 1.0)


def learn_staircase(task: Staircase) -> StaircaseRun:
    """Train a network on a staircase.

    Raises:
        HypothesisError: training diverged; a smaller step helps.
    """
    with jax.enable_x64(True):
        points, stairs = _points(task)
        layers = starting_layers(task)
        move = partial(_moved, points=points, goal=_goal(task, stairs))
        look = partial(_looked, points=points, stairs=stairs)
        places = np.linspace(0, task.steps, task.records + 1).round().astype(int)
        frozen = (
            task.steps
            if task.frozen is None
            else round(min(task.frozen, task.time) / task.step)
        )
        rows = [jax.device_get(look(layers))]
        for k, (done, upto) in enumerate(pairwise(places)):
            middle = int(np.clip(frozen, done, upto))
            for count, rate in ((middle - done, 1.0), (upto - middle, 0.0)):
                layers = move(layers, count, task.step, rate)
            rows.append(jax.device_get(look(layers)))
            tell((k + 1) / task.records, f"half-MSE {_loss_of(rows[-1], task):.3g}")
        coefficients, _, features, parts = map(np.array, zip(*rows, strict=True))
        end = jax.device_get(layers)
    loss = np.array([_loss_of(row, task) for row in rows])
    if not np.isfinite(loss).all():
        raise HypothesisError("training diverged; use a smaller step")
    return StaircaseRun(
        task, places * task.step, loss, coefficients, features, parts, end
    )


def starting_layers(task: Staircase) -> Layers:
    """The start: w of variance 1/d, all else of variance 1 or small."""
    keys = jax.random.split(jax.random.key(task.seed), 4)
    draw = partial(jax.random.normal, dtype=jnp.float64)
    return Layers(
        draw(keys[0], (task.width, task.dim)) / task.dim**0.5,
        draw(keys[1], (task.width,)) / 10,
        draw(keys[2], (task.second, task.width)),
        jnp.full(task.second, 0.1),
        draw(keys[3], (task.second,)),
        jnp.zeros(()),
    )


def _points(task: Staircase) -> tuple[Array, Array]:
    """All points, (2^d, d), and the stairs on them, (K, 2^d)."""
    bits = (jnp.arange(1 << task.dim)[:, None] >> jnp.arange(task.dim)) & 1
    points = 1.0 - 2.0 * bits
    return points, jnp.cumprod(points, axis=1)[:, : task.stairs].T


def _goal(task: Staircase, stairs: Array) -> Array:
    return stairs[-1] if task.target == "top" else stairs.sum(axis=0)


def _units(layers: Layers, points: Array) -> tuple[Array, Array]:
    """The first and the second layer's units at points."""
    first = jax.nn.relu(points @ layers.first.T + layers.biases)
    before = first @ layers.second.T / first.shape[1] + layers.offsets
    return first, jax.nn.relu(before)


def _output(layers: Layers, second: Array) -> Array:
    return second @ layers.scales / second.shape[1] + layers.level


# points and goal are arguments, not constants: one compilation serves all of a size
@jax.jit
def _moved(
    layers: Layers, count: Array, h: float, rate: Array, *, points: Array, goal: Array
) -> Layers:
    """So many steps; `rate` of the first layer."""
    m, m2 = len(layers.biases), len(layers.scales)
    sizes = Layers(rate * m, rate * m, 1.0 * m * m2, 1.0 * m2, 1.0 * m2, 1.0)  # type: ignore[arg-type]

    def loss(layers: Layers) -> Array:
        gap = goal - _output(layers, _units(layers, points)[1])
        return (gap**2).mean() / 2

    def once(_: Array, now: Layers) -> Layers:
        slopes = jax.grad(loss)(now)
        return jax.tree.map(lambda w, g, s: w - h * s * g, now, slopes, sizes)

    return lax.fori_loop(0, count, once, layers)


_Look = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@jax.jit
def _looked(
    layers: Layers, *, points: Array, stairs: Array
) -> tuple[Array, Array, Array, Array]:
    """Coefficients, E f and E f^2, features, and parts."""
    first, second = _units(layers, points)
    output = _output(layers, second)
    rows = jnp.concatenate([first, jnp.ones((len(first), 1))], axis=1)
    gram = rows.T @ rows / len(rows)
    cross = rows.T @ stairs.T / len(rows)
    fitted = jnp.linalg.pinv(gram, rtol=1e-10, hermitian=True) @ cross
    features = (cross * fitted).sum(axis=0)  # E chi_k^2 = 1
    parts = (stairs @ second).T / len(points) * layers.scales[:, None] / len(second.T)
    moments = jnp.stack([output.mean(), (output**2).mean()])
    return stairs @ output / len(points), moments, features, parts


def _loss_of(row: _Look, task: Staircase) -> float:
    """Half the mean square, from the coefficients: the stairs are orthonormal."""
    coefficients, moments, _, _ = row
    wanted = coefficients[-1:] if task.target == "top" else coefficients
    return float(moments[1] - 2 * wanted.sum() + len(wanted)) / 2
