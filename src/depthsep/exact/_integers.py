"""Arrays of exact integers: int64 while they fit, Python integers beyond.

A rational array is held as integers over one positive denominator. Every product
first bounds its result; only if 63 bits do not suffice does it move to objects.
"""

import math

import numpy as np
from flint import fmpz_mat

_LIMIT = 1 << 62


def magnitude(values: np.ndarray) -> int:
    """The largest absolute value in an integer array, as a Python integer."""
    if values.size == 0:
        return 0
    return max(abs(int(values.max())), abs(int(values.min())))


def wide(*arrays: np.ndarray, terms: int = 1) -> list[np.ndarray]:
    """The arrays, as objects if a sum of `terms` products of all could overflow."""
    bound = terms
    for values in arrays:
        if values.dtype != object:
            bound *= max(1, magnitude(values))
        else:
            bound = _LIMIT
    if bound < _LIMIT:
        return list(arrays)
    return [values.astype(object) for values in arrays]


def matmul(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The exact matrix product of two integer arrays."""
    left, right = wide(left, right, terms=left.shape[1])
    if left.dtype != object or min(left.shape[0], *right.shape) < 3:
        return left @ right
    product = fmpz_mat(left.tolist()) * fmpz_mat(right.tolist())
    out = np.empty(left.shape[0] * right.shape[1], dtype=object)
    out[:] = [int(x) for x in product.entries()]
    return out.reshape(left.shape[0], right.shape[1])


def narrow(values: np.ndarray) -> np.ndarray:
    """int64 again where the integers fit comfortably."""
    if values.dtype == object and magnitude(values) < 1 << 31:
        return values.astype(np.int64)
    return values


def scaled_integers(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Integers and one denominator with values == integers / denominator, exactly.

    Args:
        values: a float64 array (finite) or an object array of `fmpq`.
    """
    if values.size == 0:
        return np.zeros(values.shape, dtype=np.int64), 1
    return _from_rationals(values) if values.dtype == object else _from_floats(values)


def _from_rationals(values: np.ndarray) -> tuple[np.ndarray, int]:
    flat = values.ravel().tolist()
    denominator = math.lcm(*{int(x.q) for x in flat})
    out = np.empty(len(flat), dtype=object)
    out[:] = [int(x.p) * (denominator // int(x.q)) for x in flat]
    return narrow(out.reshape(values.shape)), denominator


def _from_floats(values: np.ndarray) -> tuple[np.ndarray, int]:
    mantissas, exponents = np.frexp(values)
    integers = np.ldexp(mantissas, 53).astype(np.int64)
    exponents = exponents.astype(np.int64) - 53
    nonzero = integers != 0
    if not nonzero.any():
        return np.zeros(values.shape, dtype=np.int64), 1
    # trailing zeros of an integer n, from the lowest set bit n & -n
    tail = np.frexp((integers & -integers).astype(np.float64))[1].astype(np.int64) - 1
    lowest = min(0, int((exponents + tail)[nonzero].min()))
    shifts = np.where(nonzero, exponents - lowest, 0)
    reduced = np.where(shifts < 0, integers >> np.maximum(-shifts, 0), integers)
    shifts = np.maximum(shifts, 0)
    if int(exponents[nonzero].max()) + 53 - lowest > 31:
        return reduced.astype(object) << shifts.astype(object), 1 << -lowest
    return reduced << shifts, 1 << -lowest
