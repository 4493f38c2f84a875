"""Every operator means what ONNX says, up to the limits of its element type.

Compared with onnx's reference evaluator and with onnxruntime, which round: values agree
up to some units of the last place, and what exceeds the type becomes infinite there.
"""

import math
import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from flint import arb, ctx, fmpq
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from depthsep.interop import read_onnx
from depthsep.interop.onnx._edges import OPERATORS
from support.onnx_files import node, vector

TYPES = {
    TensorProto.FLOAT: np.float32,
    TensorProto.DOUBLE: np.float64,
    TensorProto.FLOAT16: np.float16,
}
ULPS = 16


def case(*nodes, shape=(3,), opset=17, **constants):
    return list(nodes), shape, opset, constants


def one(kind, *inputs, **attributes):
    return node(kind, ["x", *inputs], ["y"], **attributes)


COLUMN = np.array([0.5, -2.0, 4.0])
# constants are stored in the type of the input; "I" holds integers
CASES = {
    "Abs": case(one("Abs")),
    "Add": case(one("Add", "c"), c=COLUMN),
    "BatchNormalization": case(
        one("BatchNormalization", "c", "d", "d", "v", epsilon=0.25),
        shape=(2,),
        c=COLUMN[:2],
        d=COLUMN[1:],
        v=[0.0, 2.0],
    ),
    "BatchNormalization-7": case(
        one("BatchNormalization", "c", "d", "d", "v", epsilon=0.25),
        shape=(2,),
        opset=7,
        c=COLUMN[:2],
        d=COLUMN[1:],
        v=[0.0, 2.0],
    ),
    "Clip": case(one("Clip", "a", "b"), a=np.array(-1.0), b=np.array(6.0)),
    "Clip without max": case(
        node("Mul", ["x", "c"], ["h"]), node("Clip", ["h", "a"], ["y"]), c=COLUMN, a=0.0
    ),
    "Clip without min": case(
        node("Mul", ["x", "c"], ["h"]),
        node("Clip", ["h", "", "a"], ["y"]),
        c=COLUMN,
        a=0.0,
    ),
    "Clip without bounds": case(
        node("Mul", ["x", "c"], ["h"]), node("Clip", ["h"], ["y"]), c=COLUMN
    ),
    "Clip with min above max": case(
        node("Clip", ["x", "b", "a"], ["h"]),
        node("Add", ["x", "h"], ["y"]),
        a=-1.0,
        b=6.0,
    ),
    "Clip-6": case(one("Clip", min=0.0), opset=10),
    "Clip-6 from above": case(one("Clip", max=2.0), opset=7),
    "Concat": case(node("Concat", ["x", "x"], ["y"], axis=1)),
    "Conv": case(
        one("Conv", "w", "b", pads=[1, 0, 1, 2], strides=[1, 2], dilations=[1, 2]),
        shape=(2, 3, 4),
        w=np.arange(24.0).reshape(3, 2, 2, 2) - 9,
        b=COLUMN,
    ),
    "Conv of groups": case(
        one("Conv", "w", group=2, auto_pad="SAME_LOWER"),
        shape=(2, 5),
        w=np.arange(8.0).reshape(4, 1, 2),
    ),
    "Conv of volumes": case(
        one("Conv", "w", auto_pad="SAME_UPPER", strides=[2, 1, 1]),
        shape=(1, 3, 2, 2),
        w=np.arange(8.0).reshape(1, 1, 2, 2, 2),
    ),
    "ConvTranspose": case(
        one("ConvTranspose", "w", "b", pads=[1, 0, 0, 1], strides=[2, 1]),
        shape=(2, 3, 2),
        w=np.arange(24.0).reshape(2, 3, 2, 2) - 9,
        b=COLUMN,
    ),
    "ConvTranspose of groups": case(
        one(
            "ConvTranspose",
            "w",
            group=2,
            dilations=[2],
            strides=[3],
            output_padding=[1],
        ),
        shape=(2, 3),
        w=np.arange(8.0).reshape(2, 2, 2) - 3,
    ),
    "AveragePool": case(
        one("AveragePool", kernel_shape=[2, 2], pads=[1, 0, 0, 1], strides=[1, 2]),
        shape=(2, 3, 4),
    ),
    "AveragePool of padding": case(
        one("AveragePool", kernel_shape=[2], pads=[1, 1], count_include_pad=1),
        shape=(2, 3),
    ),
    "AveragePool-19": case(
        one("AveragePool", kernel_shape=[2], dilations=[2], strides=[2], ceil_mode=1),
        shape=(1, 6),
        opset=19,
    ),
    "GlobalAveragePool": case(one("GlobalAveragePool"), shape=(2, 3, 2)),
    "GlobalMaxPool": case(one("GlobalMaxPool"), shape=(2, 3, 2)),
    "MaxPool": case(
        one("MaxPool", kernel_shape=[2, 2], strides=[2, 2]), shape=(1, 4, 4)
    ),
    "MaxPool of padding": case(
        one("MaxPool", kernel_shape=[3], pads=[1, 1], strides=[2], ceil_mode=1),
        shape=(2, 4),
    ),
    "MaxPool-12": case(
        one("MaxPool", kernel_shape=[2], dilations=[2]), shape=(1, 4), opset=12
    ),
    "MaxPool by itself": case(
        one("MaxPool", kernel_shape=[2, 2], auto_pad="SAME_UPPER"), shape=(1, 2, 3)
    ),
    "Expand": case(one("Expand", "I"), shape=(1, 2), I=vector([1, 3, 2])),
    "Pad": case(one("Pad", "I", "a"), shape=(2,), I=vector([0, 1, 0, 2]), a=0.5),
    "Pad-10": case(one("Pad", pads=[0, 1, 0, 0], value=2.0), shape=(2,), opset=10),
    "Pad-18": case(
        one("Pad", "I", "", "J"), opset=18, I=vector([1, 0]), J=vector([-1])
    ),
    "Resize": case(
        one("Resize", "", "s", mode="nearest"), shape=(3, 2), s=[1.0, 1.0, 3.5]
    ),
    "Resize to sizes": case(
        node("Shape", ["x"], ["n"], end=1),
        node("Concat", ["n", "I"], ["m"], axis=0),
        one("Resize", "", "", "m", mode="nearest", nearest_mode="ceil"),
        shape=(2, 3),
        I=vector([4, 2]),
    ),
    "Resize by scales": case(
        one(
            *("Resize", "", "s"),
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        ),
        shape=(1, 2, 2),
        s=[1.0, 1.0, 2.0, 2.0],
    ),
    "ReduceMax": case(one("ReduceMax", axes=[1]), shape=(3, 2)),
    "ReduceMax-18": case(
        one("ReduceMax", "I", keepdims=0), shape=(3, 2), opset=18, I=vector([-1])
    ),
    "ReduceMin": case(one("ReduceMin", axes=[1], keepdims=0), shape=(3,)),
    "Where": case(
        node("Greater", ["x", "z"], ["t"]),
        node("Mul", ["x", "c"], ["h"]),
        node("Where", ["t", "x", "h"], ["y"]),
        c=COLUMN,
        z=0.0,
    ),
    "Where below": case(
        node("LessOrEqual", ["x", "c"], ["t"]),
        node("Where", ["t", "c", "x"], ["y"]),
        c=COLUMN,
    ),
    "Div": case(one("Div", "c"), c=COLUMN),
    "Dropout": case(one("Dropout")),
    "Dropout-7": case(one("Dropout", ratio=0.25), opset=7),
    "Erf": case(one("Erf")),
    "Exp": case(one("Exp")),
    "Cos": case(one("Cos")),
    "Sin": case(one("Sin")),
    "Sigmoid": case(one("Sigmoid")),
    "Softplus": case(one("Softplus")),
    "Tanh": case(one("Tanh")),
    "Gelu": case(one("Gelu"), opset=20),
    "Gelu by tanh": case(one("Gelu", approximate="tanh"), opset=20),
    "Elu": case(one("Elu", alpha=0.5)),
    "Elu by default": case(one("Elu")),
    "Selu": case(one("Selu")),
    "Mish": case(one("Mish"), opset=18),
    "Mul of a sigmoid": case(
        node("Sigmoid", ["x"], ["h"]), node("Mul", ["h", "x"], ["y"])
    ),
    "Flatten": case(one("Flatten"), shape=(2, 2)),
    "Gather": case(one("Gather", "I", axis=1), I=vector([2, 0, -1])),
    "Gemm": case(
        one("Gemm", "w", "c", alpha=0.5, beta=-2.0, transB=1),
        w=np.arange(6.0).reshape(2, 3),
        c=COLUMN[:2],
    ),
    "HardSigmoid": case(one("HardSigmoid", alpha=0.5, beta=0.25)),
    "HardSigmoid by default": case(one("HardSigmoid")),
    "Identity": case(one("Identity")),
    "LeakyRelu": case(one("LeakyRelu")),
    "LeakyRelu below 0": case(one("LeakyRelu", alpha=-0.5)),
    "LeakyRelu above 1": case(one("LeakyRelu", alpha=3.0), opset=15),
    "MatMul": case(one("MatMul", "w"), w=np.arange(6.0).reshape(3, 2)),
    "Max": case(one("Max", "c", "d"), c=COLUMN, d=1.0),
    "Max of two that vary": case(
        node("Mul", ["x", "c"], ["h"]), node("Max", ["x", "h"], ["y"]), c=COLUMN
    ),
    "Mean": case(node("Mean", ["x", "c", "x"], ["y"]), c=COLUMN),
    "Min": case(one("Min", "c", "d"), c=COLUMN, d=1.0),
    "Mul": case(one("Mul", "c"), c=COLUMN),
    "Neg": case(one("Neg")),
    "PRelu": case(one("PRelu", "c"), c=COLUMN),
    "PRelu shared": case(one("PRelu", "c"), c=[0.25]),
    "PRelu of channels": case(
        one("PRelu", "c"), shape=(2, 2), c=np.array([[0.5], [-1.0]])
    ),
    "ReduceMean": case(one("ReduceMean", axes=[1]), shape=(3, 2)),
    "ReduceMean-18": case(
        one("ReduceMean", "I", keepdims=0), shape=(3, 2), opset=18, I=vector([-1])
    ),
    "ReduceSum": case(one("ReduceSum", "I"), shape=(3, 2), I=vector([1, 2])),
    "ReduceSum-7": case(one("ReduceSum", axes=[-1], keepdims=0), opset=11),
    "ReduceSum of nothing": case(one("ReduceSum", noop_with_empty_axes=1)),
    "Relu": case(one("Relu")),
    "Reshape": case(one("Reshape", "I"), shape=(2, 2), I=vector([0, -1])),
    "Slice": case(
        one("Slice", "I", "J", "K", "L"),
        I=vector([-1]),
        J=vector([-(1 << 60)]),
        K=vector([1]),
        L=vector([-2]),
    ),
    "Slice-7": case(one("Slice", starts=[1], ends=[1 << 40], axes=[1]), opset=9),
    "Split": case(node("Split", ["x", "I"], ["a", "y"], axis=1), I=vector([1, 2])),
    "Split-7": case(node("Split", ["x"], ["y", "b", "c"], axis=1), opset=11),
    "Split-18": case(node("Split", ["x"], ["a", "y"], axis=1, num_outputs=2), opset=18),
    "Squeeze": case(one("Squeeze", "I"), shape=(3, 1), I=vector([2])),
    "Sub": case(one("Sub", "c"), c=COLUMN),
    "Sum": case(node("Sum", ["x", "c", "x"], ["y"]), c=COLUMN),
    "Transpose": case(one("Transpose", perm=[0, 2, 1]), shape=(3, 2)),
    "Unsqueeze": case(one("Unsqueeze", "I"), I=vector([1])),
}
# read by tests of their own
ELSEWHERE = {
    *("Cast", "Constant", "Shape", "DequantizeLinear", "Scaler", "LinearRegressor"),
    "QuantizeLinear",
    *("Greater", "GreaterOrEqual", "Less", "LessOrEqual"),
}
# run times add up numbers at the limit one by one, and may overflow on the way
SUMS = (
    *("Conv", "Gemm", "MatMul", "Mean", "ReduceMean", "ReduceSum", "Sum"),
    *("ConvTranspose", "AveragePool", "GlobalAveragePool"),
)
# what neither computes in a type
NOBODY = {("ConvTranspose of groups", np.float64)}
# the reference evaluator's own approximation has an error of 1e-7
ROUGH = ("Erf", "Gelu")


