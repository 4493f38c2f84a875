r"""What each term does to F / alpha at a direction; the spread by the mean slope."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from depthsep._errors import HypothesisError
from depthsep.dynamics.radial._constants import relu_mean_float
from depthsep.dynamics.radial.network._network import RadialNetwork
from depthsep.dynamics.radial.network._spread import alphas, double_sum
from depthsep.dynamics.radial.task._start import goal_of
from depthsep.dynamics.radial.task._task import RadialTask


def ratio_rates(
    network: RadialNetwork,
    points: Float[Array, "points dim"],
    gradients: Float[Array, "terms width dim"],
) -> Float[Array, "terms points"]:
    """d/dt of F(u) / alpha at unit vectors u, where w' is minus a term's gradient.

    F / alpha is homogeneous of degree 0 in w, so a gradient along w does nothing: that
    of the fit (the claim in the proof of the sources' lemma).
    """
    w, moved = network.weights, -gradients
    lengths = jnp.sqrt((w * w).sum(axis=1))
    before = points @ w.T
    ahead = jnp.maximum(before, 0.0)
    along = (moved * w).sum(axis=2) / jnp.where(lengths > 0, lengths, 1.0)
    turned = jnp.einsum("pd,tmd->tpm", points, moved)
    rate = along[:, None] * ahead + lengths * (before > 0) * turned
    alpha = alphas(network)[0]
    alpha_rate = 2 * relu_mean_float(network.dim) * (moved * w).sum(axis=2).mean(axis=1)
    first = (lengths * ahead).mean(axis=1)
    return rate.mean(axis=2) / alpha - first * alpha_rate[:, None] / alpha**2


def spread_by_mean_slope(network: RadialNetwork, task: RadialTask) -> float:
    """w^2 / 2 E[(F - alpha |x|)^2 1(active)], w the mean slope of the second layer.

    Active: |x| below the kink of the mean unit on alpha |x|. The sources leave out that
    indicator; without it the mean is infinite under phi^2.

    Raises:
        HypothesisError: several channels, or a subspace target.
    """
    if network.bottleneck > 1 or task.has_proper_subspace:
        raise HypothesisError(
            "the mean slope is defined only with one channel between "
            "the layers and for a target that depends on all of x"
        )
    with jax.enable_x64(True):
        wide = jax.tree.map(lambda x: jnp.asarray(x, jnp.float64), network)
        slope = float((wide.scales * wide.slopes[:, 0]).mean())
        offset = float((wide.scales * wide.offsets).mean())
        alpha, spread = float(alphas(wide)[0]), float(double_sum(wide)[0])
        kink = -offset / (slope * alpha) if slope * offset < 0 else np.inf
        second = float(goal_of(task).moments(jnp.asarray(kink))[2])
    return slope**2 / 2 * alpha**2 * spread * second
