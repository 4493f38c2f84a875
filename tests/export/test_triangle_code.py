"""Tables of two inputs as code and models, each run by its own tool."""

import ctypes
import json

import numpy as np
import pytest

from depthsep import triangles
from depthsep._errors import HypothesisError
from depthsep.export import export_table
from support.commands import call, command
from support.exported import compiled, module, needs_compiler, real
from support.slow import in_turn

CASES = [("x1*x2", ((0, 1), (0, 1)), "0.01"),
         ("exp(x1)*x2", ((-1, 1), (-2, "0.1")), "0.05"),
         ("sin(3*x1)*cos(x2)", (("1/3", 2), (0, "1/7")), "0.01"),
         ("sqrt(x1)*x2+100", ((0, 1), (0, 1)), "0.02")]  # fmt: skip


def places(table, dtype):
    """Random ones, and ones beside knots and diagonals, all inside the box."""
    rng = np.random.default_rng(0)
    ends = np.array([[real(s.start), real(s.stop)] for s in table.box.sides])
    found = [ends[:, 0] + np.diff(ends)[:, 0] * rng.random((8_000, 2))]
    x, y = (np.array([real(v) for v in knots]) for knots in (table.x, table.y))
    n, m = table.shape
    i, j = rng.integers(0, n, 8_000), rng.integers(0, m, 8_000)
    share = rng.random(8_000)
    for s, t in ((share, share), (share, 1 - share), (0 * share, share), (share, 1.0)):
        near = np.stack([x[i] + (x[i + 1] - x[i]) * s, y[j] + (y[j + 1] - y[j]) * t], 1)
        found.append(near + rng.integers(-2, 3, near.shape) * np.spacing(near))
    points = np.concatenate(found).astype(dtype)
    inside = ((points.astype(float) >= ends[:, 0]) & (points <= ends[:, 1])).all(axis=1)
    return points[inside]


@needs_compiler
@pytest.mark.parametrize(
    ("formula", "on", "error", "arithmetic"), in_turn(CASES, ["float32", "double"])
)
def test_c(formula, on, error, arithmetic, tmp_path) -> None:
    kind = {"double": ctypes.c_double, "float32": ctypes.c_float}[arithmetic]
    table = triangles(formula, on, accuracy=error)
    code = export_table(table, tmp_path / "g.c", arithmetic=arithmetic)
    function = compiled(tmp_path, tmp_path / "g.c", "g", kind)
    function.argtypes = [kind, kind]
    points = places(table, np.float32 if arithmetic == "float32" else np.float64)
    got = np.array([function(x, y) for x, y in points.tolist()])
    off = np.abs(got - table.target.floats(points.astype(float))).max()
    assert off <= real(code.error) <= 1.02 * real(table.error.upper)
    corners = [[real(v) for v in (k[0], k[-1])] for k in (table.x, table.y)]
    for k, far in ((0, -1e9), (1, 1e9)):  # beyond the ends: the ends
        near = function(corners[0][k], corners[1][k])
        assert abs(function(far, far) - near) <= 1e-5 * abs(near) + 1e-6


@pytest.mark.parametrize(
    ("formula", "on", "error", "arithmetic"), in_turn(CASES, ["double", "float32"])
)
def test_numpy(formula, on, error, arithmetic, tmp_path) -> None:
    table = triangles(formula, on, accuracy=error)
    code = export_table(table, tmp_path / "g.py", arithmetic=arithmetic)
    dtype = np.float32 if arithmetic == "float32" else np.float64
    points = places(table, dtype)
    got = module(tmp_path / "g.py").g(points[:, 0], points[:, 1])
    assert got.dtype == dtype
    off = np.abs(got - table.target.floats(points.astype(float))).max()
    assert off <= real(code.error)


@needs_compiler
def test_steep_cells_in_float32_include_the_wrong_side(tmp_path) -> None:
    """Where the diagonal is decided with roundings: the bound has room for it."""
    table = triangles("1000*x1*x2", accuracy=100)
    code = export_table(table, tmp_path / "g.c", arithmetic="float32")
    function = compiled(tmp_path, tmp_path / "g.c", "g", ctypes.c_float)
    function.argtypes = [ctypes.c_float] * 2
    points = places(table, np.float32)
    got = np.array([function(x, y) for x, y in points.tolist()])
    off = np.abs(got - table.target.floats(points.astype(float))).max()
    assert off <= real(code.error)


def test_models_have_the_table(tmp_path) -> None:
    """The least value of LP text and of a Pyomo block, at corners and between."""
    highspy, pyo = (pytest.importorskip(n) for n in ("highspy", "pyomo.environ"))
    table = triangles("x1*x2-x1", ((0, 1), (0, 2)), accuracy="0.05")
    export_table(table, tmp_path / "g.lp")
    export_table(table, tmp_path / "h.py", to="pyomo")
    least = min(real(v) for row in table.values for v in row)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.readModel(str(tmp_path / "g.lp")) == highspy.HighsStatus.kOk
    solver.run()
    assert abs(solver.getInfo().objective_function_value - least) < 1e-6
    for x, y in [(0.3, 0.7), (0.91, 1.99), (0.0, 2.0)]:
        model = pyo.ConcreteModel()
        model.x, model.y, model.z = pyo.Var(), pyo.Var(), pyo.Var()
        model.g = module(tmp_path / "h.py").h(model.x, model.y, model.z)
        model.x.fix(x)
        model.y.fix(y)
        model.least = pyo.Objective(expr=model.z)
        pyo.SolverFactory("appsi_highs").solve(model)
        exact = table.floats(np.array([[x, y]]))[0]
        assert abs(pyo.value(model.z) - exact) < 1e-6


def test_the_csv_has_every_triangle(tmp_path) -> None:
    table = triangles("x1*x2", accuracy="0.05")
    export_table(table, tmp_path / "g.csv")
    rows = (tmp_path / "g.csv").read_text().splitlines()
    assert rows[0] == "x1,y1,z1,x2,y2,z2,x3,y3,z3,error"
    assert len(rows) == 1 + len(table.triangles)
    numbers = np.array([[float(v) for v in row.split(",")] for row in rows[1:]])
    a, b, c = (numbers[:, k : k + 2] for k in (0, 3, 6))
    first, second = b - a, c - a
    areas = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2
    assert abs(areas.sum() - 1) < 1e-12


def test_forms_that_such_tables_do_not_have(tmp_path, capsys) -> None:
    table = triangles("x1*x2", accuracy="0.1")
    with pytest.raises(HypothesisError, match="written only as c, numpy, csv"):
        export_table(table, tmp_path / "g.tex")
    with pytest.raises(HypothesisError, match="are not written in fixed point"):
        export_table(table, tmp_path / "g.c", arithmetic="fixed:16.12")
    file = tmp_path / "t.json"
    file.write_text(json.dumps(table.to_json()))
    out = call("export", file, "-o", tmp_path / "g.c", "--arithmetic", "float32").stdout
    assert "of the target, all rounding included" in out
    code, _, err = command(capsys, "export", file, "-o", tmp_path / "g.hex")
    assert code == 2 and "two inputs" in err


def test_code_that_would_overflow_is_refused(tmp_path) -> None:
    """A product of two widths beyond float32: the side of a diagonal would be lost."""
    table = triangles("x1*x2*1e-40", ((0, 10**20), (0, 10**20)), accuracy="0.1")
    with pytest.raises(HypothesisError, match="too large for float32"):
        export_table(table, tmp_path / "g.c", arithmetic="float32")
    assert export_table(table, tmp_path / "g.c", arithmetic="double").error < 1
