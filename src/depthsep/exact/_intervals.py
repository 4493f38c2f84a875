"""Interval arithmetic with rational ends: exact where the result is rational."""

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._errors import UndecidedError
from depthsep.exact._balls import ball_upper
from depthsep.exact._rational import perfect_sqrt

LONGEST = 2048  # bits of an end before it is rounded outwards ...
KEPT = 256  # ... to so many
MOST_BITS = 1 << 23  # of a power before it is rounded


@dataclass(frozen=True)
class Interval:
    """The numbers from `low` to `high`, both included."""

    low: fmpq
    high: fmpq

    @staticmethod
    def point(x: fmpq) -> "Interval":
        """One number."""
        return Interval(x, x)

    @property
    def is_point(self) -> bool:
        """Whether it holds one number only."""
        return self.low == self.high

    def __add__(self, other: "Interval") -> "Interval":
        return _rounded(self.low + other.low, self.high + other.high)

    def __neg__(self) -> "Interval":
        return Interval(-self.high, -self.low)

    def __mul__(self, other: "Interval") -> "Interval":
        a, b, c, d = self.low, self.high, other.low, other.high
        products = (a * c, a * d, b * c, b * d)
        return _rounded(min(products), max(products))

    def __abs__(self) -> "Interval":
        if self.low >= 0:
            return self
        return -self if self.high <= 0 else Interval(fmpq(0), max(-self.low, self.high))

    def inverse(self) -> "Interval":
        """1 / x.

        Raises:
            UndecidedError: it contains 0.
        """
        if self.low <= 0 <= self.high:
            raise UndecidedError("an interval that contains 0 has no bounded inverse")
        return Interval(1 / self.high, 1 / self.low)

    def power(self, n: int) -> "Interval":
        """x**n for an integer n.

        Raises:
            UndecidedError: n < 0 and it contains 0, or the power is too large.
        """
        if n < 0:
            return self.inverse().power(-n)
        base = abs(self) if n % 2 == 0 else self
        bits = max(base.low.height_bits(), base.high.height_bits())
        if bits * n > MOST_BITS:
            raise UndecidedError("a power is too large to be computed")
        return _rounded(base.low**n, base.high**n)

    def within(self, low: fmpq | None, high: fmpq | None) -> "Interval":
        """What of it lies between two numbers; the nearest of them if nothing does."""
        ends = [self.low, self.high]
        if low is not None:
            ends = [max(end, low) for end in ends]
        if high is not None:
            ends = [min(end, high) for end in ends]
        return Interval(*ends)

    def larger(self, other: "Interval") -> "Interval":
        """max(x, y)."""
        return Interval(max(self.low, other.low), max(self.high, other.high))

    def image(self, function: Callable[[arb], arb]) -> "Interval":
        """The values of an increasing function, rounded outwards."""
        with ctx.workprec(KEPT):
            low, high = function(arb(self.low)), function(arb(self.high))
            return Interval(-ball_upper(-low), ball_upper(high))

    def over(self, function: Callable[[arb], arb]) -> "Interval":
        """An enclosure of the values of any function that takes balls."""
        with ctx.workprec(KEPT):
            ball = function(arb(self.low).union(arb(self.high)))
            return Interval(-ball_upper(-ball), ball_upper(ball))

    def sqrt(self) -> "Interval":
        """The root of what of it is not negative; rational roots stay exact."""
        positive = self.within(fmpq(0), None)
        low, high = perfect_sqrt(positive.low), perfect_sqrt(positive.high)
        near = positive.image(arb.sqrt)
        return Interval(
            near.low if low is None else low, near.high if high is None else high
        )


def _rounded(low: fmpq, high: fmpq) -> Interval:
    """The interval, its ends rounded outwards once they are long."""
    return Interval(_below(low), -_below(-high))


def _below(x: fmpq) -> fmpq:
    if x.height_bits() <= LONGEST:
        return x
    with ctx.workprec(KEPT):
        return -ball_upper(-arb(x))
