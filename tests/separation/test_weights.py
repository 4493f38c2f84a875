"""Networks whose weights are numbers of a format: few bits, the same accuracy."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from depthsep import Problem, Segment, build
from depthsep._errors import CertificationError, HypothesisError
from depthsep.analysis import certify
from depthsep.evidence import Certificate
from depthsep.exact import weights_from_text
from depthsep.interop import verify
from depthsep.networks import Network
from depthsep.separation._weights import roundings
from support.commands import call, command

SIGMOID = Problem("expr:sigmoid(x)", Segment(-8, 8), accuracy="1e-2")
PROBLEMS = [
    (SIGMOID, 2),
    (Problem("square", accuracy="1e-3"), 3),
    (Problem("expr:x1*x2", accuracy="2e-2"), 2),
    (Problem("expr:sin(3*x)", norm="l2", accuracy="1e-2"), 2),
]


def is_number(value: float, written: str, scale: float, is_bias: bool) -> bool:
    """By its definition, without the code that rounds."""
    if written.startswith("q"):
        before, behind = map(int, written[1:].split("."))
        whole = value * 2**behind
        return whole == int(whole) and -(2 ** (before + behind - 1)) <= whole < 2 ** (
            before + behind - 1
        )
    bits = int(written[3:])
    whole = value / (scale / 2 ** (24 - bits) if is_bias else scale)
    end = 2**31 if is_bias else 2 ** (bits - 1)
    return whole == int(whole) and -end <= whole < end


@pytest.mark.parametrize("written", ["q4.12", "q2.14", "q8.8", "int8", "int6", "int16"])
@pytest.mark.parametrize(("problem", "depth"), PROBLEMS, ids=lambda p: str(p))
def test_weights_are_such_numbers_and_the_accuracy_holds(written, problem, depth):
    try:
        built = build(problem, depth=depth, weights=written)
    except (HypothesisError, CertificationError):
        assert written in (
            "int6",
            "q2.14",
            "q8.8",
            "q4.12",
        )  # too coarse, or too small a range
        return
    for layer in built.network.layers:
        most = np.abs(layer.weight).max()
        scales = [2.0**k for k in range(-40, 20) if most / 2.0**k < 2**31]
        assert any(
            all(is_number(v, written, s, False) for v in layer.weight.ravel().tolist())
            and all(is_number(v, written, s, True) for v in layer.bias.tolist())
            for s in scales
        )
    assert certify(built.network, problem).error.is_at_most(problem.accuracy)
    assert built.network.width <= 2 * build(problem, depth=depth).network.width


def test_coarser_numbers_take_wider_networks_at_most():
    """A sigmoid at 1e-2: six units in float64, six with eight bits, eight in q2.6."""
    widths = {w: build(SIGMOID, depth=2, weights=w).network.width
              for w in ("float64", "q4.12", "int8", "q2.6")}  # fmt: skip
    assert widths == {"float64": 6, "q4.12": 6, "int8": 6, "q2.6": 8}
    with pytest.raises(
        CertificationError, match="no network was confirmed to meet the accuracy;"
    ):
        build(SIGMOID, depth=2, weights="int4")


@given(
    st.sampled_from(["float32", "q4.12", "int8", "int4", "q1.7"]),
    st.lists(st.floats(-8, 7.9), min_size=3, max_size=3),
)
def test_rounding_twice_is_rounding_once(written, values):
    numbers = weights_from_text(written)
    weight, bias = np.array([values[:2]]), np.array(values[2:])
    found = numbers.rounded(weight, bias)
    if found is not None:
        again = numbers.rounded(*found)
        assert again is not None and all(map(np.array_equal, found, again))
        assert numbers.has(*found)
        off = np.abs(found[0] - weight).max()
        unit = {"float32": 1e-6, "q4.12": 2**-13, "q1.7": 2**-8}.get(written)
        assert off <= (unit or np.abs(weight).max() / 2 ** (int(written[3:]) - 2))


def test_a_unit_that_reads_nothing_is_kept() -> None:
    """No weight comes in: it is scaled by nothing."""
    network = Network.from_arrays([[1.0], [0.0]], [0.0, 1.0], [[1.0, 0.25]], [0.0])
    numbers = weights_from_text("q4.12")
    problem = Problem("expr:x+1/4", accuracy="1e-3")
    assert network in list(roundings(network, problem, numbers))


@pytest.mark.parametrize(
    "written", ["float16", "q4", "q0.4", "q40.2", "int1", "int64", "int8 ", "", "Q4.12"]
)
def test_other_words_are_refused(written):
    with pytest.raises(HypothesisError, match=r"such as q4\.12"):
        build(SIGMOID, weights=written)


def test_the_certificate_claims_them_and_verify_checks(tmp_path, capsys):
    file = tmp_path / "c.json"
    given = ("build", "expr:sigmoid(x)", "--on=-8,8", "--accuracy", "1e-2")
    call(*given, "--depth", "2", "--weights", "int8", "--certificate", file)
    found = Certificate.from_json(file.read_text("utf-8"))
    assert found.claim["weights"] == "int8" and verify(file).valid
    for other in ("int4", "q1.3", "no numbers", 8):
        claim = {**found.claim, "weights": other}
        file.write_text(replace(found, claim=claim).to_json(), "utf-8")
        assert not verify(file).valid
    net = tmp_path / "n.onnx"
    call(*given, "--depth", "2", "--weights", "int8", "-o", net)
    asked = ("certify", net, "sigmoid(x)", "--on=-8,8", "--accuracy", "1e-2")
    out = call(*asked, "--weights", "int8", "-o", tmp_path / "own.json").stdout
    assert "certificate written to" in out and verify(tmp_path / "own.json").valid
    code, _, err = command(capsys, *asked, "--weights", "int4")
    assert code == 1 and "some weights or biases of the network are not" in err
    out = json.loads(call(*given, "--depth", "2", "--weights", "int8", "--json").stdout)
    assert out["weights"] == "int8"
    code, _, err = command(capsys, *given, "--weights", "int99")
    assert code == 2 and "from int2 to int32" in err
