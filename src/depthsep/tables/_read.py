"""A table of pieces from a JSON file: its errors are derived again."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from depthsep._errors import FileFormatError, HypothesisError
from depthsep._files import MAX_BYTES, reading
from depthsep.exact import rational
from depthsep.laws import Segment
from depthsep.tables._ask import line_or_points
from depthsep.tables._errors import Errors
from depthsep.tables._room import Room
from depthsep.tables._table import FORMAT, PieceTable
from depthsep.tables.plans import Piece

MOST = 100_000  # pieces


def read_table(path: str | Path) -> PieceTable:
    """The table that `pieces` wrote; what it claims of fewer pieces is left out.

    Raises:
        FileFormatError: damaged, or not such a file.
        HypothesisError: the table is not within the accuracy that it claims.
    """
    file = Path(path)
    with reading(file, "a table of pieces"):
        if file.stat().st_size > MAX_BYTES:
            raise FileFormatError("the file is too large; give a table of pieces")
        document = json.loads(file.read_bytes())
        form = document.get("format") if isinstance(document, dict) else None
        if form != FORMAT:
            raise FileFormatError(
                f"the file does not have the format {FORMAT!r}; write the file again"
            )
        return _of_document(document)


def _of_document(document: dict[str, Any]) -> PieceTable:
    if document["norm"] != "linf":
        raise HypothesisError(
            "tables in l1 and l2 cannot be read back from a file; when "
            "you make such a table, write it with `depthsep pieces -o "
            "FILE` in the format that you want"
        )
    on = Segment(*document["interval"])
    target = line_or_points(document["target"])
    room = Room(target, on, document["side"], bool(document["relative"]))
    accuracy = rational(document["accuracy"], name="the accuracy")
    rows = document["pieces"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST:
        raise FileFormatError(
            f"the table has no pieces, or more than {MOST}; write the file again"
        )
    found = tuple(
        Piece(*(rational(row[name]) for name in ("start", "stop", "left", "right")))
        for row in rows
    )
    whole = (found[0].start, found[-1].stop) == (on.start, on.stop)
    fits = all(a.stop == b.start for a, b in pairwise(found))
    if not (whole and fits and all(p.start < p.stop for p in found)):
        raise FileFormatError(
            "the pieces of the table leave a gap, overlap, are out of order or do not "
            "cover the interval exactly; write the file again"
        )
    checked = Errors(target, room.side, room.relative)
    errors = tuple(checked.of(piece, accuracy) for piece in found)
    worst = max(errors, key=lambda e: e.upper)
    if worst.upper > accuracy:
        raise HypothesisError(
            "the error of the table could not be proved to be within "
            "the accuracy that the file claims"
        )
    return PieceTable(
        room, str(document["kind"])[:200], found, errors, 0, accuracy, worst
    )
