"""Tables of pieces that are written: code, data, models, JSON."""

import json
from typing import TYPE_CHECKING

from depthsep._files import write_atomically
from depthsep.exact import decimal, plain, readable
from depthsep.export import FORMS, CodedNetwork, CodedTable, Format, export_table

if TYPE_CHECKING:
    from depthsep.export.triangles import CodedTriangles
    from depthsep.surfaces import TriangleTable
    from depthsep.tables import PieceTable

    Code = CodedTable | CodedTriangles | CodedNetwork

FORM_HELP = (
    f"{', '.join(form.name for form in FORMS)}; if this option is not "
    "given, the file suffix decides."
)


def save_table(
    table: "PieceTable | TriangleTable", path: str, to: str | None, form: Format
) -> "Code | None":
    """Write it; None for JSON, which has the exact table."""
    if to is None and path.endswith(".json"):
        write_atomically(path, (json.dumps(table.to_json(), indent=1) + "\n").encode())
        return None
    return export_table(table, path, to=to, arithmetic=form)


def written(path: str, code: "Code | None") -> str:
    """Where it went, and what is proved of code that computes."""
    if code is None:
        return f"written: {path}"
    assert code.error is not None, "a table has a target"
    bound = plain(decimal(code.error, 4, upward=True))
    allowed = None if isinstance(code, CodedNetwork) else code.table.accuracy
    beyond = ""
    if allowed is not None and code.error > allowed:
        beyond = (
            f"\n  (this bound is above the accuracy {readable(allowed)} "
            "of the table; to meet that accuracy in this format, make "
            "the table with a smaller error)"
        )
    return (
        f"written: {path}; computed in {code.format.name}, the result stays within "
        f"{bound} of the target, all rounding included{beyond}"
    )
