r"""Bounds of Barron norms of sums, products, ridge functions and compositions.

With V = int |g~| and C = int |w| |g~(w)|: transforms of products are convolutions, so
V(fg) <= V(f) V(g) and C(fg) <= C(f) V(g) + V(f) C(g); for a power series F with
coefficients f_n, V(F o g) <= sum |f_n| V^n and C(F o g) <= C sum n |f_n| V^{n-1}.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep.evidence import Rigour
from depthsep.exact import ball_upper, rational, sqrt_upper
from depthsep.infinite_width._balls import PRECISION
from depthsep.infinite_width._transforms import Transform

MOST = 10_000  # of V: exp(V) is still a number
Series = Callable[[arb], tuple[arb, arb]]  # sum |f_n| v^n, and its derivative


def _log(v: arb) -> tuple[arb, arb]:
    if not v < 1:
        raise HypothesisError(
            f"V, the integral of |g~| (`total`), may be as large as "
            f"{float(v.upper()):.6g}; for log(1 + g) it must be less than 1"
        )
    return -(1 - v).log(), 1 / (1 - v)


def _inverse(v: arb) -> tuple[arb, arb]:
    if not v < 1:
        raise HypothesisError(
            f"V, the integral of |g~| (`total`), may be as large as "
            f"{float(v.upper()):.6g}; for 1/(1 - g) it must be less than 1"
        )
    return 1 / (1 - v), 1 / (1 - v) ** 2


MAJORANTS: dict[str, Series] = {
    "exp": lambda v: (v.exp(), v.exp()),
    "sin": lambda v: (v.sinh(), v.cosh()),
    "cos": lambda v: (v.cosh(), v.sinh()),
    "log(1+g)": _log,
    "1/(1-g)": _inverse,
}


@dataclass(frozen=True)
class NormBounds:
    """Upper bounds of V = int |g~| and C = int |w| |g~|.

    Attributes:
        total, first: of V and of C, rationals.
    """

    total: fmpq
    first: fmpq

    def __post_init__(self) -> None:
        if not (self.total >= 0 and self.first >= 0 and self.total <= MOST):
            raise HypothesisError(
                f"total (V) is {self.total} and first (C) is {self.first}; both must "
                f"be 0 or more, and V at most {MOST}"
            )

    @staticmethod
    def of(transform: Transform) -> "NormBounds":
        """The upper ends of a transform's own moments.

        Raises:
            HypothesisError: moments that are sampled, which bound nothing.
        """
        total, first = (transform.moment(power) for power in (0, 1))
        if Rigour.SAMPLED in (total.rigour, first.rigour):
            raise HypothesisError(
                "the moments of this transform are estimates from "
                "samples; give moments with proved bounds"
            )
        return NormBounds(total.upper, first.upper)

    @staticmethod
    def of_constant(value: object) -> "NormBounds":
        """A constant: all its mass lies at frequency 0."""
        return NormBounds(abs(rational(value, name="the constant")), fmpq(0))

    def __add__(self, other: "NormBounds") -> "NormBounds":
        return NormBounds(self.total + other.total, self.first + other.first)

    def __mul__(self, other: object) -> "NormBounds":
        if not isinstance(other, NormBounds):
            c = abs(rational(other, name="the factor"))
            return NormBounds(c * self.total, c * self.first)
        cross = self.first * other.total + self.total * other.first
        return NormBounds(self.total * other.total, cross)

    __rmul__ = __mul__

    def of_ridge(self, direction: Sequence[object]) -> "NormBounds":
        """x -> g(a . x), g of one variable: frequencies w a."""
        square = sum((rational(a, name="a direction") ** 2 for a in direction), fmpq(0))
        return NormBounds(self.total, self.first * sqrt_upper(square))

    def of_polynomial(self, coefficients: Sequence[object]) -> "NormBounds":
        """c_0 + c_1 g + c_2 g^2 + ..."""
        found = NormBounds(fmpq(0), fmpq(0))
        for c in reversed(list(coefficients)):
            found = found * self + NormBounds.of_constant(c)
        return found

    def of_analytic(self, name: str) -> "NormBounds":
        """exp(g), sin(g), cos(g), log(1+g) or 1/(1-g): see `MAJORANTS`.

        Raises:
            HypothesisError: another function; V >= 1 where the series needs less.
        """
        if name not in MAJORANTS:
            known = ", ".join(MAJORANTS)
            raise HypothesisError(
                f"the series {name[:40]!r} is not known; choose one of {known}"
            )
        with ctx.workprec(PRECISION):
            value, slope = MAJORANTS[name](arb(self.total))
            return NormBounds(ball_upper(value), ball_upper(slope * arb(self.first)))


def smoothness_constant(dim: int, order: object) -> arb:
    r"""K with C(g) <= K ||g||_{H^s}: (int |w|^2 (1 + |2 pi w|^2)^{-s} dw)^{1/2}.

    The norm is (int (1 + |2 pi w|^2)^s |g~|^2 dw)^{1/2}. In closed form the square is
    pi^{d/2} / Gamma(d/2) (2 pi)^{-d-2} B(d/2 + 1, s - d/2 - 1).

    Raises:
        HypothesisError: s <= d/2 + 1, for which the integral is infinite.
    """
    d, s = whole(dim, "dim", least=1, most=10**6), rational(order, name="the order")
    rest = s - fmpq(d, 2) - 1
    if rest <= 0:
        raise HypothesisError(
            f"the order is {s}; in d = {d} dimensions it must be greater than d/2 + 1"
        )
    with ctx.workprec(PRECISION):
        half = arb(d) / 2
        beta = (half + 1).lgamma() + arb(rest).lgamma() - arb(s).lgamma()
        log = half * arb.pi().log() - half.lgamma() + beta
        log -= (d + 2) * (2 * arb.pi()).log()
        return (log / 2).exp()
