"""`depthsep certify`: a certificate for a network of one's own."""

import json

import numpy as np

from depthsep import Network, read_network
from depthsep.interop import write_onnx
from support.commands import command, document, refusal

SQUARE = ("square", "--accuracy", "1/30")


def own(folder):
    """x^2 by its chord and tangents, off by 1/32 at most, as an ONNX file."""
    network = Network.from_arrays([[1], [1]], [0, -0.5], [[0.5, 1]], [-1 / 32])
    write_onnx(network, folder / "net.onnx")
    return folder / "net.onnx"


def test_a_network_of_ones_own_is_certified_and_verified(tmp_path, capsys):
    net, cert = own(tmp_path), tmp_path / "c.json"
    found = document("certify", net, *SQUARE, "-o", cert)
    assert found["error"] == "1/32" and found["rigour"] == "exact"
    assert found["widths"] == [2] and found["certificate"] == str(cert)
    stored = json.loads(cert.read_text("utf-8"))
    assert stored["network"]["onnx"] == "net.onnx" and stored["source"] == "net.onnx"
    assert document("verify", cert)["valid"] is True
    write_onnx(Network.from_arrays([[1]], [0], [[1]], [0]), net)
    assert command(capsys, "verify", cert)[0] == 1


def test_weights_that_lie_elsewhere_are_listed(tmp_path):
    (tmp_path / "other").mkdir()
    cert = tmp_path / "other" / "c.json"
    document("certify", own(tmp_path), *SQUARE, "-o", cert)
    assert "layers" in json.loads(cert.read_text("utf-8"))["network"]
    assert read_network(cert) == read_network(tmp_path / "net.onnx")
    arrays = {"W1": [[1.0], [1.0]], "b1": [0, -0.5], "W2": [[0.5, 1]], "b2": [-1 / 32]}
    np.savez(tmp_path / "net.npz", **{k: np.array(v) for k, v in arrays.items()})
    document("certify", tmp_path / "net.npz", *SQUARE, "-o", tmp_path / "d.json")
    assert "layers" in json.loads((tmp_path / "d.json").read_text("utf-8"))["network"]


def test_what_misses_the_accuracy_leaves_nothing(tmp_path, capsys):
    cert = tmp_path / "c.json"
    wanted = ("square", "--accuracy", "1/40")
    code, out, err = command(capsys, "certify", own(tmp_path), *wanted, "-o", cert)
    assert code == 1 and not out and not cert.exists()
    assert (
        err == "depthsep: the network's linf error is 1/32, above the accuracy 0.025\n"
    )


def test_one_file_for_two_things_is_refused(tmp_path, capsys):
    net = own(tmp_path)
    assert "file of its own" in refusal(capsys, "certify", net, *SQUARE, "-o", net)


def test_a_target_of_other_inputs_is_refused(tmp_path, capsys):
    said = refusal(capsys, "certify", own(tmp_path), "product", "--accuracy", "1")
    assert "inputs and 1 output; give another target," in said
