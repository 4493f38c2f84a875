"""The second checker: right proofs pass, altered ones and too strong claims do not."""

import copy
import json
import subprocess
import sys

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.analysis import check
from depthsep.analysis.bounds._backward import bounds_on
from depthsep.analysis.bounds._followed import followed
from depthsep.analysis.regions import extremes
from depthsep.exact import decimal, plain
from depthsep.interop import holds_proof, query_from_text, write_npz
from depthsep.laws import Box, Segment
from depthsep.networks import TANH, Network
from depthsep.witnesses import verify_proof
from support.commands import command
from support.nets import balanced_network
from support.places import ROOT

sys.path.insert(0, str(ROOT / "checker"))
import depthsep_holds as holds

TEXT = """(declare-const X_0 Real) (declare-const X_1 Real)
(declare-const Y_0 Real) (declare-const Y_1 Real)
(assert (>= X_0 -0.9)) (assert (<= X_0 1)) (assert (>= X_1 -1)) (assert (<= X_1 0.7))
"""


@pytest.fixture(scope="module")
def network():
    return balanced_network(8, 2, 10, 8, 2)


@pytest.fixture(scope="module")
def text(network):
    """Two cases that just cannot be, in decimals."""
    box = Box([Segment(fmpq(-9, 10), 1), Segment(-1, fmpq(7, 10))])
    values = [extremes(network, box, output=k) for k in (0, 1)]
    high = plain(decimal(values[0].largest + fmpq(1, 50), 6))
    low = plain(decimal(values[1].least - fmpq(1, 50), 6))
    return f"{TEXT}(assert (or (>= Y_0 {high}) (and (<= Y_1 {low}) (<= Y_0 9))))"


@pytest.fixture(scope="module")
def proof(network, text):
    found = check(network, query_from_text(text).cases)
    assert found.answer == "holds"
    return json.loads(holds_proof(network, text, found))


