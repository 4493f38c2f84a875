"""Operators that are affine: Gemm, MatMul and arithmetic with constants."""

import math
from functools import partial, reduce

import numpy as np
from flint import fmpq
from onnx import TensorProto

from depthsep._errors import FileFormatError
from depthsep.exact import rationals
from depthsep.interop.forms._chain import normalising
from depthsep.interop.forms._exact_arrays import exact_matmul, exact_reciprocal
from depthsep.interop.forms._forms import Form, check_entries, image, selected, stacked
from depthsep.interop.onnx._nodes import Node, Operator, axis_of
from depthsep.interop.onnx._values import (
    Datum,
    Integers,
    Value,
    added,
    constant,
    multiplied,
    negative,
    rearranged,
    reshaped,
    shown,
)

REDUCING = ("axes", "keepdims", "noop_with_empty_axes")
_MAX_PLACES = 1 << 14


def _gemm(node: Node) -> Datum:
    a = _transposed(node.value(0), node.integer("transA", 0))
    b = _transposed(node.value(1), node.integer("transB", 0))
    product = _scaled(_matmul(a, b), node.number("alpha", 1.0))
    if node.given(2) is None:
        return product
    total = added(product, _scaled(node.value(2), node.number("beta", 1.0)))
    if total.shape != product.shape:
        raise FileFormatError(
            f"adds a bias of shape {shown(node.value(2).shape)}, which does "
            "not fit the product"
        )
    return total


def _transposed(value: Value, flag: int) -> Value:
    if len(value.shape) != 2:
        raise FileFormatError(
            f"multiplies a tensor of shape {shown(value.shape)}, which must "
            "have two axes"
        )
    if not flag:
        return value
    batch = None if value.batch is None else 1 - value.batch
    return rearranged(value, np.transpose, batch)


def _scaled(value: Value, factor: float) -> Value:
    return value if factor == 1 else multiplied(value, constant(np.array(factor)))


def _matmul(a: Value, b: Value) -> Value:
    """a @ b by numpy's rules; one of the two must be a constant matrix or vector."""
    if not (a.is_constant or b.is_constant):
        raise FileFormatError(
            "multiplies two tensors that both depend on the input, "
            "which is not piecewise affine"
        )
    state, weights = (a, b) if b.is_constant else (b, a)
    rank = len(state.shape)
    axis = rank - 1 if b.is_constant else max(0, rank - 2)
    product = _contracted(state, axis, _matrix(weights, rank, right=b.is_constant))
    if len(weights.shape) > 1:
        return product
    dims = product.marked_shape
    return reshaped(product, (*dims[:axis], *dims[axis + 1 :]))


def _matrix(weights: Value, rank: int, *, right: bool) -> np.ndarray:
    """The weights as (outputs, inputs)."""
    array = weights.form.bias.reshape(weights.shape)
    if array.ndim == 1:
        return array[None, :]
    while array.ndim > 2 and array.shape[0] == 1 and rank >= array.ndim:
        array = array[0]
    if array.ndim != 2:
        raise FileFormatError(
            f"multiplies by a constant of shape {shown(weights.shape)}; "
            "it must be a matrix or a vector"
        )
    return array.T if right else array


def _contracted(value: Value, axis: int, weight: np.ndarray) -> Value:
    """The weight applied along one axis, at every position of the others."""
    shape = value.shape
    if not shape or axis == value.batch or shape[axis] != weight.shape[1]:
        raise FileFormatError(
            f"sums a tensor of shape {shown(value.marked_shape)} over axis {axis}, "
            f"where the number of weights is {weight.shape[1]}; this axis must have "
            "as many entries as there are weights and must not be the batch axis"
        )
    places = np.moveaxis(np.arange(value.form.size).reshape(shape), axis, -1)
    rows = places.reshape(-1, shape[axis])
    columns = sum(block.size for block in value.form.terms)
    check_entries(rows.shape[0], weight.shape[0], max(1, columns))
    form = image_of_rows(weight, value.form, rows)
    others = (*shape[:axis], *shape[axis + 1 :])
    batch = value.batch
    if batch is not None and batch > axis:
        batch -= 1
    product = Value((*others, weight.shape[0]), batch, form, value.extent)
    return rearranged(product, lambda x: np.moveaxis(x, -1, axis), value.batch)


def image_of_rows(weight: np.ndarray, form: Form, rows: np.ndarray) -> Form:
    """The weight applied to the entries that each row names, one after another."""
    if not form.terms:
        return Form({}, exact_matmul(form.bias[rows], weight.T).reshape(-1))
    if len(rows) > _MAX_PLACES:
        raise FileFormatError(
            f"applies a linear map at {len(rows)} positions, above the "
            f"limit of {_MAX_PLACES}; give a smaller network"
        )
    return stacked([image(weight, selected(form, row)) for row in rows])


def _add(node: Node) -> Datum:
    return added(node.value(0), node.value(1))


def _subtract(node: Node) -> Datum:
    return added(node.value(0), negative(node.value(1)))


