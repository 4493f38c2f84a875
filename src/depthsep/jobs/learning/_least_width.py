"""`least width`: how wide a start has to be to learn to an accuracy, and how long."""

import math

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.dynamics import (
    LeastWidth,
    RadialTask,
    TwoLayerBudget,
    check_two_layer,
    least_width,
)
from depthsep.jobs._fields import REAL, REQUIRED, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Values
from depthsep.jobs._parameters import COMPARISON, RADIAL
from depthsep.jobs.learning._radial import FLOPS_A_SECOND
from depthsep.jobs.learning._radial_request import task_of

ASKED = (
    Parameter("accuracy", REAL, REQUIRED, "L2 error to be met", 1e-9),
    Parameter(
        "layers",
        WHOLE,
        3,
        "layers of the network: 3, or 2 (trained by the best of three optimisers)",
        2,
        3,
    ),
    Parameter("narrowest", WHOLE, 4, "smallest width to try", 1, 10**6),
    Parameter("widest", WHOLE, 4096, "largest width to try", 1, 10**6),
    Parameter(
        "parts",
        WHOLE,
        4,
        "number of candidate widths for each doubling of the width",
        1,
        64,
    ),
)
OWN = tuple(p for p in RADIAL if p.name != "width")
BUDGET = tuple(p for p in COMPARISON if p.name in ("compare_steps", "compare_seeds"))


def _task(values: Values, seed: int) -> RadialTask:
    return task_of({**values, "width": values["narrowest"]}, seed)


def _check(values: Values) -> None:
    task = _task(values, 0)
    if values["layers"] == 2:
        check_two_layer(task)
    if values["narrowest"] > values["widest"]:
        raise HypothesisError(
            f"`narrowest` is {values['narrowest']}; it must be at most "
            f"`widest`, which is {values['widest']}",
            parameter="narrowest",
        )


def _seconds(values: Values) -> float:
    """Twice a run of the square root of all widths, ten times over, with compiling."""
    p, steps = values, values["time"] / values["step"]
    width = (p["narrowest"] * p["widest"]) ** 0.5
    return 30 + 40 * steps * p["pairs"] * width * p["dim"] / FLOPS_A_SECOND


def _run(values: Values, seed: int) -> Result:
    chosen = {name: values[name] for name in ("layers", "narrowest", "widest", "parts")}
    budget = TwoLayerBudget(
        steps=values["compare_steps"], seeds=values["compare_seeds"]
    )
    task = _task(values, seed)
    found = least_width(task, values["accuracy"], budget=budget, **chosen)
    return Result(_metrics(found), arrays=_arrays(found))


def _metrics(found: LeastWidth) -> dict[str, bool | int | float | None]:
    time = found.time
    return {
        "least_width": found.width,
        "width_missed": found.below,
        "time_to_accuracy": None if math.isnan(time) else time,
        "met": found.width is not None,
        "widths_tried": len(found.tried),
    }


def _arrays(found: LeastWidth) -> dict[str, np.ndarray]:
    """Every width that was tried, with its error and the time it took."""
    names = ("width", "error", "met", "time")
    return {f"{n}s": np.array([getattr(t, n) for t in found.tried]) for n in names}


JOB = Job(
    "least width",
    "1",
    (*OWN, *ASKED, *BUDGET),
    _run,
    "least width at which a network learns a radial function to a given accuracy",
    _check,
    _seconds,
    ("least_width", "width_missed", "time_to_accuracy", "met", "widths_tried"),
)
