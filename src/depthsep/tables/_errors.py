"""The error of every piece of a table, enclosed from the table and the target alone."""

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep.approximation import distance, distance_to_form, distance_to_target
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine
from depthsep.formulas import Syntax, line
from depthsep.laws import Segment
from depthsep.tables.plans import Piece
from depthsep.targets import AbstractLineTarget, Curve, Expression, PointSet, Square

SHARP = (1e-3, 1e-6, 1e-9)  # widths of enclosures, until one decides


@dataclass(frozen=True)
class Errors:
    """How far a table is from its target; knows no plan.

    Attributes:
        side: "above": how far it rises above a target that it is never below.
        relative: as a share of |f|.
    """

    target: AbstractLineTarget | PointSet
    side: str
    relative: bool

    def of(self, piece: Piece, allowed: fmpq) -> Enclosure:
        """Of one piece; above what is allowed if it is not proved to keep its side.

        g is between f and f + E if |g - f - E/2| <= E/2; its error is |g - f| then.
        """
        if self.relative:
            return self._relative(piece, allowed)
        target = self._beside(piece)
        return self._one_sided(
            allowed,
            lambda shift, enough: self._distance(piece, target, -shift, enough),
        )

    def _beside(self, piece: Piece) -> AbstractLineTarget | PointSet:
        """The target; of one that jumps at an end of the piece the piece's side."""
        target = self.target
        if not isinstance(target, Expression) or not target.sign_changes:
            return target
        return target.inside(Segment(piece.start, piece.stop))

    def _one_sided(
        self,
        allowed: fmpq,
        distance_at: Callable[[fmpq, fmpq], Enclosure],
        side_of_ratio: str = "above",
    ) -> Enclosure:
        """From distances to the target, and to the target moved by half the error.

        Args:
            side_of_ratio: for which side the target is moved up.
        """
        off = distance_at(fmpq(0), allowed)
        if self.side == "both":
            return off
        half = allowed / 2 if self.side == side_of_ratio else -allowed / 2
        moved = distance_at(half, abs(half))
        if moved.upper <= abs(half):
            return off
        high = max(off.upper, moved.upper + abs(half))
        return Enclosure(off.lower, high, moved.rigour)

    def _relative(self, piece: Piece, allowed: fmpq) -> Enclosure:
        """g / f is within E of 1, or between 1 and 1 + E."""
        on = Segment(piece.start, piece.stop)
        assert isinstance(self.target, AbstractLineTarget)
        exact = self.target.affine_pieces(on)

        def distance_at(shift: fmpq, enough: fmpq) -> Enclosure:
            one = 1 + shift
            if exact is not None:  # quotients of affine functions: extremes at ends
                knots = [*exact.knots.tolist(), piece.start, piece.stop]
                worst = max(abs(piece.at(x) / exact(x) - one) for x in knots)
                return Enclosure(worst, worst, Rigour.EXACT)
            target = self.target
            if isinstance(target, Square):
                target = Expression("x**2")
            assert isinstance(target, Expression), "sawtooths have zeros"
            start = piece.left - piece.slope * piece.start
            share = Syntax("/", (line(start, piece.slope), target.syntax))
            flat = Piece(piece.start, piece.stop, one, one)
            return self._distance(flat, Expression.of(share), fmpq(0), enough)

        with ctx.workprec(128):
            is_negative = bool(self.target.jet(arb(piece.start)).value < 0)
        return self._one_sided(
            allowed, distance_at, "below" if is_negative else "above"
        )

    def _distance(
        self,
        piece: Piece,
        target: AbstractLineTarget | PointSet,
        shift: fmpq,
        enough: fmpq,
    ) -> Enclosure:
        on = Segment(piece.start, piece.stop)
        if isinstance(target, Curve | PointSet):
            ends = piece.left + shift, piece.right + shift
            off = target.line_error(piece.start, piece.stop, *ends)
            return Enclosure(off, off, Rigour.EXACT)
        function = PiecewiseAffine.through(
            [piece.start, piece.stop], [piece.left + shift, piece.right + shift]
        )
        exact, form = target.affine_pieces(on), target.exact_form()
        if exact is not None:
            return distance(function, exact, "linf", on)
        if form is not None:
            return distance_to_form(function, form, "linf", on)
        tries = (
            distance_to_target(function, target, "linf", on, relative=relative)
            for relative in SHARP
        )
        off = next(tries)
        while off.lower <= enough < off.upper:
            off, before = next(tries, off), off
            if off is before:
                break
        return off
