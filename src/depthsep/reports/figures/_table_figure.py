"""A table of pieces beside its target, and the error of every piece."""

from typing import TYPE_CHECKING

import numpy as np

from depthsep.exact import decimal, nearest_float, plain
from depthsep.reports.figures import _canvas as canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from depthsep.tables import Piece, PieceTable

SAMPLES = 60  # of a piece
MOST_SAMPLES = 20_000
MOST_KNOTS = 200  # that are marked


def table_figure(table: "PieceTable", title: str = "") -> "Figure":
    """Left the pieces on the target, right their error between the ends allowed."""
    x = _samples(table)
    f = table.room.target.floats(x)
    parts = np.split(x, len(table.pieces))
    g = np.concatenate(
        [_values(piece, t) for piece, t in zip(table.pieces, parts, strict=True)]
    )
    with canvas.panels(8.4, 3.4, 2) as (figure, [left, right]):
        left.plot(x, f, color=canvas.TARGET, linewidth=4, label="target")
        for k, piece in enumerate(table.pieces):
            ends = [nearest_float(v) for v in (piece.start, piece.stop)]
            heights = [nearest_float(v) for v in (piece.left, piece.right)]
            mark = "o" if len(table.pieces) <= MOST_KNOTS else ""
            left.plot(
                ends,
                heights,
                marker=mark,
                markersize=2.5,
                linewidth=1,
                color=canvas.CERTIFIED,
                label="table" if k == 0 else None,
            )
        title = title or f"{table.room.target.words}: {len(table.pieces)} pieces"
        least = (
            "proved to be fewest" if table.is_least else f"{table.needed} are needed"
        )
        canvas.finish(left, title, f"on {table.room.on}; {least}", x="x")
        off = (g - f) / np.abs(f) if table.room.relative else g - f
        right.plot(x, off, color=canvas.CERTIFIED, linewidth=1)
        limit = nearest_float(table.accuracy)
        for end in _ends(table.room.side, limit):
            right.axhline(end, color=canvas.PROVEN, linewidth=1, linestyle="--")
        right.axhline(0, color=canvas.RULE, linewidth=0.8)
        share = ", as a share of the target" if table.room.relative else ""
        error = plain(decimal(table.error.upper, 3, upward=True))
        remark = f"at most {error}, proved; dashed: what is allowed"
        canvas.finish(right, f"Error{share}", remark, x="x")
    return figure


def _ends(side: str, limit: float) -> list[float]:
    return {"both": [-limit, limit], "above": [limit], "below": [-limit]}[side]


def _samples(table: "PieceTable") -> np.ndarray:
    many = max(3, min(SAMPLES, MOST_SAMPLES // len(table.pieces)))
    ends = [
        (nearest_float(piece.start), nearest_float(piece.stop))
        for piece in table.pieces
    ]
    return np.concatenate([np.linspace(a, b, many) for a, b in ends])


def _values(piece: "Piece", t: np.ndarray) -> np.ndarray:
    start, left = nearest_float(piece.start), nearest_float(piece.left)
    return left + nearest_float(piece.slope) * (t - start)
