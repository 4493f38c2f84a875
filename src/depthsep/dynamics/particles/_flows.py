"""Gradient flows by an adaptive solver, or one line on why it did not get there."""

from collections.abc import Callable
from typing import TypeVar

import jax
import jax.numpy as jnp

from depthsep._errors import HypothesisError
from depthsep._inputs import real

MOST_STEPS = 100_000
Tree = TypeVar("Tree")


def flowed(
    velocity: Callable[[Tree], Tree], start: Tree, time: float, tolerance: float
) -> Tree:
    """The state after a time, by Dormand and Prince's order 8.

    The solver works in float64; what it returns has the types of the start.

    Raises:
        HypothesisError: the solver does not get there in 100,000 steps.
    """
    import diffrax

    end, small = real(time, "time", least=0), real(tolerance, "tolerance", least=1e-15)
    with jax.enable_x64(True):
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(lambda t, y, args: velocity(y)),
            diffrax.Dopri8(),
            0.0,
            end,
            None,
            jax.tree.map(lambda x: jnp.asarray(x, jnp.float64), start),
            stepsize_controller=diffrax.PIDController(rtol=small, atol=small),
            max_steps=MOST_STEPS,
            throw=False,
        )
        if not bool(diffrax.is_okay(solution.result)):
            raise HypothesisError(
                f"the flow did not reach time {end:g} in {MOST_STEPS} steps, as its "
                "values become too large or change too fast; ask for less time"
            )
        return jax.tree.map(
            lambda x, y: x[-1].astype(jnp.asarray(y).dtype), solution.ys, start
        )
