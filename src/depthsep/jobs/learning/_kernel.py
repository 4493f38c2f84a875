"""`kernel convergence`: tangent kernels of finite width beside their limit."""

import numpy as np

from depthsep.jobs._fields import REAL, REQUIRED, TEXT, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Values
from depthsep.near_init import TangentKernel, kernel_error

PARAMETERS = (
    Parameter("activation", TEXT, "relu", "activation of the hidden layers"),
    Parameter("depth", WHOLE, 2, "number of affine layers", 2, 64),
    Parameter("dim", WHOLE, 4, "number of inputs", 1, 10**5),
    Parameter(
        "width", WHOLE, REQUIRED, "number of units in every hidden layer", 1, 1 << 20
    ),
    Parameter(
        "points",
        WHOLE,
        16,
        "number of unit vectors; the kernels are compared at all pairs of them",
        1,
        10**4,
    ),
    Parameter(
        "weight_variance",
        REAL,
        1.0,
        "weight variance of every layer that follows an activation",
        0,
    ),
    Parameter("bias_variance", REAL, 0.0, "bias variance of every layer", 0),
)


def _kernel(values: Values) -> TangentKernel:
    names = ("activation", "depth", "weight_variance", "bias_variance")
    return TangentKernel(**{name: values[name] for name in names})


def _check(values: Values) -> None:
    _kernel(values)


def _run(values: Values, seed: int) -> Result:
    rng = np.random.default_rng(0)  # one set of points for all seeds and widths
    x = rng.standard_normal((values["points"], values["dim"]))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    kernel = _kernel(values)
    square = kernel_error(kernel, x, values["width"], seed)
    size = float((np.asarray(kernel(x)) ** 2).mean())
    return Result(
        {
            "squared_error": square,
            "error": square**0.5,
            "relative_error": (square / size) ** 0.5 if size else None,
        }
    )


def _seconds(values: Values) -> float:
    p = values
    return 1.5 + p["width"] ** min(p["depth"] - 1, 2) * p["depth"] * 2e-8


JOB = Job(
    "kernel convergence",
    "1",
    PARAMETERS,
    _run,
    "tangent kernels of random networks, compared with the kernel of infinite width",
    _check,
    _seconds,
    ("squared_error", "error", "relative_error"),
)
