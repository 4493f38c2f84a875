"""A table of two inputs, triangles on a grid, with a proven error: the record."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from depthsep._plural import plural
from depthsep.evidence import Enclosure
from depthsep.exact import decimal, nearest_float, plain, readable, shown, text
from depthsep.laws import Box
from depthsep.targets import AbstractBoxTarget

FORMAT = "depthsep triangles 1"
MOST_SHOWN = 14  # knots along an axis, of tables that are printed whole
Rows = tuple[tuple[fmpq, ...], ...]
Plane = tuple[fmpq, fmpq, fmpq]


@dataclass(frozen=True, eq=False)
class TriangleTable:
    """Values at the knots of a grid; each cell is cut along a diagonal.

    Attributes:
        target: of two variables.
        box: (2,) its sides.
        x, y: knots of the two inputs.
        values: (n + 1, m + 1) at the knots, a row for each knot of x.
        rising: (n, m) whether a cell is cut from its lower left to its upper right.
        errors: (2 n m,) of each triangle, enclosed: cell by cell, the lower one first.
        needed: every continuous table on triangles within `accuracy` has at least so
            many; 0 of a table from a file, where that is not known.
        accuracy: what was asked of the error, or what these triangles reach.
        error: of the whole table, in linf.
        asked: a number of triangles was asked for: at most this one.
        least_error: and no triangulation of so many has a smaller error.
    """

    target: AbstractBoxTarget
    box: Box
    x: tuple[fmpq, ...]
    y: tuple[fmpq, ...]
    values: Rows
    rising: tuple[tuple[bool, ...], ...]
    errors: tuple[Enclosure, ...]
    needed: int
    accuracy: fmpq
    error: Enclosure
    asked: int | None = None
    least_error: fmpq | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Cells along x and y."""
        return len(self.x) - 1, len(self.y) - 1

    @property
    def triangles(self) -> list[tuple[int, int, int]]:
        """Corners of each, in the order of `errors`: knot (i, j) is i (m + 1) + j."""
        return triangles_of_grid(self.rising)

    @property
    def planes(self) -> list[tuple[Plane, Plane]]:
        """Of every cell the lower and the upper one: level at its corner, two slopes.

        The corner is the one with the least x and y.
        """
        n, m = self.shape
        return [self._planes_of(i, j) for i in range(n) for j in range(m)]

    def _planes_of(self, i: int, j: int) -> tuple[Plane, Plane]:
        a, b = self.x[i + 1] - self.x[i], self.y[j + 1] - self.y[j]
        v, w = self.values[i][j], self.values[i + 1][j]
        u, z = self.values[i][j + 1], self.values[i + 1][j + 1]
        if self.rising[i][j]:
            return (v, (w - v) / a, (z - w) / b), (v, (z - u) / a, (u - v) / b)
        right, up = (z - u) / a, (z - w) / b
        return (v, (w - v) / a, (u - v) / b), (z - right * a - up * b, right, up)

    def floats(self, points: np.ndarray) -> np.ndarray:
        """Values at (n, 2) points of the box, in float64: (n,)."""
        x, y = (np.array(list(map(nearest_float, v))) for v in (self.x, self.y))
        n, m = self.shape
        i = np.clip(np.searchsorted(x, points[:, 0], side="right") - 1, 0, n - 1)
        j = np.clip(np.searchsorted(y, points[:, 1], side="right") - 1, 0, m - 1)
        right, up = points[:, 0] - x[i], points[:, 1] - y[j]
        s, t = right / (x[i + 1] - x[i]), up / (y[j + 1] - y[j])
        is_upper = np.where(np.array(self.rising)[i, j], t > s, s + t > 1)
        planes = np.array([[list(map(nearest_float, p)) for p in pair]
                           for pair in self.planes])  # fmt: skip
        chosen = planes[i * m + j, is_upper.astype(int)]
        return chosen[:, 0] + chosen[:, 1] * right + chosen[:, 2] * up

    def __str__(self) -> str:
        if max(len(self.x), len(self.y)) > MOST_SHOWN:
            return (
                f"{self.summary}\n(Write the table to a file with -o to see "
                "its knots and values.)"
            )
        return f"{self.summary}\n{self.rows}"

    @property
    def summary(self) -> str:
        """How many triangles there are, how many are needed, and what the error is."""
        n, m = self.shape
        found = f"{plural(2 * n * m, 'triangle')} ({n} x {m} cells)"
        off = "no error"
        if self.error.upper > 0:
            off = f"error at most {plain(decimal(self.error.upper, 4, upward=True))}"
        first = f"{found} for {self.target.words} on {self.where}: {off}."
        return f"{first}\n{self._fewest}" if self.needed else first

    @property
    def where(self) -> str:
        """The box, in words."""
        return " x ".join(f"[{s.start}, {s.stop}]" for s in self.box.sides)

    @property
    def _fewest(self) -> str:
        if self.asked is not None and self.least_error is not None:
            least = plain(decimal(self.least_error, 4, upward=False))
            asked = plural(self.asked, "triangle")
            return (
                "It is proved that no continuous table of up to "
                f"{asked} has an error below {least}."
            )
        needed = plural(self.needed, "triangle")
        near = (
            "It is proved that every continuous table of triangles "
            f"with an error of at most {readable(self.accuracy)}"
        )
        return f"{near} has {needed} or more."

    @property
    def rows(self) -> str:
        """Values at all knots, x to the right and y upwards, and how cells are cut."""
        head = ["y \\ x", *map(shown, self.x)]
        lines = [head]
        for j in reversed(range(len(self.y))):
            lines.append([shown(self.y[j]), *(shown(row[j]) for row in self.values)])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        found = [
            "  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True))
            for line in lines
        ]
        return "\n".join([*found, self._cut])

    @property
    def _cut(self) -> str:
        ways = {way for row in self.rising for way in row}
        if len(ways) == 2:
            return (
                "Each cell is cut along one of its diagonals; the file "
                "written by -o FILE.json says which."
            )
        ends = "lower left to upper" if True in ways else "upper left to lower"
        return f"Every cell is cut from its {ends} right."

    def to_json(self) -> dict[str, Any]:
        """Everything, with exact numbers as text."""
        found: dict[str, Any] = {
            "format": FORMAT,
            "target": self.target.text,
            "box": [[text(s.start), text(s.stop)] for s in self.box.sides],
            "accuracy": text(self.accuracy),
            "needed": self.needed,
            "error": [text(self.error.lower), text(self.error.upper)],
            "x": list(map(text, self.x)),
            "y": list(map(text, self.y)),
            "values": [list(map(text, row)) for row in self.values],
            "cuts": ["".join("/" if up else "\\" for up in row) for row in self.rising],
            "errors": [[text(e.lower), text(e.upper)] for e in self.errors],
        }
        if self.least_error is not None:
            found |= {"asked": self.asked, "least_error": text(self.least_error)}
        return found


def triangles_of_grid(
    rising: tuple[tuple[bool, ...], ...],
) -> list[tuple[int, int, int]]:
    """Corners of the two triangles of every cell, the lower one first."""
    found, rows = [], len(rising[0]) + 1
    for i, row in enumerate(rising):
        for j, up in enumerate(row):
            a, b = i * rows + j, (i + 1) * rows + j
            found += [(a, b, b + 1), (a, a + 1, b + 1)] if up else [
                (a, b, a + 1), (b, a + 1, b + 1)
            ]  # fmt: skip
    return found
