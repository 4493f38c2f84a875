"""`learn radial`: three-layer mean-field networks beside their infinite width."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.jobs import _base as b
from depthsep.jobs._base import Job, Parameter, Result

if TYPE_CHECKING:
    from depthsep.dynamics import (
        InfiniteWidth,
        RadialRun,
        RadialTask,
        TwoLayerBudget,
    )

COMPARE = ("none", "parameters", "compute")
BUDGET = ("compare", "compare_steps", "compare_seeds", "accuracy")
FLOPS_A_SECOND = 3e9  # of one thread, in a rough model of time

PARAMETERS = (
    Parameter("dim", b.WHOLE, b.REQUIRED, "inputs", 2, 10**6),
    Parameter("width", b.WHOLE, b.REQUIRED, "first-layer neurons m", 1, 10**9),
    Parameter("law", b.MAYBE_TEXT, None, "radial law; radius:D:0,2 if not given"),
    Parameter("target", b.TEXT, "radial:relu", "radial target"),
    Parameter("subspace", b.MAYBE_WHOLE, None, "rank of a subspace target", 1),
    Parameter("second", b.WHOLE, 4, "second-layer units", 1, 4096),
    Parameter("slope", b.REALS, -0.5, "where second-layer slopes start"),
    Parameter("offset", b.REALS, 0.5, "where second-layer offsets start"),
    Parameter("alpha", b.REAL, 1.0, "size of the start"),
    Parameter("start", b.TEXT, "sphere", "law of the start"),
    Parameter("bottleneck", b.WHOLE, 1, "outputs of the first layer", 1, 64),
    Parameter("outputs", b.TEXT, "channels", "of neurons, if there are several"),
    Parameter("train_outputs", b.TRUTH, False, "outputs of neurons move"),
    Parameter("train_scales", b.TRUTH, False, "output weights move"),
    Parameter("pairs", b.WHOLE, 2048, "directions u, -u", 1, 10**8),
    Parameter("directions", b.TEXT, "orthogonal", "how directions are drawn"),
    Parameter("fresh", b.TRUTH, False, "new directions at every step"),
    Parameter("solver", b.TEXT, "euler", "euler, heun or adaptive"),
    Parameter("step", b.REAL, 0.5, "longest step of the solver"),
    Parameter("time", b.REAL, 100.0, "of the mean-field flow"),
    Parameter("first_rate", b.REAL, 1.0, "how fast the first layer moves", 0),
    Parameter("second_rate", b.REAL, 1.0, "how fast the second layer moves", 0),
    Parameter("records", b.WHOLE, 100, "records of the trajectory", 1, 10**5),
    Parameter("precision", b.TEXT, "float32", "float32 or float64"),
    Parameter("compare", b.TEXT, "none", "two layers of equal size", choices=COMPARE),
    Parameter("compare_steps", b.WHOLE, 4000, "of two-layer optimisers", 1, 10**9),
    Parameter("compare_seeds", b.WHOLE, 1, "starts of two-layer optimisers", 1, 10**4),
    Parameter("accuracy", b.MAYBE_NUMBER, None, "L2 error to judge by; may use d: 1/d"),
)


def task_of(parameters: Mapping[str, Any], seed: int = 0) -> "RadialTask":
    """The task that the parameters describe.

    Raises:
        HypothesisError: they do not fit together.
    """
    from depthsep.dynamics import RadialTask

    given = {k: v for k, v in parameters.items() if k not in BUDGET}
    dim, width = given.pop("dim"), given.pop("width")
    given["rates"] = (given.pop("first_rate"), given.pop("second_rate"))
    return RadialTask(dim, width, seed=seed, **given)


def _check(parameters: Mapping[str, Any]) -> None:
    task = task_of(parameters)
    _accuracy(parameters)
    if parameters["compare"] != "none":
        from depthsep.dynamics import check_two_layer

        check_two_layer(task)
        _two_layer_width(task, parameters)


def _accuracy(parameters: Mapping[str, Any]) -> float | None:
    if parameters["accuracy"] is None:
        return None
    from depthsep.exact import nearest_float
    from depthsep.targets import value_in_dimension

    written = parameters["accuracy"].replace("^", "**")
    value = value_in_dimension(written, parameters["dim"], name="accuracy")
    if value <= 0:
        raise HypothesisError(f"accuracy is {value}; it is positive")
    return nearest_float(value)


def _seconds(parameters: Mapping[str, Any]) -> float:
    p, steps = parameters, parameters["time"] / parameters["step"]
    flops = 4 * steps * p["pairs"] * p["width"] * p["dim"] * (p["bottleneck"] + 1)
    if p["compare"] != "none":  # three optimisers, eight rates
        own = 24 * p["compare_steps"] * p["compare_seeds"] * 2048
        flops += own * (
            flops / steps / p["pairs"]
            if p["compare"] == "compute"
            else 4 * p["width"] * p["dim"]
        )
    return 1.5 + flops / FLOPS_A_SECOND


def _run(parameters: Mapping[str, Any], seed: int) -> Result:
    from depthsep.dynamics import InfiniteWidth, learn_radial

    task = task_of(parameters, seed)
    run = learn_radial(task)
    if run.failure is not None:
        raise HypothesisError(run.failure)
    rows = run.trajectory
    metrics: dict[str, Any] = {
        "half_mse": run.loss,
        "half_mse_standard_error": run.standard_error,
        "half_mse_train": float(rows.loss[-1]),
        "alpha_final": float(rows.alpha[-1]),
        "n_initial": run.spread_start,
        "n_final": run.spread_end,
        "steps_taken": int(rows.steps[-1]),
    }
    arrays: dict[str, np.ndarray] = {
        k: np.asarray(v) for k, v in rows._asdict().items()
    }
    if isinstance(run.infinite, InfiniteWidth):
        metrics |= _beside(run, run.infinite)
        arrays |= {
            "infinite_alpha": np.asarray(run.infinite.flow.alpha),
            "stepped_alpha": np.asarray(run.infinite.stepped.alpha),
            "infinite_loss": run.infinite.loss,
        }
    if parameters["compare"] != "none":
        metrics |= _two_layers(task, parameters)
    goal = _accuracy(parameters)
    if goal is not None:
        metrics |= {"accuracy_asked": goal, "error": (2 * run.loss) ** 0.5}
        metrics["met"] = bool(metrics["error"] <= goal)
    arrays["times"] = run.times
    return Result(metrics, arrays=arrays)


def _beside(run: "RadialRun", limit: "InfiniteWidth") -> dict[str, float]:
    """What parts a network from its limit: its width, and the steps of the solver."""
    alpha = np.asarray(run.trajectory.alpha)
    return {
        "alpha_infinite": float(limit.flow.alpha[-1]),
        "half_mse_infinite": float(limit.loss[-1]),
        "width_gap": float(np.abs(alpha - limit.stepped.alpha).max()),
        "step_gap": float(np.abs(limit.stepped.alpha - limit.flow.alpha).max()),
    }


def _two_layers(task: "RadialTask", parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The best of the two-layer optimisers, in two layers' favour."""
    from depthsep.dynamics import learn_two_layer

    width, budget = _two_layer_width(task, parameters)
    found = learn_two_layer(task, width, budget)
    best = min(found, key=lambda r: r.best if r.best == r.best else np.inf)
    return {
        "two_layer_half_mse": best.best,
        "two_layer_error": (2 * best.best) ** 0.5,
        "two_layer_width": width,
        "two_layer_optimiser": best.optimiser,
        "two_layer_rate_at_edge": best.at_edge,
        "two_layer_falling": best.falling,
    }


