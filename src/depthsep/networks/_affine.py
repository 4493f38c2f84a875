"""Affine maps with weights at face value: float64 arrays or rationals."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import arb, fmpq, fmpq_mat

from depthsep._errors import HypothesisError
from depthsep.exact import rational, rationals, scaled_integers


@dataclass(frozen=True, eq=False)
class Affine:
    """The map x -> weight @ x + bias, weight of shape (out, in), immutable.

    Floats stay float64 arrays (finite, taken at face value: every float is a dyadic
    rational); anything else becomes an object array of `fmpq`. Arrays that are
    already read-only are kept as they are, others are copied once.
    """

    weight: np.ndarray
    bias: np.ndarray

    def __init__(self, weight: object, bias: object) -> None:
        w, b = _frozen(weight, 2, "weight"), _frozen(bias, 1, "bias")
        if w.shape[0] != b.shape[0]:
            raise HypothesisError(
                f"weight has {w.shape[0]} rows but bias has {b.shape[0]} entries"
            )
        if 0 in w.shape:
            raise HypothesisError(
                f"weight has shape {w.shape}; a layer needs at least "
                "one unit and at least one input"
            )
        object.__setattr__(self, "weight", w)
        object.__setattr__(self, "bias", b)

    @property
    def is_float(self) -> bool:
        """Whether weights and biases are all stored as float64."""
        return self.weight.dtype != object and self.bias.dtype != object

    @property
    def shape(self) -> tuple[int, int]:
        """(outputs, inputs)."""
        return self.weight.shape  # type: ignore[return-value]

    def rational_rows(self) -> Iterator[tuple[list[fmpq], fmpq]]:
        """Rows (weights, bias) as rationals, made on demand, one row at a time."""
        for row, b in zip(self.weight, self.bias, strict=True):
            yield rationals(row).tolist(), rational(b)

    @cached_property
    def integers(self) -> tuple[np.ndarray, np.ndarray, int]:
        """(W, b, s) with weight == W/s and bias == b/s, all exact integers."""
        w, s = scaled_integers(self.weight)
        b, r = scaled_integers(self.bias)
        common = math.lcm(s, r)
        return _times(w, common // s), _times(b, common // r), common

    @cached_property
    def as_floats(self) -> tuple[np.ndarray, np.ndarray]:
        """(weight, bias) rounded to float64: for exploring, not for proofs."""
        return _rounded(self.weight), _rounded(self.bias)

    def __call__(self, x: list[fmpq]) -> list[fmpq]:
        """The exact image of a rational vector."""
        column = fmpq_mat(len(x), 1, x)
        w = rationals(self.weight).ravel().tolist()
        product = fmpq_mat(*self.shape, w) * column
        return [
            p + rational(b) for p, b in zip(product.entries(), self.bias, strict=True)
        ]

    def balls(self, x: list[arb]) -> list[arb]:
        """Enclosures of the image of a vector of balls."""
        return [
            sum((arb(w) * v for w, v in zip(row, x, strict=True) if w != 0), arb(b))
            for row, b in self.rational_rows()
        ]

    def __eq__(self, other: object) -> bool:
        """Equal as rational maps, whatever the storage."""
        if not isinstance(other, Affine) or self.shape != other.shape:
            return False
        return all(
            a.dtype == b.dtype and bool(np.all(a == b))
            if a.dtype == b.dtype
            else bool(np.all(rationals(a) == rationals(b)))
            for a, b in ((self.weight, other.weight), (self.bias, other.bias))
        )

    __hash__ = None  # type: ignore[assignment]


def _times(values: np.ndarray, factor: int) -> np.ndarray:
    if factor == 1:
        return values
    return values.astype(object) * factor


def _rounded(values: np.ndarray) -> np.ndarray:
    if values.dtype != object:
        return values
    try:
        flat = [int(x.p) / int(x.q) for x in values.ravel().tolist()]
    except OverflowError as error:
        raise HypothesisError(
            "a weight is too large for float64; use exact arithmetic, "
            "or scale the network down"
        ) from error
    return np.array(flat, dtype=np.float64).reshape(values.shape)


def _frozen(given: object, ndim: int, name: str) -> np.ndarray:
    array = np.asarray(given)
    if array.dtype in (np.float16, np.float32):
        array = array.astype(np.float64)
    if array.dtype != np.float64:
        array = _rational_array(given, array, name)
    elif not np.isfinite(array).all():
        raise HypothesisError(
            f"a {name} is NaN or infinite; all weights and biases must be finite"
        )
    if array.ndim != ndim:
        raise HypothesisError(f"{name} has {array.ndim} axes; it needs {ndim}")
    if _may_change(array):
        array = array.copy()
        array.flags.writeable = False
    return array


def _may_change(array: np.ndarray) -> bool:
    """Whether somebody could still write to it, also through what it is a view of."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return True
        if array.base is None:
            return False
        array = array.base
    return True


def _rational_array(given: object, array: np.ndarray, name: str) -> np.ndarray:
    if array.dtype.kind not in "Oiu" and array.dtype.kind != "U":
        raise HypothesisError(
            f"{name} has type {array.dtype}; use float64 numbers, integers or fractions"
        )
    out = np.empty(array.size, dtype=object)
    out[:] = [rational(x, name=f"a {name}") for x in array.ravel().tolist()]
    return out.reshape(array.shape)
