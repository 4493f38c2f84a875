"""Which output, which axes and what else of a file is read."""

import numpy as np
import onnx
import pytest
from flint import fmpq
from onnx import TensorProto, helper, numpy_helper

from depthsep import FileFormatError, HypothesisError
from depthsep.interop import onnx_head, read_network, read_onnx
from depthsep.networks import Network
from support.onnx_files import DOUBLE, GEMM, RELU_NODE, V, node, save

FLOAT = TensorProto.FLOAT


def values(network, x):
    return [float(v) for v in network(x)]


def test_nodes_may_stand_in_any_order(tmp_path):
    path = save(tmp_path / "net.onnx", [GEMM, RELU_NODE], V)
    model = onnx.load(path)
    model.graph.node.reverse()
    onnx.save(model, tmp_path / "turned.onnx")
    assert read_onnx(tmp_path / "turned.onnx") == read_onnx(path)


def test_what_the_output_does_not_need_is_left_alone(tmp_path):
    unknown = node("Det", ["h"], ["unused"])
    path = save(tmp_path / "net.onnx", [GEMM, unknown, RELU_NODE], V)
    assert read_onnx(path).widths == (2,)


def two_outputs(path):
    other = node("Relu", ["x"], ["a:0"])
    model = onnx.load(save(path, [GEMM, other, RELU_NODE], V))
    model.graph.output.append(helper.make_tensor_value_info("a:0", DOUBLE, None))
    onnx.save(model, path)
    return path


def test_one_of_several_outputs_is_named(tmp_path):
    path = two_outputs(tmp_path / "net.onnx")
    with pytest.raises(FileFormatError, match="'y', 'a:0'; choose one by its name"):
        read_network(path)
    assert read_network(path, output="y").out_dim == 2
    assert read_network(path, output="a:0").out_dim == 3
    assert values(read_network(path, output="a:0:2"), (1, 7, 3)) == [7.0]
    with pytest.raises(FileFormatError, match="has no output 'z'"):
        read_network(path, output="z")
    with pytest.raises(HypothesisError):
        read_network(path, output="y:3")


def test_numbers_of_an_output_are_counted_from_one(tmp_path):
    path = save(tmp_path / "net.onnx", [GEMM, RELU_NODE], V)
    whole = read_network(path)((1, 1, 1))
    assert [read_network(path, output=k)((1, 1, 1)) for k in "12"] == [
        (v,) for v in whole
    ]


def test_integer_outputs_need_not_be_named_away(tmp_path):
    label = node("ArgMax", ["h"], ["label"], axis=1)
    model = onnx.load(save(tmp_path / "net.onnx", [GEMM, label, RELU_NODE], V))
    model.graph.output.append(
        helper.make_tensor_value_info("label", TensorProto.INT64, None)
    )
    onnx.save(model, tmp_path / "net.onnx")
    assert read_onnx(tmp_path / "net.onnx").widths == (2,)


def column(path):
    """W @ x of one point in a column, of fixed shape."""
    nodes = [node("MatMul", ["W", "x"], ["h"]), RELU_NODE]
    return save(path, nodes, V, x=(3, 1), y=(2, 1))


def test_a_graph_that_mixes_the_first_axis_has_no_batch(tmp_path):
    path = column(tmp_path / "net.onnx")
    network = read_onnx(path)
    assert (network.in_dim, network.out_dim) == (3, 2)
    assert network == read_onnx(path, batch=False)


def test_an_axis_that_may_be_a_batch_is_one_unless_told(tmp_path):
    path = save(tmp_path / "net.onnx", [node("Relu", ["x"], ["y"])], x=(3, 1))
    assert read_onnx(path).in_dim == 1
    assert read_onnx(path, batch=False).in_dim == 3


HEADS = {
    "softmax": [node("Softmax", ["h"], ["y"], axis=-1)],
    "sigmoid": [node("Sigmoid", ["h"], ["y"])],
    "both classes": [
        node("Sigmoid", ["h"], ["p"]),
        node("Sub", ["one", "p"], ["q"]),
        node("Concat", ["q", "p"], ["y"], axis=1),
    ],
}


@pytest.mark.parametrize("name", HEADS)
def test_logits_stand_before_the_head(tmp_path, name):
    weights = V | {"one": np.array(1.0)}
    path = save(tmp_path / "net.onnx", [GEMM, *HEADS[name]], weights)
    assert onnx_head(path) in ("softmax", "sigmoid")
    assert read_onnx(path, logits=True).layers[0].bias.tolist() == V["b"].tolist()


