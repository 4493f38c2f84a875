"""Softmax after the last layer: probabilities, exact log odds, ONNX both ways."""

import json

import numpy as np
import pytest
from flint import arb, fmpq
from onnx import load
from onnx.reference import ReferenceEvaluator

from depthsep import FileFormatError, HypothesisError
from depthsep.cli import main
from depthsep.interop import (
    read_network,
    read_onnx,
    write_npz,
    write_onnx,
)
from depthsep.networks import Network, Softmax

NET = Network.from_arrays(
    [[1], [-2]], [0, 1], [[1, 0.5], [-1, 2], [0, 0]], [0, 0.25, 1]
)


def test_probabilities_are_those_of_onnx(tmp_path):
    model, path = Softmax(NET), tmp_path / "net.onnx"
    write_onnx(model, path)
    x = np.linspace(-3, 3, 41)[:, None]
    found = model.floats(x)
    (theirs,) = ReferenceEvaluator(load(path)).run(None, {"x": x})
    assert np.allclose(found, theirs) and np.allclose(found.sum(axis=1), 1)
    assert (found.argmax(axis=1) == NET.floats(x).argmax(axis=1)).all()
    again = read_onnx(path, logits=True)
    for v in (fmpq(-2), fmpq(1, 3)):
        assert again([v]) == NET([v])


def test_balls_hold_the_probabilities():
    exact = [v for v in Softmax(NET).balls([arb(1) / 3])]
    near = Softmax(NET).floats(np.array([1 / 3]))
    for ball, value in zip(exact, near, strict=True):
        assert abs(ball - arb(float(value))) < arb("1e-14")
    over = Softmax(NET).balls([arb(0, 1)])
    for x in np.linspace(-1, 1, 9):
        for ball, value in zip(over, Softmax(NET).floats(np.array([x])), strict=True):
            assert ball.overlaps(arb(float(value), 1e-12))


def test_large_outputs_do_not_overflow():
    steep = Network.from_arrays([[1]], [0], [[1e4], [-1e4]], [0, 0])
    assert Softmax(steep).floats(np.array([5.0])).tolist() == [1, 0]


def test_log_odds_are_exact():
    odds = Softmax(NET).log_odds(0, 2)
    for v in (fmpq(-5, 3), fmpq(1, 7), fmpq(4)):
        z = NET([v])
        assert odds([v]) == (z[0] - z[2],)
    p = Softmax(NET).floats(np.array([0.7]))
    assert np.isclose(odds.floats(np.array([0.7]))[0], np.log(p[0] / p[2]))


def test_refusals(tmp_path):
    with pytest.raises(HypothesisError, match="two outputs"):
        Softmax(Network.from_arrays([[1]], [0]))
    with pytest.raises(HypothesisError, match="class 3 does not exist"):
        Softmax(NET).log_odds(0, 3)
    plain, soft = tmp_path / "plain.onnx", tmp_path / "soft.onnx"
    write_onnx(NET, plain)
    write_onnx(Softmax(NET), soft)
    with pytest.raises(FileFormatError, match="does not end in a softmax"):
        read_onnx(plain, logits=True)
    with pytest.raises(FileFormatError, match=r"is not supported; .* --logits"):
        read_onnx(soft)
    write_npz(NET, tmp_path / "net.npz")
    with pytest.raises(FileFormatError, match=r"for .onnx files"):
        read_network(tmp_path / "net.npz", logits=True)


def test_inspect_reads_logits(tmp_path, capsys):
    path = tmp_path / "net.onnx"
    write_onnx(Softmax(NET), path)
    with pytest.raises(SystemExit) as stopped:
        main(["inspect", str(path), "--on", "0,1", "--logits", "--json"])
    assert stopped.value.code == 0
    assert json.loads(capsys.readouterr().out)["units"] == 2
