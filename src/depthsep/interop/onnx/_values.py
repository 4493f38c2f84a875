"""What flows along the edges of a graph: values, integers, truths."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from depthsep._errors import FileFormatError
from depthsep.interop.forms._exact_arrays import memory_of
from depthsep.interop.forms._forms import MAX_ENTRIES, Form, plus, selected, times

BATCH = -(1 << 62) - 1
"""Stands for the unknown extent of the batch axis among integers from a graph."""

_MAX_FEATURES = 1 << 22
_MAX_INTEGERS = 1 << 22  # weights may be integers with a scale


@dataclass(frozen=True, eq=False)
class Value:
    """A tensor that is affine in hidden units, or constant; read for one point.

    Attributes:
        shape: its shape, with 1 for the batch axis.
        batch: which axis is the batch; None for constants and single points.
        form: its entries in row-major order.
        extent: the length of the batch axis in the file, if it is fixed.
    """

    shape: tuple[int, ...]
    batch: int | None
    form: Form
    extent: int | None = None

    @property
    def is_constant(self) -> bool:
        """Whether it does not depend on the input."""
        return not self.form.terms

    @property
    def marked_shape(self) -> tuple[int, ...]:
        """The shape with `BATCH` for the batch axis."""
        return tuple(BATCH if k == self.batch else d for k, d in enumerate(self.shape))


@dataclass(frozen=True, eq=False)
class Integers:
    """A constant tensor of integers, such as a shape."""

    values: np.ndarray

    def __post_init__(self) -> None:
        if self.values.size > _MAX_INTEGERS:
            raise FileFormatError(
                f"has {self.values.size} integers, which are too many"
            )


@dataclass(frozen=True, eq=False)
class Truth:
    """Entrywise: value >= 0, or its negation."""

    value: Value
    negated: bool


Datum = Value | Integers | Truth


def constant(values: np.ndarray) -> Value:
    """A constant tensor."""
    if values.size == 0:
        raise FileFormatError(f"has an empty tensor, of shape {values.shape}")
    return Value(values.shape, None, Form({}, values.reshape(-1)))


def with_form(value: Value, form: Form) -> Value:
    """Other numbers in the same shape."""
    return Value(value.shape, value.batch, form, value.extent)


def rearranged(
    value: Value, arrange: Callable[[np.ndarray], np.ndarray], batch: int | None
) -> Value:
    """The entries moved, repeated or dropped as `arrange` does to an array."""
    if value.is_constant:
        array = arrange(value.form.bias.reshape(value.shape))
        return Value(array.shape, batch, Form({}, array.reshape(-1)), value.extent)
    index = arrange(np.arange(value.form.size).reshape(value.shape))
    form = selected(value.form, index.reshape(-1))
    return Value(index.shape, batch, form, value.extent)


def reshaped(value: Value, dims: tuple[int, ...]) -> Value:
    """To a shape in which the batch axis is marked by `BATCH`."""
    batch = dims.index(BATCH) if BATCH in dims else None
    shape = tuple(1 if d == BATCH else d for d in dims)
    fits = min(shape, default=1) > 0 and math.prod(shape) == value.form.size
    if not fits or (batch is None) != (value.batch is None):
        raise bad_shape(value, dims)
    return Value(shape, batch, value.form, value.extent)


def bad_shape(value: Value, dims: tuple[int, ...]) -> FileFormatError:
    """The refusal to reshape a value."""
    return FileFormatError(
        f"reshapes {shown(value.marked_shape)} to {shown(dims)}; sizes must agree and "
        "the batch axis must stay apart from the features"
    )


def aligned(a: Value, b: Value) -> tuple[Value, Value]:
    """Both broadcast to their common shape."""
    shape = np.broadcast_shapes(a.shape, b.shape)
    size = max(a.form.size, b.form.size)
    if math.prod(shape) > max(size, _MAX_FEATURES):
        raise FileFormatError(
            f"makes a tensor of shape {shape}, which is above the size limit"
        )
    fromright = {v.batch - len(v.shape) for v in (a, b) if v.batch is not None}
    states = [v for v in (a, b) if not v.is_constant]
    batch = len(shape) + fromright.pop() if fromright else None
    if fromright or (batch is not None and shape[batch] != 1):
        raise FileFormatError(
            f"combines {' and '.join(shown(v.marked_shape) for v in (a, b))}, which "
            "treats the points of a batch differently from one another and is not "
            "supported"
        )
    extent = states[0].extent if states else None
    return _broadcast(a, shape, batch, extent), _broadcast(b, shape, batch, extent)


def _broadcast(
    value: Value, shape: tuple[int, ...], batch: int | None, extent: int | None
) -> Value:
    if value.shape == shape:
        return Value(shape, batch, value.form, extent)
    moved = rearranged(value, lambda x: np.broadcast_to(x, shape), batch)
    return Value(shape, batch, moved.form, extent)


def added(a: Value, b: Value) -> Value:
    """a + b with broadcasting."""
    a, b = aligned(a, b)
    return with_form(a, plus(a.form, b.form))


def negative(value: Value) -> Value:
    """-value."""
    return with_form(value, times(value.form, np.full(value.form.size, -1.0)))


def multiplied(a: Value, b: Value) -> Value:
    """a * b with broadcasting; one of the two must be constant."""
    if not (a.is_constant or b.is_constant):
        raise FileFormatError(
            "multiplies two tensors that both depend on the input, "
            "which is not piecewise affine"
        )
    a, b = aligned(a, b)
    state, factors = (b, a) if a.is_constant else (a, b)
    return with_form(state, times(state.form, factors.form.bias))


def check_features(shape: tuple[int, ...]) -> None:
    """Refuse inputs of absurd size before anything is allocated."""
    if not 0 < math.prod(shape) <= _MAX_FEATURES:
        raise FileFormatError(
            f"the input has shape {shape}; the limit is {_MAX_FEATURES} entries"
        )


def check_size(size: int, *, constant: bool) -> None:
    """Refuse a tensor above the limit before it is allocated."""
    if size > (MAX_ENTRIES if constant else _MAX_FEATURES):
        raise FileFormatError(
            f"makes a tensor of {size} entries, which is above the size limit"
        )


def numbers_in(datum: Datum) -> int:
    """How many numbers it keeps in memory, as float64."""
    if isinstance(datum, Integers):
        return datum.values.size
    form = datum.value.form if isinstance(datum, Truth) else datum.form
    return memory_of(form.bias) + sum(
        memory_of(m) if isinstance(m, np.ndarray) else m.index.size + memory_of(m.scale)
        for m in form.terms.values()
    )


def shown(dims: tuple[int, ...]) -> str:
    """A shape for messages."""
    return "[" + ", ".join("batch" if d == BATCH else str(d) for d in dims) + "]"