def _two_layer_width(
    task: "RadialTask", parameters: Mapping[str, Any]
) -> "tuple[int, TwoLayerBudget]":
    from depthsep.dynamics import (
        WIDEST_TWO_LAYER,
        TwoLayerBudget,
        equal_compute,
        equal_parameters,
    )

    budget = TwoLayerBudget(
        steps=parameters["compare_steps"], seeds=parameters["compare_seeds"]
    )
    by_parameters = parameters["compare"] == "parameters"
    width = equal_parameters(task) if by_parameters else equal_compute(task, budget)
    if width > WIDEST_TWO_LAYER:
        raise HypothesisError(
            f"compare: two layers would have {width} neurons, more than "
            f"{WIDEST_TWO_LAYER}; give more compare_steps or a smaller task"
        )
    return width, budget


RADIAL = Job(
    "learn radial",
    "1",
    PARAMETERS,
    _run,
    "three-layer mean-field networks on radial functions",
    _check,
    _seconds,
    (
        *("half_mse", "half_mse_standard_error", "half_mse_train", "half_mse_infinite"),
        *("alpha_final", "alpha_infinite", "width_gap", "step_gap"),
        *("n_initial", "n_final", "steps_taken", "error", "accuracy_asked", "met"),
        *("two_layer_half_mse", "two_layer_error", "two_layer_width"),
        *("two_layer_optimiser", "two_layer_rate_at_edge", "two_layer_falling"),
    ),
)
