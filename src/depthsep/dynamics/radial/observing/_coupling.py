"""Particles beside those of infinite width that start where they do.

With the symmetry every particle of infinite width is its start times one number.
Without it, a wide network stands for infinite width: its first particles are those of
the network, and both take the same steps on the same directions.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole
from depthsep._progress import followed
from depthsep.dynamics.radial.learning._infinite import infinite_width
from depthsep.dynamics.radial.learning._steps import State, runner
from depthsep.dynamics.radial.network._network import RadialNetwork
from depthsep.dynamics.radial.task._start import starting_network, training_directions
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.evidence import Inapplicable, Rigour

MOST_DRAWN = 1 << 28
Seen = tuple[np.ndarray, np.ndarray]  # weights, and F on the directions


@dataclass(frozen=True, eq=False)
class Coupling:
    """A network and the infinite width it is coupled with, at the records: `sampled`.

    Attributes:
        times: (r,).
        distance: (r,), E|w - w_bar|^2 over E|w_bar|^2, particle by particle; 0 first.
        gap: (r,), E(F - F_bar)^2 over E F_bar^2 on the training directions: what the
            width costs the first layer as a function. At first that is its start.
        width: of the network; that of `task` if that is the network.
        reference: width of the wide network; None where infinite width is known.
    """

    task: RadialTask
    width: int
    times: np.ndarray
    distance: np.ndarray
    gap: np.ndarray
    reference: int | None
    rigour: Rigour = Rigour.SAMPLED


def couple(task: RadialTask, width: int | None = None) -> Coupling:
    """Follow a network and its infinite width from one start.

    Args:
        width: if given, the task's own network stands for infinite width, and what is
            coupled with it has its first `width` particles. If not, the task's network
            is coupled with the infinite-width flow by the task's own steps.

    Raises:
        HypothesisError: no width for a task without a reduced flow or with weights of
            its own; the adaptive solver, fresh directions; a second layer that dies.
    """
    if task.solver == "adaptive" or task.fresh:
        raise HypothesisError(
            "coupling needs steps of equal length and directions that stay the same: "
            "use euler or heun as the solver, and no fresh directions"
        )
    if width is not None:
        width = whole(width, "width", least=1, most=task.width - 1)
    elif isinstance(task.no_limit, Inapplicable) or task.weights is not None:
        why = getattr(task.no_limit, "reason", "the start is given by weights")
        raise HypothesisError(
            f"the infinite-width limit is not a single network here ({why}); give the "
            "width of a network to couple with this one"
        )
    with jax.enable_x64(True):
        pairs = _beside_limit(task) if width is None else _beside(task, width)
        steps = followed(pairs, len(task.recorded), "coupled")
        distances, gaps = np.array([_apart(*pair) for pair in steps]).T
    times, small = task.recorded * task.step, task.width if width is None else width
    reference = None if width is None else task.width
    return Coupling(task, small, times, distances, gaps, reference)


def _apart(own: Seen, other: Seen) -> tuple[float, float]:
    first, second = (
        float(((x - y) ** 2).sum() / (y**2).sum())
        for x, y in zip(own, other, strict=True)
    )
    return first, second


def _seen(task: RadialTask, start: RadialNetwork) -> Iterator[Seen]:
    """Weights and the first layer's values, at every record."""
    ready, at = runner(task), training_directions(task, None)
    state = State(start, jnp.asarray(0), jnp.asarray(task.step))
    for record in task.recorded:
        ahead = int(record) - int(state.step)
        state = ready.advance(state, ahead) if ahead else state
        found = ready.look(state.network, at)
        if not float(found.alive.max()):
            raise HypothesisError(
                f"by time {int(record) * task.step:g} no second-layer unit is active: "
                "there is nothing left to couple; use a smaller step"
            )
        first = found.first
        yield (
            np.array(state.network.weights, dtype=np.float64),
            np.array(first, dtype=np.float64),
        )


def _beside_limit(task: RadialTask) -> Iterator[tuple[Seen, Seen]]:
    """The infinite-width particle is the start times sqrt(alpha/alpha(0))."""
    start, alpha = starting_network(task), infinite_width(task).stepped.alpha
    drawn = np.array(start.weights, dtype=np.float64)  # steps take over its buffer
    for k, own in enumerate(_seen(task, start)):
        grown = drawn * (alpha[k] / alpha[0]) ** 0.5
        yield own, (grown, np.full_like(own[1], alpha[k]))


def _beside(task: RadialTask, width: int) -> Iterator[tuple[Seen, Seen]]:
    """The first particles of the task's network, alone and among all of them."""
    start = starting_network(task)
    few = np.array(start.weights[:width], dtype=np.float64)
    own = replace(task, width=width, weights=few)
    pairs = zip(_seen(own, starting_network(own)), _seen(task, start), strict=True)
    for narrow, (weights, first) in pairs:
        yield narrow, (weights[:width], first)


def near_a_line(width: int, dim: int, noise: float, seed: int = 0) -> np.ndarray:
    """A start from which errors compound: (width, dim), of root mean square 1.

    Rows are +-e_2 in turn, and normal noise of deviation `noise` in every entry. A
    target of the first coordinate alone, `RadialTask(..., subspace=1)`, does not pull
    such particles but through their noise, which grows exponentially: what a small
    network lacks of infinite width grows with it.
    """
    m, d = whole(width, "width", least=1), whole(dim, "dim", least=2)
    seed, noise = whole(seed, "seed"), real(noise, "noise", least=0)
    if m * d > MOST_DRAWN or noise > 10:
        raise HypothesisError(
            f"width times dim must be at most {MOST_DRAWN}, and the noise at most 10"
        )
    drawn = noise * np.random.default_rng([seed, m, d]).standard_normal((m, d))
    drawn[:, 1] += np.where(np.arange(m) % 2, 1.0, -1.0)
    return drawn / (drawn**2).sum(axis=1).mean() ** 0.5
