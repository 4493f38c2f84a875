"""What callers give: arrays of floats, whole and real numbers, or one clear line."""

import math
from typing import Any

import numpy as np

from depthsep._errors import HypothesisError


def floats(x: object, name: str, *, ndim: int | None = None) -> np.ndarray:
    """A finite array; float32 stays, all else becomes float64.

    Raises:
        HypothesisError: no real numbers, another number of axes, NaN, infinities.
    """
    if np.ma.isMaskedArray(x):
        raise HypothesisError(f"{name} is masked; fill its gaps first")
    try:
        array = np.asarray(x)
        if array.dtype.kind not in "biufO":
            raise TypeError
        if array.dtype != np.float32:
            with np.errstate(over="ignore"):
                array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise HypothesisError(
            f"{name} is not an array of real numbers that float64 holds"
        ) from None
    if ndim is not None and array.ndim != ndim:
        wanted = {1: "(points,)", 2: "(points, inputs)"}[ndim]
        raise HypothesisError(f"{name} has shape {array.shape}; give {wanted}")
    if not np.isfinite(array).all():
        raise HypothesisError(f"{name} holds NaN or infinite numbers; remove them")
    return array


def real(value: Any, name: str, *, least: float = -math.inf) -> float:
    """A finite real number, at least `least`.

    Raises:
        HypothesisError: it is none.
    """
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        raise HypothesisError(f"{name} is {str(value)[:40]!r}; give a number") from None
    if isinstance(value, str | bool) or not (math.isfinite(found) and found >= least):
        raise HypothesisError(f"{name} is {value}; give a number from {least:g} on")
    return found


def whole(value: Any, name: str, *, least: int = 0, most: int = 2**62) -> int:
    """A whole number within bounds.

    Raises:
        HypothesisError: it is none.
    """
    fits = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not (fits and least <= value <= most):
        raise HypothesisError(
            f"{name} is {str(value)[:40]}; give a whole number from {least} to {most}"
        )
    return int(value)
