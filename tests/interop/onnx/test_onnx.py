"""ONNX files: what is written is read back, what is read means what the file means."""

import itertools
import json
import shutil

import numpy as np
import onnx
import pytest
from flint import fmpq
from onnx import TensorProto, helper, numpy_helper

from depthsep._errors import FileFormatError, HypothesisError
from depthsep.interop import read_onnx, write_onnx
from depthsep.networks import RELU, THRESHOLD, Affine, Network
from support.places import FIXTURES

DOUBLE = TensorProto.DOUBLE
node = helper.make_node


def random_network(*widths, activation=RELU, seed=0):
    rng = np.random.default_rng(seed)
    pairs = zip(widths[1:], widths, strict=False)
    arrays = [rng.normal(size=s) for m, n in pairs for s in ((m, n), (m,))]
    return Network.from_arrays(*arrays, activation=activation)


def save(path, nodes, weights=(), *, x=("batch", 3), y=None, opset=17, kind=DOUBLE):
    """A hand-made model; the last node makes the output, an odd shape is inferred."""
    tensors = [
        w if isinstance(w, TensorProto) else numpy_helper.from_array(np.array(w), name)
        for name, w in dict(weights).items()
    ]
    output = nodes[-1].output[0] if nodes else "x"
    ends = [
        helper.make_tensor_value_info("x", kind, x),
        helper.make_tensor_value_info(output, kind, y),
    ]
    graph = helper.make_graph(nodes, "hand made", ends[:1], ends[1:], tensors)
    opsets = [helper.make_opsetid("", opset)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    return path


def run(path, batch):
    missing = "onnxruntime is not installed"
    runtime = pytest.importorskip("onnxruntime", reason=missing)
    session = runtime.InferenceSession(str(path))
    return session.run(None, {session.get_inputs()[0].name: batch})[0]


def assert_same_as_runtime(path, *shape, axis=0):
    """Equality, not closeness: with small integers float64 arithmetic is exact."""
    network = read_onnx(path)
    batch = np.random.default_rng(1).integers(-5, 6, size=shape).astype(np.float64)
    outputs = run(path, batch)
    for k, point in enumerate(batch):
        expected = [fmpq(*v.as_integer_ratio()) for v in outputs.take(k, axis).flat]
        assert list(network(point.ravel().tolist())) == expected
    return network


W = np.array([[1.0, -2, 3], [0, 4, -1]])
B = np.array([1.0, -2])
V = {"W": W, "b": B}
GEMM = node("Gemm", ["x", "W", "b"], ["h"], transB=1)
RELU_NODE = node("Relu", ["h"], ["y"])


# writing


@pytest.mark.parametrize("activation", [RELU, THRESHOLD], ids=str)
@pytest.mark.parametrize("widths", [(1, 1), (3, 2), (1, 8, 1), (2, 5, 4, 3)], ids=str)
def test_a_written_network_is_read_back_and_runs_elsewhere(
    tmp_path, widths, activation
):
    network = random_network(*widths, activation=activation)
    path = tmp_path / "net.onnx"
    write_onnx(network, path)
    back = read_onnx(path)
    assert back == network and back.is_float
    batch = np.random.default_rng(1).normal(size=(50, widths[0]))
    assert np.abs(run(path, batch) - network.floats(batch)).max() < 1e-12


def test_mixed_activations_survive_a_file(tmp_path):
    layers = random_network(2, 4, 3, 1).layers
    network = Network(layers, [THRESHOLD, RELU])
    write_onnx(network, tmp_path / "net.onnx")
    assert read_onnx(tmp_path / "net.onnx") == network


def test_the_file_says_what_made_it_and_runs_on_older_run_times(tmp_path):
    write_onnx(random_network(2, 3, 1), tmp_path / "net.onnx")
    model = onnx.load(tmp_path / "net.onnx")
    assert model.producer_name == "depthsep"
    assert (model.ir_version, model.opset_import[0].version) == (8, 17)
    assert [n.op_type for n in model.graph.node] == ["Gemm", "Relu", "Gemm"]
    assert {t.data_type for t in model.graph.initializer} == {DOUBLE}
    assert (model.graph.input[0].name, model.graph.output[0].name) == ("x", "y")


def test_rational_weights_are_never_rounded_unasked(tmp_path):
    third = Network.from_arrays([[fmpq(1, 2)], [fmpq(1, 3)]], [0, 0], [[1, 1]], [0])
    path = tmp_path / "net.onnx"
    with pytest.raises(HypothesisError, match=r"W1\[1, 0\] = 1/3 .*rounded=True"):
        write_onnx(third, path)
    assert not path.exists()
    write_onnx(third, path, rounded=True)
    assert read_onnx(path).layers[0].weight.tolist() == [[0.5], [1 / 3]]


def test_rationals_that_are_floats_are_written_exactly(tmp_path):
    network = Network.from_arrays([[fmpq(1, 2)]], [-3], [[fmpq(7, 8)]], [fmpq(1, 1024)])
    write_onnx(network, tmp_path / "net.onnx")
    assert read_onnx(tmp_path / "net.onnx") == network


def test_a_weight_beyond_float64_is_named(tmp_path):
    with pytest.raises(HypothesisError, match=r"b1\[0\] = 1000.* too large"):
        huge = Network([Affine([[1]], [fmpq(10**400)])])
        write_onnx(huge, tmp_path / "net.onnx", rounded=True)


# reading: operators


def chain(*nodes, **weights):
    return list(nodes), V | weights


AFFINE = {
    "Gemm without transposes": chain(
        node("Gemm", ["x", "W", "b"], ["y"]), W=W.T.copy()
    ),
    "Gemm with alpha and beta": chain(
        node("Gemm", ["x", "W", "b"], ["y"], transB=1, alpha=0.5, beta=-2.0)
    ),
    "Gemm without bias": chain(node("Gemm", ["x", "W"], ["y"], transB=1)),
    "Gemm with a scalar bias": chain(GEMM, b=np.array(3.0)),
    "Gemm with a row as bias": chain(GEMM, b=np.array([[3.0, 4.0]])),
    "Gemm of a transpose": chain(
        node("Transpose", ["x"], ["t"]),
        node("Gemm", ["t", "W", "b"], ["y"], transA=1, transB=1),
    ),
    "MatMul and Add": chain(
        node("MatMul", ["x", "W"], ["h"]), node("Add", ["h", "b"], ["y"]), W=W.T.copy()
    ),
    "Add with the constant first": chain(GEMM, node("Add", ["b", "h"], ["y"])),
    "MatMul with a constant vector": chain(
        node("MatMul", ["x", "v"], ["y"]), v=np.array([1.0, 2, 3])
    ),
    "MatMul from the left": chain(
        node("Transpose", ["x"], ["t"], perm=[1, 0]), node("MatMul", ["W", "t"], ["y"])
    ),
    "Sub": chain(GEMM, node("Sub", ["h", "b"], ["y"])),
    "Sub from a constant": chain(GEMM, node("Sub", ["b", "h"], ["y"])),
    "Mul by a vector": chain(GEMM, node("Mul", ["h", "b"], ["y"])),
    "Mul by a scalar": chain(GEMM, node("Mul", ["c", "h"], ["y"]), c=np.array(-3.0)),
    "Div": chain(GEMM, node("Div", ["h", "b"], ["y"])),
    "Neg": chain(GEMM, node("Neg", ["h"], ["y"])),
    "Identity and Dropout": chain(
        GEMM, node("Identity", ["h"], ["i"]), node("Dropout", ["i"], ["y"])
    ),
    "Cast between floats": chain(GEMM, node("Cast", ["h"], ["y"], to=DOUBLE)),
    "a sum of two branches": chain(
        GEMM,
        node("Gemm", ["x", "W", "b"], ["g"], transB=1, alpha=3.0),
        node("Sub", ["h", "g"], ["y"]),
    ),
    "Constant": chain(
        node("Constant", [], ["c"], value=numpy_helper.from_array(B)),
        node("Constant", [], ["s"], value_float=0.25),
        node("Cast", ["s"], ["d"], to=DOUBLE),
        GEMM,
        node("Add", ["h", "c"], ["k"]),
        node("Mul", ["k", "d"], ["y"]),
    ),
    "arithmetic on constants": chain(
        GEMM, node("Add", ["b", "b"], ["c"]), node("Mul", ["h", "c"], ["y"])
    ),
    "Concat": chain(GEMM, node("Concat", ["h", "x"], ["y"], axis=1)),
}


@pytest.mark.parametrize("name", AFFINE)
def test_affine_operators_fuse_into_one_layer(tmp_path, name):
    nodes, weights = AFFINE[name]
    axis = 1 if name == "MatMul from the left" else 0
    path = save(tmp_path / "net.onnx", nodes, weights)
    assert assert_same_as_runtime(path, 4, 3, axis=axis).depth == 1


ACTIVATIONS = {
    "Relu": chain(GEMM, RELU_NODE),
    "Max with 0": chain(GEMM, node("Max", ["h", "zero"], ["y"]), zero=np.array(0.0)),
    "Max of 0 first": chain(GEMM, node("Max", ["z", "h"], ["y"]), z=np.array([0.0, 0])),
    "Clip": chain(GEMM, node("Clip", ["h", "z"], ["y"]), z=np.array(0.0)),
    "Clip with an empty max": chain(
        GEMM, node("Clip", ["h", "z", ""], ["y"]), z=np.array(0.0)
    ),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_every_way_to_write_relu_is_read(tmp_path, name):
    path = save(tmp_path / "net.onnx", *ACTIVATIONS[name])
    network = assert_same_as_runtime(path, 9, 3)
    assert network.activations == (RELU,)
    assert network.layers[0] == Affine(W, B) and network.is_float


@pytest.mark.parametrize(
    "operator", ["GreaterOrEqual", "Greater", "LessOrEqual", "Less"]
)
@pytest.mark.parametrize("inputs", [("h", "c"), ("c", "h")], ids=str)
def test_comparisons_become_threshold_units(tmp_path, operator, inputs):
    nodes = [GEMM, node(operator, inputs, ["t"]), node("Cast", ["t"], ["y"], to=DOUBLE)]
    path = save(tmp_path / "net.onnx", nodes, V | {"c": np.array(2.0)})
    batch = (40, 3)  # enough that some values hit the threshold exactly
    assert assert_same_as_runtime(path, *batch).activations == (THRESHOLD,)


def vector(values):
    return np.array(values, dtype=np.int64)


SHAPES = {
    "Flatten": [node("Flatten", ["x"], ["y"])],
    "Flatten at a negative axis": [node("Flatten", ["x"], ["y"], axis=-2)],
    "Reshape with the batch unknown": [node("Reshape", ["x", "minus"], ["y"])],
    "Reshape with the batch copied": [node("Reshape", ["x", "zero"], ["y"])],
    "Squeeze and Unsqueeze": [
        node("Unsqueeze", ["x", "two"], ["u"]),
        node("Transpose", ["u"], ["t"], perm=[2, 0, 3, 1]),
        node("Squeeze", ["t", "none"], ["y"]),
    ],
    "Transpose": [node("Transpose", ["x"], ["y"], perm=[0, 2, 1])],
    "a view by the size of the batch": [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "none"], ["n"]),
        node("Concat", ["n", "one"], ["d"], axis=0),
        node("Reshape", ["x", "d"], ["y"]),
    ],
    "a view by a slice of the shape": [
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "none", "end"], ["n"]),
        node("Concat", ["n", "one"], ["d"], axis=0),
        node("Reshape", ["x", "d"], ["y"]),
    ],
}
TARGETS = {
    "minus": vector([-1, 6]),
    "zero": vector([0, 3, 2]),
    "two": vector([2]),
    "none": vector([0]),
    "one": vector([-1]),
    "end": vector([1]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_features_of_several_axes_are_moved_not_mixed(tmp_path, name):
    path = save(tmp_path / "net.onnx", SHAPES[name], TARGETS, x=("batch", 2, 3))
    assert assert_same_as_runtime(path, 4, 2, 3).depth == 1


def test_a_matrix_may_act_on_one_axis_of_several(tmp_path):
    nodes = [node("MatMul", ["x", "W"], ["h"]), RELU_NODE]
    path = save(tmp_path / "net.onnx", nodes, {"W": W.T.copy()}, x=("batch", 2, 3))
    network = assert_same_as_runtime(path, 4, 2, 3)
    assert (network.in_dim, network.widths) == (6, (4,))


@pytest.mark.parametrize("shape", [(3,), (1, 3), (7, 3), ("n", 3), (None, 3)], ids=str)
def test_the_batch_axis_may_be_absent_fixed_or_open(tmp_path, shape):
    nodes = [node("MatMul", ["x", "W"], ["h"]), RELU_NODE]
    path = save(tmp_path / "net.onnx", nodes, {"W": W.T.copy()}, x=shape)
    network = read_onnx(path)
    assert (network.in_dim, network.out_dim) == (3, 2)
    assert network.layers[0].weight.tolist() == W.tolist()


@pytest.mark.parametrize("target", [[2, 6], [-1, 6], [2, -1], [0, 2, 3]], ids=str)
def test_a_batch_of_fixed_length_may_be_named_by_its_length(tmp_path, target):
    nodes = [node("Reshape", ["x", "d"], ["y"])]
    path = save(tmp_path / "net.onnx", nodes, {"d": vector(target)}, x=(2, 2, 3))
    assert assert_same_as_runtime(path, 2, 2, 3).in_dim == 6


@pytest.mark.parametrize("target", [[2, 3, 2], [1, 12], [3, 4], [6, -1], [-2, -6]])
def test_reshapes_that_mix_points_are_refused(tmp_path, target):
    nodes = [node("Reshape", ["x", "d"], ["y"])]
    path = save(tmp_path / "net.onnx", nodes, {"d": vector(target)}, x=("batch", 2, 3))
    assert "the batch axis must stay apart" in refused(path)


def test_axes_given_as_attributes_by_old_opsets_are_read(tmp_path):
    nodes = [
        node("Unsqueeze", ["x"], ["u"], axes=[1]),
        node("Squeeze", ["u"], ["s"], axes=[1]),
        node("Clip", ["s"], ["y"], min=0.0),
    ]
    path = save(tmp_path / "net.onnx", nodes, opset=9, kind=TensorProto.FLOAT)
    assert read_onnx(path)((-1, 0, 2)) == (0, 0, 2)


# reading: skip connections


def test_a_skip_from_the_input_is_carried_by_two_units_each(tmp_path):
    square = np.array([[1.0, -1, 0], [2, 0, 1], [0, 3, -2]])
    nodes = [
        node("MatMul", ["x", "S"], ["a"]),
        node("Relu", ["a"], ["r"]),
        node("Add", ["x", "r"], ["y"]),
    ]
    path = save(tmp_path / "net.onnx", nodes, {"S": square})
    assert assert_same_as_runtime(path, 9, 3).widths == (9,)


def test_a_residual_network_grows_no_faster_than_its_depth(tmp_path):
    square = np.array([[1.0, -1, 0], [2, 0, 1], [0, 1, -2]])
    nodes = [node("Relu", ["x"], ["h0"])]
    for k in range(6):
        nodes += [
            node("MatMul", [f"h{k}", "S"], [f"a{k}"]),
            node("Relu", [f"a{k}"], [f"r{k}"]),
            node("Add", [f"h{k}", f"r{k}"], [f"h{k + 1}"]),
        ]
    path = save(tmp_path / "net.onnx", nodes, {"S": square})
    network = assert_same_as_runtime(path, 9, 3)
    assert network.widths == (3, 6, 9, 12, 15, 18, 21)


def test_branches_of_different_depth_meet(tmp_path):
    nodes = [
        GEMM,
        node("Relu", ["h"], ["r"]),
        node("Gemm", ["r", "U"], ["g"]),
        node("Relu", ["g"], ["s"]),
        node("Relu", ["x"], ["q"]),
        node("Concat", ["s", "q", "h"], ["y"], axis=1),
    ]
    weights = V | {"U": np.array([[1.0, -1], [-2, 1]])}
    path = save(tmp_path / "net.onnx", nodes, weights)
    assert assert_same_as_runtime(path, 9, 3).depth == 3


def test_a_skip_past_threshold_units_is_refused(tmp_path):
    nodes = [
        node("GreaterOrEqual", ["x", "zero"], ["t"]),
        node("Cast", ["t"], ["c"], to=DOUBLE),
        node("Add", ["x", "c"], ["y"]),
    ]
    path = save(tmp_path / "net.onnx", nodes, {"zero": np.array(0.0)})
    with pytest.raises(FileFormatError, match="relu and threshold units would share"):
        read_onnx(path)


# reading: numbers


def test_a_plain_chain_keeps_its_float_arrays(tmp_path):
    network = random_network(3, 16, 16, 2)
    write_onnx(network, tmp_path / "net.onnx")
    layers = read_onnx(tmp_path / "net.onnx").layers
    assert all(layer.is_float for layer in layers)
    for mine, theirs in zip(layers, network.layers, strict=True):
        assert mine.weight.tobytes() == theirs.weight.tobytes()


def test_fusing_is_exact_where_float64_would_round(tmp_path):
    nodes = [
        node("Sub", ["x", "m"], ["c"]),
        node("Div", ["c", "s"], ["d"]),
        node("Gemm", ["d", "W", "b"], ["h"], transB=1),
        RELU_NODE,
    ]
    weights = V | {"m": np.array([0.1, 0.2, 0.3]), "s": np.array([3.0, 7, 0.7])}
    network = read_onnx(save(tmp_path / "net.onnx", nodes, weights))
    mean = [fmpq(*v.as_integer_ratio()) for v in (0.1, 0.2, 0.3)]
    spread = [fmpq(*v.as_integer_ratio()) for v in (3.0, 7.0, 0.7)]
    scaled = [
        (fmpq(k) - m) / s for k, m, s in zip((1, 2, 3), mean, spread, strict=True)
    ]
    h = Affine(W, B)(scaled)
    assert network((1, 2, 3)) == tuple(max(v, fmpq(0)) for v in h)
    assert not network.is_float


NARROW = [TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16]


@pytest.mark.parametrize("raw", [True, False], ids=["raw", "typed"])
@pytest.mark.parametrize("kind", NARROW, ids=["float32", "float16", "bfloat16"])
def test_narrow_weights_become_the_float64_numbers_they_are(tmp_path, kind, raw):
    values = np.array([1.5, -0.25, 3e-5, 0.1], dtype=np.float32)
    if kind == TensorProto.FLOAT16:
        values = values.astype(np.float16)
        bits, typed = values.view(np.uint16), values.view(np.uint16)
    elif kind == TensorProto.BFLOAT16:
        bits = typed = (values.view(np.uint32) >> 16).astype(np.uint16)
        values = (bits.astype(np.uint32) << 16).view(np.float32)
    else:
        bits, typed = values.view(np.uint32), values
    given = bits.tobytes() if raw else typed.tolist()
    tensor = TensorProto(name="w", data_type=kind, dims=[4])
    field = "float_data" if kind == TensorProto.FLOAT else "int32_data"
    tensor.raw_data = given if raw else b""
    if not raw:
        tensor.ClearField("raw_data")
        getattr(tensor, field).extend(given)
    path = save(
        tmp_path / "n.onnx", [node("Mul", ["x", "w"], ["y"])], {"w": tensor}, x=[4]
    )
    diagonal = read_onnx(path).layers[0].weight.diagonal()
    assert diagonal.tolist() == values.astype(np.float64).tolist()


# refusals


def refused(path):
    with pytest.raises(FileFormatError) as caught:
        read_onnx(path)
    message = str(caught.value)
    assert message.startswith(str(path)) and "\n" not in message
    return message


UNSUPPORTED = {
    "Softmax": (
        node("Softmax", ["x"], ["y"], name="head"),
        "'head': .*'Softmax' is not",
    ),
    "foreign": (
        node("Relu", ["x"], ["y"], domain="me"),
        "of domain 'me' is not supp.*Gemm",
    ),
    "cast": (node("Cast", ["x"], ["y"], to=TensorProto.INT64), "casts to INT64"),
    "product": (node("Mul", ["x", "x"], ["y"]), "not piecewise affine"),
    "matrix product": (node("MatMul", ["x", "x"], ["y"]), "not piecewise affine"),
    "quotient": (node("Div", ["c", "x"], ["y"]), "zero or not constant"),
    "division by 0": (node("Div", ["x", "z"], ["y"]), "zero or not constant"),
    "Max": (node("Max", ["x", "c"], ["y"]), "maximum other than"),
    "Clip": (node("Clip", ["x", "z", "c"], ["y"]), "clips other than"),
    "Clip from 1": (node("Clip", ["x", "c"], ["y"]), "clips other than"),
    "training": (node("Dropout", ["x", "c", "t"], ["y"]), r"model\.eval\(\)"),
    "attribute": (node("Relu", ["x"], ["y"], slope=1.0), "unknown attribute 'slope'"),
    "inputs": (node("Relu", ["x", "x"], ["y"]), "has 2 inputs"),
    "sizes": (node("Gemm", ["x", "m"], ["y"]), "they must match"),
    "rows": (node("Add", ["x", "m"], ["y"]), "points of a batch differently"),
    "over the batch": (node("MatMul", ["m", "x"], ["y"]), "not be the batch axis"),
    "flat": (node("Flatten", ["x"], ["y"], axis=0), "mixes the batch axis"),
    "joined": (node("Concat", ["x", "x"], ["y"], axis=0), "along or across the batch"),
    "reshape": (node("Reshape", ["x", "d"], ["y"]), "batch axis must stay apart"),
    "squeeze": (node("Squeeze", ["x", "d"], ["y"]), "axis 3"),
    "constant": (node("Identity", ["c"], ["y"]), "does not depend on the input"),
    "truth": (node("Greater", ["x", "c"], ["y"]), "as a tensor of floats"),
    "NaN": (node("Add", ["x", "nan"], ["y"]), "'nan' holds NaN or infinity"),
    "infinity": (node("Add", ["x", "inf"], ["y"]), "'inf' holds NaN or infinity"),
    "strings": (node("Add", ["x", "s"], ["y"]), "element type STRING"),
    "nothing": (node("Add", ["x", "q"], ["y"]), "'q', which nothing provides"),
    "cycle": (node("Add", ["x", "y"], ["y"]), "'y', which is computed only later"),
    "twice": (node("Relu", ["x"], ["x"]), "no output of its own: 'x'"),
}
CONSTANTS = {
    "c": np.array(1.0),
    "z": np.array(0.0),
    "t": np.array(True),
    "m": np.ones((2, 3)),
    "d": vector([3, 1]),
    "nan": np.array([1.0, np.nan, 0]),
    "inf": np.array([1.0, np.inf, 0]),
    "s": helper.make_tensor("s", TensorProto.STRING, [1], [b"a"]),
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_what_is_no_network_is_refused_by_name(tmp_path, name):
    unsupported, message = UNSUPPORTED[name]
    path = save(tmp_path / "net.onnx", [unsupported], CONSTANTS)
    with pytest.raises(FileFormatError, match=message):
        read_onnx(path)
    refused(path)


def test_constants_are_not_rounded_by_a_cast(tmp_path):
    nodes = [
        node("Cast", ["c"], ["d"], to=TensorProto.FLOAT),
        node("Add", ["x", "d"], ["y"]),
    ]
    path = save(tmp_path / "net.onnx", nodes, {"c": np.array(0.1)})
    assert "rounds constants to FLOAT" in refused(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g: g.output.append(g.output[0]), "has 2 outputs"),
        (
            lambda g: g.input.append(helper.make_tensor_value_info("z", 1, [1])),
            "2 inputs",
        ),
        (lambda g: g.ClearField("input"), "has 0 inputs"),
        (lambda g: g.ClearField("output"), "no graph with an output"),
        (lambda g: g.input[0].type.tensor_type.ClearField("shape"), "has no shape"),
        (lambda g: g.input[0].type.tensor_type.shape.dim.add(), "unknown dimensions"),
        (lambda g: setattr(g.input[0].type.tensor_type, "elem_type", 7), "type INT64"),
        (lambda g: g.initializer[0].dims.append(1 << 40), "beyond the limit"),
        (lambda g: g.initializer[0].dims.append(2), "needs 96 bytes, 48 are there"),
        (lambda g: g.initializer[0].dims.append(-1), "impossible shape"),
    ],
)
def test_graphs_that_are_no_function_are_refused(tmp_path, change, message):
    model = onnx.load(save(tmp_path / "net.onnx", [GEMM, RELU_NODE], V))
    change(model.graph)
    (tmp_path / "net.onnx").write_bytes(model.SerializeToString())
    assert message in refused(tmp_path / "net.onnx")


@pytest.mark.parametrize("opset", [1, 6, 1000])
def test_opsets_of_unknown_meaning_are_refused(tmp_path, opset):
    assert f"opset {opset}" in refused(
        save(tmp_path / "net.onnx", [node("Relu", ["x"], ["y"])], opset=opset)
    )


def test_a_file_cut_anywhere_is_refused_or_whole(tmp_path):
    network = random_network(2, 3, 1, activation=THRESHOLD)
    path = tmp_path / "net.onnx"
    write_onnx(network, path)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        refused(path)


@pytest.mark.parametrize("data", [b"", b"not a model", b"\xff" * 100, b"\0" * 100])
def test_garbage_is_refused(tmp_path, data):
    path = tmp_path / "net.onnx"
    path.write_bytes(data)
    refused(path)


def test_damaged_bytes_never_surprise(tmp_path):
    path = tmp_path / "net.onnx"
    write_onnx(random_network(2, 3, 1), path)
    data = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(500):
        damaged = bytearray(data)
        damaged[rng.integers(len(data))] = rng.integers(256)
        path.write_bytes(damaged)
        try:
            assert isinstance(read_onnx(path), Network)
        except FileFormatError as error:
            assert str(error).startswith(str(path))


def test_missing_files_folders_and_giants_are_refused(tmp_path):
    assert "No such file" in refused(tmp_path / "none.onnx")
    assert "not a regular file" in refused(tmp_path)
    giant = tmp_path / "giant.onnx"
    with giant.open("wb") as stream:
        stream.truncate((512 << 20) + 1)
    assert "above the limit of 536870912" in refused(giant)


def doubled(operator_axis, first):
    names = [first, *(f"d{k}" for k in range(40))]
    return [
        node("Concat", [a, a], [b], axis=operator_axis)
        for a, b in itertools.pairwise(names)
    ]


def test_small_files_cannot_ask_for_much_memory(tmp_path):
    path = tmp_path / "net.onnx"
    assert "(Concat) makes a tensor of" in refused(save(path, doubled(1, "x")))
    shapes = [node("Shape", ["x"], ["s"]), *doubled(0, "s")]
    assert "; not a shape" in refused(save(path, shapes))
    wide = [node("Relu", ["x"], ["y"])]
    assert "needs a matrix of shape" in refused(save(path, wide, x=(1, 1 << 20)))
    assert "the limit is" in refused(save(path, wide, x=(1, 1 << 60)))


def test_standard_operators_cannot_be_redefined(tmp_path):
    model = onnx.load(save(tmp_path / "net.onnx", [GEMM, RELU_NODE], V))
    model.functions.add(name="Relu", domain="")
    onnx.save(model, tmp_path / "net.onnx")
    assert "redefines standard operators" in refused(tmp_path / "net.onnx")


# side files


def with_side_file(folder, location, **entries):
    """A model whose weight lies in a side file."""
    tensor = TensorProto(name="w", data_type=DOUBLE, dims=[3])
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, **entries}.items():
        tensor.external_data.add(key=key, value=str(value))
    folder.mkdir(exist_ok=True)
    path = folder / "net.onnx"
    return save(path, [node("Add", ["x", "w"], ["y"])], {"w": tensor})