def _batch_normalisation(node: Node) -> Datum:
    """With fixed statistics; a factor is rounded to float64 where it is irrational.

    More outputs than one mean training before opset 14; `training_mode` does from then.
    """
    if node.integer("training_mode", 0) or node.outputs > 1:
        raise FileFormatError(
            "normalises by the values of the batch, which is not "
            "supported; export with model.eval()"
        )
    value = node.value(0)
    given = [node.value(k) for k in range(1, 5)]
    sizes = {v.shape for v in given}
    if not all(v.is_constant for v in given) or len(value.shape) < 2:
        raise FileFormatError(
            "needs constant statistics, and an input with the features on axis 1"
        )
    if sizes != {(value.shape[1],)} or value.batch == 1:
        raise FileFormatError(
            f"has statistics of shapes {sorted(sizes)}, which do not fit "
            "the features on axis 1"
        )
    scale, offset, mean, variance = (v.form.bias for v in given)
    if np.any(variance < 0):
        raise FileFormatError("has a negative variance")
    epsilon = node.number("epsilon", float(np.float32(1e-5)))
    fixed = normalising(mean, variance, epsilon, scale, offset)
    if not (fixed.is_exact or node.may_round):
        raise FileFormatError(
            "has an irrational factor 1 / sqrt(variance + epsilon), "
            "which no rational weight equals; fold this node into the "
            "layer before it and certify the folded network"
        )
    shape = (-1, *[1] * (len(value.shape) - 2))
    scaled = multiplied(value, constant(fixed.factor.reshape(shape)))
    return added(scaled, constant(fixed.offset.reshape(shape)))


def _divide(node: Node) -> Datum:
    divisor = node.value(1)
    if not divisor.is_constant or np.any(divisor.form.bias == 0):
        raise FileFormatError(
            "divides by a tensor that has a zero entry or is not constant"
        )
    inverse = exact_reciprocal(divisor.form.bias)
    return multiplied(node.value(0), constant(inverse.reshape(divisor.shape)))


def _sum(node: Node) -> Value:
    return reduce(added, [node.value(k) for k in range(len(node.inputs))])


def _mean(node: Node) -> Datum:
    share = exact_reciprocal(np.array([float(len(node.inputs))]))
    return multiplied(_sum(node), constant(share.reshape(())))


def _reduced(node: Node, *, mean: bool) -> Datum:
    """The sum or mean over axes: all of them unless told, none if so told."""
    value = node.value(0)
    rank = len(value.shape)
    axes = node.integers("axes", 1)
    if not axes and node.integer("noop_with_empty_axes", 0):
        return value
    gone = {axis_of(a, rank) for a in axes or range(rank)}
    if value.batch in gone:
        raise FileFormatError(
            f"sums over axes {sorted(gone)}, which include the batch axis"
        )
    count = math.prod(value.shape[k] for k in gone)
    kept = [k for k in range(rank) if k not in gone]
    order = [*kept, *sorted(gone)]
    shape = tuple(value.shape[k] for k in kept)
    batch = None if value.batch is None else kept.index(value.batch)
    rows = np.arange(value.form.size).reshape(value.shape).transpose(order)
    weight = np.ones((1, count))
    if mean:
        weight = exact_reciprocal(np.full(count, float(count))).reshape(1, count)
    form = image_of_rows(weight, value.form, rows.reshape(-1, count))
    total = Value(shape, batch, form, value.extent)
    if not node.integer("keepdims", 1):
        return total
    marked = iter(total.marked_shape)
    return reshaped(total, tuple(1 if k in gone else next(marked) for k in range(rank)))


def _scaler(node: Node) -> Datum:
    """(x - offset) * scale, both one number or one for each feature."""
    value = node.value(0)
    offset, scale = (_features(node, name) for name in ("offset", "scale"))
    return multiplied(added(value, negative(constant(offset))), constant(scale))


def _features(node: Node, name: str) -> np.ndarray:
    default = [0.0] if name == "offset" else [1.0]
    return np.asarray(node.attributes.get(name, default), dtype=np.float64)


def _regressor(node: Node) -> Datum:
    """x @ coefficients + intercepts, a row of coefficients for each target."""
    value, targets = node.value(0), node.integer("targets", 1)
    if node.word("post_transform", "NONE") != "NONE":
        raise FileFormatError(
            "has a post_transform, which is not supported; export without it"
        )
    given = node.attributes.get("coefficients")
    if given is None or len(value.shape) != 2 or value.batch == 1:
        raise FileFormatError(
            "needs coefficients, and an input with two axes: the batch and the features"
        )
    weight = np.asarray(given, dtype=np.float64)
    if targets < 1 or weight.size != targets * value.shape[1]:
        raise FileFormatError(
            f"has coefficients ({weight.size}) and targets ({targets}) "
            "whose numbers do not fit; it needs one coefficient for "
            "each pair of a feature and a target"
        )
    product = _contracted(value, 1, weight.reshape(targets, -1))
    offsets = node.attributes.get("intercepts")
    if offsets is None:
        return product
    return added(product, constant(np.asarray(offsets, dtype=np.float64)))


