"""Every exported form, run by its own tool."""

import ctypes
import json
import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq

from depthsep import pieces
from depthsep._errors import HypothesisError
from depthsep.export import FORMS, export_table, format_of
from depthsep.interop import write_onnx
from depthsep.networks import Affine, Network
from depthsep.tables import PieceTable, read_table
from depthsep.targets import Expression
from support.commands import call, command
from support.exported import compiled, module, needs_compiler, real
from support.slow import in_turn

CASES = [("sigmoid(x)", (-8, 8), "1e-3"), ("sin(x)", (0, 6), "0.01"),
         ("exp(x)-2", (-3, 1), "2e-3"), ("x**2/4", (-2, 3), "1e-3")]  # fmt: skip
IN_TURN = in_turn(CASES, [(16, 12), (12, 8), (24, 16)])


@cache
def of_a_sigmoid(**options: object) -> PieceTable:
    return pieces("sigmoid(x)", (-8, 8), accuracy="1e-3", **options)


@needs_compiler
@pytest.mark.parametrize(("formula", "on", "error", "bits"), IN_TURN)
def test_cells_whose_address_is_read_off_the_bits(
    formula, on, error, bits, tmp_path
) -> None:
    """No search in the code; the same bound, for every input of 16 bits."""
    width, fraction = bits
    accuracy = str(float(error) + 2.0**-fraction)
    table = pieces(
        formula, on, accuracy=accuracy, fixed=(width, fraction), uniform=True
    )
    steps = {int((p.stop - p.start) * 2**fraction) for p in table.pieces[:-1]}
    assert len(steps) <= 1 and all(s & (s - 1) == 0 for s in steps)
    code = export_table(table, tmp_path / "f.c", arithmetic=f"fixed:{width}.{fraction}")
    text = (tmp_path / "f.c").read_text()
    assert ("while" in text) == (len(table.pieces) == 1)
    kind = ctypes.c_int16 if width <= 16 else ctypes.c_int32
    function = compiled(tmp_path, tmp_path / "f.c", "f", kind)
    form = format_of(f"fixed:{width}.{fraction}")
    first, last = (max(min(v << fraction, form.most), form.least) for v in on)
    x = np.unique([*range(first, last + 1, 1 if width <= 16 else 37), last])
    got = np.array([function(int(v)) for v in x]) / 2.0**fraction
    off = np.abs(got - Expression(formula).floats(x / 2.0**fraction)).max()
    assert off <= real(code.error) <= 1.5 * off
    assert function(form.least) == function(int(x[0]))
    assert function(form.most) == function(int(x[-1]))
    export_table(table, tmp_path / "f.hex", arithmetic=form)
    assert ("shifted right" in (tmp_path / "f.hex").read_text()) == (len(steps) == 1)


@needs_compiler
@pytest.mark.parametrize(("formula", "on", "error", "bits"), IN_TURN)
def test_fixed_point_in_c_for_every_input(formula, on, error, bits, tmp_path) -> None:
    """All 65,536 inputs of 16 bits; the proven bound is at most half as much again."""
    width, fraction = bits
    accuracy = str(float(error) + 2.0**-fraction)
    table = pieces(formula, on, accuracy=accuracy, fixed=(width, fraction))
    form = format_of(f"fixed:{width}.{fraction}")
    code = export_table(table, tmp_path / "f.c", arithmetic=form)
    kind = ctypes.c_int16 if width <= 16 else ctypes.c_int32
    function = compiled(tmp_path, tmp_path / "f.c", "f", kind)
    first, last = (max(min(v << fraction, form.most), form.least) for v in on)
    step = 1 if width <= 16 else 37
    x = np.arange(first, last + 1, step)
    got = np.array([function(int(v)) for v in x]) / 2.0**fraction
    off = np.abs(got - Expression(formula).floats(x / 2.0**fraction)).max()
    assert off <= real(code.error) <= 1.5 * off
    assert code.error <= fmpq(*float(accuracy).as_integer_ratio())
    assert function(form.least) == function(int(x[0]))  # beyond the ends: the ends
    if width <= 16:
        assert function(form.most) == function(int(x[-1])) or last == form.most


