"""Cuts of an interval, so fine that Taylor's quadratics are near a function."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import arb, ctx, fmpq, fmpq_poly

from depthsep._errors import TooLargeError
from depthsep.exact import text
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget, interval_ball
from depthsep.witnesses._numbers import fmpq_of, fraction

PRECISION = 160
ZERO = fmpq(0)
MOST_PARTS = 200_000
DEEPEST = 60  # halvings of a part
SHARE = 2  # of the slack: what is left to what a function is enclosed by
FIRST = 16  # equal parts to begin with, where there is no network


@dataclass(frozen=True)
class Parts:
    """How a piece of a network is cut further.

    Attributes:
        target: None for a polynomial alone; or a function as the checker reads it.
        level: each asks for a quarter of what is left.
        polynomial: added to the target.
    """

    target: AbstractLineTarget | Any | None
    slack: fmpq
    level: int = 0
    polynomial: fmpq_poly | None = None

    def of(
        self, a: fmpq, b: fmpq, value: fmpq = ZERO, slope: fmpq = ZERO
    ) -> Iterator[fmpq]:
        """Ends of parts on which Taylor's quadratic is near enough.

        Args:
            value, slope: of the network at a, and on the piece.
        """
        waiting = [(a, b, 0)]
        while waiting:
            s, t, deep = waiting.pop()
            if deep == DEEPEST or self._is_near(s, t, value + slope * (s - a), slope):
                yield t
            else:
                middle = (s + t) / 2
                waiting += [(middle, t, deep + 1), (s, middle, deep + 1)]

    def _is_near(self, s: fmpq, t: fmpq, value: fmpq, slope: fmpq) -> bool:
        """Whether what is left is a share of the slack at most."""
        left = arb(self.slack) / (SHARE * 4**self.level)
        if self.polynomial is not None and not _rest(self.polynomial, s, t) <= left:
            return False
        if self.target is None:
            return True
        if not isinstance(self.target, AbstractLineTarget):
            _, off = self.target.taylor(fraction(s), fraction(t))
            return bool(arb(fmpq_of(off)) <= left)
        half, jet = arb(t - s) / 2, self.target.jet(interval_ball(s, t))
        if jet.second.is_finite():
            off = jet.second.rad() * half**2
        else:
            line = interval_ball(*sorted((value, value + slope * (t - s))))
            off = abs(jet.value - line).upper()
        return bool(off <= left)


def _rest(polynomial: fmpq_poly, s: fmpq, t: fmpq) -> fmpq:
    """Beyond the quadratic at the middle, at most."""
    around = polynomial(fmpq_poly([(s + t) / 2, (t - s) / 2])).coeffs()
    return sum((abs(c) for c in around[3:]), fmpq(0))


def cut_between(places: Sequence[fmpq], parts: Parts) -> list[fmpq]:
    """The places, and further cuts between them.

    Raises:
        TooLargeError: too many.
    """
    found = [places[0]]
    with ctx.workprec(PRECISION):
        for a, b in pairwise(places):
            for stop in parts.of(a, b):
                found.append(stop)
                require_few(len(found))
    return found


def require_few(parts: int) -> None:
    """Refuse long proofs.

    Raises:
        TooLargeError: more than MOST_PARTS.
    """
    if parts > MOST_PARTS:
        raise TooLargeError(
            f"the proof would need more than {MOST_PARTS} parts; "
            "perhaps the error is too near the accuracy"
        )


def cuts_of_difference(
    function: Any,
    powers: Sequence[fmpq],
    on: Segment,
    slack: fmpq,
    level: int = 0,
) -> list[str]:
    """Of a function less a polynomial, on an interval; as they are written.

    Args:
        function: as the checker reads it.
    """
    step = on.length / FIRST
    equal = [on.start + k * step for k in range(FIRST)] + [on.stop]
    parts = Parts(function, slack, level, fmpq_poly([-c for c in powers]))
    return [text(c) for c in cut_between(equal, parts)]
