"""Curves from files: read, sorted, refused; targets of every command."""

import json

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep import Problem, Segment, pieces, separate
from depthsep._errors import HypothesisError, TooLargeError
from depthsep.jobs import job_named
from depthsep.targets import Curve, read_columns, target_from_text
from support.commands import call, command
from support.fewest import fewest


def written(folder, text, name="curve.csv"):
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def wave(folder, points=300, noise=0.02):
    x = np.linspace(0, 10, points)
    y = np.sin(x) + noise * np.random.default_rng(0).normal(size=points)
    rows = "\n".join(f"{float(a)!r},{float(b)!r}" for a, b in zip(x, y, strict=True))
    return x, y, written(folder, "x,y\n" + rows)


@pytest.mark.parametrize("text", [
    "0,1\n1,3\n2,2\n", "x,y\n0,1\n1,3\n2,2", '"t";"v"\n0;1\n1;3\n2;2\n',
    "0\t1\n1\t3\n2\t2\n", "# a remark\n0 1\n\n1   3\n2 2\n",
    "\ufeff0,1\r\n1,3\r\n2,2\r\n",
    "2,2\n0,1\n1,3\n1,3\n", "0.0,1e0\n1.,3\n2,+2.0",
])  # fmt: skip
def test_files_that_people_have(text: str, tmp_path) -> None:
    curve = Curve.read(str(written(tmp_path, text)))
    assert curve.x.tolist() == [0, 1, 2] and curve.y.tolist() == [1, 3, 2]
    assert curve.was_sorted == (not text.startswith("2"))
    assert ("sorted" in curve.remark) == (not curve.was_sorted)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0,1\n1,abc\n2,2\n", "line 2: 'abc' is not a number"),
        ("x,y\n0,1\n1,nan\n", "is not a finite number"),
        ("0,1\n1,inf\n", "is not a finite number"),
        ("0,1\n1,2,3\n", "columns is 3, not 2"),
        ("0,1,2\n1,2,3\n", "columns is 3; it must be 2"),
        ("", "contains no row of numbers"),
        ("0,1\n", "fewer than two rows"),
        ("x,y\n", "fewer than two rows"),
        ("0,1\n0,2\n1,1\n", "keep one of the two rows"),
        ("0,1\n0,1\n", "has only one point; give two or more"),
        ("0,1\n1,\n", "line 2: '' is not a number"),
        (b"\x00\x01\x02", "columns"),
        (b"PK\x03\x04" + bytes(range(256)), "columns"),
    ],
)
def test_bad_rows_are_named(text, says, tmp_path) -> None:
    file = written(tmp_path, text)
    with pytest.raises(HypothesisError, match=says):
        Curve.read(str(file))


def test_what_is_no_file_is_refused(tmp_path) -> None:
    for place in (tmp_path / "none.csv", tmp_path, "/dev/zero"):
        with pytest.raises(HypothesisError, match=r"cannot read|not a file"):
            read_columns(place, 2, 2)


def test_large_files_are_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("depthsep.targets.line._csv.LARGEST", 10)
    with pytest.raises(TooLargeError, match="MB"):
        Curve.read(str(written(tmp_path, "0,1\n1,2\n2,3\n3,4")))
    monkeypatch.undo()
    monkeypatch.setattr("depthsep.targets.line._csv.MOST_ROWS", 3)
    with pytest.raises(TooLargeError, match="3 rows"):
        Curve.read(str(written(tmp_path, "0,1\n1,2\n2,3\n3,4")))


def test_a_changed_file_is_another_target(tmp_path) -> None:
    _, _, file = wave(tmp_path)
    curve = target_from_text(f"data:{file}")
    assert target_from_text(curve.text) == curve
    file.write_text(file.read_text().replace("10.0,", "10.5,"))
    with pytest.raises(HypothesisError, match="has changed"):
        target_from_text(curve.text)


def test_jets_hold_values_and_slopes(tmp_path) -> None:
    x, y, file = wave(tmp_path, 40)
    curve, rng = Curve.read(str(file)), np.random.default_rng(1)
    slopes = np.diff(y) / np.diff(x)
    for middle, radius in [*rng.uniform((0.1, 0), (9.9, 0.1), (40, 2)), (x[7], 0)]:
        jet = curve.jet(arb(float(middle), float(radius)))
        for t in np.clip(middle + radius * np.linspace(-1, 1, 9), 0, 10):
            assert (jet.value + arb(0, 1e-12)).contains(arb(float(np.interp(t, x, y))))
            k = min(int(np.searchsorted(x, t, "right")) - 1, len(slopes) - 1)
            assert (jet.first + arb(0, 1e-9)).contains(arb(float(slopes[k])))