@pytest.fixture
def weights(tmp_path):
    """Three float64 numbers outside the folder of the model, and that folder."""
    (tmp_path / "secret.bin").write_bytes(np.array([9.0, 1, 2, 3]).tobytes())
    folder = tmp_path / "model"
    (folder / "deep").mkdir(parents=True)
    shutil.copy(tmp_path / "secret.bin", folder / "deep" / "w.bin")
    return folder


def test_weights_in_the_folder_of_the_model_are_read(weights):
    path = with_side_file(weights, "deep/w.bin", offset=8, length=24)
    assert read_onnx(path).layers[0].bias.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("location", "message"),
    [
        ("../secret.bin", "only relative paths inside"),
        ("deep/../../secret.bin", "only relative paths inside"),
        ("/etc/passwd", "only relative paths inside"),
        ("C:\\secret.bin", "only relative paths inside"),
        ("", "only relative paths inside"),
        ("link.bin", "a link that leaves the folder"),
        ("tunnel/secret.bin", "a link that leaves the folder"),
        ("none.bin", "is not there"),
        ("deep", "is not there"),
        ("a\0b", "null"),
    ],
)
def test_weights_anywhere_else_are_refused(weights, location, message):
    (weights / "link.bin").symlink_to(weights.parent / "secret.bin")
    (weights / "tunnel").symlink_to(weights.parent)
    assert message in refused(with_side_file(weights, location))


