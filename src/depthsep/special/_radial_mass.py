r"""Where the Fourier transform of a radial function times phi has its mass.

g(x) = G(t), t = 2 pi R |x|, phi the transform of the ball of volume 1 and nu = d/2. The
mass of |(g phi)^|^2 within the radius kappa R is

    M(kappa) = sum_{n >= 0} 2 d (nu + 2 n) I_n^2,
    I_n = int G(t) J_nu(t) J_{nu + 2 n}(kappa t) dt / t,

a series of positive terms (sqrt(2 (nu + 2 n)) J_{nu + 2 n}(kappa t) / t is orthonormal
in L2(t dt) and spans the radial functions of band kappa); M(infinity) is
int (d / t) J_nu^2 G^2 dt. Integrals are Gauss sums with the remainder bounded by
|J_mu(z)| <= 2 e^|Im z|, mu >= 1/2 (Schlaefli's integral); beyond the last term
|J_mu(x)| <= (x / 2)^mu / Gamma(mu + 1).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep._progress import followed
from depthsep.special._bessel import BITS_A_STEP, bessel_near, bessel_orders
from depthsep.special._gauss import GaussRule, choose_rule, gauss_nodes

BITS = 110
GUARD = 64
STRETCH = 3.0  # t-length of an interval of the rule
MAX_REACH = 5_000


@dataclass(frozen=True)
class RadialPiece:
    """p -> poly(p) cos(frequency p) for start <= p <= stop, start >= 0.

    Attributes:
        coefficients: of 1, p, p^2, ...
    """

    start: fmpq
    stop: fmpq
    coefficients: tuple[fmpq, ...]
    frequency: fmpq = fmpq(0)  # noqa: RUF009 (fmpq is immutable)

    def value(self, p: arb) -> arb:
        """At a ball, as if the piece went on."""
        whole = arb(0)
        for c in reversed(self.coefficients):
            whole = whole * p + arb(c)
        return whole * (arb(self.frequency) * p).cos() if self.frequency else whole

    def line(self) -> tuple[fmpq, fmpq] | None:
        """Level and slope if the piece is affine, else None."""
        if self.frequency or any(self.coefficients[2:]):
            return None
        level, slope = (*self.coefficients, fmpq(0), fmpq(0))[:2]
        return level, slope

    def most(self, size: arb, height: arb) -> arb:
        """A bound of |value| for complex |p| <= size, |Im p| <= height."""
        whole = arb(0)
        for c in reversed(self.coefficients):
            whole = whole * size + abs(arb(c))
        return whole * (arb(abs(self.frequency)) * height).exp()


@dataclass(frozen=True)
class _Node:
    """One node: t, and weight * G * J_nu / p."""

    t: arb
    share: arb


class RadialMass:
    """M(kappa) for G given by pieces in p, where t = unit * p.

    Args:
        dim: d >= 1.
        pieces: in order, not overlapping; G is 0 between and beyond them.
        unit: makes the unit at flint's current precision.
        bits: of the integrals.

    Raises:
        HypothesisError: no pieces, pieces out of order, or below 0.
        TooLargeError: they reach beyond t = 5,000.
    """

    def __init__(
        self,
        dim: int,
        pieces: Sequence[RadialPiece],
        unit: Callable[[], arb],
        bits: int = BITS,
    ) -> None:
        ends = [(p.start, p.stop) for p in pieces]
        ordered = all(a[1] <= b[0] for a, b in pairwise(ends))
        if not ends or not ordered or ends[0][0] < 0 or any(a >= b for a, b in ends):
            raise HypothesisError(
                "give one or more pieces: intervals of positive length, of radii of 0 "
                "or more, in increasing order and without overlaps"
            )
        self.dim, self.pieces, self.unit, self.bits = dim, tuple(pieces), unit, bits
        self.order = fmpq(dim, 2)
        with ctx.workprec(64):
            self.farthest = (unit() * arb(ends[-1][1])).upper()
            self.reach = float(self.farthest)  # rounded: for sizes of work only
        if self.reach > MAX_REACH:
            raise TooLargeError(
                f"the function extends to the phase t = {self.reach:.6g} (t is "
                f"proportional to |x|), above the limit {MAX_REACH}: choose a "
                "function of smaller radius or a larger scale of the law"
            )

    @cached_property
    def largest(self) -> arb:
        """A bound of |G|."""
        with ctx.workprec(64):
            return max(p.most(arb(p.stop), arb(0)).upper() for p in self.pieces)

    @cached_property
    def total(self) -> arb:
        """||g phi||^2 = int (d / t) J_nu(t)^2 G(t)^2 dt, enclosed."""
        with ctx.workprec(self.bits + GUARD):
            whole = arb(0)
            for piece, a, b in self._intervals(1.0):
                for node, value in self._nodes(piece, a, b, arb(1), 2):
                    whole += node.share * value * bessel_near(self.order, node.t)
                whole += self._remainder(piece, a, b, arb(1), 2)
            return self.dim * whole

    def inside(self, kappa: fmpq) -> arb:
        """M(kappa), enclosed."""
        if kappa <= 0:
            raise HypothesisError(
                f"the relative radius kappa is {kappa}; it must be positive"
            )
        count = self._terms(kappa)
        with ctx.workprec(self.bits + 2 * GUARD):
            k = arb(kappa)
            integrals = [arb(0)] * count
            parts = self._intervals(float(kappa))
            for piece, a, b in followed(parts, len(parts), "Fourier masses"):
                for node, _ in self._nodes(piece, a, b, k, 1):
                    for n, j in enumerate(self._orders(k * node.t, count)):
                        integrals[n] += node.share * j
                off = self._remainder(piece, a, b, k, 1)
                integrals = [i + off for i in integrals]
        with ctx.workprec(self.bits + GUARD):
            terms = (
                2 * self.dim * arb(self.order + 2 * n) * i * i
                for n, i in enumerate(integrals)
            )
            return sum(terms, arb(0)) + self._beyond(kappa, count)

    def _orders(self, x: arb, count: int) -> list[arb]:
        """J_{nu + 2 n}(x) for n < count, as well as the accuracy asks for."""
        tiny = arb(2) ** -(self.bits + GUARD)
        with ctx.workprec(ctx.prec + int(BITS_A_STEP * (2 * count + 8))):
            return bessel_orders(x, self.order, 2 * count, tiny=tiny)[::2]

    def outside(self, kappa: fmpq) -> arb:
        """The mass beyond kappa R."""
        with ctx.workprec(self.bits + GUARD):
            return self.total - self.inside(kappa)

    def _intervals(self, kappa: float) -> list[tuple[RadialPiece, fmpq, fmpq]]:
        """The pieces, cut so that none is long, nor close to 0 without touching it."""
        with ctx.workprec(64):
            unit = float(self.unit().mid())
        step = fmpq(*(STRETCH / (1 + kappa) * 4 / unit).as_integer_ratio())
        cut = []
        for piece in self.pieces:
            a = piece.start
            while a < piece.stop:
                b = min(2 * a, piece.stop) if a else piece.stop
                b = min(b, a + step)
                cut.append((piece, a, b))
                a = b
        return cut

    def _rule(
        self, piece: RadialPiece, a: fmpq, b: fmpq, kappa: arb, power: int
    ) -> GaussRule:
        """The rule for one interval; its functions grow like e^(rate |Im p|)."""
        with ctx.workprec(64):
            unit, half = self.unit(), arb(b - a) / 2
            rate = (1 + kappa) * unit + power * arb(abs(piece.frequency))
            room = 1e9 if a == 0 else float((arb(a + b) / (b - a)).mid())
            size = power * float((1 + self.largest).log().mid()) / 0.69
            return choose_rule(float((rate * half).mid()), room, self.bits + int(size))

    def _nodes(
        self, piece: RadialPiece, a: fmpq, b: fmpq, kappa: arb, power: int
    ) -> Iterator[tuple[_Node, arb]]:
        """Nodes with weight * G * J_nu(t) / p, and G there."""
        rule = self._rule(piece, a, b, kappa, power)
        middle, half = arb(a + b) / 2, arb(b - a) / 2
        for x, w in gauss_nodes(rule.count, ctx.prec):
            p = middle + half * x
            t, value = self.unit() * p, piece.value(p)
            j = bessel_near(self.order, t)
            yield _Node(t, half * w * value * j / p), value

    def _remainder(
        self, piece: RadialPiece, a: fmpq, b: fmpq, kappa: arb, power: int
    ) -> arb:
        """A ball around 0 that contains the error of the rule, for every order."""
        rule = self._rule(piece, a, b, kappa, power)
        with ctx.workprec(64):
            rho, unit = arb(rule.ratio), self.unit()
            half, middle = arb(b - a) / 2, arb(a + b) / 2
            along, height = half * (rho + 1 / rho) / 2, half * (rho - 1 / rho) / 2
            # the ellipse's distance from 0; for a = 0 the maximum principle, as the
            # integrand has no pole there
            away = along - half if a == 0 else middle - along
            most = piece.most(middle + along, height) ** power / away
            most *= 4 * ((1 + kappa) * unit * height).exp()
            return arb(0, 1) * rule.remainder(half, most).upper()

    def _terms(self, kappa: fmpq) -> int:
        """How many terms of the series are summed: what follows is below 2^-bits."""
        far = float(kappa) * self.reach
        n = max(int((far - self.dim / 2) / 2) + 4, 4)
        while True:
            with ctx.workprec(64):
                if self._rest(kappa, n) < arb(2) ** -self.bits:
                    return n
            n += 4

    def _beyond(self, kappa: fmpq, count: int) -> arb:
        with ctx.workprec(64):
            return arb(0).union(self._rest(kappa, count).upper())

    def _rest(self, kappa: fmpq, count: int) -> arb:
        r"""A bound of the terms from `count` on.

        |I_n| <= |G| X_mu / mu, X_mu = (kappa T / 2)^mu / Gamma(mu + 1), mu = nu + 2 n,
        and X falls by 4 or more from n to n + 1 once mu >= kappa T.
        """
        mu, far = arb(self.order + 2 * count), arb(kappa) * self.farthest
        if not mu >= far:
            return arb("inf")
        x = (mu * (far / 2).log() - (mu + 1).lgamma()).exp()
        return 2 * self.dim * (self.largest * x) ** 2 / mu * fmpq(16, 15)
