"""`coupling`: particles beside infinite width, with the symmetry and without it."""

from typing import Any

from depthsep._errors import HypothesisError
from depthsep.dynamics import Coupling, RadialTask, couple, near_a_line
from depthsep.jobs._fields import REAL, REQUIRED, TEXT, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Values
from depthsep.jobs._parameters import PAIRS
from depthsep.jobs.learning._radial import FLOPS_A_SECOND

PARAMETERS = (
    Parameter("dim", WHOLE, REQUIRED, "number of inputs", 2, 1000),
    Parameter("width", WHOLE, REQUIRED, "number of first-layer neurons", 1, 10**6),
    Parameter(
        "start",
        TEXT,
        "radial",
        "radial: the target and the law of the start have radial symmetry; line: the "
        "target depends on one coordinate, and the first-layer weights start close to "
        "the axis of another coordinate",
        choices=("radial", "line"),
    ),
    Parameter(
        "noise",
        REAL,
        0.05,
        "size of the noise in the starting weights, for start = line",
        1e-9,
        10,
    ),
    Parameter(
        "reference",
        WHOLE,
        4096,
        "width of the wide network that stands for infinite width, for start = line",
        2,
        10**7,
    ),
    PAIRS,
    Parameter("step", REAL, 0.5, "longest step of the solver", 1e-9),
    Parameter("time", REAL, 60.0, "end time of the mean-field flow", 1e-9),
    Parameter(
        "records",
        WHOLE,
        30,
        "number of times at which the two networks are compared",
        1,
        10**5,
    ),
)
SHARED = ("dim", "pairs", "step", "time", "records")


def _seconds(values: Values) -> float:
    p = values
    wide = p["width"] + (p["reference"] if p["start"] == "line" else 0)
    flops = 8 * p["time"] / p["step"] * p["pairs"] * wide * p["dim"]
    return 3 + flops / FLOPS_A_SECOND


def _check(values: Values) -> None:
    given = {name: values[name] for name in SHARED}
    RadialTask(width=values["width"], **given)
    if values["start"] == "line" and values["width"] >= values["reference"]:
        raise HypothesisError(
            f"`reference` is {values['reference']}; it must be more "
            f"than `width`, which is {values['width']}",
            parameter="reference",
        )


def _coupled(values: Values, seed: int) -> Coupling:
    given: dict[str, Any] = {name: values[name] for name in SHARED} | {"seed": seed}
    width = values["width"]
    if values["start"] == "radial":
        return couple(RadialTask(width=width, **given))
    wide = values["reference"]
    start = near_a_line(wide, values["dim"], values["noise"], seed)
    return couple(RadialTask(width=wide, subspace=1, weights=start, **given), width)


def _run(values: Values, seed: int) -> Result:
    found = _coupled(values, seed)
    first, most = float(found.gap[0]), float(found.gap.max())
    metrics = {
        "distance": float(found.distance[-1]),
        "gap_start": first,
        "gap_most": most,
        "gap_end": float(found.gap[-1]),
        "growth": most / first,
    }
    arrays = {name: getattr(found, name) for name in ("times", "distance", "gap")}
    return Result(metrics, arrays=arrays)


JOB = Job(
    "coupling",
    "1",
    PARAMETERS,
    _run,
    "distance between the particles of a network and those of the "
    "infinite-width network with the same start",
    _check,
    _seconds,
    ("distance", "gap_start", "gap_most", "gap_end", "growth"),
)
