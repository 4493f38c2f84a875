"""Operators that move numbers about, and those that compute with shapes."""

import math
from fractions import Fraction

import numpy as np

from depthsep._errors import FileFormatError
from depthsep.interop.forms._forms import Form, selected, stacked
from depthsep.interop.onnx._nodes import Node, Operator, axis_of
from depthsep.interop.onnx._values import (
    BATCH,
    Datum,
    Integers,
    Value,
    bad_shape,
    check_size,
    rearranged,
    reshaped,
    shown,
)


def _reshape(node: Node) -> Datum:
    dims = node.integers("shape", 1)
    if dims is None:
        raise FileFormatError("has a shape that is missing or not constant")
    datum = node.given(0)
    if isinstance(datum, Integers):
        return Integers(datum.values.reshape(dims))
    value = node.value(0)
    if 0 in dims and node.integer("allowzero", 0):
        raise FileFormatError("reshapes to an empty tensor, which is not supported")
    old = value.marked_shape
    return reshaped(value, _resolved(value, [d or old[k] for k, d in enumerate(dims)]))


def _resolved(value: Value, dims: list[int]) -> tuple[int, ...]:
    """The new shape with the batch axis found and -1 replaced."""
    if value.batch is None:
        return tuple(_without_unknown(dims, value.form.size))
    before = math.prod(value.shape[: value.batch])
    after = math.prod(value.shape[value.batch + 1 :])
    marks = {BATCH} if BATCH in dims else {-1, value.extent}
    for k, d in enumerate(dims):
        if d in marks:
            left = _without_unknown(dims[:k], before)
            right = _without_unknown(dims[k + 1 :], after)
            if math.prod(left) == before and math.prod(right) == after:
                return (*left, BATCH, *right)
    raise bad_shape(value, tuple(dims))


