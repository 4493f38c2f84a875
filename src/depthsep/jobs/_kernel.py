"""`kernel convergence`: tangent kernels of finite width beside their limit."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from depthsep.jobs import _base as b
from depthsep.jobs._base import Job, Parameter, Result

if TYPE_CHECKING:
    from depthsep.near_init import TangentKernel

PARAMETERS = (
    Parameter("activation", b.TEXT, "relu", "of the hidden layers"),
    Parameter("depth", b.WHOLE, 2, "affine layers", 2, 64),
    Parameter("dim", b.WHOLE, 4, "inputs", 1, 10**5),
    Parameter("width", b.WHOLE, b.REQUIRED, "of every hidden layer", 1, 1 << 20),
    Parameter("points", b.WHOLE, 16, "unit vectors, all pairs of them", 1, 10**4),
    Parameter("weight_variance", b.REAL, 1.0, "of layers after an activation", 0),
    Parameter("bias_variance", b.REAL, 0.0, "of every layer", 0),
)


def _kernel(parameters: Mapping[str, Any]) -> "TangentKernel":
    from depthsep.near_init import TangentKernel

    names = ("activation", "depth", "weight_variance", "bias_variance")
    return TangentKernel(**{name: parameters[name] for name in names})


def _check(parameters: Mapping[str, Any]) -> None:
    _kernel(parameters)


def _run(parameters: Mapping[str, Any], seed: int) -> Result:
    from depthsep.near_init import kernel_error

    rng = np.random.default_rng(0)  # one set of points for all seeds and widths
    x = rng.standard_normal((parameters["points"], parameters["dim"]))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    kernel = _kernel(parameters)
    square = kernel_error(kernel, x, parameters["width"], seed)
    size = float((np.asarray(kernel(x)) ** 2).mean())
    return Result(
        {
            "squared_error": square,
            "error": square**0.5,
            "relative_error": (square / size) ** 0.5 if size else None,
        }
    )


def _seconds(parameters: Mapping[str, Any]) -> float:
    p = parameters
    return 1.5 + p["width"] ** min(p["depth"] - 1, 2) * p["depth"] * 2e-8


KERNEL = Job(
    "kernel convergence",
    "1",
    PARAMETERS,
    _run,
    "tangent kernels of random networks against infinite width",
    _check,
    _seconds,
    ("squared_error", "error", "relative_error"),
)
