"""What ONNX graphs compute on constants is read exactly, from 1e-300 to 1e300."""

from fractions import Fraction

import numpy as np
import onnx
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from depthsep import FileFormatError
from depthsep.interop import read_onnx
from depthsep.interop.onnx._edges import OPERATORS

SLOPE = Fraction(float(np.float32(0.01)))


def model(nodes, constants):
    """y = ... of one input x of shape (1,), with named double constants."""
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.DOUBLE, [1])],
        [helper.make_tensor_value_info("y", TensorProto.DOUBLE, [1])],
        [numpy_helper.from_array(np.asarray(v), k) for k, v in constants.items()],
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )


def value_at_zero(path, nodes, constants):
    """The network's value at 0, as a Fraction."""
    onnx.save(model(nodes, constants), path)
    value = read_onnx(path)([fmpq(0)])[0]
    return Fraction(int(value.p), int(value.q))


def on_constants(*nodes):
    """relu(x) + what the nodes make of the constants, named z."""
    made = [helper.make_node("Relu", ["x"], ["r"]), *nodes]
    return [*made, helper.make_node("Add", ["r", "z"], ["y"])]


def number(x):
    return Fraction(float(x))


def test_a_constant_under_a_leaky_unit_is_folded_exactly(tmp_path):
    c = np.array([-99999999999999990.0])
    d = np.array([999999977648258.1])
    nodes = on_constants(
        helper.make_node("LeakyRelu", ["c"], ["l"], alpha=0.01),
        helper.make_node("Add", ["l", "d"], ["z"]),
    )
    found = value_at_zero(tmp_path / "n.onnx", nodes, {"c": c, "d": d})
    assert found == SLOPE * number(c[0]) + number(d[0])


def leaky(v):
    return v if v > 0 else SLOPE * v


def hard_sigmoid(v):
    fifth, half = Fraction(float(np.float32(0.2))), Fraction(1, 2)
    return max(Fraction(0), min(Fraction(1), fifth * v + half))


# operator -> (nodes from constants a, b to z, the same in rationals)
FOLDED = {
    "Add": (["Add", "a", "b"], lambda a, b: a + b),
    "Sub": (["Sub", "a", "b"], lambda a, b: a - b),
    "Mul": (["Mul", "a", "b"], lambda a, b: a * b),
    "Div": (["Div", "a", "b"], lambda a, b: a / b if b else None),
    "Neg": (["Neg", "a"], lambda a, b: -a),
    "Abs": (["Abs", "a"], lambda a, b: abs(a)),
    "Relu": (["Relu", "a"], lambda a, b: max(a, Fraction(0))),
    "LeakyRelu": (["LeakyRelu", "a"], lambda a, b: leaky(a)),
    "MatMul": (["MatMul", "a", "b"], lambda a, b: a * b),
    "Identity": (["Identity", "a"], lambda a, b: a),
    "Dropout": (["Dropout", "a"], lambda a, b: a),
    "Max": (["Max", "a", "b"], lambda a, b: max(a, b)),
    "Min": (["Min", "a", "b"], lambda a, b: min(a, b)),
    "Clip": (["Clip", "a", "zero"], lambda a, b: max(a, Fraction(0))),
    "PRelu": (["PRelu", "a", "b"], lambda a, b: a if a > 0 else a * b),
    "Sum": (["Sum", "a", "b", "b"], lambda a, b: a + b + b),
    "Mean": (["Mean", "a", "b", "b"], lambda a, b: (a + b + b) / 3),
    "ReduceSum": (["ReduceSum", "pair"], lambda a, b: a + b),
    "ReduceMean": (["ReduceMean", "pair"], lambda a, b: (a + b) / 2),
    "Split": (["Split", "a"], lambda a, b: a),
    "ReduceMax": (["ReduceMax", "pair"], lambda a, b: max(a, b)),
    "ReduceMin": (["ReduceMin", "pair"], lambda a, b: min(a, b)),
    "HardSigmoid": (["HardSigmoid", "a"], lambda a, b: hard_sigmoid(a)),
    "Concat": (["Concat", "a"], lambda a, b: a),
    "Squeeze": (["Squeeze", "row"], lambda a, b: a),
    "Unsqueeze": (["Unsqueeze", "scalar", "axes"], lambda a, b: a),
    "Reshape": (["Reshape", "row", "axes1"], lambda a, b: a),
    "Flatten": (["Flatten", "a"], lambda a, b: a),
    "Transpose": (["Transpose", "a"], lambda a, b: a),
    "Cast": (["Cast", "a"], lambda a, b: a),
    "Gemm": (["Gemm", "row", "row", "a"], lambda a, b: a * a + a),
    "BatchNormalization": (
        ["BatchNormalization", "row", "a", "b", "a", "four"],
        lambda a, b: b,
    ),
}
ATTRIBUTES = {
    "Concat": {"axis": 0},
    "Flatten": {"axis": 0},
    "Cast": {"to": TensorProto.DOUBLE},
    "BatchNormalization": {"epsilon": 0.0},
}
# those that make truths or shapes, or start a graph: other tests read them
NOT_NUMBERS = {
    *("Greater", "GreaterOrEqual", "Less", "LessOrEqual"),
    *("Shape", "Gather", "Slice", "Constant"),
    # irrational at rationals; of float32 or of integers; of windows
    *("Cos", "Erf", "Exp", "Gelu", "Sigmoid", "Sin", "Softplus", "Tanh"),
    *("Elu", "Mish", "Selu"),
    *(
        "QuantizeLinear",
        "DequantizeLinear",
        "Scaler",
        "LinearRegressor",
        "Conv",
        "ConvTranspose",
    ),
    *("AveragePool", "GlobalAveragePool", "MaxPool", "GlobalMaxPool"),
    *("Expand", "Pad", "Resize", "Where"),
}
MAGNITUDES = st.builds(
    lambda m, e, s: s * m * 10.0**e,
    st.floats(1, 9.99),
    st.integers(-300, 300),
    st.sampled_from([-1, 1]),
)


