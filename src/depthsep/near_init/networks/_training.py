"""Gradient descent of a finite network, beside its linearisation."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, real, whole
from depthsep._progress import tell
from depthsep.near_init import _inputs as inputs
from depthsep.near_init.networks._dense import DenseNetwork
from depthsep.near_init.networks._initialisations import Layer
from depthsep.near_init.networks._linearise import distance, linearise


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A training run at its recorded steps: `sampled`, r records.

    Attributes:
        steps: (r,), the first is 0.
        loss: (r,), (1/2) sum_i (f(x_i) - y_i)^2.
        values: (r, k), the network at the points.
        linearised: (r, k), F_0 at the same points and the network's own parameters.
        distance: (r,), Frobenius distance of all trained parameters from the start.
        longest: (r,), the largest move of one row of the first layer.
        layers: the parameters at the end.
    """

    steps: np.ndarray
    loss: np.ndarray
    values: np.ndarray
    linearised: np.ndarray
    distance: np.ndarray
    longest: np.ndarray
    layers: tuple[Layer, ...]

    @property
    def gap(self) -> np.ndarray:
        """max over points of |F - F_0| at every record, (r,)."""
        return np.abs(self.values - self.linearised).max(axis=1)


def descend(
    network: DenseNetwork,
    layers: Sequence[Layer],
    x: object,
    y: object,
    points: object,
    *,
    rate: float,
    steps: Sequence[int],
    trained: Sequence[int] | None = None,
) -> Trajectory:
    """Full-batch gradient descent on (1/2) sum_i (f(x_i) - y_i)^2.

    Args:
        x: (n, d).
        y: (n,): one output.
        points: (k, d), where values are recorded.
        steps: when to record, increasing; 0 is added.
        trained: layers counted from 1; all if None.

    Raises:
        HypothesisError: steps or layers out of range, shapes that do not fit, a rate
            with which the loss leaves the floats.
    """
    marks = sorted({0, *(whole(s, "a step") for s in steps)})
    every = range(1, len(layers) + 1)
    most, chosen = len(layers), every if trained is None else trained
    chosen = tuple(whole(t, "a trained layer", least=1, most=most) - 1 for t in chosen)
    if not real(rate, "rate") > 0:
        raise HypothesisError(f"`rate` is {rate}; give a positive number")
    at, seen = (jnp.asarray(inputs.points(v, "points")) for v in (x, points))
    goal = jnp.asarray(floats(y, "y", ndim=1))
    if not len(seen):
        raise HypothesisError("give at least one point to record values at")
    start = jax.tree.map(jnp.asarray, tuple(layers))
    shape = jax.eval_shape(network, start, at).shape
    if shape != goal.shape:
        raise HypothesisError(
            f"the network gives shape {shape} and the targets have "
            f"{goal.shape}; these must agree"
        )
    now, records = start, []
    for before, mark in zip([0, *marks[:-1]], marks, strict=True):
        now = _advance(network, chosen, now, at, goal, rate, mark - before)
        records.append(_record(network, start, now, at, goal, seen))
        if not np.isfinite(records[-1][0]):
            raise HypothesisError(f"the loss diverged by step {mark}; lower the rate")
        tell(mark / max(marks[-1], 1), f"step {mark}")
    loss, values, linear, moved, longest = (
        np.array([r[k] for r in records]) for k in range(5)
    )
    ends = jax.tree.map(np.asarray, now)
    return Trajectory(np.array(marks), loss, values, linear, moved, longest, ends)


def _record(
    network: DenseNetwork,
    start: Sequence[Layer],
    now: Sequence[Layer],
    x: Array,
    y: Array,
    points: Array,
) -> tuple[float, np.ndarray, np.ndarray, float, float]:
    loss = float(((network(now, x) - y) ** 2).sum() / 2)
    values = np.asarray(network(now, points))
    linear = np.asarray(linearise(network, start)(now, points))
    moved = np.linalg.norm(np.asarray(now[0].weight - start[0].weight), axis=1)
    return loss, values, linear, float(distance(now, start)), float(moved.max())


@partial(jax.jit, static_argnums=(0, 1))
def _advance(
    network: DenseNetwork,
    chosen: tuple[int, ...],
    layers: tuple[Layer, ...],
    x: Array,
    y: Array,
    rate: float,
    steps: int,
) -> tuple[Layer, ...]:
    def loss(part: list[Layer]) -> Array:
        return ((network(_merged(layers, chosen, part), x) - y) ** 2).sum() / 2

    def step(_: Array, part: list[Layer]) -> list[Layer]:
        slope = jax.grad(loss)(part)
        return jax.tree.map(lambda w, g: w - rate * g, part, slope)

    moved = jax.lax.fori_loop(0, steps, step, [layers[c] for c in chosen])
    return _merged(layers, chosen, moved)


def _merged(
    layers: Sequence[Layer], chosen: Sequence[int], part: Sequence[Layer]
) -> tuple[Layer, ...]:
    found = list(layers)
    for c, layer in zip(chosen, part, strict=True):
        found[c] = layer
    return tuple(found)
