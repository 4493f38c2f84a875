"""Tables, networks and proofs for other units than ReLUs."""

from dataclasses import replace

import pytest

from depthsep import (
    CertificationError,
    HypothesisError,
    Problem,
    build,
    certificate_of,
    read_network,
    separate,
)
from depthsep.claims import Lower, SearchPlan, TrainingPlan, Upper
from depthsep.evidence import Certificate, Inapplicable
from depthsep.interop import write_onnx
from depthsep.networks import THRESHOLD, leaky_relu
from depthsep.problems import networks_from_text
from depthsep.targets import Radial
from depthsep.witnesses import prove_lower
from support.commands import call, command, document, refusal

OFF = SearchPlan(0)


def asked(target, accuracy, name, skips="none", norm="linf"):
    networks = networks_from_text(name, skips)
    return Problem(target, norm=norm, accuracy=accuracy, networks=networks)


@pytest.mark.parametrize("target", ["square", "expr:exp(x)", "sawtooth:5"])
def test_rows_of_leaky_relus_are_those_of_relus(target):
    depths = range(2, 6)
    relu = separate(asked(target, "1e-3", "relu", "any"), depths=depths, search=OFF)
    leaky = separate(asked(target, "1e-3", "leaky:0.1"), depths=depths, search=OFF)
    for row, other in zip(relu, leaky, strict=True):
        assert other.lower.width == row.lower.width
        assert row.upper.width <= other.upper.width <= row.upper.width + 1
        assert other.upper.checked
        assert set(other.upper.network.activations) == {leaky_relu("1/10")}


@pytest.mark.parametrize("target", ["square", "expr:sin(9*x)", "max:3"])
def test_hard_tanh_is_within_a_factor_of_two(target):
    relu = separate(asked(target, "1e-2", "relu", "any"), depths=[2, 3], search=OFF)
    tanh = separate(asked(target, "1e-2", "hardtanh"), depths=[2, 3], search=OFF)
    for row, other in zip(relu, tanh, strict=True):
        if isinstance(row.upper, Upper):
            assert other.upper.width <= 2 * row.upper.width and other.upper.checked
        if isinstance(row.lower, Lower):
            assert row.lower.width <= 2 * other.lower.width


def test_steps_of_thresholds_at_every_depth():
    table = separate(asked("square", "1/100", "threshold"), depths=[2, 3, 4])
    for row in table:
        assert row.upper.checked and row.lower.width in (48, 49)
        assert row.upper.width <= row.lower.width + 2
        assert set(row.upper.network.activations) == {THRESHOLD}
    assert table[2].lower_with_skips.width == 3  # affine pieces that jump


def test_units_that_include_relus_are_built_of_them():
    for name in ("piecewise:3", "maxout:2", "polynomial:2,3", "any"):
        row = separate(asked("square", "1e-2", name), depths=[3], search=OFF)[3]
        assert row.upper.checked and row.upper.width == 3
    assert isinstance(row.lower, Inapplicable)


def test_skip_connections_may_be_asked_for():
    plain = separate(asked("expr:exp(x)", "1e-4", "relu"), depths=[4], search=OFF)[4]
    skips = asked("expr:exp(x)", "1e-4", "relu", "any")
    row = separate(skips, depths=[4], search=OFF)[4]
    assert row.lower == plain.lower_with_skips and row.lower.networks.skips
    assert "lower_with_skips" not in row.to_json()


def test_relus_alone_are_trained():
    with pytest.raises(HypothesisError, match="only ReLU networks can be trained"):
        separate(asked("square", "1e-2", "abs"), learn=TrainingPlan())


def test_inputs_have_to_be_bounded():
    target = Radial("relu", 3)
    networks = networks_from_text("leaky:0.1", "none")
    problem = Problem(target, None, "l2", "1/2", networks=networks)
    row = separate(problem, depths=[3], search=OFF)[3]
    assert isinstance(row.upper, Inapplicable)


def test_networks_are_built_written_and_read(tmp_path):
    built = build(asked("square", "1e-3", "leaky:0.1"), depth=3)
    place = tmp_path / "net.onnx"
    write_onnx(built.network, place)
    assert read_network(place) == built.network
    assert built.certificate().problem["activation"] == "leaky:1/10"


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_the_command_builds_and_verifies(tmp_path, kind):
    net, cert = tmp_path / "net.onnx", tmp_path / "cert.json"
    given = ("build", "square", "--accuracy", "1e-3", "--activation", "leaky:0.1")
    call(*given, "--depth", 3, "--weights", kind, "-o", net, "--certificate", cert)
    assert call("verify", cert).output.startswith("valid")


def test_a_certificate_of_other_units_is_refused(tmp_path, capsys):
    cert = tmp_path / "cert.json"
    given = ("build", "square", "--accuracy", "1e-3", "--depth", 3)
    call(*given, "--certificate", cert)
    found = Certificate.from_json(cert.read_text("utf-8"))
    problem = {**found.problem, "activation": "leaky:1/10"}
    cert.write_text(replace(found, problem=problem).to_json(), "utf-8")
    code, out, err = command(capsys, "verify", cert)
    assert code != 0 and "leaky ReLUs of slope 0.1" in out + err


def test_a_certificate_is_about_the_units_it_names():
    relu = build(Problem("square", accuracy="1e-2"), depth=2).network
    with pytest.raises(CertificationError, match="leaky ReLUs of slope"):
        certificate_of(relu, asked("square", "1e-2", "leaky:0.1"))


@pytest.mark.parametrize(
    ("name", "pieces"), [("leaky:1/10", 2), ("hardtanh", 3), ("piecewise:4", 4)]
)
def test_proofs_about_units_of_several_pieces(tmp_path, name, pieces):
    relu = prove_lower(Problem("expr:exp(x)", accuracy="1e-4"), 2)
    proof = prove_lower(asked("expr:exp(x)", "1e-4", name), 2)
    width = -(-relu.claim["width"] // (pieces - 1))
    claim = {"depth": 2, "width": width, "skips": True, "unit_pieces": pieces}
    assert proof.claim == claim
    place = tmp_path / "proof.json"
    proof.write(place)
    assert "valid, by the checker and by depthsep" in call("verify", place).output


@pytest.mark.parametrize(
    "change", [{"unit_pieces": 2}, {"skips": False}, {"width": 17}]
)
def test_spoiled_proofs_about_other_units_are_refused(tmp_path, capsys, change):
    proof = prove_lower(asked("expr:exp(x)", "1e-4", "hardtanh"), 2)
    assert proof.claim["width"] == 16
    proof.claim.update(change)
    if change == {"unit_pieces": 2}:  # of ReLUs more is true
        proof.claim["width"] = 33
    place = tmp_path / "proof.json"
    proof.write(place)
    code, _, err = command(capsys, "verify", place)
    assert code != 0 and "valid" not in err


@pytest.mark.parametrize("name", ["any", "threshold", "maxout:3", "polynomial:2,2"])
def test_there_are_no_proofs_for_other_kinds(name):
    found = prove_lower(asked("square", "1e-3", name), 2)
    assert (
        isinstance(found, Inapplicable) and "proofs are not supported" in found.reason
    )


def test_the_command_line_names_the_units(capsys):
    given = ("separate", "square", "--accuracy", "1e-2", "--depths", "2:2")
    found = document(*given, "--activation", "hardtanh", "--search", "0")
    assert found["problem"]["activation"] == "hardtanh"
    assert "hard tanh units" in found["rows"][0]["lower"]["class"]
    assert "use relu" in refusal(capsys, *given, "--activation", "tanhh")