@needs_compiler
@pytest.mark.parametrize("arithmetic", ["double", "float32"])
@pytest.mark.parametrize(("formula", "on", "error"), CASES)
def test_floating_point_in_c(formula, on, error, arithmetic, tmp_path) -> None:
    table = pieces(formula, on, accuracy=error)
    code = export_table(table, tmp_path / "f.c", arithmetic=format_of(arithmetic))
    kind = ctypes.c_double if arithmetic == "double" else ctypes.c_float
    dtype = np.float64 if arithmetic == "double" else np.float32
    function = compiled(tmp_path, tmp_path / "f.c", "f", kind)
    x = np.linspace(*on, 20_001).astype(dtype)
    x = np.unique(np.concatenate([x, [dtype(real(t)) for t in code.ends]]))
    x = x[(x >= on[0]) & (x <= on[1])]
    got = np.array([function(float(v)) for v in x])
    off = np.abs(got - Expression(formula).floats(x.astype(float))).max()
    assert off <= real(code.error) <= 1.05 * off
    assert function(-1e30) == function(on[0]) and function(1e30) == function(on[1])
    assert function(float("nan")) == function(on[0])


@pytest.mark.parametrize("arithmetic", ["double", "float32"])
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_python_modules(to, arithmetic, tmp_path) -> None:
    if to == "torch":
        pytest.importorskip("torch")
    table = of_a_sigmoid(jumps=to == "jax")
    file = tmp_path / "sigmoid.py"
    code = export_table(table, file, to=to, arithmetic=format_of(arithmetic))
    function = module(file).sigmoid
    dtype = np.float64 if arithmetic == "double" else np.float32
    x = np.linspace(-8, 8, 4001).astype(dtype).reshape(-1, 1)
    if to == "torch":
        import torch

        got = function(torch.from_numpy(x)).numpy()
        far = function(torch.tensor([-100.0, 100.0])).numpy()
    elif to == "jax":
        import jax

        with jax.enable_x64(arithmetic == "double"):
            got, far = (np.asarray(function(v)) for v in (x, np.array([-1e2, 1e2])))
    else:
        got, far = function(x), function([-100.0, 100.0])
    assert got.shape == x.shape and got.dtype == dtype
    off = np.abs(got.astype(float) - Expression("sigmoid(x)").floats(x.astype(float)))
    assert off.max() <= real(code.error)
    assert np.allclose(far, [got[0, 0], got[-1, 0]])


def test_hexadecimal_words_compute_the_same(tmp_path) -> None:
    table = pieces("tanh(x)", (-3, 3), accuracy="0.002", fixed=(16, 12))
    code = export_table(table, tmp_path / "t.hex", arithmetic=format_of("fixed:16.12"))
    rows = []
    for line in (tmp_path / "t.hex").read_text().splitlines():
        if not line.startswith("//"):
            words = [int(w, 16) for w in line.split("_")]
            rows.append([w - (w >> 15 << 16) for w in words])
    start, level, slope = np.array(rows, dtype=np.int64).T
    x = np.arange(-3 << 12, (3 << 12) + 1)
    k = np.searchsorted(start, x, side="right") - 1
    rise = (slope[k] * (x - start[k]) + (1 << code.shift >> 1)) >> code.shift
    off = np.abs((level[k] + rise) / 4096 - np.tanh(x / 4096)).max()
    assert off <= real(code.error) <= 1.5 * off


def test_data_forms_have_the_table(tmp_path) -> None:
    table = pieces("sqrt(x)", (0, 1), accuracy="0.01", jumps=True)
    export_table(table, tmp_path / "t.csv")
    rows = np.genfromtxt(tmp_path / "t.csv", delimiter=",", names=True)
    assert rows["start"].tolist() == [real(p.start) for p in table.pieces]
    assert rows["right"].tolist() == [real(p.right) for p in table.pieces]
    assert (rows["error"] <= 0.01).all()
    export_table(table, tmp_path / "t.tex")
    text = (tmp_path / "t.tex").read_text()
    numbers = [float(v) for v in re.findall(r"\(([-0-9.e]+),", text)]
    assert numbers[0] == 0 and numbers[-1] == 1 and len(numbers) > len(rows)
    for name in ("lp", "pyomo", "gurobi", "jump"):
        with pytest.raises(HypothesisError, match="continuous tables"):
            export_table(table, tmp_path / "m.x", to=name)