@pytest.mark.parametrize(
    "entries", [{"offset": 16}, {"length": 8}, {"length": 32}, {"offset": -8}]
)
def test_side_files_that_are_too_short_are_refused(weights, entries):
    message = refused(with_side_file(weights, "deep/w.bin", **entries))
    assert "tensor 'w' needs 24 bytes" in message


def test_side_files_with_unreadable_bounds_are_refused(weights):
    assert "'w'" in refused(with_side_file(weights, "deep/w.bin", offset="many"))


# torch


@pytest.mark.parametrize("stem", ["1_8_8_1", "3_4_2"])
@pytest.mark.parametrize("exporter", ["torchscript", "dynamo"])
def test_files_of_both_torch_exporters_are_read(exporter, stem):
    expected = json.loads((FIXTURES / "expected.json").read_text())[stem]
    network = read_onnx(FIXTURES / f"{exporter}_{stem}.onnx")
    assert network == Network.from_arrays(*map(np.array, expected["weights"]))
    assert network.is_float
    outputs = network.floats(np.array(expected["inputs"]))
    assert np.abs(outputs - expected["outputs"]).max() < 1e-12


def test_a_torch_model_without_its_side_file_is_refused(tmp_path):
    shutil.copy(FIXTURES / "dynamo_1_8_8_1.onnx", tmp_path)
    message = refused(tmp_path / "dynamo_1_8_8_1.onnx")
    assert "'dynamo_1_8_8_1.onnx.data', which is not there" in message


