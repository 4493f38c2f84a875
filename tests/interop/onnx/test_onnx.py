"""ONNX files: what is written is read back, what is read means what the file means."""

import numpy as np
import onnx
import pytest
from flint import fmpq
from onnx import TensorProto, numpy_helper

from depthsep import HypothesisError
from depthsep.interop import read_onnx, write_onnx
from depthsep.networks import RELU, THRESHOLD, Affine, Network
from support.onnx_files import (
    DOUBLE,
    GEMM,
    RELU_NODE,
    B,
    V,
    W,
    assert_same_as_runtime,
    node,
    random_network,
    run,
    save,
)

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


def test_every_attribute_of_a_gemm_is_written(tmp_path):
    write_onnx(random_network(2, 3, 1), tmp_path / "net.onnx")
    model = onnx.load(tmp_path / "net.onnx")
    gemms = [n for n in model.graph.node if n.op_type == "Gemm"]
    for gemm in gemms:
        found = {a.name: onnx.helper.get_attribute_value(a) for a in gemm.attribute}
        assert found == {"alpha": 1.0, "beta": 1.0, "transA": 0, "transB": 1}
    assert len(gemms) == 2 and model.ir_version == 8
    onnx.checker.check_model(onnx.shape_inference.infer_shapes(model, strict_mode=True))


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


# reading: skip connections


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
    nodes = [node("Mul", ["x", "w"], ["y"])]
    path = save(tmp_path / "n.onnx", nodes, {"w": tensor}, x=[4], kind=kind)
    diagonal = read_onnx(path).layers[0].weight.diagonal()
    assert diagonal.tolist() == values.astype(np.float64).tolist()


# refusals


# side files


# torch
