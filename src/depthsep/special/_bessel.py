r"""Bessel functions of the first kind, enclosed: one, or a whole ladder of orders.

The ladder J_mu(a), J_{mu+1}(a), ... runs forward in fixed-point integers. Rounding
enters each step as a source; the discrete Green function of the recurrence,
(pi a / 2) (J_k Y_j - Y_k J_j), is at most a / sqrt(a^2 - k^2) for orders j <= k < a,
as J^2 + Y^2 <= 2 / (pi sqrt(a^2 - k^2)) (Watson, 13.74). Below the argument nothing is
amplified more than that.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator

from flint import acb, arb, ctx, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.exact import nearest_float

MAX_PRECISION = 1 << 22
GUARD = 64
BITS_A_STEP = 1.35  # that balls lose in the recurrence of Bessel functions


def bessel_j(order: fmpq, x: arb, bits: int = 64) -> arb:
    """J_order(x) for order >= 0 and x > 0, within about 2^-bits if x is that narrow.

    flint's balls may have no correct digit where order and argument are close, and
    widen with the argument's ball; so the precision is raised at its midpoint, and the
    radius added: |J'| <= 1 + order / x (1 for orders 0 and from 1 on).

    Raises:
        UndecidedError: not at 2^22 bits either.
    """
    middle = x.mid()
    if not x > 0 or order < 0:
        raise HypothesisError(
            "give a Bessel function an order of 0 or more and a positive argument"
        )
    with ctx.workprec(64):
        steep = arb(1) if order == 0 or order >= 1 else 1 + arb(order) / x.lower()
        spread = (steep * x.rad()).upper()
    precision = bits + GUARD
    while precision <= MAX_PRECISION:
        with ctx.workprec(precision):
            value = middle.bessel_j(arb(order))
            if value.is_finite() and value.rad() < arb(2) ** -(bits + 2):
                return value + arb(0, 1) * spread
        precision *= 2
    raise UndecidedError(
        f"the Bessel function J_{order} could not be computed to {bits} bits"
    )


class BesselLadder:
    """J_{mu + n}(a) for n = 0, 1, ... while mu + n < a, as integers over 2^bits.

    Args:
        order: mu >= 0.
        argument: makes a at flint's current precision.
        bits: of the fixed point.
    """

    def __init__(
        self, order: fmpq, argument: Callable[[], arb], bits: int = 320
    ) -> None:
        self.order, self.bits = order, bits
        with ctx.workprec(bits + 4 * GUARD):
            a = argument()
            if not a > 0:
                raise HypothesisError(
                    "the argument of the Bessel functions has to be positive"
                )
            self.argument = a
            self._inverse = _fixed(1 / a, bits + GUARD)
        self._first = bessel_j(order, a, bits)
        self._second = bessel_j(order + 1, a, bits)

    def values(self, count: int) -> Iterator[int]:
        """J_mu, J_{mu+1}, ..., `count` of them, each within `error_at` of the truth."""
        shift = self.bits + GUARD
        before, now = _fixed(self._first, self.bits), _fixed(self._second, self.bits)
        twice, denominator = int((2 * self.order).p), int((2 * self.order).q)
        if denominator != 1:
            raise HypothesisError(
                "the order of the Bessel functions must be a multiple of 1/2"
            )
        yield before
        inverse = self._inverse
        for n in range(1, count):
            yield now
            # 2 (mu + n) / a
            following = (((twice + 2 * n) * inverse * now) >> shift) - before
            before, now = now, following

    def error_at(self, index: int) -> arb:
        """A bound of |value - J_{mu + index}(a)|, in units of 1; index + mu < a.

        Each step rounds by at most 2 units of 2^-bits, the two starts by 1; the inverse
        of a is off by 2^-(bits + 64), times 2 k |J| <= 2 a.
        """
        k = arb(self.order + index)
        if not k < self.argument:
            raise HypothesisError("Bessel orders must stay below the argument")
        step = 2 + 2 * self.argument / arb(2) ** GUARD
        grown = self.argument / (self.argument**2 - k**2).sqrt()
        rounding = (index + 2) * (step + 1) * grown / arb(2) ** self.bits
        # the ladder is for the midpoint of a; |J'| <= 1 + k / a <= 2
        return rounding + 2 * self.argument.rad()


def _fixed(value: arb, bits: int) -> int:
    """The midpoint times 2^bits, rounded down."""
    man, exp = value.mid().man_exp()
    shift = int(exp) + bits
    return int(man) << shift if shift >= 0 else int(man) >> -shift


def bessel_near(order: fmpq, x: arb) -> arb:
    """J_order(x), at the working precision; by the power series where flint fails."""
    value = x.bessel_j(arb(order))
    if value.rel_accuracy_bits() >= ctx.prec // 2:
        return value
    steep = 1 if order >= 1 else 1 + arb(order) / x.lower()
    return _by_series(x.mid(), order) + arb(0, 1) * (steep * x.rad())


def bessel_orders(
    x: arb, order: fmpq, count: int, *, tiny: arb | None = None
) -> list[arb]:
    """J_{order + n}(x) for n < count, by the recurrence from the top down.

    Balls lose up to 1.28 bits in a step: call it with BITS_A_STEP more for each. Made
    at the midpoint of x: |J_mu'| <= 1 for mu >= 1, else 1 + mu / x, covers the rest.

    Args:
        tiny: last ones that are proved to be no larger in size are balls around 0.
    """
    last = count if tiny is None else _above(tiny, x, order, count)
    steep = 1 if order >= 1 else 1 + arb(order) / x.lower()
    off, at = arb(0, 1) * (steep * x.rad()), x.mid()
    with ctx.workprec(ctx.prec - int(BITS_A_STEP * (count - last))):
        above, now = (_by_series(at, order + last - k) for k in (0, 1))
        twice, found = 2 / at, [now + off]
        for k in range(last - 1, 0, -1):
            above, now = now, twice * arb(order + k) * now - above
            found.append(now + off)
    rest = [] if tiny is None else [arb(0, 1) * tiny] * (count - last)
    return found[::-1] + rest


def _above(tiny: arb, x: arb, order: fmpq, count: int) -> int:
    """How many of J_{order + n}(x), n < count, may be larger than `tiny`: one or more.

    |J_mu(x)| <= (x / 2)^mu / Gamma(mu + 1) (DLMF 10.14.4), which falls from mu = x / 2.
    """
    with ctx.workprec(64):
        half, limit = x.upper() / 2, tiny.log()

        def is_tiny(n: int) -> bool:
            mu = arb(order + n)
            return bool(mu > half and mu * half.log() - (mu + 1).lgamma() < limit)

        return 1 + bisect_left(range(1, count), True, key=is_tiny)


def _by_series(x: arb, order: fmpq) -> arb:
    """J_order(x) to about the working precision, x exact.

    (x / 2)^order / Gamma(order + 1) 0F1, whose cancellation is at most that of
    e^(2 x), and about that of e^(x^2 / (2 order + 2)) for large orders; flint's own
    choice of a method may return no digit at all.
    """
    size = float(x)
    lost = 3 * size * min(1.0, size / (4 * nearest_float(order) + 4))
    with ctx.workprec(ctx.prec + int(lost) + GUARD):
        mu, half = arb(order), x / 2
        series = acb(-half * half).hypgeom_0f1(acb(mu + 1)).real
        return (mu * half.log() - (mu + 1).lgamma()).exp() * series
