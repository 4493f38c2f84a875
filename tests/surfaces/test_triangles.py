"""Tables of two inputs: the bound of triangles attacked, the grid measured again."""

import json
import math

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import linprog
from scipy.spatial import Delaunay

from depthsep import Segment, triangles
from depthsep._errors import HypothesisError, TooLargeError
from depthsep.laws import Box
from depthsep.lower_bounds import triangles_needed
from depthsep.surfaces import read_triangles
from depthsep.targets import target_from_text
from support.commands import call, command
from support.slow import in_turn

UNIT = Box([Segment(0, 1), Segment(0, 1)])
FORMULAS = ("x1*x2", "x1**2+x2**2", "exp(x1**2+x2**2)", "x1**2+x1*x2+3*x2**2",
            "sin(3*x1)*x2", "sqrt(1+x1**2+x2**2)", "exp(2*x1)+x2**4+x2**2")  # fmt: skip


def real(value: fmpq) -> float:
    return float(value.p) / float(value.q)


def value_by_barycentric(table, points):
    """The table at points, from its triangles alone: no cells, no planes."""
    x, y = ([real(v) for v in knots] for knots in (table.x, table.y))
    grid = np.array([(a, b) for a in x for b in y])
    values = np.array([real(v) for row in table.values for v in row])
    found, inside = np.full(len(points), np.nan), np.zeros(len(points), dtype=int)
    for corners in table.triangles:
        a, b, c = grid[list(corners)]
        share = np.linalg.solve(np.array([b - a, c - a]).T, (points - a).T)
        weights = np.array([1 - share.sum(axis=0), *share])
        here = (weights >= -1e-12).all(axis=0)
        found[here] = (weights * values[list(corners)][:, None]).sum(axis=0)[here]
        inside += here
    assert (inside >= 1).all()
    return found


@pytest.mark.parametrize(
    ("formula", "accuracy"), in_turn(zip(FORMULAS), ["0.1", "0.02"])
)
def test_errors_and_counts(formula: str, accuracy: str) -> None:
    """Errors of the triangles against 40,000 points, and the count against the need."""
    table = triangles(formula, accuracy=accuracy)
    points = np.random.default_rng(0).random((40_000, 2))
    points[:400, 0] = 1
    g = value_by_barycentric(table, points)
    off = np.abs(g - table.target.floats(points)).max()
    assert off - 1e-12 <= real(table.error.upper) <= float(accuracy)
    assert off >= 0.5 * float(accuracy)  # no smaller grid was overlooked
    assert table.needed <= len(table.triangles) == 2 * table.shape[0] * table.shape[1]
    assert np.abs(table.floats(points) - g).max() < 1e-9


@pytest.mark.parametrize("n", [1, 2, 5, 16])
def test_the_round_bowl_in_closed_form(n: int) -> None:
    """n x n cells of x1^2 + x2^2 are off by 1/(4 n^2); 2/(3 sqrt 3 E) are needed."""
    error = 1.02 / (4 * n * n)
    table = triangles("x1**2+x2**2", accuracy=error)
    assert table.shape == (n, n)
    assert table.needed == max(math.ceil(2 / (3 * math.sqrt(3) * error)),
                               math.ceil(1 / math.sqrt(16 * error)))  # fmt: skip


@pytest.mark.parametrize("accuracy", ["0.1", "0.01", "0.001"])
def test_the_saddle_in_closed_form(accuracy: str) -> None:
    """Cells a x b of x1 x2 are off by a b / 8; triangles have areas up to 8 E."""
    table = triangles("x1*x2", accuracy=accuracy)
    assert table.needed == math.ceil(1 / (8 * float(accuracy)))
    assert len(table.triangles) <= 2 * math.ceil(1.03 / (8 * float(accuracy)))


