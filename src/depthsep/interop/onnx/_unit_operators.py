"""Operators that make hidden units, and those that change nothing."""

from functools import partial, reduce

import numpy as np
from onnx import TensorProto

from depthsep._errors import FileFormatError
from depthsep.interop.forms._forms import activated, is_unit_of, ratio
from depthsep.interop.onnx._nodes import Node, Operator, datum_of
from depthsep.interop.onnx._tensors import (
    FLOAT_TYPES,
    INTEGER_TYPES,
    largest,
    type_name,
)
from depthsep.interop.onnx._values import (
    BATCH,
    Datum,
    Integers,
    Truth,
    Value,
    added,
    aligned,
    constant,
    multiplied,
    negative,
    shown,
    with_form,
)
from depthsep.networks import (
    ABS,
    COS,
    ERF,
    EXP,
    GELU,
    GELU_TANH,
    MISH,
    RELU,
    SIGMOID,
    SILU,
    SIN,
    SOFTPLUS,
    TANH,
    THRESHOLD,
    Activation,
    elu,
    leaky_relu,
)


def _activate(value: Value, activation: Activation) -> Value:
    return with_form(value, activated(value.form, activation))


def _leaky(node: Node) -> Datum:
    slope = node.number("alpha", float(np.float32(0.01)))
    return _two_slopes(node.value(0), np.array([slope]))


def _parametric(node: Node) -> Datum:
    """z where that is positive, slope * z elsewhere; slopes broadcast to z."""
    value, slope = node.value(0), node.value(1)
    if not slope.is_constant:
        raise FileFormatError(
            "has slopes that depend on the input, which is not supported"
        )
    wide, factors = aligned(value, slope)
    if wide.shape != value.shape:
        raise FileFormatError(
            f"has slopes of shape {shown(slope.shape)}, which do not fit its input"
        )
    return _two_slopes(value, factors.form.bias)


def _two_slopes(value: Value, below: np.ndarray) -> Value:
    """z above 0, below * z under it: as leaky units, or as two ReLUs each."""
    slope = below[0]
    if np.all(below == slope) and 0 <= slope < 1:
        return _activate(value, leaky_relu(slope))
    factors = constant(np.broadcast_to(below, value.form.size).reshape(value.shape))
    under = _activate(negative(value), RELU)
    return added(_activate(value, RELU), negative(multiplied(under, factors)))


def _max(node: Node) -> Datum:
    return reduce(larger, _operands(node))


def _min(node: Node) -> Datum:
    return negative(reduce(larger, map(negative, _operands(node))))


def _operands(node: Node) -> list[Value]:
    """All inputs, constants first; opset 7 and older does not broadcast them."""
    values = [node.value(k) for k in range(len(node.inputs))]
    if node.opset < 8 and len({v.shape for v in values}) > 1:
        raise FileFormatError(
            "has inputs of different shapes, which need opset 8 or later"
        )
    return sorted(values, key=lambda v: not v.is_constant)


def larger(a: Value, b: Value) -> Value:
    """max(a, b) = a + relu(b - a); of two that vary this carries a past the ReLU."""
    return added(a, _activate(added(b, negative(a)), RELU))


def _clip(node: Node) -> Datum:
    """min(max(z, low), high): a bound left out is the largest number of its type.

    Up to opset 10 bounds are float32 attributes, whatever the type of z.
    """
    value = node.value(0)
    of_attribute = node.opset < 11
    number = TensorProto.FLOAT if of_attribute else node.types[0]
    assert number is not None
    ends = []
    for position, (name, side) in enumerate((("min", -1), ("max", 1)), start=1):
        default = side * largest(number)
        if of_attribute or node.given(position) is None:
            ends.append(constant(np.array(node.number(name, default))))
            continue
        given = node.value(position)
        if not given.is_constant or given.form.size != 1:
            raise FileFormatError(f"has a {name} that is not one constant number")
        ends.append(constant(given.form.bias.reshape(())))
    return clipped(value, *ends)


def clipped(value: Value, low: Value, high: Value) -> Value:
    """min(max(z, low), high) = low + relu(z - low) - relu(z - high) for low <= high."""
    if low.form.bias[0] > high.form.bias[0]:
        return aligned(high, value)[0]
    above = _activate(added(value, negative(low)), RELU)
    beyond = _activate(added(value, negative(high)), RELU)
    return added(added(low, above), negative(beyond))


def _hard_sigmoid(node: Node) -> Datum:
    alpha = node.number("alpha", float(np.float32(0.2)))
    beta = node.number("beta", float(np.float32(0.5)))
    ends = (constant(np.array(end)) for end in (0.0, 1.0))
    scaled = multiplied(node.value(0), constant(np.array(alpha)))
    return clipped(added(scaled, constant(np.array(beta))), *ends)


