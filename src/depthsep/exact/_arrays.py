"""Arrays of rationals, and of float64 where that loses nothing."""

from collections.abc import Sequence

import numpy as np
from flint import fmpq


def rational_array(values: Sequence[fmpq]) -> np.ndarray:
    """A one-dimensional object array."""
    out = np.empty(len(values), dtype=object)
    out[:] = list(values)
    return out


def floats_if_exact(values: np.ndarray) -> np.ndarray:
    """An array of rationals as float64 if every entry is a float64 number, else as is.

    Args:
        values: an object array of `fmpq` (float64 arrays are returned as they are).
    """
    if values.dtype != object:
        return values
    flat = values.ravel().tolist()
    try:
        floats = [int(x.p) / int(x.q) for x in flat]
    except OverflowError:
        return values
    ratios = (f.as_integer_ratio() for f in floats)
    if all(x.p == p and x.q == q for x, (p, q) in zip(flat, ratios, strict=True)):
        return np.array(floats, dtype=np.float64).reshape(values.shape)
    return values


def exact_column(values: Sequence[fmpq]) -> np.ndarray:
    """A one-dimensional array: float64 if that holds every number, else rational."""
    return floats_if_exact(rational_array(values))
