"""A table of pieces beside its target, and the error of every piece."""

from typing import TYPE_CHECKING

import numpy as np

from depthsep._plural import plural
from depthsep.exact import decimal, nearest_float, plain
from depthsep.reports.figures import _canvas as canvas
from depthsep.tables import MEANS, PieceTable
from depthsep.targets import PointSet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from depthsep.surfaces import TriangleTable

SAMPLES = 60  # of a piece
MOST_SAMPLES = 20_000
MOST_KNOTS = 200  # that are marked
RASTER = 300  # points along each side, of two inputs
FEW_TRIANGLES = 400


def table_figure(table: "PieceTable | TriangleTable", title: str = "") -> "Figure":
    """Left the pieces on the target, right their error between the ends allowed.

    Of two inputs: left the triangles, right their error.
    """
    if not isinstance(table, PieceTable):
        return _triangle_figure(table, title)
    target = table.room.target
    at_points = isinstance(target, PointSet)
    x = _points(target) if isinstance(target, PointSet) else _samples(table)
    f, g = target.floats(x), _values(table, x)
    with canvas.panels(8.4, 3.4, 2) as (figure, [left, right]):
        if at_points:
            left.plot(x, f, ".", color=canvas.TARGET, markersize=6, label="points")
        else:
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
        title = (
            title or f"{table.room.target.words}: {plural(len(table.pieces), 'piece')}"
        )
        least = f"; at least {table.needed} needed" if table.needed else ""
        if table.needed and table.is_least:
            least = "; proved to be the fewest"
        canvas.finish(left, title, f"on {table.room.on}{least}", x="x")
        off = (g - f) / np.abs(f) if table.room.relative else g - f
        mark, line = (".", "") if at_points else ("", "-")
        right.plot(
            x, off, color=canvas.CERTIFIED, linewidth=1, marker=mark, linestyle=line
        )
        in_mean = table.norm != "linf"
        limit = nearest_float(table.accuracy)
        for end in [] if in_mean else _ends(table.room.side, limit):
            right.axhline(end, color=canvas.PROVEN, linewidth=1, linestyle="--")
        right.axhline(0, color=canvas.RULE, linewidth=0.8)
        share = ", as a share of the target" if table.room.relative else ""
        error = plain(decimal(table.error.upper, 3, upward=True))
        remark = f"at most {error}{MEANS[table.norm]}, proved"
        remark += "" if in_mean else "; dashed: the allowed error"
        canvas.finish(right, f"Error{share}", remark, x="x")
    return figure


def _ends(side: str, limit: float) -> list[float]:
    return {"both": [-limit, limit], "above": [limit], "below": [-limit]}[side]


def _samples(table: PieceTable) -> np.ndarray:
    many = max(3, min(SAMPLES, MOST_SAMPLES // len(table.pieces)))
    ends = [
        (nearest_float(piece.start), nearest_float(piece.stop))
        for piece in table.pieces
    ]
    return np.concatenate([np.linspace(a, b, many) for a, b in ends])


def _points(points: "PointSet") -> np.ndarray:
    """Some of them, if they are many."""
    return points.x[:: -(-len(points.x) // MOST_SAMPLES)]


def _values(table: PieceTable, x: np.ndarray) -> np.ndarray:
    """Of the table; where pieces meet and jump, of the right one."""
    starts = np.array([nearest_float(piece.start) for piece in table.pieces])
    levels = np.array([nearest_float(piece.left) for piece in table.pieces])
    slopes = np.array([nearest_float(piece.slope) for piece in table.pieces])
    k = np.clip(np.searchsorted(starts, x, side="right") - 1, 0, None)
    return levels[k] + slopes[k] * (x - starts[k])


def _triangle_figure(table: "TriangleTable", title: str) -> "Figure":
    x, y = (np.array(list(map(nearest_float, v))) for v in (table.x, table.y))
    corners = np.stack([v.ravel() for v in np.meshgrid(x, y, indexing="ij")])
    triangles = np.array(table.triangles)
    fine = [np.linspace(v[0], v[-1], RASTER) for v in (x, y)]
    mesh = np.meshgrid(*fine, indexing="ij")
    places = np.stack([v.ravel() for v in mesh], axis=1)
    width = 0.5 if len(triangles) <= FEW_TRIANGLES else 0.15
    with canvas.panels(8.8, 3.8, 2) as (figure, [left, right]):
        g = table.floats(places)
        filled = left.pcolormesh(*fine, g.reshape(mesh[0].shape).T, rasterized=True)
        figure.colorbar(filled, ax=left)
        left.triplot(
            corners[0], corners[1], triangles, color=canvas.PAPER, linewidth=width
        )
        name = f"{table.target.words}: {plural(len(triangles), 'triangle')}"
        needed = f"; at least {table.needed} needed" if table.needed else ""
        remark = f"on {table.where}{needed}"
        canvas.finish(left, title or name, remark, x="x1", y="x2")
        off = g - table.target.floats(places)
        shown = off.reshape(mesh[0].shape).T
        limit = nearest_float(table.accuracy)
        raster = right.pcolormesh(
            *fine, shown, cmap="RdBu_r", vmin=-limit, vmax=limit, rasterized=True
        )
        figure.colorbar(raster, ax=right)
        error = plain(decimal(table.error.upper, 3, upward=True))
        canvas.finish(right, "Error", f"at most {error}, proved", x="x1", y="x2")
    return figure
