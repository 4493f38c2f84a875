"""The command line: documents, exit codes, one line for every mistake."""

import json
import subprocess
import sys

import numpy as np
import pytest

from depthsep.cli import main
from support.commands import command


def document(capsys, *arguments: str) -> dict:
    code, out, err = command(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def test_separate_prints_one_document_with_both_sides(capsys):
    made = document(
        capsys, "separate", "square", "--norm", "linf", "--accuracy", "1e-6",
        "--depths", "2:10",
    )  # fmt: skip
    assert made["problem"]["accuracy"] == "1/1000000"
    assert [row["depth"] for row in made["rows"]] == list(range(2, 11))
    assert made["rows"][0]["lower"]["width"] >= 353
    for row in made["rows"]:
        gap = row["upper"]["width"] - row["lower"]["width"]
        assert 0 <= gap <= 3
        assert row["upper"]["checked"] is True
        assert row["learned"] is None


def test_separate_handles_widths_beyond_floats(capsys):
    made = document(
        capsys, "separate", "sawtooth:60", "--norm", "l1", "--accuracy", "0.05"
    )
    first = made["rows"][0]
    # 4/5 of the 2^60 pieces, up to one
    assert first["upper"]["width"] == str(8 * 2**60 // 10 + 2)
    assert int(first["lower"]["width"]) <= 2**60
    assert first["upper"]["rigour"] == first["lower"]["rigour"] == "exact"


def test_build_then_verify_then_inspect(capsys, tmp_path):
    net, cert = str(tmp_path / "net.onnx"), str(tmp_path / "cert.json")
    made = document(
        capsys, "build", "square", "--accuracy", "1e-4", "--depth", "4", "-o", net,
        "--certificate", cert,
    )  # fmt: skip
    assert made["network"] == net
    assert made["rigour"] == "exact"
    assert document(capsys, "verify", cert)["valid"] is True
    seen = document(capsys, "inspect", net, "--on", "0,1", "--target", "square")
    assert seen["depth"] == 4
    assert seen["widths"] == made["widths"]
    assert seen["distance"]["upper"] == made["error"]
    assert seen["crossings"] == 2
    assert len(seen["knots"]) == seen["pieces"] + 1


def test_a_forged_certificate_exits_with_1_and_says_why(capsys, tmp_path):
    cert = tmp_path / "cert.json"
    command(capsys, "build", "square", "--accuracy", "1e-3", "--certificate", str(cert))
    forged = json.loads(cert.read_text())
    forged["problem"]["accuracy"] = "1/1000000"
    cert.write_text(json.dumps(forged))
    code, out, err = command(capsys, "verify", str(cert))
    assert code == 1
    assert out == ""
    assert "above the accuracy" in err
    assert document_of_failure(capsys, cert)["valid"] is False


def document_of_failure(capsys, cert) -> dict:
    code, out, _ = command(capsys, "verify", str(cert), "--json")
    assert code == 1
    return json.loads(out)


def test_inspect_follows_a_line_in_the_plane(capsys, tmp_path):
    path = tmp_path / "net.npz"
    np.savez(
        path,
        W1=np.array([[1.0, 0.0], [0.0, 1.0]]),
        b1=np.zeros(2),
        W2=np.array([[1.0, -1.0]]),
        b2=np.zeros(1),
    )
    seen = document(capsys, "inspect", str(path), "--line", "-1,1;1,-1")
    assert seen["pieces"] == 1  # relu(t) - relu(-t) is t on this line
    seen = document(capsys, "inspect", str(path), "--lines", "5")
    assert (seen["activation_regions"], seen["affine_regions"]) == (4, 4)
    assert (seen["vertices"], seen["edges"], seen["integral"]) == (9, 12, "0")


def test_results_and_bound_agree_on_every_statement(capsys):
    for statement in document(capsys, "results"):
        assert statement["formula"]
        assert statement["hypotheses"]
        assert statement["reference"]
    found = document(capsys, "bound", "theorem-a", "pieces=354", "layers=1")
    assert found["value"] == "353"
    assert found["rigour"] == "exact"
    assert found["log2"] == pytest.approx(8.4635, abs=1e-3)


def test_a_bound_says_what_its_number_is(capsys):
    code, out, _ = command(capsys, "bound", "theorem-a", "pieces=354", "layers=2")
    assert (code, out.splitlines()) == (
        0,
        [
            "18  (exact; depthsep, Theorem A)",
            "Least width of a ReLU network with N affine pieces on a line",
        ],
    )


def test_tables_for_people_name_both_sides(capsys):
    code, out, _ = command(capsys, "separate", "square", "--accuracy", "1e-3")
    assert code == 0
    assert "11" in out and "12" in out
    code, out, _ = command(capsys, "results", "telgarsky-4.6")
    assert "11.4" in out


BAD = {
    "an unknown target": ["separate", "cube", "--accuracy", "1"],
    "an unsafe formula": ["separate", "expr:__import__('os')", "--accuracy", "1"],
    "a formula with a pole": ["separate", "expr:1/x", "--accuracy", "0.1"],
    "a pole in the box": ["build", "expr:1/(x1-x2)", "--accuracy", "0.1"],
    "irrational coefficients": ["separate", "poly:pi*x1*x2", "--accuracy", "0.1"],
    "a polynomial that is none": ["separate", "poly:sin(x1)*x2", "--accuracy", "0.1"],
    "too few inputs": ["separate", "poly:x1*x3", "--dim", "2", "--accuracy", "0.1"],
    "a negative sigma": ["separate", "gaussian:-1", "--accuracy", "0.1"],
    "more than a million units": [
        "build", "expr:sin(60*x1)*cos(50*x2)*exp(x3)", "--accuracy", "1e-4",
        "--by", "telgarsky-5.4",
    ],
    "an unknown construction": ["build", "product", "--accuracy", "1", "--by", "me"],
    "negative seconds": ["build", "product", "--accuracy", "1", "--seconds", "-1"],
    "a delta of 0": ["bound", "reciprocal", "delta=0", "factors=2"],
    "a zero accuracy": ["separate", "square", "--accuracy", "0"],
    "a negative accuracy": ["separate", "square", "--accuracy", "-1"],
    "an accuracy that is no number": ["separate", "square", "--accuracy", "nan"],
    "an infinite accuracy": ["separate", "square", "--accuracy", "inf"],
    "a missing accuracy": ["separate", "square"],
    "a reversed interval": ["separate", "square", "--accuracy", "1", "--on", "1,0"],
    "half an interval": ["separate", "square", "--accuracy", "1", "--on", "1"],
    "an unknown norm": ["separate", "square", "--accuracy", "1", "--norm", "l3"],
    "reversed depths": ["separate", "square", "--accuracy", "1", "--depths", "5:2"],
    "depth 1": ["separate", "square", "--accuracy", "1", "--depths", "1"],
    "a sawtooth out of range": ["separate", "sawtooth:1001", "--accuracy", "0.1"],
    "a missing certificate": ["verify", "nowhere.json"],
    "a missing network": ["inspect", "nowhere.onnx"],
    "an unknown suffix": ["inspect", "net.txt"],
    "an unknown statement": ["bound", "nonsense"],
    "a missing parameter": ["bound", "theorem-a"],
    "an unknown parameter": ["bound", "theorem-a", "pieces=3", "x=1"],
    "a parameter without a value": ["bound", "theorem-a", "pieces"],
    "a huge parameter": ["bound", "theorem-a", "pieces=3", "layers=1000000000"],
    "an unknown command": ["frobnicate"],
    "an unwritable report": [
        "separate", "square", "--accuracy", "0.1", "--report", "/dev/null/x",
    ],
    "an unwritable network": ["build", "square", "--accuracy", "1", "-o", "no/x.onnx"],
    "an unknown kind of file": ["build", "square", "--accuracy", "0.1", "-o", "x.txt"],
    "a network too large to build": [
        "build", "sawtooth:50", "--accuracy", "0.1", "--depth", "2", "-o", "x.onnx",
    ],
}  # fmt: skip


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_line_and_exit_code_2(
    arguments, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    code, out, err = command(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("depthsep: ")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_finite_are_refused(bad, capsys, tmp_path):
    path = tmp_path / "net.npz"
    one = np.ones((1, 1))
    np.savez(path, W1=one * bad, b1=np.zeros(1), W2=one, b2=np.zeros(1))
    code, _, err = command(capsys, "inspect", str(path))
    assert code == 2
    assert err.count("\n") == 1
    assert "finite" in err


def test_help_imports_nothing_heavy():
    script = (
        "import sys\nfrom depthsep.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'jax', 'sympy', 'matplotlib', 'onnx', 'numpy', 'flint', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    assert "separate" in done.stdout
    assert done.stderr.strip() == "[]"


def test_the_python_names_are_those_of_the_command_line():
    import depthsep

    for name in depthsep.__all__:
        assert getattr(depthsep, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        _ = depthsep.nonsense  # type: ignore[attr-defined]
    assert "separate" in dir(depthsep)


@pytest.mark.slow
def test_the_demo_runs_from_start_to_end(capsys, tmp_path):
    code, out, _ = command(capsys, "demo", "--folder", str(tmp_path / "report"))
    assert code == 0
    assert "verified from the files alone: valid" in out
    page = (tmp_path / "report" / "square" / "index.html").read_text()
    assert "353" in page


def test_the_package_runs_as_a_module():
    call = [sys.executable, "-m", "depthsep", "--version"]
    assert "depthsep" in subprocess.run(call, capture_output=True, text=True).stdout
    assert (
        subprocess.run([sys.executable, "-c", "import depthsep.__main__"]).returncode
        == 0
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("separate", "expr:1/x", "--accuracy", "0.1"), "whole domain (--on or --law)"),
        (("separate", "inner:t", "--accuracy", "0.1"), "give `dim` (--dim)"),
        (
            ("separate", "square", "--accuracy", "0.1", "--learn-steps", "0"),
            "give 1 to 100000000 (--learn-steps)",
        ),
        (("separate", "inner:1/t", "--dim", "3", "--accuracy", "0.1"), "whole domain"),
        (
            ("separate", "parity:3", "--on", "0,1", "--accuracy", "0.1"),
            "leave out the law to use signs:3 (--on or --law)",
        ),
    ],
)
def test_errors_of_the_library_are_told_the_option(arguments, said, capsys):
    with pytest.raises(SystemExit):
        main(list(arguments))
    assert capsys.readouterr().err.rstrip().endswith(said)


@pytest.mark.parametrize(
    "arguments",
    [
        ["radial:1 on 0,1e-400", "--dim", "3"],
        ["radial:1e400*r", "--dim", "3"],
        ["radial:", "--dim", "3"],
        ["radial:relu", "--dim", "3", "--on", "0,1"],
        ["radial:cos:", "--dim", "3"],
        ["radial:signs:-1", "--dim", "3"],
        ["radial:relu", "--dim", "3", "--scale", "0"],
        ["radial:relu", "--dim", "3", "--law", "phi2:3:"],
        ["radial:relu", "--dim", "3", "--law", "phi2:3", "--scale", "2"],
        ["square", "--scale", "2"],
        ["inner:sin(pi*d**3*t)", "--dim", "600"],
    ],
)
def test_odd_radial_and_inner_targets_are_one_line(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["separate", *arguments, "--norm", "l2", "--accuracy", "1/5"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
