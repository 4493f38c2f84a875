r"""The gradient flow of deep linear layers, and how far discrete steps are from it."""

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from depthsep._inputs import Numbers, real, whole
from depthsep.dynamics.linear._deep_linear import (
    Gradient,
    descend_layers,
    end_to_end,
    layer_gradients,
)
from depthsep.dynamics.particles._flows import flowed

TOLERANCE = 1e-11


class FlowError(NamedTuple):
    """Discrete descent against the flow at the same time.

    Attributes:
        rate, steps: of the descent; the time is their product.
        distance: Frobenius distance of the products.
        descended, flowed: the products.
    """

    rate: float
    steps: int
    distance: float
    descended: np.ndarray
    flowed: np.ndarray


def flow_layers(
    layers: Sequence[Numbers], gradient: Gradient, *, time: float, decay: float = 0.0
) -> list[np.ndarray]:
    """The layers after a time under the gradient flow with weight decay, in float64.

    Args:
        gradient: of the one-layer loss at the product; in JAX's operations.

    Raises:
        HypothesisError: the solver does not get there: the flow explodes.
    """

    def velocity(y: list[Numbers]) -> list[Numbers]:
        return [-g for g in layer_gradients(y, gradient(end_to_end(y)), decay)]

    start: list[Numbers] = [np.asarray(w, dtype=np.float64) for w in layers]
    return [np.asarray(w) for w in flowed(velocity, start, time, TOLERANCE)]


def flow_error(
    layers: Sequence[Numbers],
    gradient: Gradient,
    *,
    rate: float,
    steps: int,
    decay: float = 0.0,
) -> FlowError:
    """How far `steps` steps of gradient descent end from the flow at the same time.

    Raises:
        HypothesisError: as `flow_layers`.
    """
    h, count = real(rate, "rate", least=0), whole(steps, "steps", least=1)
    with jax.enable_x64(True):
        now: list[Numbers] = [jnp.asarray(w, jnp.float64) for w in layers]
        for _ in range(count):
            now = descend_layers(now, gradient, h, decay)
        descended = np.asarray(end_to_end(now))
    flowed = end_to_end(flow_layers(layers, gradient, time=h * count, decay=decay))
    distance = float(np.linalg.norm(descended - flowed))
    return FlowError(h, count, distance, descended, np.asarray(flowed))