def _dequantised(node: Node) -> Datum:
    """(x - zero) * scale for constant integers x; along one axis or for all alike."""
    x, scale, zero = node.given(0), node.value(1), node.given(2)
    if not isinstance(x, Integers) or not isinstance(zero, Integers | None):
        raise FileFormatError(
            "dequantises values that are not constant integers, which is not supported"
        )
    if not scale.is_constant or node.integer("block_size", 0):
        raise FileFormatError(
            "has scales that are not constant, or one scale for each "
            "block, which is not supported"
        )
    factors = scale.form.bias
    zeros = np.zeros(1, np.int64) if zero is None else zero.values.reshape(-1)
    if zeros.size not in (1, factors.size):
        raise FileFormatError(
            f"has {factors.size} scales and {zeros.size} zero points; "
            "give one zero point, or one for each scale"
        )
    along = [1] * x.values.ndim
    if factors.size > 1:
        along[axis_of(node.integer("axis", 1), x.values.ndim)] = factors.size
    moved = x.values - zeros.reshape(along if zeros.size > 1 else ())
    whole = constant(moved.astype(np.float64))
    return multiplied(whole, constant(factors.reshape(along)))


def _quantised(node: Node) -> Datum:
    """round(x / scale) + zero, ties to even, within the type of the zero point.

    Of constants only: a network whose values are rounded is a staircase.
    """
    x, scale, zero = node.value(0), node.value(1), node.given(2)
    if not (x.is_constant and scale.is_constant) or node.integer("block_size", 0):
        raise FileFormatError(
            "quantises values or scales that depend on the input, or "
            "quantises by blocks, which is not supported"
        )
    if not isinstance(zero, Integers | None) or node.integer("output_dtype", 0):
        raise FileFormatError(
            "has a zero point that is not a constant integer, or sets "
            "output_dtype; neither is supported"
        )
    factors = scale.form.bias
    along = [1] * len(x.shape)
    if factors.size > 1:
        along[axis_of(node.integer("axis", 1), len(x.shape))] = factors.size
    zeros = np.zeros(1, np.int64) if zero is None else zero.values.reshape(-1)
    if zeros.size not in (1, factors.size) or factors.size not in (1, max(along)):
        raise FileFormatError(
            f"has {factors.size} scales and {zeros.size} zero points, "
            "which do not fit together or do not fit the tensor"
        )
    values, steps = x.form.bias.reshape(x.shape), factors.reshape(along)
    exact = rationals(values) / rationals(steps)
    rounded = np.vectorize(_to_even, otypes=[np.int64])(exact)
    with np.errstate(all="ignore"):
        near = np.rint(values.astype(np.float32) / steps.astype(np.float32))
    if not (near == rounded).all():
        raise FileFormatError(
            "quantises values whose rounding in float32 differs from "
            "the exact one, which is not supported"
        )
    kind = node.types[2] if len(node.types) > 2 else None
    kind = TensorProto.UINT8 if kind is None else kind
    if kind not in _LIMITS:
        raise FileFormatError(
            "quantises to a type other than INT8 and UINT8, which is not supported"
        )
    low, high = _LIMITS[kind]
    moved = rounded + zeros.reshape(along if zeros.size > 1 else ())
    return Integers(np.clip(moved, low, high))


_LIMITS: dict[int, tuple[int, int]] = {
    TensorProto.INT8: (-128, 127),
    TensorProto.UINT8: (0, 255),
}


def _to_even(value: fmpq) -> int:
    """The nearest whole number; of two the even one."""
    below = int(value.floor())
    twice = 2 * (value - below)
    up = twice > 1 or (twice == 1 and below % 2)
    return below + int(up)


LINEAR_OPERATORS = {
    "Add": Operator(_add),
    "BatchNormalization": Operator(
        _batch_normalisation, ("epsilon", "momentum", "training_mode", "spatial")
    ),
    "DequantizeLinear": Operator(_dequantised, ("axis", "block_size")),
    "Div": Operator(_divide),
    "Gemm": Operator(_gemm, ("alpha", "beta", "transA", "transB")),
    "LinearRegressor": Operator(
        _regressor, ("coefficients", "intercepts", "post_transform", "targets")
    ),
    "MatMul": Operator(lambda node: _matmul(node.value(0), node.value(1))),
    "Mean": Operator(_mean),
    "Neg": Operator(lambda node: negative(node.value(0))),
    "QuantizeLinear": Operator(
        _quantised, ("axis", "block_size", "output_dtype", "saturate")
    ),
    "ReduceMean": Operator(partial(_reduced, mean=True), REDUCING),
    "ReduceSum": Operator(partial(_reduced, mean=False), REDUCING),
    "Scaler": Operator(_scaler, ("offset", "scale")),
    "Sub": Operator(_subtract),
    "Sum": Operator(_sum),
}
