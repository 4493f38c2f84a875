"""`facts` and `check`: what is printed, the exit codes, and what is refused."""

import json

import numpy as np
import pytest

from depthsep.analysis import Distance, facts
from depthsep.interop import write_npz, write_onnx
from depthsep.laws import Segment
from depthsep.networks import RELU, THRESHOLD, Affine, Network
from support.commands import command
from support.nets import balanced_network

PROPERTY = """(declare-const X_0 Real) (declare-const X_1 Real) (declare-const Y_0 Real)
(assert (>= X_0 0)) (assert (<= X_0 1)) (assert (>= X_1 0)) (assert (<= X_1 1))
"""


@pytest.fixture
def net(tmp_path):
    write_onnx(balanced_network(2, 2, 7, 6, 1), tmp_path / "net.onnx")
    return tmp_path / "net.onnx"


def property_file(folder, row, name="p.vnnlib"):
    (folder / name).write_text(f"{PROPERTY}(assert {row})")
    return folder / name


def test_facts_are_printed_and_written(net, capsys):
    code, out, _ = command(capsys, "facts", net, "--on", "0,1")
    assert code == 0
    for words in (
        "on [0, 1]^2:",
        "output 1, least",
        "Lipschitz (l2)",
        "shape",
        "never on",
    ):
        assert words in out
    code, out, _ = command(capsys, "facts", net, "--on", "0,1", "--json")
    document = json.loads(out)
    assert code == 0 and document["where"] == "[0, 1]^2"
    assert document["range_1"]["least"]["rigour"] == "exact"
    ends = document["lipschitz_1"]["l2"]
    low, high = (eval_ratio(ends[name]) for name in ("lower", "upper"))
    assert 0 < low <= high < low * 1.001


def eval_ratio(written):
    top, _, bottom = written.partition("/")
    return float(top) / float(bottom or 1)


def test_the_answer_is_the_exit_code(net, tmp_path, capsys):
    near = balanced_network(2, 2, 7, 6, 1)
    layers = [
        *near.layers[:-1],
        Affine(near.layers[-1].weight, near.layers[-1].bias + 0.25),
    ]
    write_npz(Network(layers, near.activations), tmp_path / "near.npz")
    given = ["facts", net, "--against", tmp_path / "near.npz", "--at-most"]
    assert command(capsys, *given, "1/4")[0] == 0
    assert command(capsys, *given, "0.2499")[0] == 1
    code, _, err = command(capsys, *given, "-1")
    assert code == 2 and "it must be 0 or more" in err


def test_what_is_not_bounded_is_not_answered():
    """Thresholds that differ on a billionth of the interval; weights beyond float64."""
    rise = Network(
        [Affine([[1.0], [1.0]], [-0.3, -0.300000001]), Affine([[1.0, -1.0]], [0.0])],
        [THRESHOLD],
    )
    flat = Network([Affine([[1.0]], [-5.0]), Affine([[1.0]], [0.0])], [THRESHOLD])
    found = facts(rise, Segment(0, 1), against=flat, at_most="1/2", seconds=1)
    (apart,) = (f for f in found.facts if isinstance(f, Distance))
    assert apart.answer in ("no", "not decided")
    big = Network([Affine(np.full((1, 1), 1e90), [0.0])] * 4, [RELU] * 3)
    plain = Network(flat.layers, [RELU])
    found = facts(big, Segment(0, 1), against=plain, at_most="1e300", seconds=1)
    (apart,) = (f for f in found.facts if isinstance(f, Distance))
    assert apart.answer != "yes"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--output", "0"], "does not exist"),
        (["--output", "2"], "does not exist"),
        (["--on", "0,1;0,1;0,1"], "dimension 3"),
        (["--at-most", "1"], "--against"),
        (["--seed", "-1"], "--seed"),
        (["--against", "missing.onnx"], "missing.onnx"),
    ],
)
def test_facts_refuses(net, capsys, arguments, says):
    code, out, err = command(capsys, "facts", net, *arguments)
    assert code == 2 and says in err and not out


@pytest.mark.parametrize(
    ("row", "code", "says"),
    [
        ("(>= Y_0 100)", 0, "holds (proved"),
        ("(>= Y_0 -100)", 1, "violated (exact)"),
    ],
)
def test_check_answers(net, tmp_path, capsys, row, code, says):
    found, out, _ = command(capsys, "check", net, property_file(tmp_path, row))
    assert found == code and says in out


def test_a_proof_is_bound_to_the_file(net, tmp_path, capsys):
    proof = tmp_path / "holds.json"
    given = ["check", net, property_file(tmp_path, "(>= Y_0 100)")]
    code, out, _ = command(capsys, *given, "--proof", proof)
    assert code == 0 and "holds" in out and "proof written" in out
    assert command(capsys, "verify", proof)[0] == 0
    document = json.loads(proof.read_text())
    document["network"][0]["bias"][0] = (0.5).hex()
    proof.write_text(json.dumps(document))
    code, _, err = command(capsys, "verify", proof)
    assert code == 1 and "not that of net.onnx" in err
    write_onnx(balanced_network(3, 2, 4, 1), net)
    code, _, err = command(capsys, "verify", proof)
    assert code == 1 and "not the file that the proof is about" in err


def test_no_proof_is_no_reason_to_hide_the_answer(net, tmp_path, capsys):
    proof = tmp_path / "holds.json"
    given = ["check", net, property_file(tmp_path, "(>= Y_0 -100)"), "--proof", proof]
    code, out, _ = command(capsys, *given)
    assert code == 1 and "violated" in out and "no proof is written" in out
    assert not proof.exists()
    code, out, err = command(capsys, *given, "--json")
    assert json.loads(out)["answer"] == "violated" and "no proof" in err


def test_an_empty_box_holds_and_has_a_proof(net, tmp_path, capsys):
    proof = tmp_path / "holds.json"
    row = "(and (<= X_0 -1) (>= Y_0 0))"
    given = ["check", net, property_file(tmp_path, row), "--proof", proof]
    assert command(capsys, *given)[0] == 0 and proof.exists()
    assert command(capsys, "verify", proof)[0] == 0


def test_properties_of_other_networks_are_refused(net, tmp_path, capsys):
    text = PROPERTY + "(declare-const Y_1 Real) (assert (>= Y_0 100))"
    (tmp_path / "p.vnnlib").write_text(text)
    code, _, err = command(capsys, "check", net, tmp_path / "p.vnnlib")
    assert code == 2 and "2 outputs" in err and "p.vnnlib" in err
