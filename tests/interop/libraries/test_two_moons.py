"""A PyTorch classifier trained here: imported, examined, exported, compared."""

import itertools

import numpy as np
import pytest
from flint import fmpq

from depthsep.analysis import Plan, inspect
from depthsep.analysis.regions import level_set, regions
from depthsep.exact import nearest_float
from depthsep.interop import from_torch, read_onnx, to_torch, write_onnx
from depthsep.laws import Box, Segment

WIDTH, DEPTH = 32, 4
SQUARE = Box([Segment(-2, 3), Segment(-2, 2)])
GRID = np.random.default_rng(1).uniform([-2, -2], [3, 2], (4000, 2))


def two_moons(count, seed):
    """Points on two half circles that hold each other, and which one."""
    rng = np.random.default_rng(seed)
    angle = np.pi * rng.random(count)
    upper = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    which = rng.integers(0, 2, count)
    lower = np.array([1.0, 0.5]) - upper
    points = np.where(which[:, None] == 1, lower, upper)
    return points + 0.1 * rng.standard_normal((count, 2)), which


@pytest.fixture(scope="module")
def torch():
    reason = "torch is not installed: its tests are skipped"
    return pytest.importorskip("torch", reason=reason)


@pytest.fixture(scope="module", params=["float32", "float64"])
def trained(torch, request):
    """A trained classifier of width 32 and depth 4."""
    torch.manual_seed(0)
    nn, kind = torch.nn, getattr(torch, request.param)
    sizes = [2, *[WIDTH] * (DEPTH - 1)]
    layers = []
    for fan, units in itertools.pairwise(sizes):
        layers += [nn.Linear(fan, units), nn.ReLU()]
    module = nn.Sequential(*layers, nn.Linear(WIDTH, 1)).to(kind)
    points, which = two_moons(512, 0)
    x = torch.tensor(points, dtype=kind)
    y = torch.tensor(which[:, None], dtype=kind)
    adam = torch.optim.Adam(module.parameters(), lr=0.01)
    for _ in range(150):
        adam.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(module(x), y).backward()
        adam.step()
    return module.eval(), kind


def values(torch, module, kind):
    with torch.no_grad():
        return module(torch.tensor(GRID, dtype=kind)).double().numpy()


def relative(a, b):
    return float(np.abs(a - b).max() / np.abs(b).max())


def test_it_learned_the_moons(trained):
    module, _ = trained
    points, which = two_moons(1000, 1)
    said = from_torch(module).floats(points)[:, 0] > 0
    assert (said == which).mean() > 0.97


def test_torch_onnxruntime_and_ours_agree(torch, trained, tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    module, kind = trained
    network = from_torch(module)
    path = tmp_path / "moons.onnx"
    own = np.float32 if kind is torch.float32 else np.float64
    write_onnx(network, path, kind=own)
    session = runtime.InferenceSession(path)
    (ran,) = session.run(None, {"x": GRID.astype(own)})
    limit = 1e-6 if kind is torch.float32 else 1e-12
    inputs = GRID.astype(own).astype(np.float64)
    ours, theirs = network.floats(inputs), values(torch, module, kind)
    for one, other in ((theirs, ours), (ran, ours), (ran, theirs)):
        assert relative(one, other) <= limit
    assert read_onnx(path) == network


def test_round_trips_are_bit_exact(torch, trained):
    module, kind = trained
    network = from_torch(module)
    again = to_torch(network, dtype=kind)
    for one, other in zip(module.parameters(), again.parameters(), strict=True):
        assert one.dtype == other.dtype and torch.equal(one, other)
    assert from_torch(again) == network
    exact = network([fmpq(1, 4), fmpq(-1, 2)])[0]
    near = network.floats(np.array([[0.25, -0.5]]))[0, 0]
    assert nearest_float(exact) == pytest.approx(near, rel=1e-12)


def test_it_is_examined(trained):
    network = from_torch(trained[0])
    found = inspect(network, SQUARE, Plan(lines=5, level=0))
    part = found.box_regions
    assert part.subdivision.counts.activation_regions > 200
    assert part.subdivision.affine_regions <= len(part.subdivision)
    assert part.boundary.above >= 1 and part.boundary.below >= 1
    assert sum((-1) ** k * n for k, n in enumerate(part.subdivision.counts.faces)) == 1
    rational = regions(network, SQUARE, engine="rational")
    assert rational.faces == part.subdivision.counts.faces
    assert part.integrals.volume.lower <= 20 <= part.integrals.volume.upper


def test_its_boundary_parts_the_classes(trained):
    network = from_torch(trained[0])
    edge = level_set(network, SQUARE)
    middles = edge.near_segments().mean(axis=1)
    scale = np.abs(network.floats(GRID)).max()
    assert np.abs(network.floats(middles)).max() < 1e-9 * scale
    assert edge.length().lower > 1
