"""Rational functions on the unit cube by products and a reciprocal."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import Scope
from depthsep.constructions.by_hand._made import AbstractMade, Made
from depthsep.constructions.by_hand._parameters import LEVELS_OF_PRODUCTS
from depthsep.constructions.by_hand.products._as_quotient import (
    Quotient,
    check_at_least,
)
from depthsep.constructions.by_hand.products._products import (
    polynomial_by_products,
    product_network,
)
from depthsep.constructions.by_hand.products._reciprocal import (
    MAX_LEVELS,
    reciprocal_network,
)
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved
from depthsep.exact import rational, total
from depthsep.laws import Segment
from depthsep.networks import (
    Affine,
    Network,
    compose,
    parallel,
    scale,
    shift,
)
from depthsep.problems import Problem
from depthsep.targets import (
    Expression,
    Formula,
    Polynomial,
)


@dataclass(frozen=True)
class RationalFunction:
    """A network for p / q on [0, 1]^d and its proved sup error."""

    network: Network
    bound: fmpq


def rational_function_network(
    numerator: Polynomial, denominator: Polynomial, delta: object, accuracy: object
) -> RationalFunction:
    r"""p / q on [0, 1]^d, where q >= delta there.

    A = p / P and q / Q are computed by products, P and Q sums of absolute coefficients;
    q / Q is clipped to [delta / Q, 1], its reciprocal B times delta / Q to [0, 1]; the
    result is P / delta times the product of A and B.

    Raises:
        HypothesisError: q is not proved to be at least delta, or delta <= 0; inputs of
            p and q differ.
    """
    least, error = rational(delta, name="delta"), rational(accuracy, name="accuracy")
    if least <= 0 or error <= 0:
        raise HypothesisError(
            f"delta = {least}, accuracy = {error}: both must be positive"
        )
    if numerator.dim != denominator.dim:
        raise HypothesisError(
            f"p has {numerator.dim} inputs and q has {denominator.dim}; "
            "give both the same number of inputs"
        )
    check_at_least(denominator, least)
    top = total(abs(c) for c in numerator.terms.values())
    if top == 0:
        flat = Network([Affine([[0] * numerator.dim], [0])])
        return RationalFunction(flat, fmpq(0))
    bottom = max(total(abs(c) for c in denominator.terms.values()), 2 * least)
    return _quotient(numerator, denominator, least, error, top, bottom)


def _quotient(
    numerator: Polynomial,
    denominator: Polynomial,
    least: fmpq,
    error: fmpq,
    top: fmpq,
    bottom: fmpq,
) -> RationalFunction:
    share, factor = least / bottom, top / least
    inverse = reciprocal_network(share, error / (4 * factor * share))
    for levels in range(MAX_LEVELS + 1):
        lost = _lost(numerator), _lost(denominator)
        bound = quotient_bound(least, (top, bottom), lost, levels, inverse.bound)
        if bound <= error:
            break
    else:
        raise TooLargeError(
            f"products of {MAX_LEVELS} levels, the most that are tried, were not "
            "proved accurate enough; choose a larger delta or allow a larger error"
        )
    a = _clipped(
        scale(polynomial_by_products(numerator, levels), 1 / top), fmpq(-1), fmpq(1)
    )
    t = _clipped(
        scale(polynomial_by_products(denominator, levels), 1 / bottom), share, fmpq(1)
    )
    b = _clipped(scale(compose(inverse.network, t), share), fmpq(0), fmpq(1))
    both = compose(product_network(levels), parallel(a, b))
    return RationalFunction(scale(both, factor), bound)


def quotient_bound(
    delta: object,
    sizes: tuple[fmpq, fmpq],
    lost: tuple[fmpq, fmpq],
    levels: int,
    reciprocal: object,
) -> fmpq:
    """The sup error of p / q: P/delta (e + L_p e / P + L_q e / delta + delta r / Q).

    e = 4^(-K-2). Where t = q/Q is off by L_q e / Q, the reciprocal times delta/Q, at
    most 1 there, is off by that over delta / Q.

    Args:
        sizes: P and Q, sums of absolute coefficients of p and q, Q above delta.
        lost: L_p and L_q, sums of |coefficient| (degree - 1).
        reciprocal: r, the error of 1/x on [delta / Q, 1].
    """
    least, (top, bottom) = rational(delta, name="delta"), sizes
    inverse, e = rational(reciprocal, name="r"), fmpq(1, 4 ** (levels + 2))
    if not 0 < least < bottom or top <= 0 or min(*lost, inverse) < 0 or levels < 0:
        raise HypothesisError(
            f"delta = {least}, P = {top}, Q = {bottom}, r = {inverse}, K = {levels}: "
            "give 0 < delta < Q, P > 0 and r, K, L_p and L_q at least 0"
        )
    inner = e + lost[0] * e / top + lost[1] * e / least + least / bottom * inverse
    return top / least * inner


def _lost(polynomial: Polynomial) -> fmpq:
    """sum |c_a| (|a| - 1): what products may lose, in units of 4^(-i-2)."""
    return total(abs(c) * (sum(a) - 1) for a, c in polynomial.terms.items() if sum(a))


def _clipped(network: Network, low: fmpq, high: fmpq) -> Network:
    """min(max(y, low), high) = low + relu(y - low) - relu(y - high), low < high."""
    inner = Affine([[1], [1]], [-low, -high])
    return shift(compose(Network([inner, Affine([[1, -1]], [0])]), network), low)


def _error(
    delta: fmpq,
    top: fmpq,
    bottom: fmpq,
    lost_top: fmpq,
    lost_bottom: fmpq,
    levels: int,
    reciprocal: fmpq,
) -> Value:
    value = quotient_bound(
        delta, (top, bottom), (lost_top, lost_bottom), levels, reciprocal
    )
    return Value(value, Rigour.EXACT)


QUOTIENT = Statement(
    "quotient",
    "Bound on the error of p/q on [0, 1]^d from products of K levels "
    "and a reciprocal with error r",
    (
        (
            "delta <= q <= Q and |p| <= P, where P and Q are the sums "
            "of the absolute values of the coefficients of p and of q; delta < Q"
        ),
        (
            "L_p and L_q are the sums of |c| (|a| - 1) over the nonconstant terms c "
            "x^a of p and of q, where |a| is the degree of a term; the products "
            "change p by at most L_p e and q by at most L_q e"
        ),
        "r bounds the error of the network for 1/x on [delta / Q, 1]",
    ),
    Source("depthsep", "quotient by products and reciprocal"),
    (
        Parameter("delta", "rational", "delta, the positive lower bound of q"),
        Parameter("top", "rational", "P, the bound of |p|", "1"),
        Parameter("bottom", "rational", "Q, the bound of q", "2"),
        Parameter(
            "lost_top",
            "rational",
            "L_p, the most that the products change p by, in units of e",
            "0",
            least=0,
        ),
        Parameter(
            "lost_bottom",
            "rational",
            "L_q, the most that the products change q by, in units of e",
            "0",
            least=0,
        ),
        LEVELS_OF_PRODUCTS,
        Parameter(
            "reciprocal", "rational", "r, the bound on the error of the network for 1/x"
        ),
    ),
    _error,
    sample="delta=1/2 levels=10 reciprocal=1/1000",
    tex=(
        r"\frac{P}{\delta} \left( e + \frac{L_p e}{P} + \frac{L_q e}{\delta} "
        r"+ \frac{\delta r}{Q} \right), \quad e = 4^{-K-2}"
    ),
    proof=proved("explicit-networks"),
)


@dataclass(frozen=True)
class Quotients(AbstractMade):
    """p / q where q is positive: both by products, the reciprocal, one more product."""

    statement = QUOTIENT
    scope = Scope("this construction builds networks only for quotients of polynomials")

    def made(self, problem: Problem) -> Made:
        if not isinstance(problem.target, Expression | Formula):
            raise HypothesisError(
                "the target is not given as a formula; write it as expr:FORMULA"
            )
        found = Quotient.of(problem)
        made = rational_function_network(
            found.p, found.q, found.least, problem.accuracy
        )
        return Made(found.moved_back(made.network), made.bound)

    def examples(self) -> Sequence[Problem]:
        two = Problem("expr:(x1 - x2)/(1 + x1*x2)", accuracy="1/10")
        return [two, Problem("expr:x/(1 + x**2)", Segment(-1, 1), accuracy="1/10")]
