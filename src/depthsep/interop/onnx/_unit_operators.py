"""Operators that make hidden units, and those that change nothing."""

from functools import partial

import numpy as np
from onnx import TensorProto

from depthsep._errors import FileFormatError
from depthsep.interop.forms._forms import activated
from depthsep.interop.onnx._nodes import Node, Operator, datum_of
from depthsep.interop.onnx._tensors import FLOAT_TYPES, INTEGER_TYPES, type_name
from depthsep.interop.onnx._values import (
    BATCH,
    Datum,
    Integers,
    Truth,
    Value,
    added,
    aligned,
    constant,
    negative,
    with_form,
)
from depthsep.networks import ABS, RELU, THRESHOLD, Activation, leaky_relu


def _activate(value: Value, activation: Activation) -> Value:
    return with_form(value, activated(value.form, activation))


def _leaky(node: Node) -> Datum:
    slope = node.number("alpha", float(np.float32(0.01)))
    if not 0 <= slope < 1:
        raise FileFormatError(f"has the slope {slope}; it must be 0 or more, below 1")
    return _activate(node.value(0), leaky_relu(slope))


def _max(node: Node) -> Datum:
    values = [node.value(k) for k in range(len(node.inputs))]
    zeros = [v for v in values if v.is_constant and not np.any(v.form.bias != 0)]
    if len(values) != 2 or not zeros:
        raise FileFormatError("takes a maximum other than with the constant 0")
    state = values[1] if zeros[0] is values[0] else values[0]
    return _activate(aligned(state, zeros[0])[0], RELU)


def _clip(node: Node) -> Datum:
    bounds = [
        node.attributes.get(name, node.given(k)) for k, name in ((1, "min"), (2, "max"))
    ]
    low = bounds[0]
    if isinstance(low, Value) and low.is_constant and low.form.size == 1:
        low = 0.0 if low.form.bias[0] == 0 else None
    if low != 0.0 or bounds[1] is not None:
        raise FileFormatError("clips other than to min 0 without max; use Relu")
    return _activate(node.value(0), RELU)


def _truth(node: Node, *, swapped: bool, negated: bool) -> Datum:
    a, b = node.value(0), node.value(1)
    left, right = (b, a) if swapped else (a, b)
    return Truth(added(left, negative(right)), negated)


def _cast(node: Node) -> Datum:
    datum, target = node.given(0), node.integer("to", 0)
    if isinstance(datum, Integers) and target in INTEGER_TYPES:
        return _cast_integers(datum.values, target)
    if target not in FLOAT_TYPES:
        raise FileFormatError(f"casts to {type_name(target)}; it must be a float type")
    if isinstance(datum, Truth):
        step = _activate(datum.value, THRESHOLD)
        return added(negative(step), constant(np.ones(()))) if datum.negated else step
    if isinstance(datum, Integers):
        if np.any(np.abs(datum.values) > 1 << 53):  # BATCH among them
            raise FileFormatError("casts a batch size or a huge integer to a float")
        datum = constant(datum.values.astype(np.float64))
    value = datum or node.value(0)
    if value.is_constant and not _fits(value.form.bias, target):
        raise FileFormatError(
            f"rounds constants to {type_name(target)}; cast the weights before export"
        )
    return value


def _cast_integers(values: np.ndarray, target: int) -> Integers:
    if target == TensorProto.BOOL:
        return Integers((values != 0).astype(np.int64))
    inside = (values >= -(1 << 31)) & (values < 1 << 31) | (values == BATCH)
    if target == TensorProto.INT32 and not inside.all():
        raise FileFormatError("casts integers beyond INT32; use INT64")
    return Integers(values)


def _fits(values: np.ndarray, target: int) -> bool:
    """Whether constants survive a cast to a float type unchanged."""
    if values.dtype == object:
        return False
    with np.errstate(over="ignore", under="ignore"):
        if target != TensorProto.BFLOAT16:
            return bool(np.all(values.astype(FLOAT_TYPES[target]) == values))
        single = values.astype(np.float32)
    return bool(np.all(single == values) and not np.any(single.view("u4") & 0xFFFF))


def _dropout(node: Node) -> Datum:
    training = node.given(2)
    if training is not None and not (
        isinstance(training, Integers) and not np.any(training.values)
    ):
        raise FileFormatError("drops units at random; export with model.eval()")
    return node.value(0)


def _constant(node: Node) -> Datum:
    if len(node.attributes) != 1:
        raise FileFormatError("needs exactly one value")
    (value,) = node.attributes.values()
    return datum_of(np.asarray(value))


def _identity(node: Node) -> Datum:
    datum = node.given(0)
    return node.value(0) if datum is None else datum


_VALUES = ("value", "value_float", "value_floats", "value_int", "value_ints")
UNIT_OPERATORS = {
    "Abs": Operator(lambda node: _activate(node.value(0), ABS)),
    "Cast": Operator(_cast, attributes=("to", "saturate")),
    "Clip": Operator(_clip, 1, 3, ("min", "max")),
    "Constant": Operator(_constant, 0, 0, _VALUES),
    "Dropout": Operator(_dropout, 1, 3, ("ratio", "seed")),
    "Greater": Operator(partial(_truth, swapped=True, negated=True), 2, 2),
    "GreaterOrEqual": Operator(partial(_truth, swapped=False, negated=False), 2, 2),
    "Identity": Operator(_identity),
    "LeakyRelu": Operator(_leaky, attributes=("alpha",)),
    "Less": Operator(partial(_truth, swapped=False, negated=True), 2, 2),
    "LessOrEqual": Operator(partial(_truth, swapped=True, negated=False), 2, 2),
    "Max": Operator(_max, 1, 1 << 16),
    "Relu": Operator(lambda node: _activate(node.value(0), RELU)),
}