def best_on(corners, simplices, f):
    """The least error of a continuous function on a triangulation, at many points."""
    share = [(i / 12, j / 12) for i in range(13) for j in range(13 - i)]
    weights = np.array([(1 - s - t, s, t) for s, t in share])
    rows, values = [], []
    for chosen in simplices:
        row = np.zeros((len(weights), len(corners)))
        row[:, chosen] = weights
        rows.append(row)
        values.append(f(weights @ corners[chosen]))
    matrix, target = np.concatenate(rows), np.concatenate(values)
    ones = -np.ones((len(matrix), 1))
    found = linprog(
        [0] * len(corners) + [1],
        A_ub=np.block([[matrix, ones], [-matrix, ones]]),
        b_ub=np.concatenate([target, -target]),
        bounds=[(None, None)] * len(corners) + [(0, None)],
    )
    return found.fun


@pytest.mark.parametrize("formula", [*FORMULAS[:3], *FORMULAS[4:6]])
def test_no_triangulation_beats_the_bound(formula: str) -> None:
    """Random ones, and stretched ones, each with its best values."""
    target, rng = target_from_text(f"expr:{formula}"), np.random.default_rng(1)
    for count in (0, 2, 5, 9, 16):
        inner = rng.random((count, 2)) ** rng.choice([0.5, 1.0, 2.0])
        edge = rng.random(count // 3 + 1)
        sides = [np.stack([edge, np.full_like(edge, k)], axis=1) for k in (0.0, 1.0)]
        square = np.array([(0.0, 0.0), (0, 1), (1, 0), (1, 1)])
        corners = np.concatenate([square, inner, *sides, *(s[:, ::-1] for s in sides)])
        stretch = np.array([1.0, rng.choice([0.2, 1.0, 5.0])])
        simplices = Delaunay(corners * stretch).simplices
        error = best_on(corners, simplices, target.floats)
        needed = triangles_needed(
            target.as_formula(), UNIT, fmpq(int(error * 1e9), 10**9)
        )
        assert needed <= len(simplices)


def test_equilateral_triangles_come_near_the_bound() -> None:
    """Of the round bowl: within a third, edges of the square included."""
    n = 12
    rows = []
    for k in range(n + 1):
        inner = np.linspace(0, 1, n + 1) if k % 2 == 0 else np.concatenate(
            [[0], (np.arange(n) + 0.5) / n, [1]])  # fmt: skip
        rows.append(np.stack([inner, np.full_like(inner, k / n)], axis=1))
    corners = np.concatenate(rows)
    simplices = Delaunay(corners).simplices
    target = target_from_text("expr:x1**2+x2**2")
    error = best_on(corners, simplices, target.floats)
    near = fmpq(int(error * 1e9), 10**9)
    needed = triangles_needed(target.as_formula(), UNIT, near)
    assert needed <= len(simplices) <= 1.4 * needed


@pytest.mark.slow
def test_a_number_of_triangles() -> None:
    """The least error of so many, from both sides; more triangles are better."""
    found = [triangles("x1*x2", count=count) for count in (2, 8, 20)]
    for count, table in zip((2, 8, 20), found, strict=True):
        assert len(table.triangles) <= count == table.asked
        assert table.needed == triangles("x1*x2", accuracy=table.accuracy).needed
        assert table.least_error is not None
        assert table.least_error <= table.error.upper
        assert table.error.upper <= fmpq(23, 10) * table.least_error
    errors = [table.error.upper for table in found]
    assert errors == sorted(errors, reverse=True)


def test_knots_follow_the_bends() -> None:
    """Near a root cells are short; equal ones need many times as many."""
    free = triangles("sqrt(x1)*x2", accuracy="0.03")
    equal = triangles("sqrt(x1)*x2", accuracy="0.03", uniform=True)
    assert len(equal.triangles) > 3 * len(free.triangles)
    assert free.x[1] < fmpq(1, 20)
    steps = {b - a for a, b in zip(equal.x, equal.x[1:], strict=False)}
    assert max(steps) - min(steps) <= max(steps) / 20


@pytest.mark.parametrize(("formula", "on", "says"), [
    ("x", None, "1 variable; tables of triangles need"),
    ("x1*x2*x3", None, "3 variables"),
    ("1/x1+x2", None, "not finite|not defined|infinite|divi"),
    ("where(x1<1/2,0,1)", None, "jump"),
    ("x1*x2", Box([Segment(0, 1)] * 3), "the target has 2"),
])  # fmt: skip
def test_targets_that_are_refused(formula, on, says) -> None:
    with pytest.raises((HypothesisError, TooLargeError), match=says):
        triangles(formula, on, accuracy="0.1")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "give either an accuracy"),
        ({"accuracy": 1, "count": 2}, "give either an accuracy"),
        ({"accuracy": 0}, "must be positive"),
        ({"accuracy": "-1"}, "must be positive"),
        ({"count": 1}, "give 2 to"),
        ({"count": 10**6}, "give 2 to"),
    ],
)
def test_questions_that_are_refused(given, says) -> None:
    with pytest.raises(HypothesisError, match=says):
        triangles("x1*x2", **given)