def test_a_softmax_along_another_axis_is_refused(tmp_path):
    path = save(
        tmp_path / "net.onnx", [node("Softmax", ["x"], ["y"], axis=0)], x=(1, 3)
    )
    with pytest.raises(FileFormatError, match="runs along axis 0"):
        read_onnx(path, logits=True)


def test_no_head_no_logits(tmp_path):
    path = save(tmp_path / "net.onnx", [GEMM, RELU_NODE], V)
    assert onnx_head(path) is None
    with pytest.raises(FileFormatError, match="softmax or a sigmoid"):
        read_onnx(path, logits=True)


@pytest.mark.parametrize("opset", [7, 9])
def test_statistics_of_the_batch_are_refused(tmp_path, opset):
    names = ["x", "c", "c", "c", "c"]
    more = ["y", "m", "v", "s", "t"]
    path = save(
        tmp_path / "net.onnx",
        [node("BatchNormalization", names, more)],
        {"c": np.ones(3)},
        opset=opset,
    )
    model = onnx.load(path)
    model.graph.output[0].name = "y"
    onnx.save(model, path)
    with pytest.raises(FileFormatError, match=r"model\.eval\(\)"):
        read_onnx(path)


LIMITS = {
    TensorProto.FLOAT: np.finfo(np.float32).max,
    TensorProto.DOUBLE: np.finfo(np.float64).max,
    TensorProto.FLOAT16: np.finfo(np.float16).max,
    TensorProto.BFLOAT16: 0x7F7F << 16,
}


@pytest.mark.parametrize("number", LIMITS)
def test_a_clip_stops_at_the_largest_number_of_its_type(tmp_path, number):
    path = save(
        tmp_path / "net.onnx", [node("Clip", ["x"], ["y"])], x=("n", 1), kind=number
    )
    top = LIMITS[number]
    if number == TensorProto.BFLOAT16:
        top = np.uint32(top).view(np.float32)
    limit = fmpq(*float(top).as_integer_ratio())
    network = read_onnx(path)
    assert network((3 * limit,)) == (limit,)
    assert network((-3 * limit,)) == (-limit,)
    assert network((limit / 3,)) == (limit / 3,)


def test_attributes_of_an_old_clip_have_float32_limits(tmp_path):
    path = save(
        tmp_path / "net.onnx", [node("Clip", ["x"], ["y"], min=0.0)], x=[1], opset=10
    )
    top = fmpq(*float(np.finfo(np.float32).max).as_integer_ratio())
    assert read_onnx(path)((2 * top,)) == (top,)


def quantised(path, zero, shape=(2, 3), **attributes):
    whole = np.arange(-3, 3, dtype=np.int8).reshape(shape)
    scales = np.array(attributes.pop("scales"), np.float32)
    constants = {"q": whole, "s": scales, "z": np.array(zero, np.int8)}
    nodes = [
        node("DequantizeLinear", ["q", "s", "z"], ["W"], **attributes),
        node("Gemm", ["x", "W"], ["y"], transB=1),
    ]
    save(path, nodes, constants, kind=FLOAT)
    return read_onnx(path).layers[0].weight, whole


def test_integer_weights_with_a_scale_are_read(tmp_path):
    found, whole = quantised(tmp_path / "net.onnx", 1, scales=0.25)
    assert found.tolist() == ((whole - 1.0) * 0.25).tolist()
    found, whole = quantised(tmp_path / "net.onnx", [1, 2], scales=[0.5, 2.0], axis=0)
    assert found.tolist() == ((whole - [[1.0], [2]]) * [[0.5], [2]]).tolist()


def test_a_scaler_of_scikit_learn_is_read(tmp_path):
    scaled = helper.make_node(
        "Scaler", ["x"], ["h"], domain="ai.onnx.ml", offset=[1.0, 2, 3], scale=[2.0]
    )
    nodes = [scaled, node("Relu", ["h"], ["y"])]
    ends = [helper.make_tensor_value_info(n, FLOAT, ["n", 3]) for n in "xy"]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], [])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 1)]
    onnx.save(
        helper.make_model(graph, opset_imports=opsets, ir_version=8),
        tmp_path / "net.onnx",
    )
    assert values(read_onnx(tmp_path / "net.onnx"), (2, 2, 5)) == [2.0, 0.0, 4.0]


