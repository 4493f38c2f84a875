"""`learn radial`: three-layer mean-field networks beside their infinite width."""

import math
from pathlib import Path

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.dynamics import (
    InfiniteWidth,
    RadialRun,
    learn_radial,
    learn_two_layer,
    measure_radial,
    task_flops,
    time_to,
)
from depthsep.jobs._job import Job, Result, Scalar, Values
from depthsep.jobs._parameters import COMPARISON, RADIAL
from depthsep.jobs._partial import partial_folder
from depthsep.jobs.learning._radial_request import RadialRequest

LONG = 60.0  # seconds from which a run is kept while it goes on
EVERY = 20.0  # seconds between its checkpoints
NAMED_AS = {"alpha": "alpha_final", "steps": "steps_taken"}
"""Numbers of a run whose names are those of parameters in a row of a study."""
FLOPS_A_SECOND = 3e9  # of one thread, in a rough model of time


def _check(values: Values) -> None:
    RadialRequest.of(values)


def _seconds(values: Values) -> float:
    p, steps = values, values["time"] / values["step"]
    flops = 4 * steps * p["pairs"] * p["width"] * p["dim"] * (p["bottleneck"] + 1)
    if p["compare"] != "none":  # three optimisers, eight rates
        own = 24 * p["compare_steps"] * p["compare_seeds"] * 2048
        flops += own * (
            flops / steps / p["pairs"]
            if p["compare"] == "compute"
            else 4 * p["width"] * p["dim"]
        )
    return 1.5 + flops / FLOPS_A_SECOND


def _checkpoint(values: Values) -> Path | None:
    """Of a long run, which goes on from it after a kill."""
    if _seconds(values) < LONG or (folder := partial_folder()) is None:
        return None
    return folder / "checkpoint.eqx"


def _run(values: Values, seed: int) -> Result:
    request = RadialRequest.of(values, seed)
    task = request.task
    run = learn_radial(task, checkpoint=_checkpoint(values), every=EVERY)
    if run.failure is not None:
        raise HypothesisError(run.failure)
    rows = run.trajectory
    metrics: dict[str, Scalar] = {
        NAMED_AS.get(name, name): value
        for name, value in run.numbers.items()
        if value is not None and name != "alpha_infinite_same_steps"
    }
    arrays = {name: np.asarray(column) for name, column in rows._asdict().items()}
    if isinstance(run.infinite, InfiniteWidth):
        metrics |= _gaps(run, run.infinite)
        arrays |= {
            "infinite_alpha": np.asarray(run.infinite.flow.alpha),
            "stepped_alpha": np.asarray(run.infinite.stepped.alpha),
            "infinite_loss": run.infinite.loss,
        }
    if request.two_layer_width is not None:
        metrics |= _two_layers(request, request.two_layer_width)
    if task.target_gap:
        metrics["target_gap"] = task.target_gap
    if request.measure is not None:
        found = measure_radial(run.network, task, request.measure)
        known = math.isfinite(found.loss)  # None where a unit grows under phi^2
        metrics["half_mse_measured"] = found.loss if known else None
        error = found.standard_error if known else None
        metrics["half_mse_measured_standard_error"] = error
    if request.goal is not None:
        time = time_to(run.times, rows.loss, request.goal - task.target_gap)
        metrics |= {"accuracy_asked": request.goal, "error": run.error}
        metrics["met"] = bool(run.error <= request.goal)
        metrics["time_to_accuracy"] = None if math.isnan(time) else time
    return Result(metrics, arrays=arrays | {"times": run.times})


def _gaps(run: RadialRun, limit: InfiniteWidth) -> dict[str, float]:
    """The gaps between a network and its limit: of its width, of the solver's steps."""
    alpha = np.asarray(run.trajectory.alpha)
    return {
        "width_gap": float(np.abs(alpha - limit.stepped.alpha).max()),
        "step_gap": float(np.abs(limit.stepped.alpha - limit.flow.alpha).max()),
    }


def _two_layers(request: RadialRequest, width: int) -> dict[str, Scalar]:
    """The best of the two-layer optimisers, in two layers' favour."""
    task = request.task
    found = learn_two_layer(task, width, request.budget)
    best = min(found, key=lambda r: math.inf if math.isnan(r.best) else r.best)
    metrics: dict[str, Scalar] = {
        "two_layer_half_mse": best.best,
        "two_layer_error": max((2 * best.best) ** 0.5 - task.target_gap, 0.0),
        "two_layer_width": width,
        "two_layer_optimiser": best.optimiser,
        "two_layer_rate_at_edge": best.at_edge,
        "two_layer_falling": best.falling,
        "two_layer_converged": best.converged,
        "two_layer_steps": best.steps,
    }
    if task.solver != "adaptive":
        losses = [r.loss_within(task_flops(task)) for r in found]
        least = min(filter(math.isfinite, losses), default=math.nan)
        metrics["two_layer_half_mse_same_flops"] = least
    return metrics


JOB = Job(
    "learn radial",
    "2",
    (*RADIAL, *COMPARISON),
    _run,
    "training of three-layer mean-field networks on radial functions",
    _check,
    _seconds,
    (
        *("half_mse", "half_mse_standard_error", "half_mse_train", "half_mse_infinite"),
        *("alpha_final", "alpha_infinite", "width_gap", "step_gap"),
        *("n_initial", "n_final", "steps_taken", "error", "accuracy_asked", "met"),
        *("time_to_accuracy", "target_gap"),
        *("half_mse_measured", "half_mse_measured_standard_error"),
        *("two_layer_half_mse", "two_layer_error", "two_layer_width"),
        *("two_layer_optimiser", "two_layer_rate_at_edge", "two_layer_falling"),
        *("two_layer_converged", "two_layer_steps", "two_layer_half_mse_same_flops"),
    ),
)
