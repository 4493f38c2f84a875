"""Certificates: accepted as written, refused after any alteration."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from depthsep import FileFormatError
from depthsep.interop import (
    onnx_reference,
    read_network,
    verify,
    write_certificate,
    write_onnx,
)
from depthsep.problems import Problem
from depthsep.separation import build

PROBLEMS = [
    Problem("square", accuracy="1e-4"),
    Problem("square", norm="l2", accuracy="1e-3"),
    Problem("sawtooth:5", norm="l1", accuracy="0.05"),
    Problem("expr:sin(5*x)", accuracy="1e-2"),
    Problem("parity:6", accuracy="1/10"),
]


def written(problem: Problem, folder: Path, *, as_onnx: bool = False) -> Path:
    built = build(problem, depth=4)
    reference = None
    if as_onnx:
        write_onnx(built.network, folder / "net.onnx")
        reference = onnx_reference(folder / "net.onnx", built.network)
    write_certificate(built.certificate(reference), folder / "cert.json")
    return folder / "cert.json"


def tampered(path: Path, change, *, fix_digest: bool) -> Path:
    """The certificate after `change`, its digest recomputed by a careful forger."""
    document = json.loads(path.read_text())
    change(document)
    if fix_digest:
        names = ("problem", "claim", "network", "source", "versions")
        body = {name: document[name] for name in names}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"))
        document["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    other = path.with_name("forged.json")
    other.write_text(json.dumps(document))
    return other


@pytest.mark.parametrize("as_onnx", [False, True], ids=["inline", "onnx"])
@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_a_certificate_as_written_is_accepted(problem, as_onnx, tmp_path):
    verdict = verify(written(problem, tmp_path, as_onnx=as_onnx))
    assert verdict.valid, verdict.reason
    assert verdict.examination.error.is_at_most(problem.accuracy)


def larger_error(d):
    d["claim"]["error"] = "1/2000"


def smaller_error(d):
    d["claim"]["error"] = "1/100000000"


def smaller_accuracy(d):
    d["problem"]["accuracy"] = "1/100000000"


def other_target(d):
    d["problem"]["target"] = "sawtooth:3"


def other_norm(d):
    d["problem"]["norm"] = "linf" if d["problem"]["norm"] != "linf" else "l1"


def wider_interval(d):
    d["problem"]["law"] = "uniform:0,2"


def other_widths(d):
    d["claim"]["widths"][0] += 1


def widths_of_another_type(d):
    d["claim"]["widths"] = [float(width) for width in d["claim"]["widths"]]


def another_source_type(d):
    d["source"] = 5


def accuracy_as_a_number(d):
    d["problem"]["accuracy"] = 0.001


def a_claim_of_more(d):
    d["claim"]["proven_width"] = 1


def a_note(d):
    d["note"] = "certified at 1e-9"


def stronger_rigour(d):
    d["claim"]["rigour"] = "exact"


def one_weight(d):
    bias = d["network"]["layers"][1]["bias"]
    bias[0] = bias[0] + 0.125 if isinstance(bias[0], float) else "1/7"


CHANGES = [
    larger_error,
    smaller_error,
    smaller_accuracy,
    other_target,
    other_norm,
    wider_interval,
    other_widths,
    widths_of_another_type,
    one_weight,
]


@pytest.mark.parametrize("fix_digest", [False, True], ids=["naive", "forged digest"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda c: c.__name__)
def test_an_altered_certificate_is_refused_with_a_reason(change, fix_digest, tmp_path):
    path = written(PROBLEMS[0], tmp_path)
    verdict = verify(tampered(path, change, fix_digest=fix_digest))
    assert not verdict.valid
    assert len(verdict.reason) > 10


def test_an_enclosed_claim_cannot_be_sold_as_exact(tmp_path):
    path = written(PROBLEMS[3], tmp_path)
    verdict = verify(tampered(path, stronger_rigour, fix_digest=True))
    assert not verdict.valid
    assert "enclosed" in verdict.reason


def test_a_weaker_accuracy_is_noticed_by_the_digest(tmp_path):
    path = written(PROBLEMS[0], tmp_path)

    def weaker(d):
        d["problem"]["accuracy"] = "1/10"

    verdict = verify(tampered(path, weaker, fix_digest=False))
    assert not verdict.valid
    assert "digest" in verdict.reason


def test_an_exchanged_onnx_file_is_refused(tmp_path):
    path = written(PROBLEMS[0], tmp_path, as_onnx=True)
    write_onnx(build(PROBLEMS[0], depth=3).network, tmp_path / "net.onnx")
    verdict = verify(path)
    assert not verdict.valid
    assert "hash" in verdict.reason


def test_one_changed_weight_in_the_onnx_file_is_refused(tmp_path):
    path = written(PROBLEMS[0], tmp_path, as_onnx=True)
    data = bytearray((tmp_path / "net.onnx").read_bytes())
    place = data.rindex(b"\x00\x40") - 1
    data[place] ^= 0x20
    (tmp_path / "net.onnx").write_bytes(data)
    document = json.loads(path.read_text())
    for fixed in (False, True):
        if fixed:
            digest = hashlib.sha256(bytes(data)).hexdigest()
            document["network"]["sha256"] = digest
            path = tampered(
                path,
                lambda d, new=digest: d["network"].update(sha256=new),
                fix_digest=True,
            )
        assert not verify(path).valid


@pytest.mark.parametrize("name", ["../net.onnx", "/etc/passwd", "a/b.onnx", ""])
def test_a_network_outside_the_folder_is_never_opened(name, tmp_path):
    path = written(PROBLEMS[0], tmp_path, as_onnx=True)
    forged = tampered(path, lambda d: d["network"].update(onnx=name), fix_digest=True)
    with pytest.raises(ValueError, match="this must be a file beside the certificate,"):
        verify(forged)


@pytest.mark.parametrize("keep", [0, 1, 10, 100, 400])
def test_a_truncated_certificate_is_a_format_error(keep, tmp_path):
    path = written(PROBLEMS[0], tmp_path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ValueError, match=r"cert\.json"):
        verify(path)


def test_a_certificate_can_be_read_as_a_network(tmp_path):
    for as_onnx in (False, True):
        path = written(PROBLEMS[0], tmp_path, as_onnx=as_onnx)
        assert read_network(path) == build(PROBLEMS[0], depth=4).network


def test_verifying_imports_no_construction(tmp_path):
    path = written(PROBLEMS[0], tmp_path, as_onnx=True)
    script = (
        "import sys\nfrom depthsep.interop import verify\n"
        f"assert verify({str(path)!r}).valid\n"
        "made = ('depthsep.constructions', 'depthsep.separation')\n"
        "assert not [m for m in sys.modules if m.startswith(made)]\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


UNREADABLE = [another_source_type, accuracy_as_a_number, a_claim_of_more, a_note]


@pytest.mark.parametrize("fix_digest", [False, True], ids=["naive", "forged digest"])
@pytest.mark.parametrize("change", UNREADABLE, ids=lambda c: c.__name__)
def test_fields_nobody_asked_for_are_refused(change, fix_digest, tmp_path):
    path = tampered(written(PROBLEMS[0], tmp_path), change, fix_digest=fix_digest)
    with pytest.raises(FileFormatError):
        verify(path)


def test_a_name_given_twice_is_refused(tmp_path):
    path = written(PROBLEMS[0], tmp_path)
    text = path.read_text()
    path.write_text(text.replace('"claim":', '"claim": {"error": "0"}, "claim":', 1))
    with pytest.raises(FileFormatError, match="twice"):
        verify(path)


@pytest.mark.parametrize("hash_given", ["00", None])
def test_the_hash_of_the_weights_is_compared(hash_given, tmp_path):
    built = build(PROBLEMS[0], depth=3)
    write_onnx(built.network, tmp_path / "net.onnx")
    reference = onnx_reference(tmp_path / "net.onnx", built.network)
    reference["weights_sha256"] = hash_given
    if hash_given is None:
        del reference["weights_sha256"]
    write_certificate(built.certificate(reference), tmp_path / "c.json")
    assert not verify(tmp_path / "c.json").valid
