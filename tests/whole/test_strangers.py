"""Inputs of strangers and of a referee on which the library once failed."""

import json
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from depthsep.cli import main
from depthsep.interop import read_network
from depthsep.networks import Network

FILES = Path(__file__).parents[1] / "fixtures" / "strangers"


@pytest.fixture
def run(capsys):
    """The command line: exit code, output and messages."""

    def called(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return stop.value.code, out, err

    return called


@pytest.mark.parametrize("name", ["clipA", "clipB", "clipD"])
def test_a_clip_without_a_maximum_is_no_identity(run, name):
    file = FILES / f"{name}.onnx"
    code, _, err = run("certify", file, "expr:x", "--accuracy", "1e-6")
    assert code == 1 and "above the accuracy" in err
    bound = {"clipD": fmpq(65504, 65536)}.get(name, fmpq(1, 16))
    network = read_network(file)
    for x in (fmpq(1, 100), fmpq(1, 20), fmpq(1)):
        near = min(x, bound)
        assert abs(network((x,))[0] - near) < fmpq(1, 10**5) * near


def test_training_statistics_are_refused(run):
    code, _, err = run("certify", FILES / "bn5.onnx", "expr:x", "--accuracy", "1e-6")
    assert code == 2 and "model.eval()" in err


@pytest.mark.parametrize(
    ("file", "on", "target", "low", "high"),
    [
        (
            *("ipa_sigmoid16.npz", "-8,8", "expr:1/(1+exp(-x))"),
            *(0.01164848, 0.01164850),
        ),
        ("square_four_units.onnx", "-10,10", "expr:exp(x)", 21928.46578, 21928.46581),
    ],
)
def test_no_digit_is_shown_that_is_not_known(run, file, on, target, low, high):
    code, out, _ = run("inspect", FILES / file, f"--on={on}", "--target", target)
    words = out.splitlines()[-1].split()
    assert code == 0 and words[1:3] == ["distance", "between"]
    assert low <= float(words[3]) <= float(words[5]) <= high


def test_three_units_are_enough_for_a_function_of_one_form(run, tmp_path):
    file, target = FILES / "exp_sum_three_units.npz", "expr:exp(x1+x2)"
    for accuracy in ("0.11", "0.1"):
        code, out, _ = run("certify", file, target, "--accuracy", accuracy)
        assert code == 0 and "0.09975" in out
    code, _, err = run("certify", file, target, "--accuracy", "0.0997")
    assert code == 1 and "above the accuracy" in err
    row = table(run, target, "--accuracy", "0.11", "--depths", "2:2")[0]
    assert row["upper"]["width"] == 3


def table(run, *arguments):
    code, out, _ = run("separate", *arguments, "--search", "0", "--json")
    assert code == 0
    return json.loads(out)["rows"]


def test_logits_are_shown_without_a_circle_of_remedies(run):
    for name in ("sigmoid_head", "cls2"):
        for more in ((), ("--logits",)):
            code, out, err = run(
                *("inspect", FILES / f"{name}.onnx", "--lines", 2, "--slices", 0),
                *("--seconds", 5, *more),
            )
            assert code == 0 and "regions" in out, err
            assert "the logits before it" in out


def test_weights_before_the_point_are_no_batch():
    network = read_network(FILES / "matmul_weights_first.onnx")
    assert (network.in_dim, network.widths, network.out_dim) == (3, (5,), 2)


READ = {
    **{"dead_branch_unsupported": (5,), "relu6": (10,), "hardtanh": (10,)},
    **{"prelu_shared": (5,), "max_two_tensors": (11,), "min_const": (5,)},
    **{"split_input": (6,), "gather_input": (5,), "conv_small": (8,)},
    **{"reducesum_out": (5,), "qdq_weights": (5,), "pipe": (8,)},
    **{"hidden_tanh": (5,), "hidden_sigmoid": (5,)},
}


@pytest.mark.parametrize("name", READ)
def test_what_was_refused_is_read_and_means_what_onnxruntime_computes(name):
    missing = "onnxruntime is not installed"
    runtime = pytest.importorskip("onnxruntime", reason=missing)
    file = FILES / f"{name}.onnx"
    network = read_network(file)
    assert len(network.widths) == 1
    session = runtime.InferenceSession(file.read_bytes())
    (given,) = session.get_inputs()
    shape = [d if isinstance(d, int) else 1 for d in given.shape]
    for seed in range(20):
        x = np.random.default_rng(seed).normal(size=shape).astype(np.float32) * 3
        computed = session.run(None, {given.name: x})[0].ravel()
        ours = network.floats(x.ravel().astype(np.float64))
        assert np.allclose(ours, computed, rtol=1e-4, atol=1e-5)


def test_one_of_two_outputs_has_a_name(run):
    code, _, err = run("inspect", FILES / "two_outputs.onnx")
    assert code == 2 and "--output" in err and "'z'" in err
    code, out, _ = run(
        *("inspect", FILES / "two_outputs.onnx", "--output", "z:2"),
        *("--lines", 0, "--slices", 0),
    )
    assert code == 0 and "output 2" in out


def test_the_error_of_a_small_network_takes_its_regions(run, tmp_path):
    rng = np.random.default_rng(3)
    shapes = ((16, 2), (16, 16), (1, 16))
    arrays = [rng.normal(size=s) for m, n in shapes for s in ((m, n), (m,))]
    network = Network.from_arrays(*arrays)
    names = [f"{kind}{k}" for k in (1, 2, 3) for kind in "Wb"]
    np.savez(tmp_path / "net.npz", **dict(zip(names, arrays, strict=True)))
    code, out, _ = run(
        *("inspect", tmp_path / "net.npz", "--lines", 0, "--json"),
        *("--target", "expr:exp(-x1**2-x2**2)"),
    )
    found = json.loads(out)["distance"]
    low, high = (fmpq(*map(int, found[k].split("/"))) for k in ("lower", "upper"))
    g = np.linspace(-1, 1, 301)
    x = np.stack(np.meshgrid(g, g), -1).reshape(-1, 2)
    seen = np.abs(network.floats(x)[:, 0] - np.exp(-(x**2).sum(1))).max()
    assert code == 0 and high <= low * fmpq(100001, 100000)
    assert seen <= float(high.p) / float(high.q) <= seen * 1.02


def test_a_root_that_is_finite_is_followed(run):
    rows = table(
        run, "expr:sqrt(x1**2+x2**2)", "--on=0,1", "--accuracy", "0.2", "--depths", "2"
    )
    assert "width" in rows[0]["lower"]


def test_a_bound_says_which_networks_it_binds(run):
    file = FILES / "max3skip.onnx"
    code, out, _ = run("certify", file, "max:3", "--accuracy", "0.01")
    assert code == 0 and "only lower bounds for networks with skip" in out
    code, out, _ = run(
        *("separate", "max:3", "--accuracy", "0.01", "--depths", "2:3"),
        *("--search", "0"),
    )
    said = " ".join(out.split())
    assert "the least possible without skip connections" in said
    assert "To read a theorem: depthsep results" in said
    for row in table(run, "max:3", "--accuracy", "0.01", "--depths", "2:3"):
        assert "no skip connections" in row["lower"]["class"]
        assert row["lower_with_skips"]["width"] < row["lower"]["width"] == 3


def test_theorem_n_is_about_networks_without_skips(run):
    rows = table(run, "expr:exp(x)", "--accuracy", "1e-4", "--depths", "6:7")
    assert "lower_with_skips" not in rows[0]
    assert rows[1]["lower"]["width"] == 2
    assert rows[1]["lower_with_skips"]["width"] == 1


@pytest.mark.parametrize(
    ("file", "target", "on", "accuracy", "units"),
    [
        ("relu6_two_units", "min(max(x,0),6)", "-10,10", "1e-6", 2),
        ("hardtanh_two_units", "max(min(x,1),-1)", "-3,3", "1e-6", 2),
        ("tent_three_units", "max(0,1-abs(x))", "-2,2", "1e-6", 3),
        ("square_four_units", "x**2", "-10,10", "2", 4),
    ],
)
def test_kinks_may_face_either_way(run, file, target, on, accuracy, units):
    given = (f"expr:{target}", f"--on={on}", "--accuracy", accuracy)
    code, _, _ = run("certify", FILES / f"{file}.onnx", *given)
    assert code == 0
    (row,) = table(run, *given, "--depths", "2:2")
    assert row["upper"]["width"] == row["lower"]["width"] == units


def test_an_absolute_value_takes_two_units(run):
    given = ("expr:abs(x)", "--on=-1,1", "--accuracy", "1e-3")
    for row in table(run, *given, "--depths", "2:5"):
        assert row["upper"]["width"] == row["lower"]["width"] == 2
        assert row["lower_with_skips"]["width"] == 1


def test_four_inputs_are_looked_at_within_the_seconds(run, tmp_path):
    """Regions of slices come first; integrals of the box are what takes long."""
    rng = np.random.default_rng(0)
    shapes = ((16, 4), (16, 16), (1, 16))
    arrays = [rng.normal(size=s) for m, n in shapes for s in ((m, n), (m,))]
    names = [f"{kind}{k}" for k in (1, 2, 3) for kind in "Wb"]
    np.savez(tmp_path / "net.npz", **dict(zip(names, arrays, strict=True)))
    code, out, err = run("inspect", tmp_path / "net.npz", "--seconds", "2")
    lines = [line for line in err.splitlines() if not line.endswith(" s")]
    assert code == 0 and not lines
    assert out.index("random lines") < out.index("slice 1") < out.index("units on")
    if "3286 (exact)" not in out or "integral " not in out:
        assert "(allow more with --seconds)" in out or "(--seconds)" in out


def test_the_smallest_network_is_small_by_a_measure_that_is_named(run):
    asked = ("expr:1/(1+exp(-x))", "--on=-8,8", "--accuracy", "1e-3")
    _, out, _ = run("build", *asked)
    assert "14 units" in out and "the fewest units at depths 2 to 8" in out
    _, out, _ = run("build", *asked, "--least", "weights")
    assert "18 units" in out and "the fewest weights" in out


@pytest.mark.slow
def test_as_many_units_in_l2_as_pieces_suffice(run):
    """13 pieces suffice for the sigmoid; there were 15 units."""
    asked = ("expr:1/(1+exp(-x))", "--on=-8,8", "--norm", "l2", "--accuracy", "1e-3")
    code, out, _ = run("build", *asked, "--depth", "2", "--json")
    assert code == 0 and json.loads(out)["units"] <= 13
