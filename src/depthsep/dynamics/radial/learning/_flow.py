"""A flow of few numbers, at given times: steps in NumPy, velocities in JAX.

Such flows take some hundred steps: fewer than pay for compiling a loop around them.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from jaxtyping import Array


def states_at(
    velocity: Callable[[Any], Any],
    start: Any,
    times: np.ndarray,
    tolerance: float,
    most: int,
) -> Any:
    """The states at the times, the first of which is that of the start.

    By Dormand and Prince's order 8, which ends a step at each of the times: nothing is
    interpolated. None if it does not get there in `most` steps. To be called while
    JAX has float64.

    Args:
        velocity: compiled; equal modules of equinox share what was compiled.
        tolerance: relative and absolute, of each step.
    """
    from scipy.integrate import DOP853

    flat, shaped = ravel_pytree(start)

    def moved(_: float, y: np.ndarray) -> np.ndarray:
        return np.asarray(_moved(velocity, shaped, y))

    found, length = [np.asarray(flat)], None
    with np.errstate(all="ignore"):
        for begin, end in pairwise(times):
            first = None if length is None else min(length, end - begin)
            solver = DOP853(
                moved,
                begin,
                found[-1],
                end,
                first_step=first,
                rtol=tolerance,
                atol=tolerance,
            )
            # from a velocity that is not finite it would look for a step for ever
            while most and np.isfinite(solver.f).all() and solver.status == "running":
                solver.step()
                most -= 1
            if solver.status != "finished" or not np.isfinite(solver.y).all():
                return None
            found.append(solver.y)
            length = solver.h_abs
    return jax.vmap(shaped)(jnp.asarray(np.array(found)))


@eqx.filter_jit
def _moved(
    velocity: Callable[[Any], Any],
    shaped: Callable[[Array], Any],
    y: Array | np.ndarray,
) -> Array:
    return ravel_pytree(velocity(shaped(jnp.asarray(y))))[0]
