"""A table of triangles from its JSON form: its errors are derived again."""

from itertools import pairwise
from pathlib import Path
from typing import Any

from flint import fmpq

from depthsep._errors import FileFormatError, HypothesisError
from depthsep._files import read_bounded, reading
from depthsep.evidence import json_document
from depthsep.exact import rational
from depthsep.laws import Box, Segment
from depthsep.surfaces._ask import MOST_CELLS, errors_of_grid, surface_on
from depthsep.surfaces._table import FORMAT, TriangleTable
from depthsep.targets import target_from_text


def read_triangles(path: str | Path) -> TriangleTable:
    """What `pieces` wrote; what it claims of fewer triangles is left out.

    Raises:
        FileFormatError: damaged, or its grid does not cover its box.
        HypothesisError: it is not within the accuracy that it claims.
    """
    file = Path(path)
    with reading(file, "a table of triangles"):
        document = json_document(read_bounded(file))
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise FileFormatError(
                f"the format of the file is not {FORMAT!r}; write the file again"
            )
        return _of_document(document)


def _of_document(document: dict[str, Any]) -> TriangleTable:
    accuracy = rational(document["accuracy"], name="the accuracy")
    target, box = surface_on(
        target_from_text(document["target"]),
        Box([Segment(*ends) for ends in document["box"]]),
    )
    x, y = (_knots(document[name]) for name in ("x", "y"))
    values = tuple(tuple(map(rational, row)) for row in document["values"])
    rising = tuple(tuple(c == "/" for c in row) for row in document["cuts"])
    cells = (len(x) - 1) * (len(y) - 1)
    ends = [(k[0], k[-1]) for k in (x, y)]
    fits = (
        1 <= cells <= MOST_CELLS
        and ends == [(side.start, side.stop) for side in box.sides]
        and [len(row) for row in values] == [len(y)] * len(x)
        and [len(row) for row in rising] == [len(y) - 1] * (len(x) - 1)
    )
    if not fits:
        raise FileFormatError(
            "its grid does not cover the box, has too many cells, or lacks "
            "values or cuts; write the file again"
        )
    errors = errors_of_grid(target, (x, y), values, rising, accuracy)
    worst = max(errors, key=lambda e: e.upper)
    if worst.upper > accuracy:
        raise HypothesisError(
            "the table could not be proved to be within the accuracy that it claims"
        )
    return TriangleTable(target, box, x, y, values, rising, errors, 0, accuracy, worst)


def _knots(written: list[Any]) -> tuple[fmpq, ...]:
    found = tuple(map(rational, written))
    if any(a >= b for a, b in pairwise(found)):
        raise FileFormatError("its knots are not in order; write the file again")
    return found
