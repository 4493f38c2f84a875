"""Operators that are affine: Gemm, MatMul and arithmetic with constants."""

import numpy as np

from depthsep._errors import FileFormatError
from depthsep.interop.forms._chain import normalising
from depthsep.interop.forms._exact_arrays import exact_matmul, exact_reciprocal
from depthsep.interop.forms._forms import Form, check_entries, image, selected, stacked
from depthsep.interop.onnx._nodes import Node, Operator
from depthsep.interop.onnx._values import (
    Datum,
    Value,
    added,
    constant,
    multiplied,
    negative,
    rearranged,
    reshaped,
    shown,
)

_MAX_PLACES = 1 << 14


def _gemm(node: Node) -> Datum:
    a = _transposed(node.value(0), node.integer("transA", 0))
    b = _transposed(node.value(1), node.integer("transB", 0))
    product = _scaled(_matmul(a, b), node.number("alpha", 1.0))
    if node.given(2) is None:
        return product
    total = added(product, _scaled(node.value(2), node.number("beta", 1.0)))
    if total.shape != product.shape:
        raise FileFormatError(f"adds a bias of shape {shown(node.value(2).shape)}")
    return total


def _transposed(value: Value, flag: int) -> Value:
    if len(value.shape) != 2:
        raise FileFormatError(f"multiplies {shown(value.shape)}; it needs two axes")
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
            "it must be a matrix"
        )
    return array.T if right else array


def _contracted(value: Value, axis: int, weight: np.ndarray) -> Value:
    """The weight applied along one axis, at every position of the others."""
    shape = value.shape
    if not shape or axis == value.batch or shape[axis] != weight.shape[1]:
        raise FileFormatError(
            f"sums {shown(value.marked_shape)} over axis {axis} with "
            f"{weight.shape[1]} weights; they must match, and not be the batch axis"
        )
    places = np.moveaxis(np.arange(value.form.size).reshape(shape), axis, -1)
    rows = places.reshape(-1, shape[axis])
    columns = sum(block.size for block in value.form.terms)
    check_entries(rows.shape[0], weight.shape[0], max(1, columns))
    form = _image_of_rows(weight, value.form, rows)
    others = (*shape[:axis], *shape[axis + 1 :])
    batch = value.batch
    if batch is not None and batch > axis:
        batch -= 1
    product = Value((*others, weight.shape[0]), batch, form, value.extent)
    return rearranged(product, lambda x: np.moveaxis(x, -1, axis), value.batch)


def _image_of_rows(weight: np.ndarray, form: Form, rows: np.ndarray) -> Form:
    """The weight applied to the entries that each row names, one after another."""
    if not form.terms:
        return Form({}, exact_matmul(form.bias[rows], weight.T).reshape(-1))
    if len(rows) > _MAX_PLACES:
        raise FileFormatError(
            f"multiplies at {len(rows)} positions, above the limit of {_MAX_PLACES}; "
            "give a smaller network"
        )
    return stacked([image(weight, selected(form, row)) for row in rows])


def _add(node: Node) -> Datum:
    return added(node.value(0), node.value(1))


def _subtract(node: Node) -> Datum:
    return added(node.value(0), negative(node.value(1)))


def _batch_normalisation(node: Node) -> Datum:
    """With fixed statistics; a factor is rounded to float64 where it is irrational."""
    if node.integer("training_mode", 0):
        raise FileFormatError("normalises by the batch; export with model.eval()")
    value = node.value(0)
    given = [node.value(k) for k in range(1, 5)]
    sizes = {v.shape for v in given}
    if not all(v.is_constant for v in given) or len(value.shape) < 2:
        raise FileFormatError("needs constant statistics of the features on axis 1")
    if sizes != {(value.shape[1],)} or value.batch == 1:
        raise FileFormatError(f"has statistics of shapes {sorted(sizes)}")
    scale, offset, mean, variance = (v.form.bias for v in given)
    if np.any(variance < 0):
        raise FileFormatError("has a negative variance")
    epsilon = node.number("epsilon", float(np.float32(1e-5)))
    fixed = normalising(mean, variance, epsilon, scale, offset)
    if not (fixed.is_exact or node.may_round):
        raise FileFormatError(
            "has an irrational factor 1 / sqrt(variance + epsilon), which no rational "
            "weight equals; fold it into the layer before it and certify that"
        )
    shape = (-1, *[1] * (len(value.shape) - 2))
    scaled = multiplied(value, constant(fixed.factor.reshape(shape)))
    return added(scaled, constant(fixed.offset.reshape(shape)))


def _divide(node: Node) -> Datum:
    divisor = node.value(1)
    if not divisor.is_constant or np.any(divisor.form.bias == 0):
        raise FileFormatError("divides by a tensor that is zero or not constant")
    inverse = exact_reciprocal(divisor.form.bias)
    return multiplied(node.value(0), constant(inverse.reshape(divisor.shape)))


LINEAR_OPERATORS = {
    "Add": Operator(_add, 2, 2),
    "BatchNormalization": Operator(
        _batch_normalisation,
        5,
        5,
        ("epsilon", "momentum", "training_mode", "spatial"),
    ),
    "Div": Operator(_divide, 2, 2),
    "Gemm": Operator(_gemm, 2, 3, ("alpha", "beta", "transA", "transB")),
    "MatMul": Operator(lambda node: _matmul(node.value(0), node.value(1)), 2, 2),
    "Mul": Operator(lambda node: multiplied(node.value(0), node.value(1)), 2, 2),
    "Neg": Operator(lambda node: negative(node.value(0))),
    "Sub": Operator(_subtract, 2, 2),
}