@pytest.mark.parametrize("kind", [TensorProto.FLOAT16, TensorProto.FLOAT])
def test_constants_of_another_type_need_a_cast(tmp_path, kind):
    small = numpy_helper.from_array(np.ones(3, TENSOR_TYPES[kind]), "c")
    path = save(tmp_path / "net.onnx", [node("Add", ["x", "c"], ["y"])], {"c": small})
    with pytest.raises(FileFormatError, match="no implicit casts"):
        read_onnx(path)
    cast = [node("Cast", ["c"], ["d"], to=DOUBLE), node("Add", ["x", "d"], ["y"])]
    assert isinstance(read_onnx(save(path, cast, {"c": small})), Network)


TENSOR_TYPES = {TensorProto.FLOAT16: np.float16, TensorProto.FLOAT: np.float32}


def test_a_sigmoid_beside_the_input_is_no_head(tmp_path):
    nodes = [node("Sigmoid", ["x"], ["p"]), node("Concat", ["p", "x"], ["y"], axis=1)]
    assert onnx_head(save(tmp_path / "net.onnx", nodes)) is None


def test_numbers_of_several_inputs_stand_one_after_another(tmp_path):
    """y = relu(a) + w b, a of two numbers, b of three."""
    weight = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    nodes = [
        helper.make_node("Relu", ["a"], ["r"]),
        helper.make_node("MatMul", ["b", "w"], ["m"]),
        helper.make_node("Add", ["r", "m"], ["y"]),
    ]
    kind = TensorProto.DOUBLE
    ends = [
        helper.make_tensor_value_info("a", kind, ("batch", 2)),
        helper.make_tensor_value_info("unused", kind, ("batch", 7)),
        helper.make_tensor_value_info("b", kind, ("batch", 3)),
    ]
    out = [helper.make_tensor_value_info("y", kind, None)]
    tensors = [numpy_helper.from_array(weight, "w")]
    graph = helper.make_graph(nodes, "two inputs", ends, out, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, tmp_path / "net.onnx")
    network = read_onnx(tmp_path / "net.onnx")
    assert (network.in_dim, network.out_dim) == (5, 2)
    points = np.random.default_rng(0).normal(size=(20, 5))
    expected = np.maximum(points[:, :2], 0) + points[:, 2:] @ weight
    assert np.allclose(network.floats(points), expected)


@pytest.mark.parametrize("kind", [np.int8, np.uint8])
@pytest.mark.parametrize("per_row", [False, True])
def test_weights_may_be_rounded_in_the_file(tmp_path, kind, per_row):
    """QuantizeLinear and DequantizeLinear of weights, as onnxruntime computes them."""
    runtime = pytest.importorskip("onnxruntime")
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(3, 4)).astype(np.float32)
    scale = np.array([0.02, 0.03, 0.05] if per_row else 0.02, np.float32)
    zero = np.full(scale.shape, 3, kind)
    axis = {"axis": 0} if per_row else {}
    nodes = [
        helper.make_node("QuantizeLinear", ["w", "s", "z"], ["q"], **axis),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"], **axis),
        helper.make_node("Gemm", ["x", "d"], ["y"], transB=1),
    ]
    ends = [
        helper.make_tensor_value_info("x", FLOAT, ("batch", 4)),
        helper.make_tensor_value_info("y", FLOAT, None),
    ]
    given = {"w": weight, "s": scale, "z": zero}
    tensors = [numpy_helper.from_array(v, k) for k, v in given.items()]
    graph = helper.make_graph(nodes, "rounded", ends[:1], ends[1:], tensors)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    onnx.save(model, tmp_path / "net.onnx")
    network = read_onnx(tmp_path / "net.onnx")
    points = rng.normal(size=(20, 4)).astype(np.float32)
    session = runtime.InferenceSession(model.SerializeToString())
    expected = session.run(None, {"x": points})[0]
    assert np.abs(network.floats(points) - expected).max() < 1e-5


def test_values_that_are_rounded_are_refused(tmp_path):
    constants = {"s": np.array(0.5), "z": np.array(0, np.int8)}
    given = [node("QuantizeLinear", ["x", "s", "z"], ["y"])]
    path = save(tmp_path / "net.onnx", given, constants)
    with pytest.raises(FileFormatError):
        read_onnx(path)
