"""Points as a target: errors count there alone, in every command."""

import json

import numpy as np
import pytest
from flint import fmpq

from depthsep import Problem, bound, build, separate
from depthsep._errors import HypothesisError
from depthsep.analysis import certify, examine
from depthsep.evidence import Inapplicable, Rigour
from depthsep.interop import read_network, verify
from depthsep.networks import TANH, Network
from support.commands import call, command

ZIGZAG = "points:0,0;1,1;2,0;3,1;4,0;5,1"


def real(value: fmpq) -> float:
    return float(value.p) / float(value.q)


def written(folder, *columns, name="p.csv"):
    file = folder / name
    rows = (",".join(repr(float(v)) for v in row) for row in zip(*columns, strict=True))
    file.write_text("\n".join(rows))
    return f"points:{file}"


def waves(count, seed=0):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.random(count) * 10)
    return x, np.sin(x) + 0.02 * rng.normal(size=count), rng.integers(1, 4, count)


def runs_within(x, y, error):
    """The fewest runs with a line each, by the longest one again and again."""
    count, start = 0, 0
    while start < len(x):
        stop = start + 1
        while stop < len(x) and has_line(
            x[start : stop + 1], y[start : stop + 1], error
        ):
            stop += 1
        count, start = count + 1, stop
    return count


def has_line(x, y, error):
    """By Helly's theorem, in the plane of lines: if any three windows have one."""
    for i in range(len(x)):
        for k in range(i + 1, len(x)):
            inner = slice(i + 1, k)
            share = (x[inner] - x[i]) / (x[k] - x[i])
            chord = y[i] + (y[k] - y[i]) * share
            if (np.abs(y[inner] - chord) > 2 * error * (1 + 1e-12)).any():
                return False
    return True


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("accuracy", [0.3, 0.1, 0.05])
def test_both_sides_in_linf(accuracy, seed, tmp_path) -> None:
    x, y, _ = waves(60, seed)
    table = separate(Problem(written(tmp_path, x, y), accuracy=accuracy), depths=[2, 3])
    runs = runs_within(x, y, accuracy)
    assert table.rows[0].lower.width == max(runs - 1, 0) or runs == 1
    for row in table.rows:
        assert row.upper is not None and row.upper.checked
        found = np.abs(row.upper.network.floats(x[:, None])[:, 0] - y).max()
        assert found <= accuracy * (1 + 1e-9)
        assert (row.lower.width if row.lower else 0) <= row.upper.width


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_both_sides_in_the_mean(norm, tmp_path) -> None:
    x, y, w = waves(60)
    problem = Problem(written(tmp_path, x, y, w), norm=norm, accuracy="0.05")
    for row in separate(problem, depths=[2, 3]).rows:
        assert row.upper is not None and row.lower is not None
        off = np.abs(row.upper.network.floats(x[:, None])[:, 0] - y)
        power = 1 if norm == "l1" else 2
        mean = ((w * off**power).sum() / w.sum()) ** (1 / power)
        assert mean <= 0.05 and 2 <= row.lower.width <= row.upper.width
    shallow = separate(problem, depths=[2]).rows[0]
    assert shallow.upper.width <= shallow.lower.width + 2


@pytest.mark.parametrize("norm", ["linf", "l1", "l2"])
def test_examined_errors_are_those_at_the_points(norm, tmp_path) -> None:
    """Any network, random and with kinks at points, against its own values there."""
    x, y, w = waves(50)
    rng = np.random.default_rng(2)
    kinks = np.append(x[::6], 3.3)
    ones = np.ones((len(kinks), 1))
    out = rng.normal(size=(1, len(kinks)))
    network = Network.from_arrays(ones, -kinks, out, np.zeros(1))
    columns = (x, y) if norm == "linf" else (x, y, w)
    problem = Problem(written(tmp_path, *columns), norm=norm, accuracy=1)
    found = examine(network, problem)
    assert not isinstance(found, Inapplicable) and found.error.rigour is Rigour.EXACT
    off = [abs(network([float(a)])[0] - fmpq(*float(b).as_integer_ratio()))
           for a, b in zip(x, y, strict=True)]  # fmt: skip
    if norm == "linf":
        assert found.error.upper == max(off)
        return
    power, weights = 1 if norm == "l1" else 2, [int(v) for v in w]
    mean = sum((k * r**power for k, r in zip(weights, off, strict=True)), fmpq(0))
    mean /= sum(weights)
    if norm == "l1":
        assert found.error.upper == mean
    else:
        assert found.error.lower**2 <= mean <= found.error.upper**2


