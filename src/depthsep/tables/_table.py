"""A table of straight pieces with a proven error: the record."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import fmpq

from depthsep._plural import plural
from depthsep.evidence import Enclosure
from depthsep.exact import (
    PiecewiseAffine,
    decimal,
    plain,
    readable,
    shown,
    text,
)
from depthsep.tables._room import Room
from depthsep.tables.plans import Piece
from depthsep.targets import PointSet

FORMAT = "depthsep table 1"
STEEP = (
    "\n(Let H be the range of the values of the points, and G the distance in x "
    "between two\nneighbouring points. Not counted are tables that are steeper than a "
    "million times H / G\nbetween these two points, and tables that lie more than a "
    "thousand times H above or\nbelow the points.)"
)
SORTED = "The given rows were sorted by x.\n"
MEANS = {"linf": "", "l1": " in the mean", "l2": " in the root mean square"}
ONE_SIDED = {
    "both": "",
    "above": " and no value below the target",
    "below": " and no value above the target",
}
SAYS = {
    "both": "within",
    "above": "never below the target, with an error of at most",
    "below": "never above the target, with an error of at most",
}


@dataclass(frozen=True, eq=False)
class PieceTable:
    """Pieces of a target, the error of each, and the fewest that any table needs.

    Attributes:
        room: what is asked: the target, the interval, on which side, relative or not.
        kind: which tables were compared, in words.
        pieces: from left to right.
        errors: of each piece, enclosed.
        needed: every table of this kind within `accuracy` has at least so many pieces;
            0 of a table from a file, where that is not known.
        accuracy: what was asked of the error, or what these pieces reach.
        error: of the whole table.
        asked: a number of pieces was asked for: this one.
        least_error: and no table of so many has a smaller error.
        norm: linf, or l1 and l2: a mean and a root mean square over the interval; then
            `errors` are those on each piece.
    """

    room: Room
    kind: str
    pieces: tuple[Piece, ...]
    errors: tuple[Enclosure, ...]
    needed: int
    accuracy: fmpq
    error: Enclosure
    asked: int | None = None
    least_error: fmpq | None = None
    norm: str = "linf"

    @property
    def is_least(self) -> bool:
        """Whether no table of this kind has fewer pieces."""
        return len(self.pieces) == self.needed

    @property
    def is_continuous(self) -> bool:
        """Whether every piece begins where the one before ended."""
        return all(a.right == b.left for a, b in pairwise(self.pieces))

    @property
    def function(self) -> PiecewiseAffine:
        """The table as a function; at a jump the value is that of the left piece."""
        first = self.pieces[0]
        knots, values = [first.start, first.stop], [first.left, first.right]
        for before, piece in pairwise(self.pieces):
            if before.right != piece.left:
                knots += [piece.start] * 2
                values += [before.right, piece.left]
            knots.append(piece.stop)
            values.append(piece.right)
        return PiecewiseAffine.through(knots, values)

    def __str__(self) -> str:
        sorted_rows = "" if getattr(self.room.target, "was_sorted", True) else SORTED
        return f"{self.summary}\n{sorted_rows}{self.rows}"

    @property
    def summary(self) -> str:
        """How many pieces there are, how many are needed, and what the error is."""
        room, found = self.room, plural(len(self.pieces), "piece")
        first = f"{found} for {room.target.words} on {room.on}: {self._within}."
        return f"{first}\n{self._fewest}{self._steep}" if self.needed else first

    @property
    def _steep(self) -> str:
        """Which tables through points are not compared."""
        is_near_points = isinstance(self.room.target, PointSet) and self.norm == "linf"
        if not is_near_points or "continuous" not in self.kind:
            return ""
        return STEEP

    @property
    def _fewest(self) -> str:
        """How many pieces are needed, or how small the error can be."""
        room = self.room
        share = " times the absolute value of the target" if room.relative else ""
        one_sided = ONE_SIDED[room.side]
        if self.asked is not None and self.least_error is not None:
            least = plain(decimal(self.least_error, 4, upward=False))
            asked = f"{plural(self.asked, 'piece')}{one_sided}"
            below = f"{least}{share}{MEANS[self.norm]}"
            return f"No {self.kind} with {asked} has an error below {below}."
        near = (
            "with an error of at most "
            f"{readable(self.accuracy)}{share}{MEANS[self.norm]}{one_sided}"
        )
        if isinstance(room.target, PointSet) and room.target.is_band:
            near = "through them" if self.accuracy == 0 else near
        if self.is_least:
            return f"It is proved that no {self.kind} {near} has fewer pieces."
        many = plural(self.needed, "piece")
        return f"It is proved that every {self.kind} {near} has {many} or more."

    @property
    def _within(self) -> str:
        """How near the table is."""
        if self.error.upper == 0:
            return "no error"
        error = plain(decimal(self.error.upper, 4, upward=True))
        share = " times the absolute value of the target" if self.room.relative else ""
        return f"{SAYS[self.room.side]} {error}{share}{MEANS[self.norm]}"

    @property
    def rows(self) -> str:
        """Knots, values, slope and error of every piece, in columns."""
        head = ("from", "to", "left value", "right value", "slope", "error at most")
        cells = [
            (
                shown(p.start),
                shown(p.stop),
                shown(p.left),
                shown(p.right),
                plain(decimal(p.slope, 6)),
                plain(decimal(e.upper, 4, upward=True)),
            )
            for p, e in zip(self.pieces, self.errors, strict=True)
        ]
        widths = [max(len(row[k]) for row in (head, *cells)) for k in range(len(head))]
        lines = (
            "  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True))
            for row in (head, *cells)
        )
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Everything, with exact numbers as text."""
        found = {
            "format": FORMAT,
            "target": self.room.target.text,
            "interval": [text(self.room.on.start), text(self.room.on.stop)],
            "norm": self.norm,
            "side": self.room.side,
            "relative": self.room.relative,
            "kind": self.kind,
            "accuracy": text(self.accuracy),
            "needed": self.needed,
            "error": _ends(self.error),
            "pieces": [
                {
                    "start": text(p.start),
                    "stop": text(p.stop),
                    "left": text(p.left),
                    "right": text(p.right),
                    "slope": text(p.slope),
                    "error": _ends(e),
                }
                for p, e in zip(self.pieces, self.errors, strict=True)
            ],
        }
        if self.least_error is not None:
            found |= {"asked": self.asked, "least_error": text(self.least_error)}
        return found


def _ends(error: Enclosure) -> list[str]:
    return [text(error.lower), text(error.upper)]