def test_every_operator_is_compared():
    compared = {name.split("-")[0].split(" ")[0] for name in CASES}
    assert compared | ELSEWHERE == set(OPERATORS)


def built(path, name, number):
    nodes, shape, opset, constants = CASES[name]
    kind = TYPES[number]
    stored = {
        k: np.asarray(v, dtype={"s": np.float32}.get(k, None if k in "IJKL" else kind))
        for k, v in constants.items()
    }
    ends = [
        helper.make_tensor_value_info("x", number, ("batch", *shape)),
        helper.make_tensor_value_info("y", number, None),
    ]
    weights = [numpy_helper.from_array(v, k) for k, v in stored.items()]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], weights)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8
    )
    onnx.save(model, path)
    return model, shape


def points(shape, kind):
    """Small numbers, and some at the limits of the type."""
    top, size = float(np.finfo(kind).max), math.prod(shape)
    rng = np.random.default_rng(0)
    rows = [rng.integers(-40, 41, size) / 8 for _ in range(6)]
    rows += [np.zeros(size), rng.choice([-1.0, 1.0], size) * top]
    rows += [rng.choice([-0.5, 0.25, 2.0**-20], size) * top]
    return np.array(rows, dtype=kind).reshape(-1, *shape)


def exact_values(network, row):
    """Enclosures of the outputs at a point."""
    given = [fmpq(*float(v).as_integer_ratio()) for v in row.ravel()]
    if all(a.pieces for a in network.activations):
        return [arb(v) for v in network(given)]
    return list(network.balls([arb(v) for v in given]))


