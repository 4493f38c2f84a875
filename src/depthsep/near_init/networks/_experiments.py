"""Experiments: training beside kernel prediction, finite kernels beside the limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, real, whole
from depthsep._progress import followed
from depthsep.exact import rational
from depthsep.near_init import _inputs as inputs
from depthsep.near_init.bounds._linear_bounds import relu_bounds_along
from depthsep.near_init.bounds._shallow import largest_error_from_start
from depthsep.near_init.kernels._kernel import TangentKernel
from depthsep.near_init.kernels._regression import LinearTraining
from depthsep.near_init.networks._dense import finite_network
from depthsep.near_init.networks._training import Trajectory, descend

FIRST_LAYER = TangentKernel("relu", 2, trained=(1,))


@dataclass(frozen=True, eq=False)
class Comparison:
    """A trained network beside its linearisation, at r recorded steps and k points.

    The network is sum_j a_j relu(v_j . x) / sqrt(m), in symmetrised pairs, so that it
    starts at 0; only the rows move.

    Attributes:
        run: what gradient descent did; its `gap` is max over points of |F - F_0|.
        predicted: (r, k), training of the linearisation in closed form, from k_m.
        limit: (r, k), the same from k_inf.
        worst: (r,), the largest gap of any V at that distance, for this draw and these
            points: exact up to float64.
        bound: (r,), what is proved for the gap before the draw, for all steps and
            points at once, with probability 1 - delta (distances as measured).
    """

    width: int
    rate: float
    run: Trajectory
    predicted: np.ndarray
    limit: np.ndarray
    worst: np.ndarray
    bound: np.ndarray
    delta: fmpq
    seed: int

    @property
    def gap(self) -> np.ndarray:
        """max over points of |F - F_0| at every record, (r,)."""
        return self.run.gap


def compare(
    x: object,
    y: object,
    points: object,
    width: int,
    *,
    steps: Sequence[int],
    seed: int = 0,
    rate: float | None = None,
    delta: object = "1/100",
) -> Comparison:
    """Train on (x, y) by gradient descent and predict it, at the points.

    Args:
        x: (n, d).
        y: (n,).
        points: (k, d), of norm at most 1.
        width: m, even.
        steps: when to record.
        rate: half of the largest stable rate of k_m if None.

    Raises:
        HypothesisError: points outside the unit ball, an odd width.
    """
    at, seen = (inputs.points(v, "points").astype(float) for v in (x, points))
    goal = floats(y, "y", ndim=1).astype(float)
    width, seed = whole(width, "width", least=1), whole(seed, "seed")
    if np.linalg.norm(seen, axis=1).max() > 1 + 1e-12:
        raise HypothesisError(
            "the bounds are for points of length at most 1; scale the points down"
        )
    level = rational(delta, name="delta")
    net, layers = finite_network(
        FIRST_LAYER, at.shape[1], width, seed, init="symmetrised"
    )
    training = LinearTraining(net.kernel(layers, at)[0], goal)
    h = training.largest_rate / 2 if rate is None else real(rate, "rate")
    training.descent(0, h)  # refuses a rate that diverges
    follow = partial(descend, rate=h, steps=steps, trained=(1,))
    run = follow(net, layers, at, goal, seen)
    limit = LinearTraining(FIRST_LAYER(at), goal)
    bounds = relu_bounds_along(
        width, run.distance.tolist(), len(seen), level, units_per_row=2
    )
    start, signs = layers[0].weight, layers[1].weight[0]
    worst = [
        largest_error_from_start(signs, start, seen, float(d)) for d in run.distance
    ]
    return Comparison(
        width,
        h,
        run,
        _path(net.kernel(layers, seen, at)[0], training, run.steps, h),
        _path(FIRST_LAYER(seen, at), limit, run.steps, h),
        width**-0.5 * np.array(worst),
        width**-0.5 * np.array(bounds),
        level,
        seed,
    )


def _path(
    cross: np.ndarray, training: LinearTraining, steps: np.ndarray, rate: float
) -> np.ndarray:
    return np.array([cross @ training.descent(int(s), rate) for s in steps])


@dataclass(frozen=True)
class KernelError:
    """How far kernels of one width are from their limit: `sampled`.

    Attributes:
        mean_squared_error: over seeds and pairs of points.
        standard_error: of that mean, from the spread over seeds.
    """

    width: int
    mean_squared_error: float
    standard_error: float
    seeds: int


def kernel_error(kernel: TangentKernel, x: object, width: int, seed: int) -> float:
    """The mean square of k_m - k_inf over the pairs of x, for one random network."""
    points, layers = np.asarray(x, dtype=float), range(1, kernel.depth + 1)
    limit = kernel(points)
    network, start = finite_network(kernel, points.shape[1], width, seed)
    parts = network.kernel(start, points)
    trained = layers if kernel.trained is None else kernel.trained
    gap = sum((parts[h - 1] for h in trained), 0 * limit) - limit
    return float((gap**2).mean())


def kernel_errors(
    kernel: TangentKernel,
    x: object,
    widths: Sequence[int],
    *,
    seeds: int = 8,
) -> list[KernelError]:
    """k_m against k_inf on the pairs of x, for random networks of every width.

    Raises:
        HypothesisError: no width, or fewer than two seeds.
    """
    if not len(widths) or seeds < 2:
        raise HypothesisError("give at least one width and at least two seeds")
    found = []
    for width in followed(widths, len(widths), lambda m: f"width {m}"):
        squares = [kernel_error(kernel, x, width, seed) for seed in range(seeds)]
        spread = float(np.std(squares, ddof=1)) / seeds**0.5
        found.append(KernelError(width, float(np.mean(squares)), spread, seeds))
    return found
