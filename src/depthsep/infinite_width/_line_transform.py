r"""Transforms of functions on an interval: g~(w) = int g(x) e^{-2 pi i w x} dx."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from flint import acb, arb, ctx, fmpq

from depthsep._display import Displayed
from depthsep._errors import HypothesisError
from depthsep.approximation import linearise
from depthsep.exact import PiecewiseAffine, rational
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget

BITS = 106
MOST_LOST = 4096


@dataclass(frozen=True)
class LineTransform(Displayed):
    """The transform of a function on [a, b] that is 0 elsewhere, enclosed.

    That of a piecewise affine function is a closed form; any other function is within
    `missing` of one in the mean, and so is its transform, at every frequency.

    Attributes:
        function: continuous and piecewise affine, with rational knots.
        missing: a bound of the integral of |g - function|.
    """

    function: PiecewiseAffine
    missing: fmpq

    @staticmethod
    def of(target: AbstractLineTarget, on: Segment, error: object) -> "LineTransform":
        """Of a target on an interval, every value within the error.

        Raises:
            HypothesisError, TooLargeError: as `linearise`.
        """
        allowed = rational(error, name="the error")
        found = linearise(target, on, allowed / on.length)
        return LineTransform(found.function, found.error * on.length)

    def __call__(self, frequency: object) -> acb:
        """g~(w), enclosed."""
        w = rational(frequency, name="the frequency")
        pieces = self._pieces
        (start, _), (stop, _) = self._ends
        turns = abs(w) * (stop - start)
        # low frequencies cancel: twice their bits are lost
        lost = max(0, int(turns.q).bit_length() - int(turns.p).bit_length())
        if lost > MOST_LOST:
            raise HypothesisError(
                "the frequency is too small: give 0, or at least about "
                f"2^-{MOST_LOST} divided by the interval's length"
            )
        with ctx.workprec(BITS + 2 * lost):
            whole = _whole(pieces, w)
            blur = arb(0, arb(self.missing).upper())
            return whole + acb(blur, blur)

    def of_derivative(self, frequency: object) -> acb:
        r"""The transform of g' on [a, b]: 2 pi i w g~(w) + g(b) e_w(b) - g(a) e_w(a).

        e_w(x) = e^{-2 pi i w x}; for a piecewise affine g.

        Raises:
            HypothesisError: the function is not known exactly at both ends.
        """
        if self.missing != 0:
            raise HypothesisError(
                "the transform of the derivative needs a function that "
                "is known exactly (missing = 0)"
            )
        w, (a, b) = rational(frequency, name="the frequency"), self._ends
        with ctx.workprec(BITS):
            ends = [acb(y) * _wave(w, x) for x, y in (a, b)]
            return acb(0, 1) * 2 * arb.pi() * w * self(w) + ends[1] - ends[0]

    def floats(self, frequencies: np.ndarray) -> np.ndarray:
        """Float64 values at many frequencies, complex: for pictures."""
        w = 2 * np.pi * np.asarray(frequencies, dtype=float)[:, None]
        x = self.function.knots.astype(float)
        y = self.function.values.astype(float)
        half, middle = np.diff(x) / 2, (x[1:] + x[:-1]) / 2
        z = w * half
        small = np.abs(z) < 1e-2
        safe = np.where(small, 1.0, z)
        # int cos(w t) and int t sin(w t) over [-half, half], with series around 0
        even = np.where(small, 1 - z**2 / 6 + z**4 / 120, np.sin(safe) / safe)
        odd = np.where(
            small,
            z / 3 - z**3 / 30 + z**5 / 840,
            (np.sin(safe) - safe * np.cos(safe)) / safe**2,
        )
        parts = (y[1:] + y[:-1]) * half * even - 1j * np.diff(y) * half * odd
        return (np.exp(-1j * w * middle) * parts).sum(1)

    @property
    def _pieces(self) -> list[tuple[tuple[fmpq, fmpq], tuple[fmpq, fmpq]]]:
        f = self.function
        if f.left_slope is not None or f.right_slope is not None or f.jumps.any():
            raise HypothesisError("give a continuous function on a bounded interval")
        points = zip(f.knots.tolist(), f.values.tolist(), strict=True)
        return list(pairwise([(rational(x), rational(y)) for x, y in points]))

    @property
    def _ends(self) -> tuple[tuple[fmpq, fmpq], tuple[fmpq, fmpq]]:
        pieces = self._pieces
        return pieces[0][0], pieces[-1][1]

    def __repr__(self) -> str:
        return f"LineTransform(pieces={self.function.pieces}, missing={self.missing})"


def _whole(pieces: list[tuple[tuple[fmpq, fmpq], tuple[fmpq, fmpq]]], w: fmpq) -> acb:
    """int f e_w by parts: ends over c, less slopes times steps of e_w over c^2."""
    if w == 0:
        return acb(sum(((u + v) / 2 * (q - p) for (p, u), (q, v) in pieces), fmpq(0)))
    c = acb(0, -2) * arb.pi() * w
    start, stop = pieces[0][0], pieces[-1][1]
    before = _wave(w, start[0])
    first, found = before * start[1], acb(0)
    for (p, u), (q, v) in pieces:
        after = _wave(w, q)
        found += (after - before) * ((v - u) / (q - p))
        before = after
    return (before * stop[1] - first) / c - found / c**2


def _wave(w: fmpq, x: fmpq) -> acb:
    """e^{-2 pi i w x}."""
    turns = arb(-2 * w * x)
    return acb(turns.cos_pi(), turns.sin_pi())