def fixed_at(lines, x):
    """The model with its x fixed."""
    where = lines.index("Bounds")
    return "\n".join([*lines[:where], f" fix: cost_x = {x!r}", *lines[where:]])


def test_lp_text_is_solved_by_highs(tmp_path) -> None:
    highspy = pytest.importorskip("highspy")
    table = pieces("x*sin(x)", (-2, 5), accuracy="0.05")
    export_table(table, tmp_path / "cost.lp")
    lines = (tmp_path / "cost.lp").read_text().splitlines()
    for x in (-2.0, -1.3, 0.0, 0.77, 3.0, 4.999, 5.0):
        (tmp_path / "at.lp").write_text(fixed_at(lines, x))
        solver = highspy.Highs()
        solver.silent()
        assert solver.readModel(str(tmp_path / "at.lp")) == highspy.HighsStatus.kOk
        solver.run()
        found = solver.getInfo().objective_function_value
        assert abs(found - table.function.floats(np.array([x]))[0]) < 1e-6
    solver = highspy.Highs()
    solver.silent()
    solver.readModel(str(tmp_path / "cost.lp"))
    solver.run()
    least = min(real(v) for v in table.function.values)
    assert abs(solver.getInfo().objective_function_value - least) < 1e-6


def test_pyomo_block_is_solved_by_highs(tmp_path) -> None:
    pyo = pytest.importorskip("pyomo.environ")
    pytest.importorskip("highspy")
    table = pieces("x*sin(x)", (-2, 5), accuracy="0.05")
    export_table(table, tmp_path / "cost.py", to="pyomo")
    block = module(tmp_path / "cost.py").cost
    for x in (-2.0, 0.3, 4.2):
        model = pyo.ConcreteModel()
        model.x, model.y = pyo.Var(), pyo.Var()
        model.table = block(model.x, model.y)
        model.at = pyo.Constraint(expr=model.x == x)
        model.goal = pyo.Objective(expr=-model.y)
        pyo.SolverFactory("appsi_highs").solve(model)
        assert abs(pyo.value(model.y) - table.function.floats(np.array([x]))[0]) < 1e-6
    model.other = block(model.x, model.y, sos2=True)
    assert len(model.other.weight) == len(table.pieces) + 1


def test_gurobi_and_jump_have_the_knots(tmp_path) -> None:
    table = pieces("x**2", (0, 3), accuracy="0.1")
    x = [0.0, *(real(p.stop) for p in table.pieces)]

    class Model:
        def addGenConstrPWL(self, *given):
            return given

    export_table(table, tmp_path / "g.py", to="gurobi")
    given = module(tmp_path / "g.py").g(Model(), "x", "y")
    assert given[:2] == ("x", "y") and given[2] == x
    export_table(table, tmp_path / "j.jl")
    text = (tmp_path / "j.jl").read_text()
    assert json.loads(re.search(r"X = (\[.*\])", text)[1]) == x


def test_what_a_format_cannot_hold_is_refused(tmp_path) -> None:
    table = pieces("exp(x)", (0, 4), accuracy="0.01")
    with pytest.raises(HypothesisError, match=r"outside the range of fixed:16\.12"):
        export_table(table, tmp_path / "e.c", arithmetic=format_of("fixed:16.12"))
    fine = pieces("sqrt(x)", (0, 1), accuracy="1e-4")
    with pytest.raises(HypothesisError, match="coincide"):
        export_table(fine, tmp_path / "e.c", arithmetic=format_of("fixed:8.4"))
    with pytest.raises(HypothesisError, match="fixed point"):
        export_table(table, tmp_path / "e.hex")
    share = pieces("exp(x)", accuracy="0.01", relative=True)
    with pytest.raises(HypothesisError, match="absolute linf errors only"):
        export_table(share, tmp_path / "e.c")
    for wrong in ("half", "fixed", "fixed:40.2", "fixed:16.16", "fixed:a.b"):
        with pytest.raises(HypothesisError):
            format_of(wrong)
    assert not list(tmp_path.iterdir())


