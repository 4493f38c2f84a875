"""`staircase`: three layers on monomials of signs, the first one resting or not."""

from depthsep.dynamics import Staircase, learn_staircase
from depthsep.jobs._fields import REAL, TEXT, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Scalar, Values
from depthsep.jobs.learning._radial import FLOPS_A_SECOND

PARAMETERS = (
    Parameter("dim", WHOLE, 10, "number of inputs, which are signs +-1", 1, 14),
    Parameter("stairs", WHOLE, 4, "number of monomials x_1, x_1 x_2, ...", 1, 14),
    Parameter("width", WHOLE, 64, "number of first-layer units", 1, 4096),
    Parameter("second", WHOLE, 32, "number of second-layer units", 1, 1024),
    Parameter(
        "target",
        TEXT,
        "stairs",
        "the sum of the monomials, or the last one alone",
        choices=("stairs", "top"),
    ),
    Parameter(
        "frozen",
        REAL,
        None,
        "time after which the first layer is no longer trained; if not "
        "given, it is trained to the end",
        0,
    ),
    Parameter("step", REAL, 0.02, "step size of gradient descent", 1e-9),
    Parameter("time", REAL, 24.0, "end time of training", 1e-9),
    Parameter(
        "records", WHOLE, 60, "number of times at which the run is recorded", 1, 10**4
    ),
)


def _task(values: Values, seed: int) -> Staircase:
    return Staircase(seed=seed, **values)


def _check(values: Values) -> None:
    _task(values, 0)


def _seconds(values: Values) -> float:
    p = values
    each = (1 << p["dim"]) * p["width"] * (p["dim"] + p["second"])
    return 1.5 + 6 * each * p["time"] / p["step"] / FLOPS_A_SECOND


def _run(values: Values, seed: int) -> Result:
    found = learn_staircase(_task(values, seed))
    reached, split = found.reached, found.split
    metrics: dict[str, Scalar] = {
        "half_mse": float(found.loss[-1]),
        "top_coefficient": float(found.coefficients[-1, -1]),
        "top_feature": float(found.features[-1, -1]),
        "least_feature": float(found.features[-1].min()),
        "first_stair": reached[0],
        "last_stair": reached[-1],
        "split_start": float(split[0]),
        "split_end": float(split[-1]),
    }
    names = ("times", "loss", "coefficients", "features", "parts", "split")
    return Result(metrics, arrays={name: getattr(found, name) for name in names})


JOB = Job(
    "staircase",
    "1",
    PARAMETERS,
    _run,
    "three-layer networks trained on a staircase: the monomials x_1, x_1 x_2, ... in "
    "inputs that are +1 or -1",
    _check,
    _seconds,
    (
        *("half_mse", "top_coefficient", "top_feature", "least_feature"),
        *("first_stair", "last_stair", "split_start", "split_end"),
    ),
)
