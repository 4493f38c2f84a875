"""Widths of a table as heights of a figure: base-2 logarithms by depth."""

import numpy as np

from depthsep.claims import Lower, Upper
from depthsep.evidence import log2
from depthsep.separation import Row

MOST_LABELS = 12


def width(row: Row, side: str) -> int | None:
    """The width of one side, "proven" or "certified"; None where nothing is known."""
    record = row.lower if side == "proven" else row.upper
    return record.width if isinstance(record, Upper | Lower) and record.width else None


def level(row: Row, side: str) -> float:
    """log2 of the width; NaN where nothing is known."""
    found = width(row, side)
    return np.nan if found is None else log2(found)


def steps(rows: list[Row], side: str) -> tuple[np.ndarray, np.ndarray]:
    """Levels of all depths from first to last (NaN where not asked), and the edges."""
    first, last = rows[0].depth, rows[-1].depth
    levels = np.full(last - first + 1, np.nan)
    for row in rows:
        levels[row.depth - first] = level(row, side)
    return levels, np.arange(first, last + 2) - 0.5


def labelled(rows: list[Row]) -> list[Row]:
    """Rows far enough apart for numbers beside them, the first and deepest included."""
    apart = (rows[-1].depth - rows[0].depth) / MOST_LABELS
    chosen = [rows[-1]]
    for row in reversed(rows):
        if chosen[-1].depth - row.depth >= apart:
            chosen.append(row)
    if rows[0] not in chosen:
        chosen[-1] = rows[0]
    return chosen


def is_open(row: Row) -> bool:
    """Whether widths lie between the two sides."""
    low, high = width(row, "proven"), width(row, "certified")
    return low is not None and high is not None and low < high
