"""ONNX graphs in exact fractions: what a file means, operator by operator.

Arrays are numpy arrays of `Fraction` objects, numpy only moves them about. Outputs of
comparisons and shapes are arrays of `int`.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

Array = np.ndarray
FLOATS = (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT16)


def load(path: str | Path) -> onnx.ModelProto:
    """The model in a file."""
    return onnx.load(str(path))


def evaluate(model: onnx.ModelProto, x: list[Fraction]) -> list[Fraction]:
    """The outputs at a point, in row-major order."""
    weights = {t.name: array_of(t) for t in model.graph.initializer}
    (given,) = [i for i in model.graph.input if i.name not in weights]
    dims = [d.dim_value or 1 for d in given.type.tensor_type.shape.dim]
    known = {**weights, given.name: _fractions(np.array(x, dtype=object), dims)}
    for node in model.graph.node:
        attributes = {
            a.name: onnx.helper.get_attribute_value(a) for a in node.attribute
        }
        inputs = [known[name] if name else None for name in node.input]
        known[node.output[0]] = OPERATORS[node.op_type](inputs, attributes)
    return known[model.graph.output[0].name].reshape(-1).tolist()


def array_of(tensor: onnx.TensorProto) -> Array:
    """The numbers of a tensor, exactly."""
    values = numpy_helper.to_array(tensor)
    if tensor.data_type not in FLOATS:
        return values.astype(object)
    return _fractions(values.astype(np.float64), values.shape)


def _fractions(values: Array, dims: Any) -> Array:
    out = np.empty(values.size, dtype=object)
    out[:] = [Fraction(v) for v in values.reshape(-1).tolist()]
    return out.reshape(dims)


def each(function: Callable[..., Any]) -> Callable[..., Array]:
    """The function on every entry, shapes broadcast."""
    return np.frompyfunc(function, 2 if function in _PAIRS else 1, 1)


def _larger(a: Fraction, b: Fraction) -> Fraction:
    return max(a, b)


_PAIRS = (_larger,)
_relu = each(lambda v: max(v, Fraction(0)))
_absolute = each(abs)


def _leaky(inputs: list, attributes: dict) -> Array:
    slope = Fraction(float(attributes.get("alpha", np.float32(0.01))))
    return each(lambda v: v if v > 0 else slope * v)(inputs[0])


def _clipped(inputs: list, attributes: dict) -> Array:
    """A bound that is left out is the largest double."""
    given = [*inputs[1:], None, None][:2]
    top = Fraction(float(np.finfo(np.float64).max))
    low = -top if given[0] is None else given[0].reshape(-1)[0]
    high = top if given[1] is None else given[1].reshape(-1)[0]
    return each(lambda v: min(max(v, low), high))(inputs[0])


def _parametric(inputs: list, attributes: dict) -> Array:
    steep = inputs[0] * inputs[1]
    return np.where(inputs[0] > 0, inputs[0], steep)


def _gemm(inputs: list, attributes: dict) -> Array:
    a, b = inputs[:2]
    a = a.T if attributes.get("transA", 0) else a
    b = b.T if attributes.get("transB", 0) else b
    product = Fraction(attributes.get("alpha", 1.0)) * (a @ b)
    if len(inputs) < 3 or inputs[2] is None:
        return product
    return product + Fraction(attributes.get("beta", 1.0)) * inputs[2]


def _normalised(inputs: list, attributes: dict) -> Array:
    """For statistics whose roots are rational."""
    value, scale, offset, mean, variance = inputs
    epsilon = Fraction(float(attributes.get("epsilon", np.float32(1e-5))))
    roots = [exact_root(v + epsilon) for v in variance.tolist()]
    shape = (-1, *[1] * (value.ndim - 2))
    factor = np.array([s / r for s, r in zip(scale, roots, strict=True)], dtype=object)
    moved = value - mean.reshape(shape)
    return moved * factor.reshape(shape) + offset.reshape(shape)


def exact_root(x: Fraction) -> Fraction:
    """The square root of a square."""
    root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    if root * root != x:
        raise ValueError(f"{x} is no square")
    return root


def _reshaped(inputs: list, attributes: dict) -> Array:
    value, dims = inputs[0], [int(d) for d in inputs[1].reshape(-1)]
    return value.reshape([d or value.shape[k] for k, d in enumerate(dims)])


def _flattened(inputs: list, attributes: dict) -> Array:
    value, axis = inputs[0], attributes.get("axis", 1)
    axis = axis + value.ndim if axis < 0 else axis
    return value.reshape(math.prod(value.shape[:axis]), -1)


def _axes(inputs: list, attributes: dict) -> tuple[int, ...] | None:
    given = inputs[1] if len(inputs) > 1 else attributes.get("axes")
    return None if given is None else tuple(int(a) for a in np.ravel(given))


def _sliced(inputs: list, attributes: dict) -> Array:
    start, end = (int(inputs[k].reshape(-1)[0]) for k in (1, 2))
    return inputs[0][start:end]


def _windows(values: Array, attributes: dict, size: int) -> list[list[Fraction]]:
    """What each position of one row of one channel reads; padding is left out."""
    row, (before, after) = values[0, 0], attributes.get("pads", [0, 0])
    count = len(row) + before + after - size + 1
    return [
        [row[k] for k in range(at - before, at - before + size) if 0 <= k < len(row)]
        for at in range(count)
    ]


def _max_pool(inputs: list, attributes: dict) -> Array:
    windows = _windows(inputs[0], attributes, attributes["kernel_shape"][0])
    return _channel([max(w) for w in windows])


def _average_pool(inputs: list, attributes: dict) -> Array:
    windows = _windows(inputs[0], attributes, attributes["kernel_shape"][0])
    return _channel([sum(w, Fraction(0)) / len(w) for w in windows])


def _channel(values: list[Fraction]) -> Array:
    return np.array(values, dtype=object).reshape(1, 1, -1)


def _padded(inputs: list, attributes: dict) -> Array:
    pads = [int(p) for p in inputs[1]]
    sides = list(zip(pads[:3], pads[3:], strict=True))
    return np.pad(inputs[0], sides, constant_values=inputs[2].item())


def _convolved(inputs: list, attributes: dict) -> Array:
    row = np.pad(inputs[0][0, 0], attributes.get("pads", [0, 0]), constant_values=0)
    kernel = inputs[1][0, 0]
    count = len(row) - len(kernel) + 1
    found = [
        sum((w * row[at + k] for k, w in enumerate(kernel)), Fraction(0))
        for at in range(count)
    ]
    return _channel(found)


def _transposed(inputs: list, attributes: dict) -> Array:
    row, kernel = inputs[0][0, 0], inputs[1][0, 0]
    found = [Fraction(0)] * (len(row) + len(kernel) - 1)
    for at, value in enumerate(row):
        for k, w in enumerate(kernel):
            found[at + k] += w * value
    return _channel(found)


def _compared(holds: Callable[[Fraction, Fraction], bool]) -> Callable:
    truth = np.frompyfunc(lambda a, b: int(holds(a, b)), 2, 1)
    return lambda inputs, attributes: truth(*inputs[:2])


def _constant(inputs: list, attributes: dict) -> Array:
    ((name, value),) = attributes.items()
    if name == "value":
        return array_of(value)
    exact = [Fraction(v) for v in np.ravel(value).tolist()]
    return np.array(exact, dtype=object).reshape(np.shape(value))


OPERATORS: dict[str, Callable[[list, dict], Array]] = {
    "Abs": lambda i, a: _absolute(i[0]),
    "AveragePool": _average_pool,
    "Conv": _convolved,
    "ConvTranspose": _transposed,
    "MaxPool": _max_pool,
    "Pad": _padded,
    "ReduceMax": lambda i, a: np.max(i[0], axis=a["axes"][0], keepdims=True),
    "ReduceMin": lambda i, a: np.min(i[0], axis=a["axes"][0], keepdims=True),
    "Where": lambda i, a: np.where(i[0] != 0, i[1], i[2]),
    "Add": lambda i, a: i[0] + i[1],
    "BatchNormalization": _normalised,
    "Cast": lambda i, a: _fractions(i[0], i[0].shape),
    "Clip": _clipped,
    "Concat": lambda i, a: np.concatenate(i, axis=a["axis"]),
    "Constant": _constant,
    "Div": lambda i, a: i[0] * each(lambda v: 1 / v)(i[1]),
    "Dropout": lambda i, a: i[0],
    "Flatten": _flattened,
    "Gather": lambda i, a: np.take(i[0], i[1].astype(int), axis=a.get("axis", 0)),
    "Gemm": _gemm,
    "Greater": _compared(lambda p, q: p > q),
    "GreaterOrEqual": _compared(lambda p, q: p >= q),
    "Identity": lambda i, a: i[0],
    "LeakyRelu": _leaky,
    "Less": _compared(lambda p, q: p < q),
    "LessOrEqual": _compared(lambda p, q: p <= q),
    "MatMul": lambda i, a: np.matmul(i[0], i[1]),
    "Max": lambda i, a: each(_larger)(*i),
    "Min": lambda i, a: -each(_larger)(-i[0], -i[1]),
    "Mul": lambda i, a: i[0] * i[1],
    "Neg": lambda i, a: -i[0],
    "PRelu": _parametric,
    "Relu": lambda i, a: _relu(i[0]),
    "Reshape": _reshaped,
    "Shape": lambda i, a: np.array(i[0].shape[a.get("start", 0) : a.get("end")]),
    "Slice": _sliced,
    "Squeeze": lambda i, a: np.squeeze(i[0], _axes(i, a)),
    "Sub": lambda i, a: i[0] - i[1],
    "Transpose": lambda i, a: np.transpose(i[0], a.get("perm")),
    "Unsqueeze": lambda i, a: np.expand_dims(i[0], _axes(i, a)),
}
