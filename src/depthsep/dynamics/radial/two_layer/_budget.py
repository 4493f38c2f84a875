"""Budgets and results of two-layer networks."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.evidence import Rigour

MEAN_FIELD = "mean-field"
LEAST_STEPS = 32  # of the first record
OPTIMISERS = ("adam", "momentum", "sgd", MEAN_FIELD)


@dataclass(frozen=True)
class TwoLayerBudget:
    """How long and how to train, and when to stop: stated before any step.

    Training goes on at constant rates, until doubling the steps lowered the least
    validation loss so far (of the best rate, a mean over seeds) by less than the share
    `still`, or for `steps` steps. The rule holds from an eighth of these on. Then every
    rate falls evenly to 0, in a further share `cooling` of the steps that were taken.

    Attributes:
        steps: at most, at constant rates; `batch`: points of each.
        rates: tried by every optimiser (mean-field: times the width for particles).
        seeds: how many starts.
        still, cooling: shares of the rule.
        optimisers: names out of adam, momentum, sgd, mean-field.
        validation, test: pairs of directions.
    """

    steps: int = 4000
    batch: int = 512
    rates: tuple[float, ...] = (1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0, 3.0)
    seeds: int = 3
    still: float = 0.02
    cooling: float = 0.25
    optimisers: tuple[str, ...] = ("adam", "momentum", MEAN_FIELD)
    validation: int = 128
    test: int = 1024

    def __post_init__(self) -> None:
        """Check everything.

        Raises:
            HypothesisError: what does not fit, in one line.
        """
        for name in ("steps", "batch", "seeds", "validation", "test"):
            whole(getattr(self, name), name, least=1, most=10**9)
        if not 0 <= real(self.still, "still") < 1:
            raise HypothesisError(
                f"`still` is {self.still}; it must be 0 or more and below 1"
            )
        if not 0 <= real(self.cooling, "cooling") <= 10:
            raise HypothesisError(
                f"`cooling` is {self.cooling}; give a number from 0 to 10"
            )
        for name in ("optimisers", "rates"):
            given = np.ravel(np.asarray(getattr(self, name), dtype=object))
            object.__setattr__(self, name, tuple(given.tolist()))
        unknown = [str(n) for n in self.optimisers if n not in OPTIMISERS]
        if unknown or not self.optimisers:
            what = "no optimiser is given"
            if unknown:
                what = f"there is no optimiser {', '.join(unknown)}"
            raise HypothesisError(f"{what}; choose from {', '.join(OPTIMISERS)}")
        if not self.rates or min(real(r, "a rate") for r in self.rates) <= 0:
            raise HypothesisError("give one or more rates, all positive")

    def records(self) -> tuple[int, ...]:
        """The steps at which losses are recorded: each sqrt(2) times the one before."""
        powers = range(math.floor(2 * math.log2(max(self.steps / LEAST_STEPS, 1))) + 1)
        return tuple(sorted({round(self.steps / 2 ** (k / 2)) for k in powers}))

    def ends(self, losses: Mapping[int, float]) -> bool:
        """Whether a run with these losses at its records is over."""
        last = max(losses)
        if last >= self.steps:
            return True
        return 8 * last >= self.steps and fallen(losses) < self.still


@dataclass(frozen=True)
class TwoLayerResult:
    """What one optimiser made of the two-layer network: `sampled`.

    Attributes:
        rate: chosen by the mean validation loss over seeds; `at_edge`: it is the
            smallest or largest that was tried, so others may be better.
        steps: that were taken, those of the cooling included.
        losses: half mean squares on test directions, one a seed, exact in the radius.
        curve: (step, validation loss of the best rate there, a mean over seeds) at
            constant rates.
        falling: the share by which doubling the steps lowered that loss at last.
        converged: the rule stopped it; else the budget did.
        flops: of the large products of one step, at one rate and seed.
    """

    optimiser: str
    width: int
    rate: float
    at_edge: bool
    steps: int
    losses: tuple[float, ...]
    curve: tuple[tuple[int, float], ...]
    falling: float
    converged: bool
    flops: int
    rigour: Rigour = Rigour.SAMPLED

    @property
    def best(self) -> float:
        """The least finite test loss over seeds, in two layers' favour; NaN if none."""
        return min(filter(math.isfinite, self.losses), default=math.nan)

    def loss_within(self, flops: float) -> float:
        """The least loss of the curve that so many flops reach; NaN if none.

        One rate and one seed are counted, though the best of all are taken.
        """
        reached = [loss for step, loss in self.curve if step * self.flops <= flops]
        return min(filter(math.isfinite, reached), default=math.nan)


def fallen(losses: Mapping[int, float]) -> float:
    """The share by which doubling the steps lowered the least loss; NaN if unknown."""
    last = max(losses)
    before = [loss for step, loss in losses.items() if 2 * step <= last + 1]
    after = [loss for step, loss in losses.items() if 2 * step > last + 1]
    least = min(before, default=math.nan)
    return 1 - min(after) / least if math.isfinite(least) else math.nan


def equal_parameters(task: RadialTask) -> int:
    """The width of a two-layer network with at most the task's moving parameters.

    v_i, b_i, c_i of every neuron, and one c_0: dim + 2 a neuron, and 1. At least 1.
    """
    return max((task.parameters - 1) // (task.dim + 2), 1)


def task_flops(task: RadialTask) -> int:
    """Of the large products of a whole run: 2 (1 + D) pairs width dim a velocity.

    Signs that are found twice count once.

    Raises:
        HypothesisError: the adaptive solver, whose number of steps is not known.
    """
    if task.solver == "adaptive":
        raise HypothesisError(
            "how many steps the adaptive solver takes is not known beforehand; compare "
            "by parameters, or use euler or heun"
        )
    velocities = task.steps * (2 if task.solver == "heun" else 1)
    return velocities * 2 * (1 + task.bottleneck) * task.pairs * task.width * task.dim


def step_flops(width: int, dim: int, batch: int) -> int:
    """Of the large products of one step of one two-layer network."""
    return 4 * batch * width * dim


def equal_compute(task: RadialTask, budget: TwoLayerBudget) -> int:
    """The width whose training, at one rate and seed, takes the task's flops.

    Counted are the steps at constant rates.

    Raises:
        HypothesisError: as `task_flops`.
    """
    one = budget.steps * step_flops(1, task.dim, budget.batch)
    return max(task_flops(task) // one, 1)
