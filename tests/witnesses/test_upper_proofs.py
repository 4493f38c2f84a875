"""Proofs of networks: the parts of an interval, accepted by the checker alone."""

import json
from fractions import Fraction
from itertools import pairwise

import depthsep_check as checker
import numpy as np
import pytest

from depthsep import Network, Problem, Segment, build
from depthsep.analysis import examine
from depthsep.interop import onnx_reference, write_onnx
from depthsep.witnesses import prove_lower, prove_upper, run_checker, verify_proof
from support.slow import mostly_slow

ROWS = [
    ("square", None, "linf", "1e-6", 3),
    ("square", None, "l2", "1e-4", 2),
    ("sawtooth:9", None, "l1", "0.05", 4),
    ("sawtooth:8", None, "l2", "0.05", 3),
    ("expr:sin(20*x)", None, "linf", "1e-2", 3),
    ("expr:sin(20*x)", None, "l1", "1e-2", 4),
    ("expr:exp(x)", None, "linf", "1e-4", 2),
    ("expr:exp(x)", None, "l2", "1e-4", 3),
    ("expr:sqrt(x)", None, "linf", "1e-3", 3),
    ("expr:1/(1+25*x**2)", Segment(-1, 1), "l2", "1e-2", 4),
    ("product", None, "linf", "1e-3", 2),
    ("product", None, "linf", "1e-3", 4),
]
LONG = [row for row in ROWS if row[2] == "l1"]
QUICK = mostly_slow([row for row in ROWS if row not in LONG], ROWS)


def fraction(value):
    return Fraction(int(value.p), int(value.q))


@pytest.mark.parametrize(("target", "on", "norm", "accuracy", "depth"), QUICK, ids=str)
def test_networks_are_proved_without_depthsep(
    target, on, norm, accuracy, depth, tmp_path
):
    problem = Problem(target, on, norm=norm, accuracy=accuracy)
    built = build(problem, depth=depth)
    proof = prove_upper(built.network, problem)
    proof.write(tmp_path / "proof.json")
    answer = run_checker(tmp_path / "proof.json")
    assert answer.valid, answer.words
    assert f"depth {depth} and widths {list(built.network.widths)}" in answer.words
    claimed = Fraction(proof.claim["error"])
    found = built.examination.error
    assert fraction(found.lower) <= claimed <= fraction(problem.accuracy)
    # one unit less in the last digit is refused
    document = json.loads((tmp_path / "proof.json").read_text())
    document["claim"]["error"] = str(claimed * (1 - Fraction(1, 10**5)))
    with pytest.raises(checker.Refused, match="more than is claimed"):
        checker.check(document, tmp_path)


def test_an_onnx_file_beside_the_proof_is_read(tmp_path):
    problem = Problem("expr:exp(x)", accuracy="1e-3")
    network = build(problem, depth=3).network
    write_onnx(network, tmp_path / "net.onnx")
    reference = onnx_reference(tmp_path / "net.onnx", network)
    del reference["weights_sha256"]
    prove_upper(network, problem, reference).write(tmp_path / "proof.json")
    assert verify_proof(tmp_path / "proof.json").valid
    data = (tmp_path / "net.onnx").read_bytes()
    (tmp_path / "net.onnx").write_bytes(data + b"\0")
    assert "not the file" in run_checker(tmp_path / "proof.json").words
    (tmp_path / "net.onnx").unlink()
    answer = run_checker(tmp_path / "proof.json")
    assert not answer.readable and "cannot read" in answer.words


def test_networks_of_many_layers_with_dead_and_doubled_units():
    """Adversarial networks: cancelling units, dead units, kinks on one spot."""
    rng = np.random.default_rng(8)
    for depth in (2, 3, 5):
        shapes = [1, *(4,) * (depth - 1), 1]
        arrays = []
        for a, b in pairwise(shapes):
            w = rng.integers(-3, 4, (b, a)) / 4.0
            w[-1] = -w[0] if b > 1 else w[-1]
            arrays += [w, rng.integers(-2, 3, b) / 4.0]
        network = Network.from_arrays(*arrays)
        problem = Problem("expr:x/7", accuracy="50")
        error = examine(network, problem).error
        proof = prove_upper(network, problem)
        claimed = Fraction(proof.claim["error"])
        most = fraction(error.upper) * Fraction(100001, 100000)
        assert fraction(error.lower) <= claimed <= most


def test_a_bound_on_weights_is_not_part_of_the_proof(tmp_path):
    bounded = Problem("square", accuracy="1e-2", weight_bound=4)
    network = build(bounded, depth=3).network
    for proof in (prove_upper(network, bounded), prove_lower(bounded, 3)):
        assert proof.problem == Problem("square", accuracy="1e-2")
        proof.write(tmp_path / "proof.json")
        assert verify_proof(tmp_path / "proof.json").valid


def test_what_is_not_proved_is_said():
    problem = Problem("square", accuracy="1e-2")
    network = build(problem, depth=2).network
    above = prove_upper(network, Problem("square", accuracy="1e-4"))
    assert "above the accuracy" in str(above)
    box = Problem("expr:exp(-x1**2-x2**2)", accuracy="1")
    assert "meets the accuracy are written only for" in str(
        prove_upper(Network.from_arrays([[1, 1]], [0]), box)
    )