def torch_nets(nn, torch):
    """Networks as people write them, with the shape of a point."""

    class Normalised(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Linear(3, 4), nn.Linear(4, 1)
            self.register_buffer("mean", torch.tensor([1.0, 2.0, 3.0]))

        def forward(self, x):
            return 2 * self.last(self.first((x - self.mean) / 3).clamp(min=0)) - 1

    class Residual(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Linear(3, 3), nn.Linear(3, 1)

        def forward(self, x):
            hidden = torch.relu(self.first(x)) + x
            return self.last(torch.relu(hidden) + hidden).squeeze(-1)

    class Steps(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Linear(3, 4), nn.Linear(4, 1)

        def forward(self, x):
            return self.last((self.first(x) > 0).to(x.dtype))

    class Viewed(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, 2))

        def forward(self, x):
            return self.layers(x.view(x.size(0), -1))

    seq = nn.Sequential
    return {
        "plain": (seq(nn.Linear(1, 8), nn.ReLU(), nn.Linear(8, 1)), (1,)),
        "wide": (seq(nn.Linear(2, 90), nn.ReLU(), nn.Linear(90, 1)), (2,)),
        "no bias": (
            seq(nn.Linear(3, 4, bias=False), nn.ReLU(), nn.Linear(4, 2, bias=False)),
            (3,),
        ),
        "flat": (
            seq(
                nn.Flatten(), nn.Linear(6, 4), nn.Dropout(), nn.ReLU(), nn.Linear(4, 2)
            ),
            (2, 3),
        ),
        "two axes": (seq(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), (2, 3)),
        "normalised": (Normalised(), (3,)),
        "residual": (Residual(), (3,)),
        "steps": (Steps(), (3,)),
        "viewed": (Viewed(), (2, 3)),
    }


NAMES = ["plain", "wide", "no bias", "flat", "two axes", "normalised"]
NAMES += ["residual", "steps", "viewed"]


@pytest.mark.slow
# torch's exporters warn about themselves and each other
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("open_batch", [True, False], ids=["open batch", "fixed batch"])
@pytest.mark.parametrize("dynamo", [False, True], ids=["torchscript", "dynamo"])
def test_what_torch_exports_is_what_torch_computes(tmp_path, name, open_batch, dynamo):
    reason = "torch is not installed: the exporter tests are skipped"
    torch = pytest.importorskip("torch", reason=reason)
    options = {}
    if dynamo:
        pytest.importorskip("onnxscript", reason="onnxscript is not installed")
        if open_batch:
            options["dynamic_shapes"] = ({0: torch.export.Dim("batch")},)
    elif open_batch:
        options |= {"input_names": ["x"], "dynamic_axes": {"x": {0: "batch"}}}
    torch.manual_seed(0)
    nets = torch_nets(torch.nn, torch)
    assert list(nets) == NAMES
    net, point = nets[name]
    x = torch.randn(2 if open_batch else 1, *point)
    path = tmp_path / "net.onnx"
    torch.onnx.export(net.eval(), (x,), path, dynamo=dynamo, **options)
    network = read_onnx(path)
    points = torch.randn(20, *point, dtype=torch.float64)
    with torch.no_grad():
        expected = net.double()(points).reshape(20, -1).numpy()
    outputs = network.floats(points.reshape(20, -1).numpy())
    assert np.abs(outputs - expected).max() < 1e-12