@pytest.mark.parametrize("jumps", [False, True])
@pytest.mark.parametrize("error", [0.05, 0.2])
def test_as_few_pieces_as_a_programme_finds(jumps, error, tmp_path) -> None:
    x, y, file = wave(tmp_path, 200)
    table = pieces(f"data:{file}", accuracy=error, jumps=jumps)
    more, less = (
        fewest(x, y - e, y + e, jumps=jumps) for e in (1.04 * error, 0.98 * error)
    )
    assert more <= len(table.pieces) <= less + (less == more)
    assert table.needed <= less and len(table.pieces) - table.needed <= 1
    knots = [float(p.start.p) / float(p.start.q) for p in table.pieces]
    places = np.union1d(x, knots)
    off = np.abs(table.function.floats(places) - np.interp(places, x, y)).max()
    most = float(table.error.upper.p) / float(table.error.upper.q)
    assert table.error.is_point and (jumps or abs(off - most) < 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["smooth", "noise", "walk", "steps"])
def test_long_curves_are_followed_by_their_hulls(kind, tmp_path, monkeypatch) -> None:
    """As many pieces as if all points were followed, from both sides."""
    rng = np.random.default_rng(len(kind))
    x = np.unique(rng.uniform(0, 20, 1500))
    y = {
        "smooth": np.exp(-x) * np.cos(5 * x),
        "noise": np.sin(x) + 0.05 * rng.normal(size=len(x)),
        "walk": np.cumsum(rng.normal(size=len(x))) / 20,
        "steps": np.round(np.sin(x), 2),
    }[kind]
    file = tmp_path / "long.csv"
    np.savetxt(file, np.stack([x, y], axis=1), delimiter=",", fmt="%.17g")
    curve, error = Curve.read(str(file)), float(np.ptp(y)) * 0.11
    for jumps in (False, True):
        with monkeypatch.context() as patch:
            patch.setattr("depthsep.tables._followed.DENSE", 300)
            found = pieces(curve, accuracy=error, jumps=jumps)
        whole = pieces(curve, accuracy=error, jumps=jumps)
        assert found.needed <= len(whole.pieces) and whole.needed <= len(found.pieces)
        assert len(found.pieces) - found.needed <= 1
        off = np.abs(found.function.floats(x) - y).max()
        most = float(found.error.upper.p) / float(found.error.upper.q)
        assert off <= most * (1 + 1e-9) <= error * (1 + 2e-9)


def test_the_error_of_a_line_is_exact(tmp_path) -> None:
    """Against every point in rationals, for lines that end anywhere, and at points."""
    x, y, file = wave(tmp_path, 50, 0.3)
    curve, rng = Curve.read(str(file)), np.random.default_rng(3)
    exact = [
        tuple(fmpq(*v.as_integer_ratio()) for v in p) for p in zip(x, y, strict=True)
    ]
    ends = [fmpq(k, 7) for k in range(71)] + [t for t, _ in exact]
    for _ in range(300):
        start, stop = sorted(rng.choice(len(ends), 2, replace=False).tolist())
        start, stop = sorted((ends[start], ends[stop]))
        if start == stop:
            continue
        left, right = (fmpq(int(v), 8) for v in rng.integers(-12, 12, 2))
        slope = (right - left) / (stop - start)
        whole = curve.affine_pieces(Segment(0, 10))
        places = [start, stop, *(t for t, _ in exact if start < t < stop)]
        wanted = max(abs(left + slope * (t - start) - whole(t)) for t in places)
        assert curve.line_error(start, stop, left, right) == wanted


def test_every_command_takes_a_curve(tmp_path, capsys) -> None:
    file = wave(tmp_path, 60, 0)[2]
    table = separate(Problem(f"data:{file}", accuracy="0.05"), depths=(2, 3))
    for row in table:
        assert row.lower.width <= row.upper.width
    found = call(
        "build",
        f"data:{file}",
        "--accuracy",
        "0.05",
        "--depth",
        "2",
        "--certificate",
        tmp_path / "c.json",
        "-o",
        tmp_path / "n.npz",
    )
    assert found.exit_code == 0, found.output
    assert call("verify", tmp_path / "c.json").exit_code == 0
    file.write_text(file.read_text() + "\n11,0\n")
    code, _, err = command(capsys, "verify", tmp_path / "c.json")
    assert code == 2 and "changed" in err


