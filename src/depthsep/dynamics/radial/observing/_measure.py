"""The loss of a radial network under any radial law, with its error bar."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep._plural import plural
from depthsep.dynamics.radial.network._network import RadialNetwork
from depthsep.dynamics.radial.network._velocity import Goal
from depthsep.dynamics.radial.observing._observe import losses_on
from depthsep.dynamics.radial.radius._moments import RadialMoments, moments
from depthsep.dynamics.radial.task._draws import TEST
from depthsep.dynamics.radial.task._start import directions_of
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.evidence import Rigour
from depthsep.laws import AbstractRadialLaw

PAIRS = 16_384


@dataclass(frozen=True)
class Measured:
    """A network's loss under a law.

    Attributes:
        loss: half the mean square of the profile minus the network, exact in the
            radius; infinite where a unit grows and the law has no second moment.
        standard_error: of `loss`, over directions.
        gap: L2 distance of the target from the profile that is learned, 0 where they
            are equal.
    """

    loss: float
    standard_error: float
    gap: float
    rigour: Rigour = Rigour.SAMPLED

    @property
    def error(self) -> float:
        """At most so far, in L2, from the target."""
        return (2 * self.loss) ** 0.5 + self.gap


def measure_radial(
    network: RadialNetwork,
    task: RadialTask,
    law: AbstractRadialLaw | RadialMoments | str | None = None,
    *,
    pairs: int = PAIRS,
) -> Measured:
    """The loss of a network on fresh directions, under the task's law or another.

    A network that was trained under phi^2 within a ball is measured under phi^2 itself
    in this way: that is finite if every unit of its second layer is bounded.

    Raises:
        HypothesisError: a law that is not radial, or a law or network of another
            dimension.
    """
    whole(pairs, "pairs", least=2, most=10**8)
    if network.dim != task.dim:
        raise HypothesisError(
            f"the network has {plural(network.dim, 'input')} and the "
            f"task has {task.dim}; these must agree"
        )
    found = task.radial_law if law is None else task.read_law(law)
    with jax.enable_x64(True):
        at = directions_of(task, TEST, pairs, task.precision)
        knots, weights = map(jnp.asarray, task.profile.relus())
        here = jax.tree.map(jnp.asarray, network)
        losses = np.asarray(losses_on(here, Goal(knots, weights, moments(found)), at))
    losses = np.where(np.isfinite(losses), losses, np.inf)
    error = standard_error(losses, task.dim)
    return Measured(float(losses.mean()), error, task.gap_under(found))


def standard_error(losses: np.ndarray, dim: int) -> float:
    """Of the mean loss, from up to eight runs of whole blocks: those of one depend.

    Where there are no two blocks, from all directions as if they were independent.
    """
    if not np.isfinite(losses).all():
        return float("inf")
    runs = min(8, len(losses) // dim)
    if runs < 2:
        return float(losses.std(ddof=1) / len(losses) ** 0.5)
    means = [part.mean() for part in np.array_split(losses, runs)]
    return float(np.std(means, ddof=1) / runs**0.5)
