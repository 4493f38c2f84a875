"""Exact arithmetic on arrays: float64 where that loses nothing, rationals elsewhere."""

import math

import numpy as np
from flint import fmpq

from depthsep._errors import FileFormatError
from depthsep.exact import floats_if_exact, rationals
from depthsep.networks import Affine, Network, compose

_MAX_RATIONALS = 1 << 24
_MAX_PRODUCTS = 1 << 34
_MAX_BITS = 1 << 16
_MAX_MEMORY = 1 << 34  # bits
_OBJECT = 512  # bits that a rational takes beside its digits
_MERGE = "merge consecutive linear layers before export"


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
            f"multiplies matrices of shapes {a.shape} and {b.shape} "
            f"exactly, which is too much work; {_MERGE}"
        )
    bits = _OBJECT + _common_bits(a) + _common_bits(b)
    if bits * (a.size + b.size + a.shape[0] * b.shape[1]) > _MAX_MEMORY:
        raise FileFormatError(
            f"multiplies matrices of shapes {a.shape} and {b.shape} exactly with "
            f"{bits} bits for each entry, which takes too much memory; {_MERGE}"
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
    _check_bits(max((x.height_bits() for x in exact.ravel().tolist()), default=0))
    return floats_if_exact(exact)


def memory_of(a: np.ndarray) -> int:
    """How many float64 numbers take as much memory."""
    if a.dtype != object:
        return a.size
    return sum(_OBJECT // 64 + x.height_bits() // 32 for x in a.flat)


def _common_bits(a: np.ndarray) -> int:
    """At least the bits of every numerator over one common denominator."""
    if a.dtype != object:
        exponents = np.frexp(a[a != 0])[1]
        return 53 + int(exponents.max(initial=0)) - int(exponents.min(initial=0))
    common, largest = 1, 0
    for x in a.flat:
        common = math.lcm(common, int(x.q))
        largest = max(largest, int(x.p).bit_length() - int(x.q).bit_length())
        _check_bits(common.bit_length())
    return common.bit_length() + largest + 1


def _check_bits(bits: int) -> None:
    if bits > _MAX_BITS:
        raise FileFormatError(f"makes numbers of more than {_MAX_BITS} bits; {_MERGE}")


def _rationals(a: np.ndarray) -> np.ndarray:
    if a.size > _MAX_RATIONALS:
        raise FileFormatError(
            f"would turn {a.size} weights into rationals, above the limit of "
            f"{_MAX_RATIONALS}; fold scalings into the weights before export"
        )
    return rationals(a)