def test_a_right_proof_passes(proof, text, tmp_path) -> None:
    assert holds.check(proof, text) == sum(len(c["cuts"]) + 1 for c in proof["cases"])
    place = tmp_path / "holds.json"
    place.write_text(json.dumps(proof))
    bare = [sys.executable, "-I", "-S", str(ROOT / "checker" / "depthsep_holds.py")]
    done = subprocess.run([*bare, str(place)], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("proved"), done.stderr
    assert verify_proof(place).valid


def leaf_of(case):
    """A part that is no box of a cut, and its parent's place among the cuts."""
    cut = {c[0] for c in case["cuts"]}
    return next(k for k, c in enumerate(case["cuts"]) if not {c[3], c[4]} & cut)


ALTERED = {
    "a part is not cut": lambda p: p["cases"][0]["cuts"].clear(),
    "the last cut is missing": lambda p: p["cases"][0]["cuts"].pop(
        leaf_of(p["cases"][0])
    ),
    "a weight is larger": lambda p: p["network"][2]["weight"][0].__setitem__(
        0, (9.0).hex()
    ),
    "a bias is larger": lambda p: p["network"][2]["bias"].__setitem__(0, (9.0).hex()),
    "the limit is weaker": lambda p: p.__setitem__(
        "property", p["property"].replace("(>= Y_0 ", "(>= Y_0 -")
    ),
    "a box is smaller": lambda p: p["cases"][0]["low"].__setitem__(0, (-0.5).hex()),
    "a case is missing": lambda p: p["cases"].pop(),
    "a cut lies outside": lambda p: p["cases"][0]["cuts"][0].__setitem__(
        2, (5.0).hex()
    ),
    "a part stands twice": lambda p: p["cases"][0]["cuts"][0].__setitem__(
        4, p["cases"][0]["cuts"][0][3]
    ),
    "a number is not finite": lambda p: p["network"][0]["bias"].__setitem__(0, "inf"),
    "a layer does not fit": lambda p: p["network"][1]["weight"].pop(),
    "it says nothing": lambda p: p.__setitem__("format", "other"),
    "the property is another": lambda p: p.__setitem__("property", "(assert (<= 1 2))"),
}


@pytest.mark.parametrize("alter", ALTERED.values(), ids=ALTERED)
def test_altered_proofs_are_refused(proof, alter, tmp_path) -> None:
    wrong = copy.deepcopy(proof)
    alter(wrong)
    with pytest.raises((holds.Refused, ValueError, IndexError)):
        holds.check(wrong)
    place = tmp_path / "wrong.json"
    place.write_text(json.dumps(wrong))
    assert holds.main([str(place)]) == 1


def test_the_proof_is_of_the_property_given(proof, text) -> None:
    with pytest.raises(holds.Refused, match="another property"):
        holds.check(proof, text + " ")


def test_no_claim_is_proved_that_a_value_breaks(network, proof) -> None:
    """Limits at values that are taken, however the box is cut."""
    values = network.floats(np.random.default_rng(1).uniform(-0.9, 0.7, (200, 2)))
    for value in values[:20, 0]:
        wrong = copy.deepcopy(proof)
        wrong["property"] = f"{TEXT}(assert (>= Y_0 {value:.17f}))"
        wrong["cases"] = wrong["cases"][:1]
        with pytest.raises(holds.Refused):
            holds.check(wrong)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("above", [0.0, 1e-13])
def test_what_is_proved_by_a_hair_is_checked(seed, above) -> None:
    """The limit is the first bound itself, in all digits."""
    dim = (2, 3, 5)[seed % 3]
    network = balanced_network(seed, dim, 6, 6, 1)
    ends = np.full((1, dim), -0.5), np.full((1, dim), 0.5)
    limit = float(bounds_on(followed(network), *ends).high[0, 0]) + above
    text = "".join(
        f"(declare-const X_{k} Real)(assert (>= X_{k} -0.5))(assert (<= X_{k} 0.5))"
        for k in range(dim)
    )
    text += f"(declare-const Y_0 Real)(assert (>= Y_0 {limit:.60f}))"
    found = check(network, query_from_text(text).cases, seconds=5)
    if found.answer == "holds" and found.trees:
        assert holds.check(json.loads(holds_proof(network, text, found)), text)


@pytest.mark.parametrize(
    "junk", ["", "[]", "{}", '{"format": "depthsep-holds", "version": 1}', "[" * 5000]
)
def test_junk_is_refused(junk, tmp_path) -> None:
    place = tmp_path / "junk.json"
    place.write_text(junk)
    assert holds.main([str(place)]) == 1
    assert holds.main([str(tmp_path / "missing")]) == 2


@pytest.mark.parametrize(
    "text",
    [
        "(assert >12)",
        "(assert (<= Y_0 3e\u0660))",
        "(assert (<= Y_0 +3))",
        "(assert ())",
    ],
)
def test_malformed_properties_are_refused(text) -> None:
    with pytest.raises(holds.Refused):
        holds.Property(TEXT + text)


def test_lines_may_end_as_they_do_elsewhere(network, text, tmp_path, capsys) -> None:
    write_npz(network, tmp_path / "net.npz")
    place = tmp_path / "p.vnnlib"
    place.write_bytes(text.replace("\n", "\r\n").encode())
    given = [str(tmp_path / "net.npz"), str(place)]
    proof = str(tmp_path / "holds.json")
    assert command(capsys, "check", *given, "--proof", proof)[0] == 0
    assert holds.main([proof, str(place)]) == 0


def test_only_proved_properties_of_relus_have_proofs(network, text) -> None:
    violated = f"{TEXT}(assert (>= Y_0 -100))"
    found = check(network, query_from_text(violated).cases)
    with pytest.raises(HypothesisError, match="violated"):
        holds_proof(network, violated, found)
    smooth = Network(network.layers, [TANH] * 2)
    far = f"{TEXT}(assert (>= Y_0 1000))"
    found = check(smooth, query_from_text(far).cases)
    with pytest.raises(HypothesisError, match="ReLUs"):
        holds_proof(smooth, far, found)


def test_the_command(network, text, tmp_path, capsys) -> None:
    write_npz(network, tmp_path / "net.npz")
    (tmp_path / "p.vnnlib").write_text(text)
    given = [str(tmp_path / "net.npz"), str(tmp_path / "p.vnnlib")]
    place = str(tmp_path / "holds.json")
    code, out, _ = command(capsys, "check", *given, "--proof", place)
    assert code == 0 and "holds (proved" in out
    assert holds.main([place, given[1]]) == 0
    assert command(capsys, "verify", place)[0] == 0
    (tmp_path / "p.vnnlib").write_text(f"{TEXT}(assert (>= Y_0 -100))")
    code, out, _ = command(capsys, "check", *given, "--json")
    assert code == 1
    document = json.loads(out)
    assert document["answer"] == "violated" and document["witness"]["is_float32"]