def test_an_interval_has_to_lie_in_the_curve(tmp_path) -> None:
    _, _, file = wave(tmp_path)
    half = pieces(f"data:{file}", (1, fmpq(41, 8)), accuracy="0.05")
    assert half.room.on == Segment(1, fmpq(41, 8))
    with pytest.raises(HypothesisError, match="has points on"):
        pieces(f"data:{file}", (0, 11), accuracy="0.05")


def test_the_command(tmp_path, capsys) -> None:
    _, _, file = wave(tmp_path)
    found = call("pieces", f"data:{file}", "--accuracy", "0.1", "--json")
    document = json.loads(found.output)
    assert document["needed"] <= len(document["pieces"])
    shown = call(
        "pieces",
        "sigmoid(x)",
        "--on=-8,8",
        "--accuracy",
        "1e-3",
        "--picture",
        tmp_path / "p.svg",
    ).output
    assert "19 pieces" in shown and "It is proved that no continuous table" in shown
    assert (tmp_path / "p.svg").read_bytes().startswith(b"<?xml")
    for wrong in (["--on", "1"], ["--above", "--below"], ["--pieces", "2"]):
        code, out, err = command(
            capsys, "pieces", "exp(x)", "--accuracy", "0.1", *wrong
        )
        assert code == 2 and not out and len(err.strip().splitlines()) == 1


def test_a_folder_of_curves_is_a_study(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = []
    for k in (1, 2):
        x = np.linspace(0, 3, 60)
        np.savetxt(f"c{k}.csv", np.stack([x, np.sin(k * x)], 1), delimiter=",")
        names.append(f"data:c{k}.csv")
    job = job_named("fewest pieces", tmp_path)
    for name in names:
        values = job.filled({"target": name, "accuracy": "0.05"})
        found = job.run(values, 0)
        table = pieces(name, accuracy="0.05")
        assert found.metrics["needed"] == table.needed
        assert found.metrics["pieces"] == len(table.pieces)
        assert found.documents["table"]["pieces"]


def test_an_end_beside_a_point_is_on_its_own_side(tmp_path) -> None:
    """float(0.7) < 7/10: the curve at 7/10 lies on the steep part."""
    file = written(tmp_path, "0,0\n0.7,0\n0.7000000000000001,1000\n1,1000\n")
    curve = Curve.read(str(file))
    assert 300 < float(curve.at(fmpq(7, 10)).p) / float(curve.at(fmpq(7, 10)).q) < 500
    table = pieces(curve, (0, fmpq(7, 10)), accuracy=1)
    assert len(table.pieces) == 2 and table.pieces[-1].stop == fmpq(7, 10)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["data", "points"])
def test_long_smooth_curves_are_followed_by_chords(kind, tmp_path) -> None:
    x = np.linspace(0, 10, 13_001)
    file = tmp_path / "smooth.csv"
    np.savetxt(file, np.stack([x, np.sin(x)], axis=1), delimiter=",", fmt="%.17g")
    for jumps in (False, True):
        table = pieces(f"{kind}:{file}", accuracy="0.01", jumps=jumps)
        formula = pieces("sin(x)", (0, 10), accuracy="0.01", jumps=jumps)
        assert len(table.pieces) == table.needed == formula.needed
        off = np.abs(table.function.floats(x) - np.sin(x)).max()
        most = float(table.error.upper.p) / float(table.error.upper.q)
        assert off <= most * (1 + 1e-9) <= 0.01 * (1 + 1e-9)
    part = pieces(f"data:{file}", (fmpq(1, 10), fmpq(9, 10)), accuracy="1e-4")
    assert (part.pieces[0].start, part.pieces[-1].stop) == (fmpq(1, 10), fmpq(9, 10))


def test_a_first_row_with_a_number_is_no_header(tmp_path) -> None:
    file = written(tmp_path, "0,1..5\n1,1\n2,5\n")
    with pytest.raises(HypothesisError, match=r"line 1: '1\.\.5'"):
        Curve.read(str(file))
    many = "0,1\n" + "# a remark\n" * 500 + "1,2\n2,3\n"
    assert len(Curve.read(str(written(tmp_path, many))).x) == 3
