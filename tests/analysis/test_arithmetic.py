"""What rounding adds: against NumPy in float32, onnxruntime, and whole numbers."""

import json
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq

from depthsep import Problem, Segment, build, certificate_of, verify
from depthsep._errors import CertificationError, HypothesisError
from depthsep.analysis import rounding_error
from depthsep.exact import format_of, rational
from depthsep.interop import write_certificate, write_onnx
from depthsep.laws import Box, law_from_text
from depthsep.networks import Affine, Network
from support.commands import call, command


def real(value: fmpq) -> float:
    return float(value.p) / float(value.q)


def random_network(rng, widths, dtype=np.float32, scale=1.0):
    layers = [
        Affine(
            (scale * rng.normal(size=(b, a)) / a**0.5).astype(dtype).astype(float),
            rng.normal(size=b).astype(dtype).astype(float),
        )
        for a, b in pairwise(widths)
    ]
    return Network(layers)


def in_float32(network, x, order):
    """Every sum in an order of its own."""
    values = x.astype(np.float32)
    for k, layer in enumerate(network.layers):
        w, b = (np.asarray(v, dtype=np.float32) for v in (layer.weight, layer.bias))
        sums = np.tile(b if order else np.zeros_like(b), (len(x), 1))
        for j in (range if order else lambda n: reversed(range(n)))(w.shape[1]):
            sums = sums + values[:, j : j + 1] * w[:, j]
        sums = sums if order else sums + b
        values = np.maximum(sums, 0) if k < len(network.activations) else sums
    return values[:, 0].astype(float)


@pytest.mark.parametrize(
    "widths", [(1, 5, 1), (2, 16, 16, 1), (3, 40, 1), (1, 8, 8, 8, 1)]
)
@pytest.mark.parametrize("scale", [0.3, 3.0])
def test_float32_in_any_order_is_within_the_bound(widths, scale) -> None:
    rng = np.random.default_rng(len(widths))
    for _ in range(4):
        network = random_network(rng, widths, scale=scale)
        d = widths[0]
        target = (
            "expr:x" if d == 1 else "expr:" + "+".join(f"x{k + 1}" for k in range(d))
        )
        problem = Problem(target, Segment(-2, 3), accuracy=1)
        bound = real(rounding_error(network, problem, format_of("float32")))
        x = rng.uniform(-2, 3, (2000, d)).astype(np.float32)
        exact = network.floats(x.astype(float))[:, 0]
        off = max(
            np.abs(in_float32(network, x, o) - exact).max() for o in (True, False)
        )
        assert off <= bound < 1e-2 * scale ** (len(widths) - 1)
        double = real(rounding_error(network, problem, format_of("double")))
        assert double < bound * 1e-8


def test_onnxruntime_is_within_the_bound(tmp_path) -> None:
    runtime = pytest.importorskip("onnxruntime")
    rng = np.random.default_rng(1)
    network = random_network(rng, (2, 64, 64, 1))
    write_onnx(network, tmp_path / "n.onnx", kind=np.float32)
    problem = Problem("expr:x1+x2", Segment(-1, 1), accuracy=1)
    bound = real(rounding_error(network, problem, format_of("float32")))
    x = rng.uniform(-1, 1, (5000, 2)).astype(np.float32)
    got = runtime.InferenceSession(tmp_path / "n.onnx").run(None, {"x": x})[0][:, 0]
    off = np.abs(got.astype(float) - network.floats(x.astype(float))[:, 0]).max()
    assert 0 < off <= bound


