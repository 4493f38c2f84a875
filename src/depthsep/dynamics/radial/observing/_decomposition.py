r"""The loss in three terms, and what each does to alpha, N and the weights.

With f~ a radial function near f, L = L1 + L2 + X: L1 = E(f* - f~)^2 / 2 is the fit,
L2 = E(f - f~)^2 / 2 the spread, X = -E(f* - f~)(f - f~) the cross term. f~ is either
the second layer of alpha|x| (the infinite-width network) or the symmetrisation of f;
they differ, and only for the second is X = 0.
"""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep.dynamics.radial._constants import relu_mean_float
from depthsep.dynamics.radial.network._layout import tiles_for
from depthsep.dynamics.radial.network._network import Directions, RadialNetwork
from depthsep.dynamics.radial.network._parts import PartKernel, part_kernel
from depthsep.dynamics.radial.network._spread import alphas, double_sum
from depthsep.dynamics.radial.network._tiles import Tiles, backward, forward
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.observing._first_layer_rates import (
    ratio_rates,
    spread_by_mean_slope,
)
from depthsep.dynamics.radial.observing._gradients import cosines, inner
from depthsep.dynamics.radial.observing._subspace_terms import (
    subspace_spread,
    subspace_terms,
)
from depthsep.dynamics.radial.radius._cells import cells, square_mean
from depthsep.dynamics.radial.radius._responses import (
    product_mean,
    responses,
    responses_in,
)
from depthsep.dynamics.radial.radius._units import Units, joined, negative
from depthsep.dynamics.radial.task._draws import TEST
from depthsep.dynamics.radial.task._start import directions_of, goal_of
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.evidence import Inapplicable, Rigour


class Terms(NamedTuple):
    """One number for the fit L1, the spread L2 and the cross term X."""

    fit: float
    spread: float
    cross: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.fit + self.spread + self.cross


class RatioRates(NamedTuple):
    """One number a unit vector for the fit, the spread and the cross term."""

    fit: np.ndarray
    spread: np.ndarray
    cross: np.ndarray


class Cosines(NamedTuple):
    """Between the gradients of the terms in the first layer; NaN where one is 0."""

    fit_spread: float
    fit_cross: float
    spread_cross: float


@dataclass(frozen=True)
class Decomposition:
    """The three terms of a network: exact in the radius, sampled in the directions.

    Attributes:
        loss: half the mean square of f* - f.
        terms: with f~ the infinite-width network of the same alpha; of a subspace
            target that of F, averaged over rotations of both parts.
        symmetrised: with f~ the symmetrisation of f; None for subspace targets.
        spread: N, by the double sum; of a subspace target E(F - F~)^2 / E F~^2 on the
            directions.
        spread_rate: dN/dt by term; `alpha_rate`: d alpha/dt by term. With one channel
            and a radial target the fit never moves N: its gradient is along w.
        cosines: between the gradients of the terms.
        slope_deviation, offset_deviation: of the second layer.
        spread_by_mean_slope: the spread term as the sources approximate it, by the mean
            slope; None of several channels and subspace targets.
        ratio_rate: d/dt of F(u) / alpha by term, arrays over the unit vectors that were
            given; None without, and of subspace targets. The fit's is 0.
    """

    loss: float
    terms: Terms
    symmetrised: Terms | None
    alpha: float
    spread: float
    spread_rate: Terms
    alpha_rate: Terms
    cosines: Cosines
    slope_deviation: float
    offset_deviation: float
    spread_by_mean_slope: float | None = None
    ratio_rate: "RatioRates | None" = None
    rigour: Rigour = Rigour.SAMPLED


def decompose(
    network: RadialNetwork,
    task: RadialTask,
    *,
    pairs: int = 2048,
    directions: Directions | None = None,
    points: object = None,
) -> Decomposition:
    """Split the loss of a network on fresh directions (or given ones), in float64.

    Args:
        points: unit vectors at which the rates of F / alpha are given, (points, dim).

    Raises:
        HypothesisError: outputs of the first layer that differ or move; a subspace
            target with several channels.
    """
    why = task.no_limit if not task.has_proper_subspace else no_parts(task)
    if why is not None:
        raise HypothesisError(f"there is no decomposition: {why.reason}")
    with jax.enable_x64(True):
        wide = jax.tree.map(lambda x: jnp.asarray(x, jnp.float64), network)
        seen = jnp.zeros((0, task.dim)) if points is None else jnp.asarray(points)
        at = directions or directions_of(task, TEST, pairs, "float64")
        at, tiles = _laid(task, wide.width, at)
        if task.has_proper_subspace:
            found = subspace_terms(wide, at, goal_of(task), *_parts(task), tiles)
        else:
            found = _decomposed(wide, at, goal_of(task), tiles, seen)
        found = jax.device_get(found)
    one = network.bottleneck == 1 and not task.has_proper_subspace
    by_slope = spread_by_mean_slope(network, task) if one else None
    return _record(found, network, by_slope, is_seen=points is not None)


def no_parts(task: RadialTask) -> Inapplicable | None:
    """Why a subspace task is not decomposed."""
    if task.bottleneck > 1 or task.train_outputs:
        return Inapplicable(
            "a subspace target is decomposed only with one channel "
            "between the layers and without trained output weights"
        )
    return None


def spread_of_parts(network: RadialNetwork, task: RadialTask, pairs: int) -> float:
    """N of a subspace task on fresh directions, in float64, as `decompose` has it."""
    with jax.enable_x64(True):
        wide = jax.tree.map(lambda x: jnp.asarray(x, jnp.float64), network)
        fresh = directions_of(task, TEST, pairs, "float64")
        at, tiles = _laid(task, wide.width, fresh)
        return float(subspace_spread(wide, at, *_parts(task), tiles))


