"""What callers give: arrays of floats, whole and real numbers, or one clear line."""

import math
from typing import TYPE_CHECKING

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._names import shown_name

if TYPE_CHECKING:
    import jax

    Numbers = np.ndarray | jax.Array
    """Arrays of NumPy or JAX, for formulas that serve both."""
else:  # JAX is not loaded for a name
    Numbers = np.ndarray


def floats(x: object, name: str, *, ndim: int | None = None) -> np.ndarray:
    """A finite array; float32 stays, all else becomes float64.

    Raises:
        HypothesisError: not real numbers, another number of axes, NaN, infinities.
    """
    if np.ma.isMaskedArray(x):
        raise HypothesisError(
            f"{shown_name(name)} is a masked array; fill its masked entries first",
            parameter=name,
        )
    try:
        array = np.asarray(x)
        if array.dtype.kind not in "biufO":
            raise TypeError
        if array.dtype != np.float32:
            with np.errstate(over="ignore"):
                array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise HypothesisError(
            f"{shown_name(name)} is not an array of real numbers that fit into float64",
            parameter=name,
        ) from None
    if ndim is not None and array.ndim != ndim:
        wanted = {1: "(points,)", 2: "(points, inputs)"}[ndim]
        raise HypothesisError(
            f"{shown_name(name)} has shape {array.shape}; give an array of shape "
            f"{wanted}",
            parameter=name,
        )
    if not np.isfinite(array).all():
        raise HypothesisError(
            f"{shown_name(name)} holds NaN or infinite numbers; remove them",
            parameter=name,
        )
    return array


def real(value: object, name: str, *, least: float = -math.inf) -> float:
    """A finite real number, at least `least`.

    Raises:
        HypothesisError: it is not.
    """
    try:
        found = float(value)  # pyrefly: ignore[bad-argument-type] (refused below)
    except (TypeError, ValueError, OverflowError):
        raise HypothesisError(
            f"{shown_name(name)} is {str(value)[:40]!r}; give a number", parameter=name
        ) from None
    if isinstance(value, str | bool):
        raise HypothesisError(
            f"{shown_name(name)} is {str(value)[:40]!r}; give a number", parameter=name
        )
    if not (math.isfinite(found) and found >= least):
        bound = f" of at least {least:g}" if math.isfinite(least) else ""
        raise HypothesisError(
            f"{shown_name(name)} is {value}; give a finite number{bound}",
            parameter=name,
        )
    return found


def whole(value: object, name: str, *, least: int = 0, most: int = 2**62) -> int:
    """A whole number within bounds.

    Raises:
        HypothesisError: it is not.
    """
    if (
        not isinstance(value, int | np.integer)
        or isinstance(value, bool)
        or not least <= value <= most
    ):
        raise HypothesisError(
            f"{shown_name(name)} is {str(value)[:40]}; give a whole number from "
            f"{least} to {most}",
            parameter=name,
        )
    return int(value)
