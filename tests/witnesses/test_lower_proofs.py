"""Proofs of lower bounds: the widths of the table, accepted by the checker alone."""

import json
import subprocess
import sys

import depthsep_check as checker
import pytest

from depthsep import HypothesisError, Problem, Segment
from depthsep.evidence import Inapplicable
from depthsep.separation import best_lower
from depthsep.witnesses import prove_lower, run_checker, verify_proof
from support.places import ROOT
from support.slow import mostly_slow

# target, interval, norm, accuracy, proven widths at depths 2, 3, 4
ROWS = [
    ("square", None, "linf", "1e-6", (353, 18, 7)),
    ("square", None, "l2", "1e-4", (27, 5, 3)),
    ("sawtooth:12", None, "l1", "0.05", (3276, 57, 14)),
    ("sawtooth:12", None, "linf", "0.49", (4095, 63, 15)),
    ("expr:sin(20*x)", None, "linf", "1e-3", (120, 12, 5)),
    ("expr:exp(x)", None, "linf", "1e-4", (32, 5, 3)),
    ("expr:exp(x)", None, "l2", "1e-3", (7, 2, 1)),
    ("expr:sqrt(x)", None, "l1", "1e-3", (7, 2, 1)),
    ("expr:1/(1+25*x**2)", Segment(-1, 1), "linf", "1e-3", (31, 6, 3)),
    ("product", None, "linf", "1e-3", (44, 7, 4)),
]
SHORT = [row for row in ROWS if row[2] != "l2" or row[0] == "square"]
QUICK = mostly_slow(SHORT, ROWS)


def problem_of(target, on, norm, accuracy):
    return Problem(target, on, norm=norm, accuracy=accuracy)


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A Python that has the standard library and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    command = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    subprocess.run(command, check=True)
    return folder / "bin" / "python"


@pytest.mark.parametrize(("target", "on", "norm", "accuracy", "widths"), QUICK, ids=str)
def test_rows_are_proved_without_depthsep(
    target, on, norm, accuracy, widths, bare, tmp_path
):
    problem, place = problem_of(target, on, norm, accuracy), tmp_path / "proof.json"
    for depth, width in zip((2, 3, 4), widths, strict=True):
        proof = prove_lower(problem, depth)
        assert proof.claim == {"depth": depth, "width": width, "skips": True}
        row = best_lower(problem, depth)
        # tables may follow what bends within a line, and count cells of boxes
        assert width <= row.width <= 2 * width + 1
    proof.write(place)
    for code, lone in (("import depthsep", 1), (None, 0)):
        given = (
            ["-c", code] if code else [ROOT / "checker" / "depthsep_check.py", place]
        )
        done = subprocess.run([bare, *given], capture_output=True, text=True)
        assert done.returncode == lone, done.stdout + done.stderr
    assert done.stdout.startswith(f"valid: at depth 4 width {widths[-1]}")


@pytest.mark.parametrize(
    ("target", "on", "norm", "accuracy", "widths"), ROWS[:5], ids=str
)
def test_both_checks_agree(target, on, norm, accuracy, widths, tmp_path):
    place = tmp_path / "proof.json"
    prove_lower(problem_of(target, on, norm, accuracy), 2).write(place)
    assert verify_proof(place).valid


def test_plain_networks_need_more_after_narrow_layers(tmp_path):
    problem, place = Problem("expr:exp(x)", accuracy="1e-4"), tmp_path / "plain.json"
    found = {s: prove_lower(problem, 7, skips=s).claim["width"] for s in (True, False)}
    assert found == {True: 1, False: 2}
    prove_lower(problem, 7, skips=False).write(place)
    assert run_checker(place).valid
    # the same claim about networks with skip connections is false
    document = json.loads(place.read_text())
    document["claim"]["skips"] = True
    place.write_text(json.dumps(document))
    assert "width 1 are not excluded" in run_checker(place).words


def test_three_points_give_what_a_search_over_pieces_gives():
    """The width by three points is that of the fewest pieces, found in another way."""
    for formula, accuracy in (("exp(-x)*sin(9*x)", "1e-3"), ("x**3-x/3", "1e-4")):
        problem = Problem(f"expr:{formula}", accuracy=accuracy)
        assert prove_lower(problem, 2).claim["width"] == best_lower(problem, 2).width


def test_what_cannot_be_proved_is_said():
    assert isinstance(
        prove_lower(Problem("expr:3*x", accuracy="1e-3"), 2), Inapplicable
    )
    assert "kind of target" in str(prove_lower(Problem("parity:4", accuracy="0.1"), 2))
    with pytest.raises(HypothesisError, match="depth is 1; give 2 to 1000"):
        prove_lower(Problem("square", accuracy="1e-3"), 1)
    for target in ("max:3", "expr:erf(x)", "expr:tan(x)"):
        answer = prove_lower(Problem(target, accuracy="1e-3"), 2)
        assert "the checker refused the proof" in str(answer)
    tiny = prove_lower(Problem("expr:exp(x)", accuracy="1e-30"), 2)
    assert "too small" in str(tiny)


@pytest.mark.parametrize(
    ("row",), mostly_slow([(r,) for r in SHORT], [(r,) for r in ROWS]), ids=str
)
def test_a_stronger_claim_by_one_unit_is_refused(row):
    """The width, and the number of pieces where it is in the file."""
    problem = problem_of(*row[:4])
    for depth in (2,) if row[2] == "l2" else (2, 4):
        document = prove_lower(problem, depth).document
        checker.check(document, ROOT)
        document["claim"]["width"] += 1
        with pytest.raises(checker.Refused, match="not excluded"):
            checker.check(document, ROOT)
        document["claim"]["width"] -= 1
        if "pieces" in document["evidence"]:
            document["evidence"]["pieces"] += 1
            with pytest.raises(checker.Refused, match="fewer pieces"):
                checker.check(document, ROOT)


@pytest.mark.parametrize("formula", ["sin(20*x)", "exp(x)", "x**3-x/3"])
def test_every_triple_is_needed_at_its_accuracy(formula):
    """A millionth more accuracy, and some triple shows no bend."""
    document = prove_lower(Problem(f"expr:{formula}", accuracy="1e-3"), 2).document
    document["problem"]["accuracy"] = "1000001/1000000000"
    with pytest.raises(checker.Refused, match="an affine function is within E"):
        checker.check(document, ROOT)


def test_what_is_stronger_than_the_table_is_verified(tmp_path):
    """Signs without runs of convexity give 8 here, where the table has 7."""
    proof = prove_lower(Problem("expr:cos(50*x)*x", accuracy="1e-2"), 3)
    assert proof.claim["width"] == 8
    proof.write(tmp_path / "proof.json")
    verdict = verify_proof(tmp_path / "proof.json")
    assert verdict.valid
    assert "the theorems in depthsep prove only width" in verdict.reason


def test_the_checker_in_the_current_folder_is_not_the_one_that_is_asked(
    tmp_path, monkeypatch
):
    (tmp_path / "depthsep_check.py").write_text("print('valid')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "no.json").write_text("{}")
    assert not run_checker(tmp_path / "no.json").valid
