"""Files for Rocq: as the templates say, and accepted by coqc where that is there."""

import shutil
import subprocess

import pytest

from depthsep import HypothesisError, Problem, Segment, build
from depthsep.witnesses import prove_lower
from depthsep.witnesses.rocq import rocq_lower, rocq_upper
from support.commands import call
from support.places import ROOT

FORMAL = ROOT / "formal"
needs_coq = pytest.mark.skipif(
    shutil.which("coqc") is None, reason="coqc is not installed: apt install coq"
)
WILD = "expr:exp(-x)*sin(12*x)+1.5*x**2-sqrt(1+x)/2+abs(x-1/3)+atan(pi*x)"


def test_the_file_for_the_square_is_the_template():
    found = rocq_lower(prove_lower(Problem("square", accuracy="1e-6"), 3))
    assert found == (FORMAL / "templates" / "square.v").read_text()


def test_formulas_are_written_as_rocq_reads_them():
    problem = Problem(WILD, accuracy="1e-2")
    found = " ".join(rocq_lower(prove_lower(problem, 3)).split())
    assert "(exp (- x)) * (sin (12 * x))" in found
    assert "(3 / 2) * (x ^ 2)" in found and "Rabs (x - (1 / 3))" in found
    assert "atan (PI * x)" in found


def test_the_width_is_what_the_triples_prove():
    proof = prove_lower(Problem("sawtooth:10", accuracy="49/100"), 3)
    found = rocq_lower(proof)
    assert proof.claim["width"] == 31 and "(m <= 21)" in found  # 512 triples, not 1024


@pytest.mark.parametrize(
    ("target", "norm", "says"),
    [
        ("expr:tanh(x)", "linf", "coq-interval does not support tanh"),
        ("expr:(x+1)**(1/3)", "linf", "coq-interval does not support the exponent"),
        ("square", "l1", "files for Rocq are written only for targets"),
        ("product", "linf", "files for Rocq are written only for targets"),
        ("sawtooth:40", "linf", "triples"),
    ],
)
def test_what_rocq_cannot_take_is_refused(target, norm, says):
    problem = Problem(target, norm=norm, accuracy="1e-3")
    with pytest.raises(HypothesisError, match=says):
        rocq_lower(prove_lower(problem, 2))


def built(target, accuracy, on=None):
    problem = Problem(target, on, accuracy=accuracy)
    return rocq_upper(build(problem, depth=3).network, problem)


def lower(target, accuracy, depth, on=None):
    return rocq_lower(prove_lower(Problem(target, on, accuracy=accuracy), depth))


@needs_coq
@pytest.mark.slow
def test_the_kernel_accepts_generated_files_and_refuses_altered_ones(tmp_path):
    """With what `make formal` built, or in a folder of its own."""
    formal = FORMAL
    if not (FORMAL / "ExampleUpper.vo").exists():
        formal = tmp_path / "formal"
        shutil.copytree(FORMAL, formal)
        subprocess.run(["make", "-C", formal, "-j2"], check=True, capture_output=True)
    files = {
        "square": (
            lower("square", "1e-4", 3, Segment(-1, 2)),
            "(m <= 9)",
            "(m <= 10)",
        ),
        "sawtooth": (lower("sawtooth:6", "1/3", 2), "(m <= 31)", "(m <= 32)"),
        "formula": (lower("expr:exp(x)", "1e-2", 2), "> 1 / 100.", "> 1 / 50."),
        "network": (built("square", "1e-3"), "<= 1 / 1000.", "<= 1 / 9000."),
        "exp": (built("expr:exp(x)", "1e-2"), "<= 1 / 100.", "<= 1 / 900."),
    }

    def accepts(text, name):
        place = tmp_path / f"{name}.v"
        place.write_text(text)
        command = ["coqc", "-Q", formal, "DepthSep", place]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode == 0, done.stdout

    for name, (text, claim, stronger) in files.items():
        fine, said = accepts(text, name)
        assert fine and "sig_forall_dec" in said, name
        assert claim in text, name
        assert not accepts(text.replace(claim, stronger), f"altered_{name}")[0], name


def test_prove_writes_the_file(tmp_path):
    place = tmp_path / "square.v"
    tooth = ("prove", "sawtooth:8", "--accuracy", "0.1", "--rocq", place)
    shown = call(*tooth).output
    assert "255 units or more" in shown and "has width 128 or more" in shown
    call("prove", "square", "--accuracy", "1e-6", "--depth", 3, "--rocq", place)
    assert place.read_text() == (FORMAL / "templates" / "square.v").read_text()
