"""Tables of two inputs: C, Python, CSV, and models with a binary for each triangle."""

from collections.abc import Callable, Iterable

from flint import fmpq

from depthsep._plural import plural
from depthsep._version import __version__
from depthsep.exact import DOUBLE, FLOAT32, decimal, plain
from depthsep.export._words import c_float, float32, shown
from depthsep.export.triangles._coded import CodedTriangles, rounded_triangles
from depthsep.export.triangles._templates import NUMPY, PYOMO, C
from depthsep.surfaces import TriangleTable


def write_c(code: CodedTriangles, name: str) -> str:
    """A function of x and y in the code's format."""
    single = code.format == FLOAT32
    show = (lambda v: c_float(float32(v))) if single else shown
    table = code.table
    return C.format(
        remark="\n".join(["/*", *(f" * {line}" for line in _about(code)), " */"]),
        type="float" if single else "double",
        name=name,
        columns=len(table.x),
        rows=len(table.y),
        cells=len(code.planes),
        planes=2 * len(code.planes),
        x=_column(map(show, table.x)),
        y=_column(map(show, table.y)),
        cuts=_column(_cuts(table)),
        levels=_column("{" + row + "}" for row in _plane_rows(code, show)),
    )


def write_numpy(code: CodedTriangles, name: str) -> str:
    """A module with the function."""
    single = code.format == FLOAT32
    show, table = float32 if single else shown, code.table
    title, *rest = (line.replace('"""', "'") for line in _about(code))
    return NUMPY.format(
        title=title,
        remark="\n".join(rest),
        name=name,
        dtype="float32" if single else "float64",
        x=", ".join(map(show, table.x)),
        y=", ".join(map(show, table.y)),
        cuts=", ".join(_cuts(table)),
        levels="\n".join(f"    [{row}]," for row in _plane_rows(code, show)),
    )


def write_csv(table: TriangleTable, name: str) -> str:
    """A line a triangle: its corners with their values, and a bound of its error."""
    head = ",".join(f"x{k},y{k},z{k}" for k in (1, 2, 3))
    corners = [(x, y) for x in table.x for y in table.y]
    values = [v for row in table.values for v in row]
    lines = [f"{head},error"]
    for triangle, error in zip(table.triangles, table.errors, strict=True):
        numbers = [plain(decimal(v, 17)) for k in triangle
                   for v in (*corners[k], values[k])]  # fmt: skip
        lines.append(",".join([*numbers, plain(decimal(error.upper, 6, upward=True))]))
    return "\n".join(lines) + "\n"


def write_pyomo(table: TriangleTable, name: str) -> str:
    """A module with a function that makes a block."""
    near = rounded_triangles(table, DOUBLE)
    title, *rest = (line.replace('"""', "'") for line in _about_doubles(near))
    return PYOMO.format(
        title=title,
        remark="\n".join(rest),
        name=name,
        x=", ".join(map(shown, near.x)),
        y=", ".join(map(shown, near.y)),
        values=", ".join(shown(v) for row in near.values for v in row),
        triangles="\n".join(f"    {corners}," for corners in near.triangles),
    )


def write_lp(table: TriangleTable, name: str) -> str:
    """A model in the LP format: z is the table at x and y; the least z is asked for."""
    near = rounded_triangles(table, DOUBLE)
    corners = [(x, y, v) for x, row in zip(near.x, near.values, strict=True)
               for y, v in zip(near.y, row, strict=True)]  # fmt: skip
    weights = [(t, k) for t, chosen in enumerate(near.triangles) for k in chosen]
    lines = [f"\\ {line}" for line in _about_doubles(near)]
    lines.append(f"\\ {name}_z is the table at {name}_x and {name}_y: tie these to")
    lines.append(f"\\ your model; as it stands, the model minimises {name}_z.")
    lines += ["Minimize", f" least: {name}_z", "Subject To"]
    for axis, letter in enumerate("xyz"):
        lines.append(f" {name}_at_{letter}: {name}_{letter}")
        lines += [_term(corners[k][axis], f"{name}_w{t}_{k}") for t, k in weights]
        lines.append(" = 0")
    for t, chosen in enumerate(near.triangles):
        total = " + ".join(f"{name}_w{t}_{k}" for k in chosen)
        lines.append(f" {name}_whole{t}: {total} - {name}_p{t} = 0")
    binaries = [f" {name}_p{t}" for t in range(len(near.triangles))]
    lines += [f" {name}_one:", *(f" +{p}" for p in binaries), " = 1", "Bounds"]
    lines += [f" {name}_{letter} free" for letter in "xyz"]
    lines += [f" 0 <= {name}_w{t}_{k} <= 1" for t, k in weights]
    return "\n".join([*lines, "Binary", *binaries, "End"]) + "\n"


def _term(value: fmpq, weight: str) -> str:
    """Minus a number times a weight."""
    return f" {'+' if value < 0 else '-'} {shown(abs(value))} {weight}"


def _about(code: CodedTriangles) -> list[str]:
    table, form = code.table, code.format
    bound = plain(decimal(code.error, 4, upward=True))
    return [
        f"{_size(table)} for {table.target.words} on {table.where}.",
        (
            f"The result is within {bound} of the function for all "
            f"{form.name} x and y there,"
        ),
        "with all numbers and operations rounded, as proved by depthsep "
        f"{__version__}.",
        (
            "Order of evaluation: level + (across * dx + up * dy); each "
            "operation is rounded;"
        ),
        (
            "fused multiply-adds are allowed. An x or y beyond the ends is "
            "replaced by the nearer end."
        ),
    ]


def _about_doubles(table: TriangleTable) -> list[str]:
    """Lines for the head of a file that has the table itself, as doubles."""
    error = plain(decimal(table.error.upper, 4, upward=True))
    return [
        f"{_size(table)} for {table.target.words} on {table.where}:",
        (
            f"rounded to doubles, the table is within {error} of the "
            f"function, as proved by depthsep {__version__}."
        ),
    ]


def _size(table: TriangleTable) -> str:
    n, m = table.shape
    return f"{plural(2 * n * m, 'triangle')} ({n} x {m} cells)"


def _cuts(table: TriangleTable) -> list[str]:
    return [str(int(up)) for row in table.rising for up in row]


def _plane_rows(code: CodedTriangles, show: Callable[[fmpq], str]) -> list[str]:
    return [", ".join(map(show, plane)) for pair in code.planes for plane in pair]


def _column(numbers: Iterable[str]) -> str:
    return ",\n".join(f"        {n}" for n in numbers)


CODE = {"c": write_c, "numpy": write_numpy}
"""Text from a table in the numbers of a format, by the names of forms."""
DATA = {"csv": write_csv, "lp": write_lp, "pyomo": write_pyomo}
"""The same from the table itself."""