def test_names_of_functions_are_names(tmp_path) -> None:
    table = pieces("x**2", accuracy="0.1")
    for stem, name in (
        ("my-table 1", "my_table_1"),
        ("2nd", "f_2nd"),
        ("int", "f_int"),
    ):
        export_table(table, tmp_path / f"{stem}.py")
        assert hasattr(module(tmp_path / f"{stem}.py"), name)


def test_tables_are_read_back_and_measured_again(tmp_path, capsys) -> None:
    table = of_a_sigmoid()
    file = tmp_path / "t.json"
    file.write_text(json.dumps(table.to_json()))
    again = read_table(file)
    assert again.pieces == table.pieces and again.error.upper == table.error.upper
    for change in (
        lambda d: d["pieces"][3].update(left="1/2"),
        lambda d: d["pieces"].pop(4),
        lambda d: d.update(format="other"),
        lambda d: d.update(target="expr:tanh(x)"),
        lambda d: d.update(pieces=[]),
        lambda d: d["pieces"][0].update(start="-9"),
        lambda d: d.update(accuracy="1e-4"),
        lambda d: d.pop("side"),
    ):
        document = table.to_json()
        change(document)
        file.write_text(json.dumps(document))
        code, out, err = command(capsys, "export", file, "-o", tmp_path / "o.c")
        assert code == 2 and not out and not (tmp_path / "o.c").exists(), err


def test_the_commands(tmp_path, capsys) -> None:
    given = ("pieces", "sigmoid(x)", "--on=-8,8", "--accuracy", "1e-3")
    shown = call(*given, "--arithmetic", "fixed:16.12", "-o", tmp_path / "s.c").output
    bound = float(re.search(r"stays within ([0-9.e-]+) of", shown)[1])
    assert bound <= 1e-3
    call(*given, "-o", tmp_path / "t.json")
    assert (
        "written" in call("export", tmp_path / "t.json", "-o", tmp_path / "t.lp").output
    )
    for form in FORMS:
        fixed = ["--arithmetic", "fixed:16.12"] if form.name == "hex" else []
        out = tmp_path / f"x.{form.name}"
        assert not call(
            "export", tmp_path / "t.json", "-o", out, "--to", form.name, *fixed
        ).exit_code
        assert out.stat().st_size > 200
    for wrong in (["-o", tmp_path / "a.foo"], ["--to", "c"], ["--arithmetic", "half"]):
        code, out, err = command(capsys, *given, *wrong)
        assert code == 2 and not out and len(err.strip().splitlines()) == 1
    assert not (tmp_path / "a.foo").exists()


def trained(folder, d=2):
    """A random float32 network as ONNX."""
    rng = np.random.default_rng(d)
    widths = (d, 12, 7, 1)
    layers = [
        Affine(
            (rng.normal(size=(b, a)) / a**0.5).astype(np.float32).astype(float),
            (rng.normal(size=b) / 2).astype(np.float32).astype(float),
        )
        for a, b in pairwise(widths)
    ]
    network = Network(layers)
    write_onnx(network, folder / "n.onnx", kind=np.float32)
    return network


