"""Code and models of tables of two inputs, loaded when they are asked for."""

from pathlib import Path

from depthsep._errors import HypothesisError
from depthsep._files import write_atomically
from depthsep.exact import Format
from depthsep.export._words import name_of
from depthsep.export.triangles._coded import CodedTriangles as CodedTriangles
from depthsep.export.triangles._coded import coded_triangles
from depthsep.export.triangles._forms import CODE, DATA
from depthsep.surfaces import TriangleTable


def export_triangles(
    table: TriangleTable, path: str | Path, form: str, numbers: Format
) -> CodedTriangles | None:
    """Write a table of two inputs; None of data and models.

    Args:
        form: its name.

    Raises:
        HypothesisError: a form that such tables do not have.
    """
    name = name_of(Path(path).stem)
    if form in DATA:
        write_atomically(path, DATA[form](table, name).encode())
        return None
    if form not in CODE:
        known = ", ".join([*CODE, *DATA])
        raise HypothesisError(
            f"tables of two inputs are written only as {known}, not as {form}"
        )
    code = coded_triangles(table, numbers)
    write_atomically(path, CODE[form](code, name).encode())
    return code
