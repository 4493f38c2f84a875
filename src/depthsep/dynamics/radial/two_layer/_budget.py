"""Budgets and results of two-layer networks."""

import math
from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole
from depthsep.dynamics.radial.task._task import RadialTask
from depthsep.evidence import Rigour

MEAN_FIELD = "mean-field"
OPTIMISERS = ("adam", "momentum", "sgd", MEAN_FIELD)


@dataclass(frozen=True)
class TwoLayerBudget:
    """How long and how to train.

    Attributes:
        steps, batch: of stochastic gradients, with a cosine decay of the rate.
        rates: tried by every optimiser (mean-field: times the width).
        seeds: how many starts.
        optimisers: names out of adam, momentum, sgd, mean-field.
        validation, test: pairs of directions.
    """

    steps: int = 4000
    batch: int = 512
    rates: tuple[float, ...] = (1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0, 3.0)
    seeds: int = 3
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
        for name in ("optimisers", "rates"):
            given = np.ravel(np.asarray(getattr(self, name), dtype=object))
            object.__setattr__(self, name, tuple(given.tolist()))
        unknown = [str(n) for n in self.optimisers if n not in OPTIMISERS]
        if unknown or not self.optimisers:
            raise HypothesisError(
                f"optimisers {', '.join(unknown) or 'none'}; choose from "
                f"{', '.join(OPTIMISERS)}"
            )
        if not self.rates or min(real(r, "a rate") for r in self.rates) <= 0:
            raise HypothesisError("give one positive rate or more")


@dataclass(frozen=True)
class TwoLayerResult:
    """What one optimiser made of the two-layer network: `sampled`.

    Attributes:
        rate: chosen by the mean validation loss over seeds; `at_edge`: it is the
            smallest or largest that was tried, so others may be better.
        losses: half mean squares on test directions, one a seed, exact in the radius.
        falling: the share by which the validation loss fell in the last fifth of the
            steps; near 0 once training has converged.
    """

    optimiser: str
    width: int
    rate: float
    at_edge: bool
    steps: int
    losses: tuple[float, ...]
    falling: float
    rigour: Rigour = Rigour.SAMPLED

    @property
    def best(self) -> float:
        """The least finite test loss over seeds, in two layers' favour; NaN if none."""
        return min(filter(math.isfinite, self.losses), default=math.nan)


def equal_parameters(task: RadialTask) -> int:
    """The width of a two-layer network with at most the task's moving parameters.

    v_i, b_i, c_i of every neuron, and one c_0: dim + 2 a neuron, and 1. At least 1.
    """
    return max((task.parameters - 1) // (task.dim + 2), 1)


def equal_compute(task: RadialTask, budget: TwoLayerBudget) -> int:
    """The width whose training, at one rate and seed, takes the task's flops.

    Counted are the large products. A velocity of the task takes 2 (1 + D) pairs width
    dim (signs that are found twice count once), a step of the two-layer network 4 batch
    width dim.

    Raises:
        HypothesisError: the adaptive solver, whose number of steps is not known.
    """
    if task.solver == "adaptive":
        raise HypothesisError(
            "how many steps the adaptive solver takes is not known beforehand; compare "
            "by parameters, or use euler or heun"
        )
    velocities = task.steps * (2 if task.solver == "heun" else 1)
    own = velocities * 2 * (1 + task.bottleneck) * task.pairs * task.width
    return max(own // (budget.steps * 4 * budget.batch), 1)
