"""The least width from which a start learns to an accuracy, by bisection.

Theorem 2.1 of the source on mean-field networks promises widths and times polynomial in
d and 1/E, with a probability over starts. These are measured here, for one start: over
starts they give the share that succeeds, and its quantiles.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole
from depthsep._progress import tell
from depthsep.dynamics.radial.learning._learner import learn_radial
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.dynamics.radial.two_layer._budget import TwoLayerBudget
from depthsep.dynamics.radial.two_layer._training import (
    WIDEST_TWO_LAYER,
    check_two_layer,
    learn_two_layer,
)
from depthsep.evidence import Rigour

NEVER = math.nan


@dataclass(frozen=True)
class Tried:
    """What a start came to at one width: `sampled`.

    Attributes:
        error: L2, on fresh directions; where the target is learned as a polygon, its
            distance is added for three layers and taken off for two.
        met: it is at most the accuracy.
        time: when the loss on the training directions first was (three layers: of the
            flow; two layers: steps at constant rates, on the validation directions);
            NaN if never, also where two layers meet it only as their rates fall.
    """

    width: int
    error: float
    met: bool
    time: float


@dataclass(frozen=True)
class LeastWidth:
    """The least width, of those tried, at which a start meets the accuracy.

    Attributes:
        width: it; None if none was found up to `widest`.
        below: the widest one tried below it that missed; None if there is none.
        tried: every width, from narrow to wide.
    """

    accuracy: float
    layers: int
    width: int | None
    below: int | None
    tried: tuple[Tried, ...]
    rigour: Rigour = Rigour.SAMPLED

    @property
    def time(self) -> float:
        """Until the accuracy was met at the least width; NaN if it never was."""
        return next((t.time for t in self.tried if t.width == self.width), NEVER)


def widths_up_to(widest: int, narrowest: int = 1, parts: int = 4) -> tuple[int, ...]:
    """The widths that are tried: so many to a doubling, whatever the accuracy."""
    count = math.ceil(parts * math.log2(max(widest, 2))) + 1
    every = {round(2 ** (k / parts)) for k in range(count)} | {narrowest, widest}
    return tuple(sorted(w for w in every if narrowest <= w <= widest))


def least_width(
    task: RadialTask,
    accuracy: float,
    *,
    layers: int = 3,
    narrowest: int = 1,
    widest: int = 4096,
    parts: int = 4,
    budget: TwoLayerBudget | None = None,
) -> LeastWidth:
    """Bisect the widths at which a start meets an L2 error.

    Success need not grow with the width: found is a width that succeeds beside one,
    next in the list, that does not.

    Args:
        task: its width is not used; its seed draws the start, of every width.
        accuracy: an L2 error, the root of a mean square.
        layers: 3, by `learn_radial`; or 2, by `learn_two_layer` (the best of its
            optimisers, rates and seeds).
        narrowest, widest: of the widths tried; `parts`: how many to a doubling.
        budget: of two layers.

    Raises:
        HypothesisError: what does not fit; as `check_two_layer` for two layers.
    """
    goal = real(accuracy, "accuracy")
    if goal <= 0:
        raise HypothesisError(f"`accuracy` is {goal:g}; give a positive number")
    if layers not in (2, 3):
        raise HypothesisError(f"`layers` is {layers}; give 2 or 3")
    if task.weights is not None or task.start == "orthogonal":
        raise HypothesisError(
            "the search draws a start at every width; leave out "
            "`weights`, and choose sphere or gaussian as `start`"
        )
    most = WIDEST_TWO_LAYER if layers == 2 else 10**6
    widest = whole(widest, "widest", least=1, most=most)
    narrowest = whole(narrowest, "narrowest", least=1, most=widest)
    parts = whole(parts, "parts", least=1, most=64)
    if layers == 2:
        check_two_layer(task)
    plan = TwoLayerBudget() if budget is None else budget

    def attempt(width: int) -> Tried:
        if layers == 3:
            return _three(replace(task, width=width), goal)
        return _two(task, width, plan, goal)

    widths = widths_up_to(widest, narrowest, parts)
    found = _bisected(widths, parts, attempt)
    met = [t.width for t in found if t.met]
    width = min(met, default=None)
    missed = [t.width for t in found if not t.met and (not met or t.width < met[0])]
    return LeastWidth(goal, layers, width, max(missed, default=None), found)


def _bisected(
    widths: tuple[int, ...], parts: int, attempt: Callable[[int], Tried]
) -> tuple[Tried, ...]:
    """Double until a width succeeds, then halve the list between."""
    found: dict[int, Tried] = {}

    def met(place: int) -> bool:
        width = widths[place]
        found[width] = attempt(width)
        words = f"width {width}: error {found[width].error:.3g}"
        tell(min(len(found) / (2 * math.log2(len(widths) + 1)), 1.0), words)
        return found[width].met

    low, high, last = -1, 0, len(widths) - 1  # low missed, or is none
    while not (succeeded := met(high)) and high < last:
        low, high = high, min(high + parts, last)
    while succeeded and high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if met(middle) else (middle, high)
    return tuple(found[w] for w in sorted(found))


def _three(task: RadialTask, goal: float) -> Tried:
    run = learn_radial(task)
    error = math.inf if run.failure is not None else run.error
    time = time_to(run.times, run.trajectory.loss, goal - task.target_gap)
    return Tried(task.width, error, error <= goal, time)


def _two(task: RadialTask, width: int, plan: TwoLayerBudget, goal: float) -> Tried:
    trained = learn_two_layer(task, width, plan)
    losses = [r.best for r in trained if math.isfinite(r.best)]
    error = (2 * min(losses)) ** 0.5 if losses else math.inf
    error = max(error - task.target_gap, 0.0)  # in favour of two layers
    curves = [np.array(r.curve).reshape(-1, 2) for r in trained]
    times = [time_to(curve[:, 0], curve[:, 1], goal) for curve in curves]
    time = min((t for t in times if not math.isnan(t)), default=NEVER)
    return Tried(width, error, error <= goal, time)


def time_to(times: ArrayLike, losses: ArrayLike, goal: float) -> float:
    """The first time at which a half mean square means an error of at most the goal."""
    reached = np.flatnonzero(2 * np.asarray(losses) <= max(goal, 0.0) ** 2)
    return float(np.asarray(times)[reached[0]]) if len(reached) else NEVER