def test_every_operator_on_numbers_is_compared():
    assert set(FOLDED) | NOT_NUMBERS == set(OPERATORS)


@pytest.mark.parametrize("operator", FOLDED)
def test_operators_on_constants_are_exact(operator, tmp_path_factory):
    place = tmp_path_factory.mktemp("constants") / "n.onnx"

    @settings(max_examples=10, deadline=None, database=None)
    @given(MAGNITUDES, MAGNITUDES)
    def same(a, b):
        (kind, *inputs), exact = FOLDED[operator]
        constants = {
            "a": np.array([a]),
            "b": np.array([b]),
            "zero": np.zeros(()),
            "four": np.array([4.0]),
            "row": np.array([[a]]),
            "pair": np.array([a, b]),
            "scalar": np.array(a),
            "axes": np.array([0]),
            "axes1": np.array([1]),
        }
        used = {k: v for k, v in constants.items() if k in inputs}
        node = helper.make_node(kind, inputs, ["w"], **ATTRIBUTES.get(operator, {}))
        flat = helper.make_node("Reshape", ["w", "one"], ["z"])
        nodes = on_constants(node, flat)
        wanted = exact(number(a), number(b))
        found = value_at_zero(place, nodes, {**used, "one": np.array([1])})
        assert found == wanted

    same()


def normalised(variance):
    """relu(x), normalised: ((r - 1e17) / sqrt(variance)) + 1e17 / sqrt(2)."""
    ones, mean = np.array([1.0]), np.array([1e17])
    names = ["scale", "shift", "mean", "variance"]
    values = [ones, np.array([0.0]), mean, np.array([variance])]
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Reshape", ["r", "two"], ["m"]),
        helper.make_node("BatchNormalization", ["m", *names], ["n"], epsilon=0.0),
        helper.make_node("Reshape", ["n", "one"], ["y"]),
    ]
    shapes = {"one": np.array([1]), "two": np.array([1, 1])}
    return model(nodes, {**dict(zip(names, values, strict=True)), **shapes})


def test_an_irrational_normalisation_is_refused_where_nothing_may_be_rounded(tmp_path):
    place = tmp_path / "n.onnx"
    onnx.save(normalised(2.0), place)
    assert read_onnx(place).depth == 2
    with pytest.raises(FileFormatError, match="irrational factor"):
        read_onnx(place, may_round=False)
    onnx.save(normalised(4.0), place)
    assert read_onnx(place, may_round=False)([fmpq(0)])[0] == -(fmpq(10) ** 17) / 2