@pytest.mark.parametrize("on", [(0,), "0,1", (0, 1, 2), ((0, 1), 2)])
def test_boxes_that_are_none(on) -> None:
    with pytest.raises(HypothesisError, match="give two ends"):
        triangles("x1*x2", on, accuracy="0.1")


def test_too_many_triangles() -> None:
    with pytest.raises(TooLargeError, match="give a larger error"):
        triangles("x1*x2", accuracy="1e-9")


def test_tables_are_read_back_and_checked(tmp_path, capsys) -> None:
    file = tmp_path / "t.json"
    table = triangles("exp(x1)*x2", ((0, 1), (-1, 2)), accuracy=0.1)
    whole = table.to_json()
    file.write_text(json.dumps(whole))
    again = read_triangles(file)
    assert again.to_json() == whole | {"needed": 0}  # what is not known is not said
    assert "or more" in table.summary and "or more" not in again.summary
    changes = [
        {"values": [["9"] * len(row) for row in whole["values"]]},
        {"x": whole["x"][:-1]},
        {"x": ["-1", *whole["x"][1:]]},
        {"x": [whole["x"][-1], *whole["x"][1:-1], whole["x"][0]]},
        {"cuts": whole["cuts"][1:]},
        {"accuracy": "1/1000"},
        {"box": [["0", "2"], ["-1", "2"]]},
        {"target": "expr:exp(x1)*x2+1"},
        {"target": "expr:x"},
    ]
    for change in changes:
        file.write_text(json.dumps(whole | change))
        code, _, err = command(capsys, "export", file, "-o", tmp_path / "t.csv")
        assert code == 2 and err.count("\n") == 1
        assert not (tmp_path / "t.csv").exists()


def test_the_command(tmp_path, capsys) -> None:
    """Both inputs share an interval, or have one each."""
    out = call("pieces", "x1*x2", "--accuracy", "0.02", "--on=0,1").stdout
    assert "14 triangles (1 x 7 cells)" in out and "7 triangles or more" in out
    picture = tmp_path / "t.svg"
    out = call("pieces", "x1*x2", "--on", "0,1;0,2", "--pieces", "30",
               "--picture", picture).stdout  # fmt: skip
    assert "[0, 1] x [0, 2]" in out and picture.stat().st_size > 1000
    for flag in (["--above"], ["--jumps"], ["--norm", "l1"], ["--interpolate"],
                 ["--arithmetic", "fixed:16.12"]):  # fmt: skip
        code, _, err = command(capsys, "pieces", "x1*x2", "--accuracy", "0.1", *flag)
        assert code == 2 and flag[0] in err
    asked = ["pieces", "x**2", "--accuracy", "0.1", "--on", "0,1;0,1"]
    code, _, err = command(capsys, *asked)
    assert code == 2 and "one variable" in err


def test_a_number_that_was_asked_for_is_not_needed(tmp_path) -> None:
    """Fifteen triangles: fourteen are laid, and seven are needed for their error."""
    table = triangles("x1*x2", count=15)
    file = tmp_path / "t.json"
    file.write_text(json.dumps(table.to_json()))
    assert table.needed < len(table.triangles) == 14
    assert "proved" not in read_triangles(file).summary