@needs_compiler
@pytest.mark.parametrize("arithmetic", ["double", "float32"])
@pytest.mark.parametrize("d", [1, 3])
def test_networks_in_c(d, arithmetic, tmp_path) -> None:
    network = trained(tmp_path, d)
    shown = call(
        "export",
        tmp_path / "n.onnx",
        "--on=-1,1",
        "-o",
        tmp_path / "f.c",
        "--arithmetic",
        arithmetic,
    ).output
    bound = float(re.search(r"add at most ([0-9.e-]+) to", shown)[1])
    kind = ctypes.c_double if arithmetic == "double" else ctypes.c_float
    dtype = np.float64 if arithmetic == "double" else np.float32
    given = kind if d == 1 else ctypes.POINTER(kind)
    function = compiled(tmp_path, tmp_path / "f.c", "f", kind, given)
    x = np.random.default_rng(0).uniform(-1, 1, (2000, d)).astype(dtype)
    got = [function(v[0].item() if d == 1 else v.ctypes.data_as(given)) for v in x]
    exact = [real(network(row.astype(float).tolist())[0]) for row in x[:50]]
    off = np.abs(np.array(got[:50]) - exact).max()
    assert off <= bound * (1 + 1e-9) + (1e-16 if arithmetic == "double" else 0)
    near = np.abs(np.array(got) - network.floats(x.astype(float))[:, 0]).max()
    assert near <= bound + 1e-13


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_networks_in_python(to, tmp_path) -> None:
    network = trained(tmp_path, 2)
    call(
        "export",
        tmp_path / "n.onnx",
        "--on=-1,1",
        "-o",
        tmp_path / "f.py",
        "--to",
        to,
        "--arithmetic",
        "float32",
    )
    library = pytest.importorskip(to)  # what the file imports
    function = module(tmp_path / "f.py").f
    x = np.random.default_rng(0).uniform(-1, 1, (300, 2)).astype(np.float32)
    given = library.from_numpy(x) if to == "torch" else x
    got = np.asarray(function(given))
    exact = network.floats(x.astype(float))[:, 0]
    assert got.shape == (300,) and np.abs(got - exact).max() < 1e-5


def test_a_network_in_lp_text_is_minimised(tmp_path) -> None:
    highspy = pytest.importorskip("highspy")
    network = trained(tmp_path, 2)
    call("export", tmp_path / "n.onnx", "--on", "-1,1;0,2", "-o", tmp_path / "f.lp")
    solver = highspy.Highs()
    solver.silent()
    assert solver.readModel(str(tmp_path / "f.lp")) == highspy.HighsStatus.kOk
    solver.run()
    least = solver.getInfo().objective_function_value
    grid = np.stack(np.meshgrid(np.linspace(-1, 1, 201), np.linspace(0, 2, 201)), -1)
    sampled = network.floats(grid.reshape(-1, 2))[:, 0].min()
    assert sampled - 0.02 <= least <= sampled + 1e-6


def test_certificates_are_verified_before_they_leave(tmp_path, capsys) -> None:
    call(
        "build",
        "expr:sin(3*x)",
        "--accuracy",
        "1e-3",
        "--depth",
        "3",
        "--certificate",
        tmp_path / "c.json",
    )
    shown = call("export", tmp_path / "c.json", "-o", tmp_path / "net.c").output
    assert "the result is within" in shown and "of sin(3*x) in linf" in shown
    document = json.loads((tmp_path / "c.json").read_text())
    document["claim"]["error"] = "1/5000"
    (tmp_path / "d.json").write_text(json.dumps(document))
    code, _, err = command(
        capsys, "export", tmp_path / "d.json", "-o", tmp_path / "o.c"
    )
    assert code == 1 and "is not valid" in err and not (tmp_path / "o.c").exists()
    for wrong in (["--to", "csv"], ["--arithmetic", "fixed:16.12"], ["--on=0,1"]):
        code, *_ = command(
            capsys, "export", tmp_path / "c.json", "-o", tmp_path / "o.c", *wrong
        )
        assert code == 2 and not (tmp_path / "o.c").exists()


def test_claims_are_about_numbers_inside_the_interval(tmp_path) -> None:
    """The first start is rounded up, the last stop down: 1/x is not asked at 0."""
    table = pieces("1/x", ("0.12", 1), accuracy=2)
    code = export_table(table, tmp_path / "q.c", arithmetic=format_of("fixed:24.2"))
    assert code.rows[0].start == fmpq(1, 4) and code.stop == 1
    root = pieces("sqrt(x-7/10)", (fmpq(7, 10), 1), accuracy="0.1")
    for name in ("float32", "double"):
        code = export_table(root, tmp_path / "r.c", arithmetic=name)
        assert code.rows[0].start >= fmpq(7, 10)


