"""Files of both exporters of PyTorch."""

import json
import shutil

import numpy as np
import pytest

from depthsep.interop import read_onnx
from depthsep.networks import Network
from support.onnx_files import (
    refused,
)
from support.places import FIXTURES

NAMES = ["plain", "wide", "no bias", "flat", "two axes", "normalised"]
NAMES += ["residual", "steps", "viewed"]
# the newer exporter takes a second for each: open and fixed batches in turn
EXPORTS = [(name, is_open, False) for name in NAMES for is_open in (True, False)]
EXPORTS += [(name, k % 2 == 0, True) for k, name in enumerate(NAMES)]


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
    assert "which does not exist; copy it beside the" in message


@pytest.mark.slow
# torch's exporters warn about themselves and each other
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize(("name", "open_batch", "dynamo"), EXPORTS)
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
