"""`depthsep learn` and `separate --learn`: documents, folders, kills, refusals."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pytest

from depthsep.reports.figures import _canvas
from support.commands import call, document, refusal

# the sizes of `quick` in support/radial_nets.py, so that JAX compiles them once
SMALL = ["--pairs", "128", "--time", "5", "--records", "10"]
DEADLY = ["--time", "500", "--step", "50"]
FIELDS = {
    "half_mse",
    "half_mse_train",
    "alpha",
    "alpha_infinite",
    "n_initial",
    "n_final",
    "steps",
    "seconds",
    "run",
}


@contextmanager
def drawing(*names):
    """Only pictures of these names are drawn, others are empty; one test draws all."""
    svg, png, drawn = _canvas.svg_bytes, _canvas.png_bytes, []

    def named(figure, name):
        if name not in names:
            return b""
        drawn.append(figure)
        return svg(figure, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_canvas, "svg_bytes", named)
        patch.setattr(_canvas, "png_bytes", lambda f: png(f) if f in drawn else b"")
        yield


@pytest.fixture
def undrawn():
    with drawing():
        yield


def radial(folder, *more):
    sizes = ("--dim", 4, "--width", 32, *SMALL)
    return ("learn", "radial", *sizes, "--run", folder, *more)


@pytest.mark.slow
def test_a_radial_run_leaves_a_document_and_a_folder(tmp_path):
    place = tmp_path / "run"
    found = document(*radial(place))
    assert set(found) >= FIELDS
    assert found["run"] == str(place) and found["steps"] == 10
    assert 0 < found["half_mse"] < 0.05 and found["n_final"] < found["n_initial"]
    names = {p.name for p in place.iterdir()}
    assert names >= {"run.json", "trajectory.npz", "alpha.svg", "profile.png"}
    stored = json.loads((place / "run.json").read_text("utf-8"))
    assert stored["task"]["seed"] == 0 and "jax" in stored["versions"]
    with np.load(place / "trajectory.npz", allow_pickle=False) as arrays:
        assert len(arrays["loss"]) == 11
        assert (np.diff(arrays["loss"]) < 0).all()


@pytest.mark.slow
def test_a_polygon_and_another_law_are_said(tmp_path, undrawn):
    cut = ("--target", "radial:1-r**2", "--law", "inside:2:phi2:D:median")
    more = (*cut, "--accuracy", "1/2", "--measure", "phi2:D:median")
    shown = call(*radial(tmp_path / "a", *more)).output
    assert "polygon" in shown and "scaled so that the phase t" in shown
    found = json.loads((tmp_path / "a" / "run.json").read_text("utf-8"))
    assert 0 < found["target_gap"] < 1e-3 and found["meets"]
    other = found["measured"]
    assert other["half_mse"] < found["half_mse"]  # the target is 0 outside the ball
    assert 0 < other["half_mse_standard_error"] < 1e-3
    grows = ("--measure", "phi2:D", "--slope", 0.5, "--time", 0.05, "--step", 0.005)
    found = document(*radial(tmp_path / "b", *grows))
    assert found["measured"]["half_mse"] is None


@pytest.mark.slow
def test_a_run_starts_where_another_did(tmp_path, capsys, undrawn):
    first = document(*radial(tmp_path / "a", "--seed", 1))
    start = tmp_path / "a" / "trajectory.npz"
    again = document(*radial(tmp_path / "b", "--seed", 1, "--weights", start))
    assert again["half_mse"] == pytest.approx(first["half_mse"], rel=1e-6)
    assert again["task"]["weights"].startswith("sha256:")
    with np.load(start, allow_pickle=False) as arrays:
        np.save(tmp_path / "w.npy", 2 * arrays["start_weights"])
    doubled = document(*radial(tmp_path / "c", "--weights", tmp_path / "w.npy"))
    assert doubled["task"]["alpha"] == pytest.approx(4, rel=1e-6)
    said = refusal(capsys, *radial(tmp_path / "d", "--weights", start, "--alpha", 2))
    assert "--alpha is fixed by --weights" in said
    for name, words in (("w.npy", "x"), ("none.npy", "no such file"), ("w.csv", "npy")):
        (tmp_path / "w.npy").write_bytes(b"not an array")
        said = refusal(capsys, *radial(tmp_path / "d", "--weights", tmp_path / name))
        assert words in said and not (tmp_path / "d").exists()


@pytest.mark.slow
def test_the_same_command_finds_its_own_run_and_another_is_refused(
    tmp_path, capsys, undrawn
):
    place = tmp_path / "run"
    first, again = document(*radial(place)), document(*radial(place))
    assert first["half_mse"] == again["half_mse"]
    linear = ("learn", "linear", "--steps", 100, "--run", place)
    for other in (radial(place, "--seed", 1), linear):
        assert "another run" in refusal(capsys, *other)


@pytest.mark.slow
def test_a_killed_run_goes_on_and_ends_bit_for_bit(tmp_path, undrawn):
    long = ("--time", 250, "--checkpoint", 0, "--fresh")
    whole = document(*radial(tmp_path / "whole", *long))
    place = tmp_path / "killed"
    command = [sys.executable, "-m", "depthsep", *map(str, radial(place, *long))]
    running = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    saved, sizes = place / "checkpoint.eqx", set()
    until = time.monotonic() + 120
    while len(sizes) < 2 and time.monotonic() < until:
        if saved.exists():
            sizes.add(saved.stat().st_mtime_ns)
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not (place / "run.json").exists()
    assert "continuing" in call(*radial(place, *long)).stderr
    resumed = json.loads((place / "run.json").read_text("utf-8"))
    assert {k: v for k, v in resumed.items() if k not in ("seconds", "run")} == {
        k: v for k, v in whole.items() if k not in ("seconds", "run")
    }
    with (
        np.load(tmp_path / "whole" / "trajectory.npz") as one,
        np.load(tmp_path / "killed" / "trajectory.npz") as other,
    ):
        for name in one.files:
            assert np.array_equal(one[name], other[name], equal_nan=True)


@pytest.mark.slow
def test_each_run_of_a_list_has_its_two_layer_networks(tmp_path):
    place = tmp_path / "many"
    given = ("learn", "radial", "--dim", "2,3", "--width", 8, *SMALL, "--run", place)
    budget = ("--compare", "parameters", "--compare-steps", 5, "--compare-seeds", 1)
    with drawing("comparison", "budget"):
        found = document(*given, *budget, "--accuracy", "1/d")
    assert [r["task"]["dim"] for r in found["runs"]] == [2, 3]
    assert [r["accuracy"] for r in found["runs"]] == pytest.approx([1 / 2, 1 / 3])
    for run in found["runs"]:
        assert {t["optimiser"] for t in run["two_layer"]} >= {"adam", "mean-field"}
        assert "no lower bound" in run["two_layer_says"]
        assert all(isinstance(t["meets"], bool) for t in run["two_layer"])
    assert (place / "comparison.svg").stat().st_size


@pytest.mark.slow
def test_two_layers_are_not_spoken_of_when_none_were_trained(tmp_path, undrawn):
    shown = call(*radial(tmp_path / "run", "--accuracy", "1/d")).output
    assert "three layers" in shown and "optimisers" not in shown


@pytest.mark.slow
def test_the_promised_run_reaches_its_loss(tmp_path, undrawn):
    found = document(
        *("learn", "radial", "--dim", 32, "--width", 1024),
        *("--records", 10, "--run", tmp_path / "run"),
    )
    assert found["half_mse"] <= 1e-4
    assert found["n_final"] < found["n_initial"]


@pytest.mark.slow
def test_the_loss_falls_with_the_width(tmp_path, undrawn):
    losses = [
        document(*radial(tmp_path / f"{width}", "--width", width, "--time", 200))
        for width in (32, 128)
    ]
    assert losses[0]["half_mse"] / losses[1]["half_mse"] > 3


@pytest.mark.slow
def test_a_comparison_is_part_of_the_run_and_lists_have_folders(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    given = ("learn", "radial", "--dim", 3, *SMALL)
    budget = ("--compare-steps", 4, "--compare-seeds", 1)
    with drawing():
        alone = document(*given, "--width", 8, "--compare", "none")
        beside = document(*given, "--width", 8, "--compare", "compute", *budget)
    assert "two_layer" not in alone
    assert alone["id"] != beside["id"] and alone["run"] != beside["run"]
    assert beside["compare"] == "compute"
    assert beside["two_layer_budget"]["batch"] == 512
    with drawing("spread"):
        folder = document(*given, "--width", "8,16")["run"]
    assert folder not in (alone["run"], beside["run"])
    stored = json.loads((tmp_path / folder / "run.json").read_text("utf-8"))
    assert len(stored["runs"]) == 2
    assert (tmp_path / folder / "spread.svg").stat().st_size
    again = (*given, "--width", "8,64", "--run", folder)
    assert "another run" in refusal(capsys, *again)


@pytest.mark.slow
def test_a_failed_run_leaves_folders_as_they_were(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    dead = ("learn", "radial", "--dim", 4, "--width", 32, *SMALL, *DEADLY)
    mine = tmp_path / "mine"
    mine.mkdir()
    for more in (("--run", "mine"), ()):
        refusal(capsys, *dead, *more)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("radial", "--dim", "1", "--width", "8"), "2 to"),
        (("radial", "--dim", "4", "--width", "0"), "1 to"),
        (("radial", "--dim", "4", "--width", "8", "--second", "0"), "`second` is 0"),
        (("radial", "--dim", "4", "--width", "8", "--step", "nan"), "`step` is nan"),
        (("radial", "--dim", "4", "--width", "8", "--law", ""), "law is empty"),
        (("radial", "--dim", "4", "--width", "8", "--law", "cube:D"), "unknown law"),
        (("radial", "--dim", "4", "--width", "8", "--run", ""), "empty"),
        (("radial", "--dim", "4", "--width", "8", "--checkpoint", "nan"), "seconds"),
        (("radial", "--dim", "4", "--width", "8", "--accuracy", "-1"), "positive"),
        (("radial", "--dim", "4", "--width", "8", "--subspace", "9"), "rank"),
        (("radial", "--dim", "4", "--width", "8", "--subspace", "a.npy"), "no such"),
        (("radial", "--dim", "4", "--width", "8", "--compare-steps", "9"), "--compare"),
        (("radial", "--dim", "4", "--width", "32", *SMALL, *DEADLY), "dead"),
        (("radial", "--dim", "4", "--width", "8", "--measure", "cube:D"), "unknown"),
        (("linear", "--seed", "-1"), "seed"),
        (("linear", "--data", "iris"), "diabetes"),
        (("linear", "--depths", "0"), "1 to 12"),
        (("target", "square", "--accuracy", "1e-2", "--depths", "1"), "2:8"),
        (("target", "square", "--accuracy", "1e-2", "--learn-widths", "x"), "numbers"),
        (("target", "radial:relu", "--dim", "3", "--accuracy", "0.1"), "no mean"),
    ],
    ids=lambda v: " ".join(v)[-40:] if isinstance(v, tuple) else "",
)
def test_bad_input_is_one_line(arguments, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in refusal(capsys, "learn", *arguments)
    left = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert not left, left


def test_a_matrix_that_is_not_orthonormal_is_refused(tmp_path, capsys):
    for name, matrix, message in (
        ("ones", np.ones((4, 2)), "orthonormal"),
        ("huge", np.full((4, 2), 1e308), "orthonormal"),
        ("flat", np.ones(4), "shape (4,)"),
    ):
        np.save(tmp_path / f"{name}.npy", matrix)
        given = radial(tmp_path / "run", "--subspace", tmp_path / f"{name}.npy")
        assert message in refusal(capsys, *given)


@pytest.mark.slow
def test_devices_share_the_neurons(tmp_path):
    code = (
        "from depthsep.dynamics import RadialTask, learn_radial\n"
        "import jax, numpy as np\n"
        "task = RadialTask(4, 32, pairs=64, time=3, records=2, fresh=True,"
        " precision='float64')\n"
        "runs = [learn_radial(task, devices=k) for k in (1, 2)]\n"
        "gap = abs(runs[0].network.weights - runs[1].network.weights).max()\n"
        "assert len(jax.devices()) == 2 and gap < 1e-13, gap\n"
    )
    flags = os.environ.get("XLA_FLAGS", "")
    two = {"XLA_FLAGS": f"{flags} --xla_force_host_platform_device_count=2"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | two,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_gpu_reaches_the_same_loss():
    import jax

    from depthsep.dynamics import RadialTask, learn_radial

    try:
        device = jax.devices("gpu")[0]
    except RuntimeError:
        pytest.skip("no GPU here: the float32 run on one was not compared")
    task = RadialTask(32, 1024, time=50, records=5)
    with jax.default_device(device):
        on_gpu = learn_radial(task).loss
    with jax.default_device(jax.devices("cpu")[0]):
        on_cpu = learn_radial(task).loss
    assert on_gpu == pytest.approx(on_cpu, rel=1e-3)


@pytest.mark.slow
def test_two_layers_that_diverge_are_said_to(tmp_path, undrawn):
    wild = ("--time", 0.001, "--step", 0.0001, "--law", "radius:D:0,1000")
    wild += ("--compare", "parameters", "--compare-steps", 60, "--compare-seeds", 1)
    sizes = ("--dim", 3, "--width", 8)  # as above, so nothing is compiled again
    shown = call(*radial(tmp_path / "run", *sizes, *wild, "--accuracy", "1/d")).stdout
    assert "diverged" in shown
    stored = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert not any(row["meets"] for row in stored["two_layer"] if None in row["losses"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--solver", "adaptive"), "adaptive"),
        (("--compare-steps", 1, "--time", 10**8, "--step", 1), "--compare-steps"),
    ],
    ids=str,
)
def test_what_cannot_be_compared_is_refused_at_once(more, message, tmp_path, capsys):
    given = ("learn", "radial", "--dim", 2, "--width", 64, "--compare", "compute")
    assert message in refusal(capsys, *given, *more, "--run", tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="address space limits are Linux's")
def test_more_memory_than_there_is_is_one_line(tmp_path):
    given = "learn radial --dim 1000 --width 100000000 --pairs 32 --time 1 --run run"
    limited = f"ulimit -v 8000000; exec {sys.executable} -m depthsep {given}"
    done = subprocess.run(
        ["bash", "-c", limited], capture_output=True, text=True, cwd=tmp_path
    )
    *progress, said = done.stderr.splitlines()  # a slow machine says how far it is
    assert done.returncode == 2 and said.startswith("depthsep: out of memory")
    assert len(progress) <= 3 and not list(tmp_path.iterdir())


def test_a_damaged_matrix_is_one_line(tmp_path, capsys):
    place = tmp_path / "matrix.npy"
    place.write_bytes(b"\x93NUMPY\x01\x00\x10\x00{'descr': (((((  \n")
    given = ("learn", "radial", "--dim", 4, "--width", 8, "--subspace", place)
    refusal(capsys, *given, "--run", tmp_path / "run")
