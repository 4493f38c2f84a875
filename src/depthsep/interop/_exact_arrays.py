"""Exact arithmetic on arrays: float64 where that loses nothing, rationals elsewhere."""

import numpy as np
from flint import fmpq

from depthsep._errors import FileFormatError
from depthsep.exact import rational, rationals
from depthsep.networks import Affine, Network, compose

_MAX_RATIONALS = 1 << 24
_MAX_PRODUCTS = 1 << 34


def exact_sum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a + b, shapes broadcast."""
    if a.dtype != object and b.dtype != object:
        with np.errstate(over="ignore", invalid="ignore"):
            total = a + b
            # Knuth's two-sum: total + error == a + b exactly
            virtual = total - a
            error = (a - (total - virtual)) + (b - virtual)
        if np.isfinite(total).all() and not error.any():
            return total
    return stored(_rationals(a) + _rationals(b))


def exact_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a * b, entry by entry, shapes broadcast."""
    if a.dtype != object and b.dtype != object:
        with np.errstate(over="ignore", under="ignore"):
            product = a * b
            # a power of two only moves the exponent, unless it leaves the range
            safe = np.isin(np.abs(np.frexp(b)[0]), (0.0, 0.5))
            back = product / np.where(b == 0, 1.0, b)
        if safe.all() and np.all((back == a) | (b == 0)):
            return product
    return stored(_rationals(a) * _rationals(b))


def exact_reciprocal(a: np.ndarray) -> np.ndarray:
    """1 / a, entry by entry; `a` has no zeros."""
    return stored(fmpq(1) / _rationals(a))


def exact_matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The matrix product a @ b."""
    if a.size + b.size > _MAX_RATIONALS or a.size * b.shape[1] > _MAX_PRODUCTS:
        raise FileFormatError(
            f"multiplying {a.shape} by {b.shape} exactly is too much work; "
            "merge consecutive linear layers before export"
        )
    outer, inner = (Affine(m, np.zeros(m.shape[0])) for m in (a, b))
    return compose(Network([outer]), Network([inner])).layers[0].weight


def zeros(shape: tuple[int, ...], like: np.ndarray) -> np.ndarray:
    """Zeros stored as `like` is stored."""
    if like.dtype != object:
        return np.zeros(shape)
    out = np.empty(shape, dtype=object)
    out[...] = fmpq(0)
    return out


def joined(arrays: list[np.ndarray], axis: int = 0) -> np.ndarray:
    """np.concatenate, rational if one of the arrays is."""
    if any(a.dtype == object for a in arrays):
        arrays = [_rationals(a) for a in arrays]
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays, axis=axis)


def stored(exact: np.ndarray) -> np.ndarray:
    """An array of rationals, as float64 when every entry is one."""
    flat = exact.ravel().tolist()
    try:
        floats = [int(x.p) / int(x.q) for x in flat]
    except OverflowError:
        return exact
    if all(rational(f) == x for f, x in zip(floats, flat, strict=True)):
        return np.array(floats).reshape(exact.shape)
    return exact


def _rationals(a: np.ndarray) -> np.ndarray:
    if a.size > _MAX_RATIONALS:
        raise FileFormatError(
            f"{a.size} weights would have to become rationals, above the limit of "
            f"{_MAX_RATIONALS}; fold scalings into the weights before export"
        )
    return rationals(a)
