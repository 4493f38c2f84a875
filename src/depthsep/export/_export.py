"""Tables of pieces as code, data and models: the suffix or a name says which."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._files import write_atomically
from depthsep.exact import DOUBLE, Format, format_of
from depthsep.export._coded import CodedTable, coded
from depthsep.export._networks import CodedNetwork, coded_network
from depthsep.export._words import name_of
from depthsep.export.forms._c import write_c
from depthsep.export.forms._data import write_csv, write_hex, write_pgf
from depthsep.export.forms._models import (
    write_gurobi,
    write_jump,
    write_lp,
    write_pyomo,
)
from depthsep.export.forms._network_code import (
    write_network_c,
    write_network_lp,
    write_python,
)
from depthsep.export.forms._python import write_jax, write_numpy, write_torch
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.tables import PieceTable

if TYPE_CHECKING:
    from depthsep.export.triangles import CodedTriangles
    from depthsep.surfaces import TriangleTable


@dataclass(frozen=True)
class Form:
    """A kind of file.

    Attributes:
        name: on the command line.
        suffixes: that mean it, if no name is given.
        words: what it is.
        code: its text, of a table in a number format and a name for the function.
        data: the same of the table itself; a form has one of the two.
        network: the same of a network; None where there is no such form.
        file: writes a table into a file that is no text.
    """

    name: str
    suffixes: tuple[str, ...]
    words: str
    code: Callable[[CodedTable, str], str] | None = None
    data: Callable[[PieceTable, str], str] | None = None
    network: Callable[[CodedNetwork, str], str] | None = None
    file: Callable[[PieceTable, str | Path, Format], CodedNetwork] | None = None


def _onnx(table: PieceTable, path: str | Path, form: Format) -> CodedNetwork:
    """Loaded when it is asked for, with onnx."""
    home = import_module("depthsep.export.forms._onnx")
    return home.write_table_onnx(table, path, form)


FORMS: tuple[Form, ...] = (
    Form("c", (".c",), "a function in C99", write_c, None, write_network_c),
    Form(
        "numpy",
        (".py",),
        "a function for NumPy",
        write_numpy,
        None,
        partial(write_python, library="numpy"),
    ),
    Form(
        "torch",
        (),
        "a function for PyTorch",
        write_torch,
        None,
        partial(write_python, library="torch"),
    ),
    Form(
        "jax",
        (),
        "a function for JAX",
        write_jax,
        None,
        partial(write_python, library="jax"),
    ),
    Form("onnx", (".onnx",), "a ReLU network", file=_onnx),
    Form("csv", (".csv",), "pieces with their errors", None, write_csv),
    Form("hex", (".hex", ".mem"), "words for $readmemh (fixed point)", write_hex),
    Form("pgf", (".tex",), "coordinates for pgfplots", None, write_pgf),
    Form("lp", (".lp",), "a model in LP text", None, write_lp, write_network_lp),
    Form("pyomo", (), "a block for Pyomo", None, write_pyomo),
    Form("gurobi", (), "a constraint for gurobipy", None, write_gurobi),
    Form("jump", (".jl",), "an expression for JuMP", None, write_jump),
)


def form_of(path: str | Path, name: str | None) -> Form:
    """By its name, or by the suffix of the file.

    Raises:
        HypothesisError: neither; lists the forms.
    """
    suffix = Path(path).suffix.lower()
    for form in FORMS:
        if form.name == name or (name is None and suffix in form.suffixes):
            return form
    shown = ", ".join(
        f"{form.name} ({', '.join(form.suffixes)})" if form.suffixes else form.name
        for form in FORMS
    )
    raise HypothesisError(
        f"{name or suffix or path!r} is not an export form; use one of {shown}"
    )


def export_table(
    table: "PieceTable | TriangleTable",
    path: str | Path,
    *,
    to: str | None = None,
    arithmetic: Format | str = DOUBLE,
) -> "CodedTable | CodedTriangles | CodedNetwork | None":
    """Write a table of pieces, or of triangles, as code, data or a model.

    Args:
        path: of the file; its stem names the function.
        to: a name in `FORMS`; by the suffix if none.
        arithmetic: the numbers that the code computes with.

    Returns:
        What the file computes, with one proven bound of all its errors; None of data
        and models, which have the table itself.

    Raises:
        HypothesisError: a form that is not known, or that this table does not have.
    """
    form, name = form_of(path, to), name_of(Path(path).stem)
    numbers = as_format(arithmetic)
    if not isinstance(table, PieceTable):  # loaded when it is asked for
        home = import_module("depthsep.export.triangles")
        return home.export_triangles(table, path, form.name, numbers)
    if form.file is not None:
        return form.file(table, path, numbers)
    if form.data is not None:
        write_atomically(path, form.data(table, name).encode())
        return None
    assert form.code is not None, "a form has code or data"
    code = coded(table, numbers)
    write_atomically(path, form.code(code, name).encode())
    return code


def as_format(arithmetic: Format | str) -> Format:
    """A number format, or its text."""
    return format_of(arithmetic) if isinstance(arithmetic, str) else arithmetic


def export_network(
    network: Network,
    problem: Problem,
    path: str | Path,
    *,
    to: str | None = None,
    arithmetic: Format | str = DOUBLE,
    error: fmpq | None = None,
) -> CodedNetwork:
    """Write a ReLU network of one output as code or a model.

    Args:
        problem: its law says where inputs lie; its target what `error` is about.
        path, to, arithmetic: as for a table.
        error: of the network itself, if that is certified.

    Returns:
        What the file computes, with a proven bound of all roundings.

    Raises:
        HypothesisError: a form that networks do not have, or weights that are no
            numbers of the format.
    """
    form = form_of(path, to)
    if form.network is None:
        known = ", ".join(form.name for form in FORMS if form.network)
        raise HypothesisError(
            f"networks are exported only as {known}; `depthsep build` "
            "writes them as ONNX"
        )
    code = coded_network(network, problem, as_format(arithmetic), error)
    text = form.network(code, name_of(Path(path).stem))
    write_atomically(path, text.encode())
    return code
