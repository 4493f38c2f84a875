"""Affine pieces along an interval or a line."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from flint import fmpq

from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.inspection.facts._integrals import integral_json, integral_rows
from depthsep.analysis.regions._integrals import Integrals
from depthsep.approximation import Residual
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine, integer_words, json_integer, readable

SHOWN_KNOTS = 10_000


@dataclass(frozen=True)
class Pieces(AbstractFact):
    """A network as a function of one variable.

    Attributes:
        where: the interval or line, in words.
        count: of affine pieces there.
        most: what Theorem A allows networks of these widths.
        function: knots and values; None if counted by splitting only.
        level: whose crossings are counted.
        crossings: None if the pieces are not enumerated.
        rigour: exact, or sampled for the float64 engine.
    """

    where: str
    count: int
    most: int
    function: PiecewiseAffine | None
    level: fmpq
    crossings: int | None
    rigour: Rigour

    @cached_property
    def integrals(self) -> Integrals | None:
        """Of f, |f| and f^2 over the interval, exact; None without an exact function.

        On a line they are over [0, 1], its parameter; on all of R there are none.
        """
        f = self.function
        if f is None or not f.is_exact or f.is_on_whole_line:
            return None
        return _integrals(f)

    @property
    def title(self) -> str:
        """The interval or line."""
        return f"on {self.where}"

    def rows(self) -> Rows:
        """Pieces, their bound, crossings, integrals."""
        rows = [
            ("affine pieces", f"{integer_words(self.count)} ({self.rigour})"),
            (
                "most for such widths",
                f"{integer_words(self.most)} (by Theorem A of the docs)",
            ),
        ]
        if self.crossings is not None:
            name = f"intervals at level {readable(self.level)}"
            rows.append(
                (
                    name,
                    (
                        f"{self.crossings} ({self.rigour}), alternately "
                        "above and below the level"
                    ),
                )
            )
        return [*rows, *integral_rows(self.integrals)]

    def to_json(self) -> dict[str, object]:
        """Counts, and the knots where they are not too many."""
        return {
            "pieces": json_integer(self.count),
            "most_pieces": json_integer(self.most),
            "knots": self._knots(),
            "crossings": self.crossings,
            **integral_json(self.integrals),
        }

    def _knots(self) -> object:
        if self.function is None:
            return None
        knots = self.function.knots
        if len(knots) > SHOWN_KNOTS:
            return len(knots)
        return [k if isinstance(k, float) else str(k) for k in knots.tolist()]


def _integrals(f: PiecewiseAffine) -> Integrals:
    whole = absolute = square = fmpq(0)
    ends = zip(f.knots.tolist(), f.values.tolist(), strict=True)
    for (x, a), (y, b) in pairwise([(fmpq(x), fmpq(v)) for x, v in ends]):
        if x == y:  # a jump
            continue
        piece = Residual(y - x, a, (b - a) / (y - x), fmpq(0))
        whole += piece.integral(y - x)
        absolute += piece.absolute_integral()[0]  # exact: the root is rational
        square += piece.square_integral()
    length = fmpq(f.knots[-1]) - fmpq(f.knots[0])
    points = (Enclosure(v, v, Rigour.EXACT) for v in (length, whole, absolute, square))
    return Integrals(*points, largest=max(abs(fmpq(v)) for v in f.values.tolist()))
