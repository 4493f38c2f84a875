"""Modules with a forward of their own, through torch's exporter in memory."""

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.interop import from_torch

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("onnxscript", reason="onnxscript is not installed")


class Small(torch.nn.Module):
    """A convolution, SiLU, a pool, a clamp and a linear layer."""

    def __init__(self, unit):
        super().__init__()
        self.first = torch.nn.Conv2d(1, 2, 3, padding=1)
        self.last = torch.nn.Linear(8, 2)
        self.unit = unit

    def forward(self, x):
        x = torch.nn.functional.max_pool2d(self.unit(self.first(x)), 2)
        return torch.clamp(self.last(torch.flatten(x, 1)), -0.5, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [torch.relu, torch.nn.functional.silu, torch.nn.functional.mish],
    ids=["relu", "silu", "mish"],
)
def test_a_forward_of_its_own_is_read(unit):
    torch.manual_seed(0)
    module = Small(unit).eval()
    network = from_torch(module, (1, 1, 4, 4))
    points = np.random.default_rng(1).normal(size=(50, 16))
    with torch.no_grad():
        given = torch.tensor(points, dtype=torch.float32).reshape(-1, 1, 4, 4)
        expected = module(given).double().numpy()
    assert np.abs(network.floats(points) - expected).max() < 1e-5
    assert from_torch(module, torch.zeros(1, 1, 4, 4)).widths == network.widths


def test_plain_modules_do_not_need_the_exporter():
    module = torch.nn.Sequential(
        torch.nn.Linear(2, 3), torch.nn.SiLU(), torch.nn.Linear(3, 3), torch.nn.ELU()
    ).eval()
    network = from_torch(torch.nn.Sequential(*module, torch.nn.Linear(3, 1)).eval())
    assert [a.name for a in network.activations] == ["silu", "elu:1"]


def test_what_the_exporter_does_not_take_is_one_line():
    with pytest.raises(HypothesisError, match="training mode"):
        from_torch(Small(torch.relu).train(), (1, 1, 4, 4))
    with pytest.raises(HypothesisError, match="cannot export the module") as refusal:
        from_torch(Small(torch.relu).eval(), (1, 3, 4, 4))
    assert "\x1b" not in str(refusal.value)
    with pytest.raises(HypothesisError, match="its shape"):
        from_torch(Small(torch.relu).eval(), 5)
