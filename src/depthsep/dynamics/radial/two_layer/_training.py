r"""Two-layer networks trained for comparison, all rates and seeds at once.

f(x) = c_0 + m^-s sum_i c_i relu(v_i.x + b_i), s = 1/2, or 1 for mean-field descent.
Trained on fresh samples of the law until the budget's rule stops it; rates are chosen
on validation directions, results are on others. What an optimiser does not find may
still exist: these bound nothing.
"""

from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep._progress import followed, tell
from depthsep.dynamics.radial.network._network import Directions
from depthsep.dynamics.radial.radius._moments import moments
from depthsep.dynamics.radial.task._draws import TEST, VALIDATION
from depthsep.dynamics.radial.task._start import directions_of, goal_of
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.dynamics.radial.two_layer._budget import (
    TwoLayerBudget,
    TwoLayerResult,
    fallen,
    step_flops,
)
from depthsep.dynamics.radial.two_layer._loss import TwoLayer, half_mean_squares
from depthsep.dynamics.radial.two_layer._steps import Steps

WIDEST_TWO_LAYER = 10**7


def check_two_layer(task: RadialTask) -> None:
    """Refuse laws under which almost every two-layer network has an infinite loss.

    Raises:
        HypothesisError: |x|^2 has no mean.
    """
    if not np.isfinite(moments(task.radial_law).total()).all():
        raise HypothesisError(
            f"under {task.radial_law}, |x| has no mean, so two-layer networks that do "
            "not vanish far from 0 have infinite losses; compare under another law"
        )


def learn_two_layer(
    task: RadialTask,
    width: int,
    budget: TwoLayerBudget | None = None,
) -> tuple[TwoLayerResult, ...]:
    """Train two-layer networks on a task's law and target, by every optimiser.

    Raises:
        HypothesisError: as `check_two_layer`.
    """
    check_two_layer(task)
    plan = TwoLayerBudget() if budget is None else budget
    whole(width, "width", least=1, most=WIDEST_TWO_LAYER)
    with jax.enable_x64(True):
        names = followed(plan.optimisers, len(plan.optimisers), "two layers")
        return tuple(_Training(task, width, plan, name).result() for name in names)


class _Training:
    """One optimiser at every rate and seed, from the starts to the result."""

    def __init__(
        self,
        task: RadialTask,
        width: int,
        plan: TwoLayerBudget,
        name: str,
    ) -> None:
        self.task, self.width, self.plan, self.name = task, width, plan, name
        self.steps = Steps(task, width, plan, name)
        self.states = self.steps.starts()
        self.validation = directions_of(task, VALIDATION, plan.validation, "float64")

    def result(self) -> TwoLayerResult:
        curve = self._constant()
        taken = max(curve)
        cooled = taken + self._cool(taken)
        after = self._losses(self.states.layers, self.validation)
        best = int(np.argmin(np.where(np.isfinite(after), after, np.inf).mean(axis=1)))
        chosen = jax.tree.map(lambda x: x[best : best + 1], self.states.layers)
        test = directions_of(self.task, TEST, self.plan.test, "float64")
        return TwoLayerResult(
            self.name,
            self.width,
            self.plan.rates[best],
            best in (0, len(self.plan.rates) - 1),
            cooled,
            tuple(self._losses(chosen, test)[0].tolist()),
            tuple(curve.items()),
            fallen(curve),
            taken < self.plan.steps,
            step_flops(self.width, self.task.dim, self.plan.batch),
        )

    def _constant(self) -> dict[int, float]:
        """Train at constant rates until the rule stops it; losses at the records."""
        curve: dict[int, float] = {}
        for first, last in pairwise((0, *self.plan.records())):
            self._train(first, np.ones(last - first))
            losses = self._losses(self.states.layers, self.validation).mean(axis=1)
            curve[last] = float(np.nanmin(np.append(losses, np.inf)))
            if self.plan.ends(curve):
                break
        return curve

    def _cool(self, taken: int) -> int:
        """Let the rates fall evenly to 0; the number of steps."""
        count = round(self.plan.cooling * taken)
        self._train(taken, 1 - np.arange(1, count + 1) / (count + 1))
        return count

    def _train(self, first: int, shares: np.ndarray) -> None:
        line = f"two-layer networks of width {self.width} by {self.name}"
        most = self.plan.steps * (1 + self.plan.cooling)
        for done, states in self.steps.run(self.states, first, shares):
            self.states = states
            tell(min((first + done) / most, 1.0), line)

    def _losses(self, layers: TwoLayer, at: Directions) -> np.ndarray:
        """Half mean squares, (rates, seeds)."""
        shape, power = layers.level.shape, jnp.asarray(self.steps.power)
        flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), layers)
        found = [
            float(half_mean_squares(layer, at, goal_of(self.task), power))
            for layer in (
                jax.tree.map(lambda x, k=k: x[k], flat) for k in range(np.prod(shape))
            )
        ]
        return np.array(found).reshape(shape)