def test_fixed_point_sums_rounded_once_a_unit() -> None:
    rng = np.random.default_rng(2)
    unit = 2.0**-12
    network = Network([
        Affine(np.round(w / unit) * unit, np.round(b / unit) * unit)
        for w, b in ((rng.normal(size=(6, 2)), rng.normal(size=6)),
                     (rng.normal(size=(1, 6)) / 3, rng.normal(size=1)))
    ])  # fmt: skip
    problem = Problem("expr:x1+x2", Segment(-1, 1), accuracy=1)
    bound = real(rounding_error(network, problem, format_of("fixed:20.12")))
    whole = [tuple(np.round(np.asarray(v, float) / unit).astype(np.int64)
                   for v in (a.weight, a.bias)) for a in network.layers]  # fmt: skip
    x = rng.integers(-4096, 4097, (5000, 2))
    values = x
    for k, (w, b) in enumerate(whole):
        values = (values @ w.T + (b << 12) + 2048) >> 12
        values = np.maximum(values, 0) if k == 0 else values
    off = np.abs(values[:, 0] * unit - network.floats(x * unit)[:, 0]).max()
    assert 0 < off <= bound


def test_certificates_of_runtimes(tmp_path, capsys) -> None:
    problem = Problem("expr:sin(3*x)", accuracy="1.1e-3")
    tight = Problem("expr:sin(3*x)", accuracy="1e-3")
    built = build(tight, depth=2, weights="float32")
    found = certificate_of(built.network, problem, arithmetic=format_of("float32"))
    plain = certificate_of(built.network, problem)
    assert found.claim["arithmetic"] == "float32"
    assert rational(found.claim["error"]) > rational(plain.claim["error"])
    write_certificate(found, tmp_path / "c.json")
    assert verify(tmp_path / "c.json").valid
    write_onnx(built.network, tmp_path / "n.onnx", kind=np.float32)
    shown = call(
        "certify",
        tmp_path / "n.onnx",
        "expr:sin(3*x)",
        "--accuracy",
        "1.1e-3",
        "--arithmetic",
        "float32",
        "-o",
        tmp_path / "d.json",
    )
    assert "computed in float32" in shown.output
    assert call("verify", tmp_path / "d.json").exit_code == 0
    for change in (
        lambda c: c["claim"].update(arithmetic="double"),
        lambda c: c["claim"].pop("arithmetic"),
        lambda c: c["claim"].update(arithmetic="exact"),
        lambda c: c["claim"].update(error=plain.claim["error"]),
    ):
        document = json.loads((tmp_path / "c.json").read_text())
        change(document)
        (tmp_path / "e.json").write_text(json.dumps(document))
        code, *_ = command(capsys, "verify", tmp_path / "e.json")
        assert code in (1, 2)


def test_what_cannot_be_counted_is_refused(tmp_path) -> None:
    rng = np.random.default_rng(3)
    problem = Problem("expr:x", accuracy="1/2")
    doubles = random_network(rng, (1, 3, 1), dtype=np.float64)
    with pytest.raises(
        HypothesisError, match=r"cannot be represented exactly in float32"
    ):
        rounding_error(doubles, problem, format_of("float32"))
    whole = Network([Affine([[64.0]], [0.0]), Affine([[64.0]], [0.0])])
    with pytest.raises(HypothesisError, match=r"outside the range of fixed:8\.0"):
        rounding_error(whole, problem, format_of("fixed:8.0"))
    normal = Problem("expr:x", law_from_text("normal:0,1"), norm="l2", accuracy="1/2")
    with pytest.raises(HypothesisError, match="a bounded interval or box"):
        rounding_error(whole, normal, format_of("double"))


def test_an_error_that_rounding_lifts_above_the_accuracy_is_not_certified() -> None:
    network = Network([Affine([[1.0]], [1024.0]), Affine([[1.0]], [-1024.0])])
    problem = Problem("expr:x", accuracy="1e-5")
    assert certificate_of(network, problem).claim["error"] == "0"
    with pytest.raises(CertificationError):
        certificate_of(network, problem, arithmetic=format_of("float32"))


def test_a_search_that_ends_at_the_accuracy_leaves_room_for_rounding():
    """Branch and bound stops where the accuracy is met; rounding comes on top."""
    box = Box.cube(Segment(0, 1), 2)
    problem = Problem("expr:x1*x2", box, accuracy="2e-2")
    network = build(problem, depth=3, weights="float32").network
    wider = Problem("expr:x1*x2", box, accuracy="2.001e-2")
    found = certificate_of(network, wider, arithmetic=format_of("float32"))
    assert found.claim["arithmetic"] == "float32"