@pytest.mark.parametrize("name", ["fixed:8.4", "fixed:24.16", "fixed:12.8"])
def test_hexadecimal_slopes_keep_all_their_bits(name, tmp_path) -> None:
    table = pieces("x**2/2", (-2, 2), accuracy="0.2", jumps=True)
    code = export_table(table, tmp_path / "t.hex", arithmetic=name)
    rows = []
    for line in (tmp_path / "t.hex").read_text().splitlines():
        if not line.startswith("//"):
            words = line.split("_")
            bits = [4 * len(w) for w in words]
            wide = [code.format.width] * 2 + [code.format.word]
            assert bits == [-(-w // 4) * 4 for w in wide]
            rows.append([
                int(w, 16) - ((int(w, 16) >> b - 1) << b)
                for w, b in zip(words, wide, strict=True)
            ])  # fmt: skip
    assert [tuple(row) for row in rows] == code.whole_rows(code.format)


def test_relative_and_mean_tables_leave_as_data_only(tmp_path) -> None:
    share = pieces("exp(x)", accuracy="0.01", relative=True)
    mean = pieces("exp(x)", accuracy="0.01", norm="l2")
    for table in (share, mean):
        for name in ("t.csv", "t.lp", "t.tex", "t.jl"):
            assert export_table(table, tmp_path / name) is None
        with pytest.raises(HypothesisError, match="data or models"):
            export_table(table, tmp_path / "t.c")
    with pytest.raises(HypothesisError, match="not in fixed-point numbers; give one"):
        plain = pieces("exp(x)", accuracy="0.01")
        export_table(plain, tmp_path / "t.py", arithmetic="fixed:16.12")


def test_code_of_a_one_sided_table_says_that_it_is_not(tmp_path) -> None:
    table = pieces("sin(x)", (0, 3), accuracy="0.1", side="below")
    export_table(table, tmp_path / "s.c", arithmetic="fixed:16.6")
    assert "stays on one side" in (tmp_path / "s.c").read_text()


def test_fixed_tables_are_read_back(tmp_path) -> None:
    """Their ends are numbers of the format, whatever the interval is."""
    table = pieces("exp(x)", ("0.1", 1), accuracy="0.01", fixed=(16, 12))
    assert (table.room.on.start * 4096).q == 1
    (tmp_path / "t.json").write_text(json.dumps(table.to_json()))
    assert read_table(tmp_path / "t.json").pieces == table.pieces


@pytest.mark.parametrize("arithmetic", ["double", "float32"])
def test_a_table_as_onnx_is_read_by_others(arithmetic, tmp_path) -> None:
    runtime = pytest.importorskip("onnxruntime")
    table = of_a_sigmoid()
    code = export_table(table, tmp_path / "s.onnx", arithmetic=arithmetic)
    dtype = np.float64 if arithmetic == "double" else np.float32
    x = np.linspace(-8, 8, 4001).astype(dtype)[:, None]
    got = runtime.InferenceSession(tmp_path / "s.onnx").run(None, {"x": x})[0][:, 0]
    off = np.abs(
        got.astype(float) - Expression("sigmoid(x)").floats(x[:, 0].astype(float))
    )
    assert off.max() <= real(code.error) <= 1.05 * off.max() + 2e-5
    for wrong in ({"jumps": True}, {"fixed": (16, 12)}):
        other = of_a_sigmoid(**wrong)
        with pytest.raises(HypothesisError):
            export_table(other, tmp_path / "t.onnx", arithmetic=arithmetic)


def test_what_overflows_or_needs_more_than_doubles_is_said(tmp_path) -> None:
    steep = pieces("3e38*x", (0, 2), accuracy="1e32")
    with pytest.raises(HypothesisError, match="too large for float32"):
        export_table(steep, tmp_path / "o.c", arithmetic="float32")
    far = pieces("1e12+sin(x)", (0, 6), accuracy="1e-4")
    export_table(far, tmp_path / "t.lp")
    said = float(
        re.search(r"within ([0-9.e-]+) of", (tmp_path / "t.lp").read_text())[1]
    )
    assert said > 1e-4