def _gelu(node: Node) -> Datum:
    how = node.word("approximate", "none")
    if how not in ("none", "tanh"):
        raise FileFormatError(
            f"has approximate={how[:20]!r}; only none and tanh are supported"
        )
    return _activate(node.value(0), GELU if how == "none" else GELU_TANH)


def _elu(node: Node) -> Datum:
    return _activate(node.value(0), elu(node.number("alpha", 1.0)))


def _selu(node: Node) -> Datum:
    """gamma times an ELU; both numbers are float32, as the file holds them."""
    alpha = node.number("alpha", float(np.float32(1.6732632)))
    gamma = node.number("gamma", float(np.float32(1.050701)))
    return multiplied(_activate(node.value(0), elu(alpha)), constant(np.array(gamma)))


def _times(node: Node) -> Datum:
    """A product with a constant; or of z and its sigmoid, which is SiLU."""
    a, b = node.value(0), node.value(1)
    for first, second in ((a, b), (b, a)):
        if is_unit_of(second.form, first.form, SIGMOID) and first.shape == second.shape:
            return _activate(first, SILU)
    return multiplied(a, b)


def _smooth(activation: Activation) -> Operator:
    """An operator that applies a smooth function; constants have no exact values."""
    return Operator(lambda node: _activate(node.value(0), activation))


def _where(node: Node) -> Datum:
    """A choice by a sign: continuous ones as ReLUs, of constants as thresholds.

    where(z >= 0, a, b) is b + c relu(z) where a - b = c z, entry by entry.
    """
    truth, a, b = node.given(0), node.value(1), node.value(2)
    if isinstance(truth, Integers):
        chosen = constant((truth.values != 0).astype(np.float64))
        return added(b, multiplied(added(a, negative(b)), chosen))
    if not isinstance(truth, Truth):
        raise FileFormatError(
            "chooses by a condition that is not a comparison of "
            "floats, which is not supported"
        )
    z = truth.value
    if truth.negated:
        a, b = b, a
    apart, z = aligned(added(a, negative(b)), z)
    if apart.is_constant:
        return added(b, multiplied(_activate(z, THRESHOLD), apart))
    factor = ratio(apart.form, z.form)
    if factor is None:
        raise FileFormatError(
            "chooses between two functions that are not known to meet "
            "where the choice changes; only max, min, clips, leaky "
            "units and choices between constants are supported"
        )
    bent = multiplied(_activate(z, RELU), constant(factor.reshape(z.shape)))
    return added(b, bent)


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
            raise FileFormatError(
                "casts a batch size or a huge integer to a float, which is "
                "not supported"
            )
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
        raise FileFormatError(
            "casts integers that do not fit into INT32 to this type; use INT64"
        )
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
        raise FileFormatError(
            "drops units at random, which is not supported; export with model.eval()"
        )
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
_SMOOTH = {
    **{"Cos": COS, "Erf": ERF, "Exp": EXP, "Sigmoid": SIGMOID, "Sin": SIN},
    **{"Softplus": SOFTPLUS, "Tanh": TANH},
}
UNIT_OPERATORS = {
    "Abs": Operator(lambda node: _activate(node.value(0), ABS)),
    "Cast": Operator(_cast, ("to", "saturate")),
    "Clip": Operator(_clip, ("min", "max")),
    "Constant": Operator(_constant, _VALUES),
    "Elu": Operator(_elu, ("alpha",)),
    "Mish": _smooth(MISH),
    "Mul": Operator(_times),
    "Selu": Operator(_selu, ("alpha", "gamma")),
    "Dropout": Operator(_dropout, ("ratio", "seed")),
    "Gelu": Operator(_gelu, ("approximate",)),
    "Greater": Operator(partial(_truth, swapped=True, negated=True)),
    "GreaterOrEqual": Operator(partial(_truth, swapped=False, negated=False)),
    "HardSigmoid": Operator(_hard_sigmoid, ("alpha", "beta")),
    "Identity": Operator(_identity),
    "LeakyRelu": Operator(_leaky, ("alpha",)),
    "Less": Operator(partial(_truth, swapped=False, negated=True)),
    "LessOrEqual": Operator(partial(_truth, swapped=True, negated=False)),
    "Max": Operator(_max),
    "Min": Operator(_min),
    "PRelu": Operator(_parametric),
    "Where": Operator(_where),
    "Relu": Operator(lambda node: _activate(node.value(0), RELU)),
    **{name: _smooth(activation) for name, activation in _SMOOTH.items()},
}
