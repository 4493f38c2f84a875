"""`prove`, `build --proof`, `separate --proofs` and `verify` of proofs."""

import json

from support.commands import call, command, document, refusal


def test_prove_writes_what_verify_and_the_checker_accept(tmp_path):
    place = tmp_path / "proof.json"
    shown = call("prove", "square", "--accuracy", "1e-6", "--depth", 3, "-o", place)
    assert "a hidden layer of 18 units or more" in shown.output
    assert "the checker says valid" in shown.output
    said = call("verify", place).output
    assert said.startswith("valid, by the checker and by depthsep: at depth 3 width 18")
    found = document("prove", "expr:exp(x)", "--accuracy", "1e-3", "--skips", "none")
    assert found["claim"] == {"depth": 2, "width": 10, "skips": False}


def test_an_altered_proof_is_refused_with_exit_code_1(tmp_path, capsys):
    place = tmp_path / "proof.json"
    call("prove", "expr:exp(x)", "--accuracy", "1e-3", "-o", place)
    written = json.loads(place.read_text())
    written["claim"]["width"] += 1
    place.write_text(json.dumps(written))
    code, _, err = command(capsys, "verify", place)
    assert code == 1 and "refused: networks of width 10 are not excluded" in err
    code, out, _ = command(capsys, "verify", place, "--json")
    assert code == 1 and json.loads(out)["valid"] is False


def test_build_writes_a_proof_of_the_network(tmp_path, capsys):
    place, net = tmp_path / "proof.json", tmp_path / "net.onnx"
    given = ("build", "expr:sqrt(x)", "--accuracy", "1e-2", "--depth", 3)
    assert "proof written" in call(*given, "-o", net, "--proof", place).output
    assert call("verify", place).output.startswith("valid, by the checker")
    box = ("build", "expr:exp(-x1**2-x2**2)", "--accuracy", "1/10", "--depth", 3)
    said = refusal(capsys, *box, "--proof", place)
    assert "meets the accuracy are written only for" in said
    assert "a file of its own" in refusal(capsys, *given, "-o", net, "--proof", net)


def test_separate_writes_both_sides_of_each_row(tmp_path):
    given = ("separate", "expr:exp(x)", "--accuracy", "1e-3", "--depths", "2:4")
    shown = call(*given, "--proofs", tmp_path / "proofs").output
    assert shown.count(": valid") == 6
    names = sorted(p.name for p in (tmp_path / "proofs").iterdir())
    sides = ("lower", "upper")
    assert names == [f"depth-{d}-{side}.json" for d in (2, 3, 4) for side in sides]
    again = ("separate", "square", "--accuracy", "1e-3", "--depths", "2:2")
    found = document(*again, "--proofs", tmp_path / "proofs")["proofs"]
    assert [p["side"] for p in found] == ["lower", "upper"]
    assert all(p["width"] == p["row_width"] for p in found)
    assert len(list((tmp_path / "proofs").iterdir())) == 2  # the old ones are gone
    parity = ("separate", "parity:4", "--accuracy", "1/4", "--depths", "2:2")
    shown = call(*parity, "--proofs", tmp_path / "none").output
    assert "no proof (" in shown


def test_what_is_not_proved_is_refused_in_one_line(tmp_path, capsys):
    given = ("prove", "expr:3*x", "--accuracy", "1e-3")
    assert "no proof is written" in refusal(capsys, *given)
    missing = tmp_path / "no" / "p.json"
    square = ("prove", "square", "--accuracy", "1e-3", "-o", missing)
    assert "its folder does not exist" in refusal(capsys, *square)
