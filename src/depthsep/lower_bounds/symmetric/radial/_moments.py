r"""Integrals of p^n cos(w p), without a weight or under e^(-p^2 / (2 u^2)).

Both follow from the one before by parts; balls widen on the way, so that callers raise
the precision until what they need is narrow.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import acb, arb, fmpq

from depthsep.special import RadialPiece


@dataclass(frozen=True)
class LengthWeight:
    """dp on [0, end]."""

    end: arb

    def stop(self, piece: RadialPiece) -> arb | None:
        """Where the piece ends here, None if it begins beyond."""
        if not arb(piece.start) < self.end:
            return None
        return arb(piece.stop).min(self.end)

    def waves(self, start: arb, stop: arb, w: fmpq, count: int) -> list[arb]:
        """The integrals of p^n cos(w p), n < count, over [start, stop]."""
        if w == 0:
            return [
                (stop ** (n + 1) - start ** (n + 1)) / (n + 1) for n in range(count)
            ]
        ends, turn = (start, stop), acb(0, arb(w))
        values = [(turn * p).exp() for p in ends]
        found = [(values[1] - values[0]) / turn]
        for n in range(1, count):
            edge = values[1] * ends[1] ** n - values[0] * ends[0] ** n
            found.append((edge - n * found[-1]) / turn)
        return [f.real for f in found]


@dataclass(frozen=True)
class GaussWeight:
    """e^(-p^2 / (2 u^2)) dp on [0, oo)."""

    unit: arb

    def stop(self, piece: RadialPiece) -> arb:
        """Where the piece ends."""
        return arb(piece.stop)

    def waves(self, start: arb, stop: arb, w: fmpq, count: int) -> list[arb]:
        """The integrals of p^n cos(w p) e^(-p^2 / (2 u^2)), n < count."""
        ends, turn, square = (start, stop), acb(0, arb(w)), self.unit**2
        values = [(turn * p - p * p / (2 * square)).exp() for p in ends]
        found = [self._first(start, stop, arb(w)), acb(0)]
        found[1] = square * (turn * found[0] - (values[1] - values[0]))
        for n in range(2, count):
            edge = values[1] * ends[1] ** (n - 1) - values[0] * ends[0] ** (n - 1)
            found.append(square * ((n - 1) * found[n - 2] + turn * found[n - 1] - edge))
        return [f.real for f in found[:count]]

    def _first(self, start: arb, stop: arb, w: arb) -> acb:
        root, moved = arb(2).sqrt() * self.unit, acb(0, w * self.unit / arb(2).sqrt())
        ends = [(acb(p / root) - moved).erf() for p in (start, stop)]
        size = root * arb.pi().sqrt() / 2 * (-((w * self.unit) ** 2) / 2).exp()
        return size * (ends[1] - ends[0])


Weight = LengthWeight | GaussWeight


def moments(
    pieces: Sequence[RadialPiece], weight: Weight, first: int, count: int
) -> list[arb]:
    """The integrals of G(p) p^(first + 2 j), j < count, under the weight."""
    found = [arb(0)] * count
    for piece in pieces:
        stop = weight.stop(piece)
        if stop is None:
            continue
        degree = len(piece.coefficients) - 1
        size = first + 2 * (count - 1) + degree + 1
        waves = weight.waves(arb(piece.start), stop, piece.frequency, size)
        for j in range(count):
            at = first + 2 * j
            for k, c in enumerate(piece.coefficients):
                found[j] += c * waves[at + k]
    return found


def squared(piece: RadialPiece) -> list[RadialPiece]:
    """G^2 as pieces: cos^2 = (1 + cos of twice the phase) / 2."""
    c, n = piece.coefficients, len(piece.coefficients)
    square = [
        sum(
            (c[i] * c[k - i] for i in range(max(0, k - n + 1), min(k, n - 1) + 1)),
            fmpq(0),
        )
        for k in range(2 * n - 1)
    ]
    if piece.frequency == 0:
        return [RadialPiece(piece.start, piece.stop, tuple(square))]
    half = tuple(s / 2 for s in square)
    return [
        RadialPiece(piece.start, piece.stop, half, w)
        for w in (fmpq(0), 2 * piece.frequency)
    ]
