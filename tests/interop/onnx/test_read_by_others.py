"""What is written is opened by others, and computes the same there."""

from itertools import pairwise

import numpy as np
import onnx
import pytest

from depthsep import Problem, build
from depthsep.interop import IR_VERSION, OPSET, read_onnx, write_onnx
from depthsep.networks import (
    ABS,
    RELU,
    THRESHOLD,
    Network,
    Softmax,
    leaky_relu,
    with_skips,
)


def of_units(activation, widths=(3, 4, 3, 2)):
    rng, arrays = np.random.default_rng(0), []
    for fan, units in pairwise(widths):
        arrays += [np.round(rng.normal(size=(units, fan)), 3), rng.normal(size=units)]
    plain = Network.from_arrays(*arrays)
    return Network(plain.layers, [activation] * (len(widths) - 2))


def built(*problem, **given):
    return build(Problem(*problem, accuracy=given.pop("accuracy")), **given).network


WRITTEN = {
    "a curve": built("square", accuracy="1e-3"),
    "a deep curve": built("square", accuracy="1e-6", depth=5),
    "a product": built("product", accuracy="1e-2", depth=3),
    "a curve in float32": built("square", accuracy="1e-3", weights="float32"),
    "several outputs": of_units(RELU),
    "leaky": of_units(leaky_relu("1/4")),
    "absolute": of_units(ABS),
    "threshold": of_units(THRESHOLD),
    "skips": with_skips(built("square", accuracy="1e-4", depth=5)),
    "classes": Softmax(of_units(RELU)),
}
KINDS = {"float64": np.float64, "float32": np.float32}
DENSE = ("a curve", "a deep curve", "a product", "several outputs")


@pytest.fixture(params=[(name, kind) for name in WRITTEN for kind in KINDS])
def file(request, tmp_path):
    name, kind = request.param
    path = tmp_path / "net.onnx"
    write_onnx(WRITTEN[name], path, rounded=True, kind=KINDS[kind])
    return name, kind, path


def test_onnx_checks_it_and_infers_its_shapes(file):
    _, kind, path = file
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    shown = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    wanted = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind))
    for value in (*shown.graph.input, *shown.graph.output):
        assert value.type.tensor_type.elem_type == wanted
        assert value.type.tensor_type.shape.dim[0].dim_param == "batch"
    assert len(shown.graph.value_info) == len(model.graph.node) - 1
    assert (model.opset_import[0].version, model.ir_version) == (OPSET, IR_VERSION)


def test_onnxruntime_computes_what_is_examined(file):
    missing = "onnxruntime is not installed"
    runtime = pytest.importorskip("onnxruntime", reason=missing)
    name, kind, path = file
    session = runtime.InferenceSession(path.read_bytes())
    ours = read_onnx(path, logits=name == "classes")
    x = np.random.default_rng(1).uniform(-1, 1, (50, ours.in_dim)).astype(kind)
    (computed,) = session.run(None, {"x": x})
    values = ours.floats(x.astype(float))
    if name == "classes":
        values = np.exp(values) / np.exp(values).sum(axis=1, keepdims=True)
    close = 1e-9 if kind == "float64" else 1e-3
    assert np.allclose(computed, values, rtol=close, atol=close)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", DENSE)
def test_omlt_reads_dense_layers(tmp_path, name, kind):
    """It asks for every attribute of Gemm, also those with a default."""
    omlt = pytest.importorskip("omlt.io", reason="omlt is not installed")
    path, network = tmp_path / "net.onnx", WRITTEN[name]
    write_onnx(network, path, rounded=True, kind=KINDS[kind])
    bounds = [(-1, 1)] * network.in_dim
    read = omlt.load_onnx_neural_network(onnx.load(path), input_bounds=bounds)
    x = np.random.default_rng(1).uniform(-1, 1, network.in_dim)
    value = x
    for layer in list(read.layers)[1:]:
        value = layer.eval_single_layer(value)
    close = 1e-9 if kind == "float64" else 1e-3
    assert np.allclose(value, network.floats(x[None])[0], rtol=close, atol=close)