def test_what_lies_between_points_does_not_count() -> None:
    """A kink between two points is free; one unit less is not enough."""
    problem = Problem(ZIGZAG, accuracy="1/20")
    row = separate(problem, depths=[2]).rows[0]
    assert row.lower is not None and row.upper is not None
    assert row.lower.width == 2  # three runs of two points each, with jumps
    wild = Network.from_arrays([[1.0]] * 2, [-0.4, -0.6], [[900.0, -900.0]], [0.0])
    found = examine(wild, Problem("points:0,0;1,180;2,180", accuracy=1))
    assert not isinstance(found, Inapplicable) and real(found.error.upper) < 1e-9


def test_units_that_are_not_examined() -> None:
    network = Network.from_arrays([[1.0]], [0.0], [[1.0]], [0.0], activation=TANH)
    assert isinstance(examine(network, Problem(ZIGZAG)), Inapplicable)
    relu = Network(network.layers)
    assert not isinstance(examine(relu, Problem(ZIGZAG)), Inapplicable)


def test_certificates_name_the_points(tmp_path, capsys, monkeypatch) -> None:
    """In a file: whose digest is in the text; or in the text itself."""
    monkeypatch.chdir(tmp_path)
    x, y, _ = waves(40)
    written(tmp_path, x, y, name="c.csv")
    given = ("build", "points:c.csv", "--accuracy", "0.1", "--depth", "2")
    call(*given, "-o", "net.onnx", "--certificate", "cert.json")
    assert verify("cert.json").valid
    out = call("certify", "net.onnx", "points:c.csv", "--accuracy", "0.1").stdout
    error = float(out.split("error at most ")[1].split()[0])
    found = np.abs(read_network("net.onnx").floats(x[:, None])[:, 0] - y).max()
    assert found - 1e-9 <= error <= found * (1 + 1e-5)
    found = certify(read_network("net.onnx"), Problem("points:c.csv", accuracy="0.1"))
    assert found.error.upper <= fmpq(1, 10)
    y[7] += 1
    written(tmp_path, x, y, name="c.csv")
    code, out, err = command(capsys, "verify", "cert.json")
    assert code != 0 and "changed" in out + err
    inline = build(Problem(ZIGZAG, accuracy="1/20"), depth=2).certificate()
    (tmp_path / "inline.json").write_text(inline.to_json())
    assert verify("inline.json").valid
    assert json.loads(inline.to_json())["problem"]["law"] == "points"


@pytest.mark.parametrize(
    ("target", "given", "says"),
    [
        (ZIGZAG, {"law": "uniform:0,1"}, "leave out the law"),
        ("square", {"law": "points"}, "is not defined on points"),
        (
            "band:0,0,1;1,2,3",
            {"norm": "l1"},
            "is a band, for which mean errors are not",
        ),
        ("points:0,0,1;1,2,3", {}, "has weights, which apply to mean errors"),
        ("points:0,0;1", {}, "columns is 1, not"),
        ("points:nowhere.csv", {}, "cannot read"),
    ],
)
def test_what_is_refused(target, given, says) -> None:
    with pytest.raises(HypothesisError, match=says):
        Problem.from_json({"target": target, "law": "points", "norm": "linf",
                           "accuracy": "1", **given})  # fmt: skip


def test_bounds_by_hand_and_by_name() -> None:
    assert bound("runs-of-points", runs=40, layers=1).value == 39
    assert bound("through-points", pieces=40).value == 40
