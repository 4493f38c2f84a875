"""Networks with skip connections: one function in both forms, counted in both."""

import json

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError, Problem, TooLargeError
from depthsep.analysis import certify, examine, least_width, on_interval
from depthsep.cli import main
from depthsep.constructions import square_with_skips
from depthsep.exact import nearest_float
from depthsep.interop import read_onnx, write_onnx
from depthsep.networks import TANH, Network, SkipNetwork, size, with_skips


def drawn(seed):
    """A small network of quarters, dense in what it may read, and some points."""
    rng = np.random.default_rng(seed)
    d, arrays = int(rng.integers(1, 4)), []
    reads = d
    for width in [*rng.integers(1, 5, rng.integers(0, 4)).tolist(), 2]:
        kept = rng.random((width, reads)) < 0.7
        arrays += [rng.integers(-4, 5, (width, reads)) * kept / 4]
        arrays += [rng.integers(-2, 3, width) / 4]
        reads += width
    points = [[fmpq(int(v), 7) for v in row] for row in rng.integers(-20, 21, (6, d))]
    return SkipNetwork.from_arrays(d, *arrays), points


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_one_function_in_every_form(tmp_path_factory, seed):
    network, points = drawn(seed)
    path = tmp_path_factory.mktemp("onnx") / "net.onnx"
    write_onnx(network, path)
    layered, read = network.layered(), read_onnx(path)
    found = [with_skips(layered), with_skips(read)]
    for x in points:
        value = network(x)
        assert all(f(x) == value for f in (layered, read, *found))
        near = np.array([nearest_float(v) for v in x])
        assert np.allclose(network.floats(near), [nearest_float(v) for v in value])
    assert all(f.units <= network.units for f in found)
    assert layered.depth == network.depth


@pytest.mark.parametrize("levels", [1, 2, 5, 9])
def test_the_square_takes_two_units_a_layer(levels):
    network = square_with_skips(levels)
    assert network.widths == (2,) * levels and network.units == 2 * levels
    for k in range(2**levels + 1):
        x = fmpq(k, 2**levels)
        assert network([x]) == (x**2,)
        middle = x + fmpq(1, 2 ** (levels + 1))
        if middle < 1:
            assert network([middle])[0] - middle**2 == fmpq(1, 4 ** (levels + 1))
    assert on_interval(network, 0, 1).pieces == 2**levels
    error = certify(network, Problem("square", accuracy=fmpq(1, 4 ** (levels + 1))))
    assert error.error.upper == fmpq(1, 4 ** (levels + 1))
    again = with_skips(network.layered())
    assert again.widths == network.widths
    if levels > 1:
        assert network.layered().units > network.units


def test_lower_bounds_hold_with_skips():
    """Theorem A allows skips: 2^i pieces in i layers need no more than two units."""
    network = square_with_skips(8)
    pieces = on_interval(network, 0, 1).pieces
    assert least_width(pieces, 8) <= network.width == 2
    assert pieces <= 3**8


def test_units_that_pass_on_are_found():
    # relu(x) - relu(-x) carried over two layers, then one unit of x and another of |x|
    carried = Network.from_arrays(
        *([[1], [-1]], [0, 0]),
        *([[1, 0], [0, 1], [1, 1]], [0, 0, -1]),
        *([[1, -1, 0], [0, 0, 1]], [-2, 0]),
        *([[1, 1]], [0]),
    )
    found = with_skips(carried)
    assert found.units == 3 and found.depth == 3
    for x in (fmpq(-5), fmpq(1, 3), fmpq(3)):
        assert found([x]) == carried([x])


def test_sizes_count_what_is_there():
    network = square_with_skips(3)
    found = size(network)
    assert (found.depth, found.units, found.width) == (4, 6, 2)
    # two slopes, one bias a layer; two more slopes from layer 2 on; 7 in the read-out
    assert found.weights == 3 + 5 + 5 + 7 and found.largest_weight == 4
    assert str(network).startswith("network with skip connections")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SkipNetwork(1, []), "one affine layer"),
        (lambda: SkipNetwork.from_arrays(1, [[1]], [0], [[1]], [0]), "layer 2 takes 1"),
        (lambda: SkipNetwork.from_arrays(1, [[1]]), "pairs"),
        (lambda: square_with_skips(0), "`levels` is 0"),
        (lambda: square_with_skips(3)([1, 2]), "inputs given; the network takes"),
        (
            lambda: square_with_skips(3).floats(np.zeros(2)),
            "the number of inputs of the network",
        ),
    ],
)
def test_refusals(make, message):
    with pytest.raises(HypothesisError, match=message):
        make()


def test_other_units_are_refused():
    smooth = Network.from_arrays([[1]], [0], [[1]], [0], activation=TANH)
    with pytest.raises(
        HypothesisError, match="a form with skip connections can be found"
    ):
        with_skips(smooth)
    ones, square = np.ones(513), np.ones((513, 513))
    wide = Network.from_arrays(ones[:, None], ones, square, ones)
    with pytest.raises(TooLargeError, match="weights"):
        with_skips(wide)


def test_a_changed_weight_is_seen():
    *inner, last = square_with_skips(4).layers
    bent = SkipNetwork(1, [*inner, last.__class__(2 * last.weight, last.bias)])
    found = examine(bent, Problem("square", accuracy="1/1000"))
    assert found.error.lower > fmpq(1, 2)


def test_build_and_inspect_report_both_counts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    given = ["square", "--accuracy", "1e-4", "--by", "square-skips", "--skips"]
    for end in ([], ["--json"]):
        with pytest.raises(SystemExit) as stopped:
            main(["build", *given, "-o", "net.onnx", "--certificate", "c.json", *end])
        out = capsys.readouterr().out
        assert stopped.value.code == 0
    assert json.loads(out)["with_skips"] == [2] * 6
    with pytest.raises(SystemExit):
        main(["inspect", "net.onnx", "--on", "0,1", "--json"])
    seen = json.loads(capsys.readouterr().out)
    assert seen["with_skips"] == {"depth": 7, "widths": [2] * 6}
    assert seen["units"] > 12 and seen["pieces"] == 64
    with pytest.raises(SystemExit) as stopped:
        main(["build", *given, "-o", "net.npz"])
    assert stopped.value.code == 2 and "as .onnx" in capsys.readouterr().err
