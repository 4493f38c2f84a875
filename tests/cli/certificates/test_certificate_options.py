"""Every option of `build` leaves a certificate that `verify` accepts."""

import json

import pytest
from flint import fmpq

from depthsep import Problem
from depthsep.cli import main
from depthsep.cli.certificates._build import build as command
from depthsep.interop import verify, write_certificate
from depthsep.separation import build, separate

# for every option that changes the problem or the network: two ways to use it
OPTIONS = {
    "on": [["--on=-1,2"], ["--on", "1/3,5/7"]],
    "dim": [["--dim", "2"], ["--dim", "3"]],
    "law": [["--law", "uniform:0,1"], ["--law", "box:0,1;0,2"]],
    "scale": [["--scale", "2"], ["--scale", "median"]],
    "weight_bound": [["--weight-bound", "100"], ["--weight-bound", "2**d*64"]],
    "activation": [
        ["--activation", name]
        for name in ("leaky:0.1", "abs", "hardtanh", "relu6", "threshold", "any")
    ],
    "norm": [["--norm", "linf"], ["--norm", "l1"], ["--norm", "l2"]],
    "accuracy": [["--accuracy", "1/7"], ["--accuracy", "0.3"]],
    "depth": [["--depth", "2"], ["--depth", "3"]],
    "by": [
        ["--by", "square-folds"],
        ["--by", "interpolant"],
        ["--by", "telgarsky-2.1"],
    ],
    "least": [["--least", measure] for measure in ("width", "units", "weights")],
    "weights": [["--weights", "float32"], ["--weights", "q4.12", "-o", "net.onnx"]],
    "skips": [["--skips"], ["--skips", "-o", "net.onnx"]],
    "seconds": [["--seconds", "20"]],
    "search": [["--search", "0.2"]],
    "proof": [["--proof", "proof.json"]],
    "rocq": [["--rocq", "net.v"]],
    "output": [["-o", "net.onnx"], ["-o", "net.npz"], ["-o", "net.json"]],
}
BESIDE = {"target", "certificate", "as_json", "constructions"}
TARGET = {
    "dim": "poly:x1*x2",
    "scale": "radial:relu",
    "by interpolant": "expr:exp(x)",
    "search": "expr:exp(x)",
    "law box:0,1;0,2": "product",
}
CASES = [(name, words) for name, ways in OPTIONS.items() for words in ways]


def test_every_option_has_a_round_trip():
    assert {p.name for p in command.params} == set(OPTIONS) | BESIDE


@pytest.mark.parametrize(("name", "words"), CASES, ids=lambda c: str(c))
def test_what_build_writes_verify_accepts(name, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    target = TARGET.get(f"{name} {words[-1]}", TARGET.get(name, "square"))
    given = [target, *words, "--certificate", "c.json"]
    if name != "accuracy":
        given += ["--accuracy", "1/5"]
    if name == "scale":
        given += ["--dim", "3", "--depth", "3"]
    assert done(["build", *given]) == 0, capsys.readouterr().err
    capsys.readouterr()
    assert done(["verify", "c.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["valid"] is True


def done(arguments):
    """The exit code of a command."""
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    return stop.value.code or 0


def test_a_bound_next_to_an_irrational_root_is_stored_as_it_was_proved(tmp_path):
    loose = build(Problem("square", norm="l2", accuracy="1/10"), depth=3)
    square = loose.examination.error.square
    accuracy = root_above(square, 200)
    problem = Problem("square", norm="l2", accuracy=accuracy)
    tight = build(problem, depth=3)
    assert tight.examination.error.upper > accuracy  # the root, rounded up
    write_certificate(tight.certificate(), tmp_path / "c.json")
    assert verify(tmp_path / "c.json").valid
    row = separate(problem, depths=[3])[3]
    assert row.upper.error == accuracy


def root_above(square: fmpq, bits: int) -> fmpq:
    """The multiple of 2**-bits next above an irrational root."""
    low, high = fmpq(0), fmpq(2)
    while high - low > fmpq(1, 2**bits):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * middle < square else (low, middle)
    return high