def _without_unknown(dims: list[int], size: int) -> list[int]:
    known = math.prod(d for d in dims if d != -1)
    return [size // known if d == -1 and known > 0 else d for d in dims]


def _flatten(node: Node) -> Datum:
    value, rank = node.value(0), len(node.value(0).shape)
    axis = node.integer("axis", 1)
    axis = rank if axis == rank else axis_of(axis, rank)
    dims = [math.prod(value.shape[:axis]), math.prod(value.shape[axis:])]
    if value.batch is not None:
        side = 0 if value.batch < axis else 1
        if dims[side] != 1:
            raise FileFormatError(
                f"flattens a tensor of shape {shown(value.marked_shape)} at axis "
                f"{axis}, which would mix the batch axis with features"
            )
        dims[side] = BATCH
    return reshaped(value, tuple(dims))


def _squeeze(node: Node) -> Datum:
    axes = node.integers("axes", 1)
    datum = node.given(0)
    if isinstance(datum, Integers):
        return Integers(datum.values.squeeze(None if axes is None else tuple(axes)))
    value = node.value(0)
    dims = value.marked_shape
    if axes is None:
        return reshaped(value, tuple(d for d in dims if d != 1))
    gone = {axis_of(a, len(dims)) for a in axes}
    if any(dims[a] != 1 for a in gone):
        raise FileFormatError(
            f"squeezes axes {axes} of a tensor of shape {shown(dims)}; "
            "these axes must have size 1"
        )
    return reshaped(value, tuple(d for k, d in enumerate(dims) if k not in gone))


def _unsqueeze(node: Node) -> Datum:
    axes = node.integers("axes", 1)
    if not axes:
        raise FileFormatError("has axes that are missing or not constant")
    datum = node.given(0)
    if isinstance(datum, Integers):
        return Integers(np.expand_dims(datum.values, tuple(axes)))
    value = node.value(0)
    rank = len(value.shape) + len(axes)
    new = {axis_of(a, rank) for a in axes}
    if len(new) != len(axes):
        raise FileFormatError(f"inserts an axis twice: {axes}")
    old = iter(value.marked_shape)
    return reshaped(value, tuple(1 if k in new else next(old) for k in range(rank)))


def _transpose(node: Node) -> Datum:
    value, rank = node.value(0), len(node.value(0).shape)
    perm = node.integers("perm") or list(range(rank))[::-1]
    if sorted(perm) != list(range(rank)):
        raise FileFormatError(
            f"permutes the axes of a tensor of rank {rank} by {perm}, "
            "which is not a permutation of them"
        )
    batch = None if value.batch is None else perm.index(value.batch)
    return rearranged(value, lambda a: a.transpose(perm), batch)


def _concat(node: Node) -> Datum:
    if all(isinstance(x, Integers) for x in node.inputs):
        arrays = [x.values for x in node.inputs if isinstance(x, Integers)]
        return Integers(np.concatenate(arrays, axis=node.integer("axis", 0)))
    values = [node.value(k) for k in range(len(node.inputs))]
    axis = axis_of(node.integer("axis", 0), len(values[0].shape))
    first = values[0]
    if len({v.batch for v in values}) > 1 or axis == first.batch:
        raise FileFormatError(
            "joins tensors along the batch axis, or tensors with different "
            "batch axes, which is not supported"
        )
    size = sum(v.form.size for v in values)
    check_size(size, constant=all(v.is_constant for v in values))
    ends = np.cumsum([v.form.size for v in values])
    places = [
        np.arange(end - v.form.size, end).reshape(v.shape)
        for v, end in zip(values, ends.tolist(), strict=True)
    ]
    index = np.concatenate(places, axis=axis)
    form = selected(stacked([v.form for v in values]), index.reshape(-1))
    return Value(index.shape, first.batch, form, first.extent)


def _shape(node: Node) -> Datum:
    dims = node.value(0).marked_shape
    start = node.integer("start", 0)
    end = node.integer("end", len(dims))
    return Integers(np.array(dims[start:end], dtype=np.int64))


def _gather(node: Node) -> Datum:
    data, index = node.given(0), node.given(1)
    if not isinstance(index, Integers):
        raise FileFormatError(
            "takes entries at positions that are not constant, which is not supported"
        )
    axis = node.integer("axis", 0)
    if isinstance(data, Integers):
        return Integers(np.take(data.values, index.values, axis=axis))
    value = node.value(0)
    axis = _beside_batch(value, axis)
    check_size(value.form.size * index.values.size, constant=value.is_constant)
    batch = value.batch
    if batch is not None and batch > axis:
        batch += index.values.ndim - 1
    return rearranged(value, lambda a: np.take(a, index.values, axis=axis), batch)


def _slice(node: Node) -> Datum:
    start, end = node.integers("starts", 1), node.integers("ends", 2)
    if not start or not end:
        raise FileFormatError("has a start or an end that is missing or not constant")
    axes = node.integers("axes", 3) or list(range(len(start)))
    steps = node.integers("steps", 4) or [1] * len(start)
    cuts = [slice(a, b, s) for a, b, s in zip(start, end, steps, strict=True)]
    datum = node.given(0)
    whole = (
        datum.values.ndim if isinstance(datum, Integers) else len(node.value(0).shape)
    )
    index = [slice(None)] * whole
    for axis, cut in zip(axes, cuts, strict=True):
        index[axis_of(axis, whole)] = cut
    if isinstance(datum, Integers):
        return Integers(datum.values[tuple(index)])
    value = node.value(0)
    for axis in axes:
        _beside_batch(value, axis)
    return rearranged(value, lambda a: _filled(a[tuple(index)]), value.batch)


def _split(node: Node) -> tuple[Datum, ...]:
    """Parts along an axis: of given sizes, or of equal ones but for the last."""
    value = node.value(0)
    axis = _beside_batch(value, node.integer("axis", 0))
    length, count = value.shape[axis], node.integer("num_outputs", node.outputs)
    sizes = node.integers("split", 1)
    if sizes is None:
        if count < 1 or (length % count and node.opset < 18):
            raise FileFormatError(
                f"cannot split {length} entries into {count} equal parts"
            )
        part = -(-length // count)
        sizes = [min(part, length - k * part) for k in range(count)]
    if sum(sizes) != length or min(sizes) < 1:
        raise FileFormatError(
            f"splits {length} entries into parts of {sizes}; these must "
            "not be empty and must add up to all entries"
        )
    ends = np.cumsum(sizes)[:-1].tolist()
    parts = zip([0, *ends], [*ends, length], strict=True)
    return tuple(
        rearranged(value, lambda a, p=p: a.take(range(*p), axis=axis), value.batch)
        for p in parts
    )


def _expand(node: Node) -> Datum:
    """Repeated along axes of length 1, and along new ones in front."""
    dims = node.integers("shape", 1)
    if dims is None:
        raise FileFormatError("has a shape that is missing or not constant")
    value = node.value(0)
    plain = [1 if d == BATCH else d for d in dims]
    shape = np.broadcast_shapes(value.shape, tuple(plain))
    check_size(math.prod(shape), constant=value.is_constant)
    moved = len(shape) - len(value.shape)
    batch = None if value.batch is None else value.batch + moved
    if batch is not None and shape[batch] != 1:
        raise FileFormatError("repeats the points of a batch, which is not supported")
    return rearranged(value, lambda a: np.broadcast_to(a, shape), batch)


def _pad(node: Node) -> Datum:
    """With a constant around."""
    value, pads = node.value(0), node.integers("pads", 1)
    rank = len(value.shape)
    axes = node.integers("axes", 3)
    if axes is None:
        axes = list(range(rank))
    if node.word("mode", "constant") != "constant":
        raise FileFormatError(
            f"pads with mode {node.word('mode', '')!r}; only constant "
            "padding is supported"
        )
    if pads is None or len(pads) != 2 * len(axes) or min(pads) < 0:
        raise FileFormatError(
            "has pads that are missing, negative or wrong in number, "
            "which is not supported"
        )
    around = [(0, 0)] * rank
    for k, axis in enumerate(axes):
        around[axis_of(axis, rank)] = pads[k], pads[k + len(axes)]
    if value.batch is not None and around[value.batch] != (0, 0):
        raise FileFormatError("pads the batch axis, which is not supported")
    size = math.prod(n + a + b for n, (a, b) in zip(value.shape, around, strict=True))
    check_size(size, constant=value.is_constant)
    filler = _filler(node)
    index = np.pad(
        np.arange(value.form.size).reshape(value.shape),
        around,
        constant_values=value.form.size,
    )
    form = selected(stacked([value.form, filler]), index.ravel())
    return Value(index.shape, value.batch, form, value.extent)


def _filler(node: Node) -> Form:
    """What is padded with, as one entry."""
    if node.opset < 11:
        return Form({}, np.array([node.number("value", 0.0)]))
    if node.given(2) is None:
        return Form({}, np.zeros(1))
    value = node.value(2)
    if not value.is_constant or value.form.size != 1:
        raise FileFormatError(
            "pads with a value that is not a constant number, which is not supported"
        )
    return value.form


def _resize(node: Node) -> Datum:
    """By the nearest entry; sizes or scales are constant."""
    value = node.value(0)
    rank, how = len(value.shape), node.word("mode", "nearest")
    axes = node.integers("axes")
    if how != "nearest" or axes is not None or node.opset < 11:
        raise FileFormatError(
            f"has mode {how!r}{' and the attribute axes' * (axes is not None)}, in "
            f"opset {node.opset}; only mode nearest, without the attribute axes and in "
            "opset 11 or later, is supported"
        )
    sizes, scales = node.integers("sizes", 3), node.given(2)
    if sizes is not None:
        if value.batch is not None and sizes[value.batch] not in (BATCH, value.extent):
            raise FileFormatError("resizes the batch axis, which is not supported")
        sizes = [1 if k == value.batch else d for k, d in enumerate(sizes)]
        new = [n if d == BATCH else d for n, d in zip(value.shape, sizes, strict=True)]
        factors = [Fraction(m, n) for m, n in zip(new, value.shape, strict=True)]
    elif isinstance(scales, Value) and scales.is_constant and scales.form.size == rank:
        factors = [Fraction(float(s)) for s in scales.form.bias.tolist()]
        exact = [n * s for n, s in zip(value.shape, factors, strict=True)]
        if any(n.denominator > 1 for n in exact):  # run times round that as they like
            raise FileFormatError(
                f"makes sizes {', '.join(map(str, exact))}, which are "
                "not all whole numbers"
            )
        new = [int(n) for n in exact]
    else:
        raise FileFormatError(
            "needs constant sizes, or constant scales with one number for each axis"
        )
    if min(factors) <= 0 or min(new) < 1:
        raise FileFormatError("makes an empty tensor, which is not supported")
    check_size(math.prod(new), constant=value.is_constant)
    if value.batch is not None and new[value.batch] != 1:
        raise FileFormatError("resizes the batch axis, which is not supported")
    where = node.word("coordinate_transformation_mode", "half_pixel")
    nearest = node.word("nearest_mode", "round_prefer_floor")
    index = [
        _nearest(n, m, s, where, nearest)
        for n, m, s in zip(value.shape, new, factors, strict=True)
    ]
    return rearranged(value, lambda a: a[np.ix_(*index)], value.batch)


def _nearest(
    old: int, new: int, scale: Fraction, where: str, nearest: str
) -> list[int]:
    """The entry that each new place takes, in fractions."""
    half = Fraction(1, 2)
    places = {
        "asymmetric": lambda k: k / scale,
        "half_pixel": lambda k: (k + half) / scale - half,
        "pytorch_half_pixel": lambda k: (k + half) / scale - half if new > 1 else 0,
        "align_corners": lambda k: Fraction(k * (old - 1), max(new - 1, 1)),
    }
    rounded = {
        "floor": math.floor,
        "ceil": math.ceil,
        "round_prefer_floor": lambda x: math.ceil(x - half),
        "round_prefer_ceil": lambda x: math.floor(x + half),
    }
    if where not in places or nearest not in rounded:
        raise FileFormatError(
            f"resizes with coordinate_transformation_mode {where[:40]!r} and "
            f"nearest_mode {nearest[:40]!r}, which is not supported"
        )
    found = [rounded[nearest](Fraction(places[where](k))) for k in range(new)]
    scale = Fraction(float(np.float32(new / old)))
    if found != [rounded[nearest](Fraction(places[where](k))) for k in range(new)]:
        raise FileFormatError(
            "takes entries that depend on how its scales are rounded, "
            "which is not supported"
        )
    return [min(max(int(k), 0), old - 1) for k in found]


def _beside_batch(value: Value, axis: int) -> int:
    """The axis, counted from the front; not that of the batch."""
    found = axis_of(axis, len(value.shape))
    if found == value.batch:
        raise FileFormatError("takes a part of the batch, which is not supported")
    return found


def _filled(array: np.ndarray) -> np.ndarray:
    if array.size == 0:
        raise FileFormatError("makes an empty tensor, which is not supported")
    return array


SHAPE_OPERATORS = {
    "Concat": Operator(_concat, ("axis",)),
    "Expand": Operator(_expand),
    "Flatten": Operator(_flatten, ("axis",)),
    "Gather": Operator(_gather, ("axis",)),
    "Pad": Operator(_pad, ("mode", "pads", "value")),
    "Reshape": Operator(_reshape, ("allowzero",)),
    "Resize": Operator(
        _resize,
        (
            *("coordinate_transformation_mode", "mode", "nearest_mode", "axes"),
            *("cubic_coeff_a", "extrapolation_value", "exclude_outside"),
        ),
    ),
    "Shape": Operator(_shape, ("start", "end")),
    "Slice": Operator(_slice, ("starts", "ends", "axes")),
    "Split": Operator(_split, ("axis", "split", "num_outputs")),
    "Squeeze": Operator(_squeeze, ("axes",)),
    "Transpose": Operator(_transpose, ("perm",)),
    "Unsqueeze": Operator(_unsqueeze, ("axes",)),
}