def _laid(task: RadialTask, width: int, at: Directions) -> tuple[Directions, Tiles]:
    at = Directions(*(jnp.asarray(x, jnp.float64) for x in at))
    tiles = tiles_for(width, task.dim, at.points.shape[0], precision="float64")
    return at, tiles._replace(keep=False, thirds=False)


def _parts(task: RadialTask) -> tuple[Array, PartKernel]:
    """The basis of the subspace, and the kernel of both parts."""
    assert task.basis is not None
    rank = task.basis.shape[1]
    return jnp.asarray(task.basis), part_kernel(rank, task.dim - rank)


@partial(jax.jit, static_argnames="tiles")
def _decomposed(
    network: RadialNetwork,
    at: Directions,
    goal: Goal,
    tiles: Tiles,
    points: Float[Array, "points dim"],
) -> dict[str, Array]:
    first = forward(network, at, tiles, network.width).first
    middle = alphas(network)
    own, flat = network.units(first), network.units(middle[:, None, None])
    target = goal.units(at.stretch[None, :1])
    gap, miss = joined(own, negative(flat)), joined(target, negative(flat))
    here = partial(responses, moments=goal.moments)
    share = at.weights / 2

    def mean(x: Array) -> Array:
        return (share * x).sum(axis=(-2, -1)) * (2 / x.shape[-2])

    spread = product_mean(gap, here(gap))
    cross = -product_mean(gap, here(gap, residual=miss))
    fit = product_mean(miss, here(miss)).sum() / 2
    whole = joined(target, negative(own))
    tilt = network.scales[:, None] * network.slopes / network.second

    def pulled(x: Array) -> Array:
        return jnp.tensordot(tilt.T, x, axes=1)

    pulls = _Pulls(
        pulled(here(own, residual=gap).first),
        -pulled(here(own, residual=miss).first),
        -mean(pulled(here(flat, residual=gap).first)),
        -pulled(here(flat, residual=miss).first).sum(axis=(-2, -1)),
    )
    gradients = _gradients(network, at, tiles, pulls)
    value, of_spread = double_sum(network)
    return {
        "loss": mean(product_mean(whole, here(whole))) / 2,
        "terms": jnp.stack([fit, mean(spread) / 2, mean(cross)]),
        "symmetrised": _symmetrised(own, target, at, goal),
        "alpha": middle.mean(),
        "spread": value,
        "spread_rate": -inner(of_spread, gradients),
        "alpha_rate": -inner(
            2 * relu_mean_float(network.dim) * network.weights, gradients
        ),
        "cosines": cosines(gradients),
        "ratio_rate": ratio_rates(network, points, gradients),
    }


class _Pulls(NamedTuple):
    """Derivatives of the terms in F_k(u), and in alpha_k."""

    spread: Float[Array, "bottleneck 2 pairs"]
    cross: Float[Array, "bottleneck 2 pairs"]
    spread_alpha: Float[Array, " bottleneck"]
    fit_alpha: Float[Array, " bottleneck"]


def _gradients(
    network: RadialNetwork, at: Directions, tiles: Tiles, pulls: _Pulls
) -> Float[Array, "3 width dim"]:
    """m dL/dw of the fit, the spread and the cross term."""
    outputs = jnp.ones((network.width, 1))
    if network.outputs is not None:
        outputs = network.outputs

    def of(pull: Array) -> Array:
        return backward(network, at, pull, None, tiles)[0]

    def along(pull: Array) -> Array:
        factor = 2 * relu_mean_float(network.dim) * (outputs @ pull)
        return factor[:, None] * network.weights

    cross_alpha = -pulls.spread_alpha - pulls.fit_alpha
    return jnp.stack(
        [
            along(pulls.fit_alpha),
            of(pulls.spread) + along(pulls.spread_alpha),
            of(pulls.cross) + along(cross_alpha),
        ]
    )


def _symmetrised(
    own: Units, target: Units, at: Directions, goal: Goal
) -> Float[Array, " terms"]:
    """L1, L2 and X with f~ = E_u f(r u), by the cells of the mean over all rays.

    L1, L2 and X come from different sums, so that X = 0 is a result.
    """
    share = jnp.broadcast_to(at.weights / 2, own.slope.shape)
    mean_f = Units(*(x.reshape(-1) for x in own._replace(weight=own.weight * share)))
    profile = Units(*(x.reshape(-1) for x in target))
    miss = cells(joined(profile, negative(mean_f)), goal.moments)
    fit, smooth = square_mean(miss), square_mean(cells(mean_f, goal.moments))
    squares = product_mean(own, responses(own, goal.moments))
    square = (squares * at.weights / 2).sum()
    # 2 (f* - f~) f~ = f*^2 - (f* - f~)^2 - f~^2
    whole = product_mean(profile, responses(profile, goal.moments))
    against = product_mean(mean_f, responses_in(miss, mean_f, goal.moments))
    cross = (whole - fit - smooth) / 2 - against
    return jnp.stack([fit / 2, (square - smooth) / 2, cross])


def _record(
    found: dict[str, Array],
    network: RadialNetwork,
    by_slope: float | None,
    *,
    is_seen: bool,
) -> Decomposition:
    def terms(name: str) -> Terms:
        return Terms(*map(float, found[name]))

    whole = terms("symmetrised") if "symmetrised" in found else None

    return Decomposition(
        float(found["loss"]),
        terms("terms"),
        whole,
        float(found["alpha"]),
        float(found["spread"]),
        terms("spread_rate"),
        terms("alpha_rate"),
        Cosines(*map(float, found["cosines"])),
        float(np.std(network.slopes)),
        float(np.std(network.offsets)),
        by_slope,
        RatioRates(*map(np.asarray, found["ratio_rate"]))
        if is_seen and by_slope is not None
        else None,
    )