def assert_near(value, computed, size, kind, operator):
    """A run time's value is ours, rounded in its type a few times."""
    top, slack = float(np.finfo(kind).max), ULPS * float(np.finfo(kind).eps)
    slack = max(slack, 1e-6) if operator in ROUGH else slack
    if not math.isfinite(computed):
        reach = arb(size) if operator in SUMS else arb(0)
        assert abs(value) + reach >= arb(top) * (1 - slack)
        return
    near = arb(float(computed))
    allowed = slack * (abs(value) + arb(size)) + float(np.finfo(kind).tiny)
    assert abs(value - near) <= allowed, f"{value} is not {computed}"


@pytest.mark.parametrize("number", TYPES, ids=["float32", "float64", "float16"])
@pytest.mark.parametrize("name", CASES)
def test_an_operator_means_what_others_compute(tmp_path, name, number):
    kind = TYPES[number]
    model, shape = built(tmp_path / "n.onnx", name, number)
    network, rows = read_onnx(tmp_path / "n.onnx"), points(shape, kind)
    operator = name.split("-")[0].split(" ")[0]
    answers = list(computed_by_others(model, rows))
    assert bool(answers) != ((name, kind) in NOBODY)
    with ctx.workprec(2200), np.errstate(all="ignore"):
        for row, *found in zip(rows, *answers, strict=True):
            values = exact_values(network, row)
            size = float(np.abs(row).max().astype(np.float64)) * 8 + 8
            for outputs in found:
                for value, computed in zip(values, outputs.ravel(), strict=True):
                    assert_near(value, computed, size, kind, operator)


def computed_by_others(model, rows):
    """What the reference evaluator and the run time find, where they can run it."""
    with np.errstate(all="ignore"):
        try:
            yield ReferenceEvaluator(model).run(None, {"x": rows})[0]
        except Exception as error:
            assert "not implemented" in str(error).lower() or isinstance(
                error, (NotImplementedError, TypeError, ValueError)
            )
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = runtime.InferenceSession(model.SerializeToString(), options)
        yield session.run(None, {"x": rows})[0]
    except Exception as error:  # a type that it has no kernel for
        assert "NOT_IMPLEMENTED" in str(error) or "invalid" in str(error).lower()


def test_the_page_on_trust_names_every_operator():
    page = Path(__file__).parents[3] / "docs" / "trust.md"
    table = page.read_text().split("### Operators")[1].split("## The error")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    named = set(re.findall(r"[A-Z]\w+", " ".join(rows)))
    assert named == set(OPERATORS)
