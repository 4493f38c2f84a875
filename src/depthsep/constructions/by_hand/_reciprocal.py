r"""1/x away from 0, and rational functions, by squares and products.

With z = 1 - x, 1/x = 2^J prod_{j < J} (1 + z^(2^j)) / 2 + (1 - x)^(2^J) / x: all
factors lie in [1/2, 1]. The squares are interpolants, one after another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as cartesian
from math import comb, prod

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.constructions.box._partition import product_wire, square_wire
from depthsep.constructions.by_hand._products import (
    polynomial_by_products,
    product_network,
)
from depthsep.exact import ball_upper, rational, total
from depthsep.networks import (
    Affine,
    Circuit,
    Network,
    compose,
    parallel,
    scale,
    shift,
)
from depthsep.targets import Polynomial

PRECISION = 128
MAX_LEVELS = 25
MAX_FACTORS = 30
MAX_CUBES = 20_000
SHARES = (fmpq(1, 2), fmpq(3, 4), fmpq(7, 8))


@dataclass(frozen=True)
class Reciprocal:
    """A network for 1/x on [delta, 1] and its proved sup error.

    Attributes:
        factors: J.
        square_levels: k, h_k(t) interpolates t^2 at the multiples of 2^-k.
        product_levels: K of the products.
    """

    network: Network
    bound: fmpq
    factors: int
    square_levels: int
    product_levels: int


def reciprocal_bound(
    delta: object, factors: int, square_levels: int, product_levels: int
) -> fmpq:
    """The sup error on [delta, 1], as a rational from above.

    2^J ((2^J - 1 - J)/2 * 4^(-k-1) + (J - 1) 4^(-K-2)) + (1 - delta)^(2^J) / delta.
    """
    least = _checked(delta)
    if factors < 1 or min(square_levels, product_levels) < 0:
        raise HypothesisError(
            f"J = {factors}, k = {square_levels}, K = {product_levels}: give J from 1, "
            "levels from 0"
        )
    whole = 2**factors
    squares = fmpq(whole - 1 - factors, 2 * 4 ** (square_levels + 1))
    products = fmpq(factors - 1, 4 ** (product_levels + 2))
    return whole * (squares + products) + _tail(least, factors)


def reciprocal_network(delta: object, accuracy: object) -> Reciprocal:
    """1/x on [delta, 1] within the accuracy, with few layers.

    Raises:
        HypothesisError: delta not in (0, 1), an accuracy that is not positive.
        TooLargeError: more than 30 factors, or levels beyond 25, would be needed.
    """
    least, error = _checked(delta), rational(accuracy, name="the accuracy")
    if error <= 0:
        raise HypothesisError(f"the accuracy is {error}; it must be positive")
    found = [c for share in SHARES if (c := _sizes(least, error, share))]
    if not found:
        raise TooLargeError(
            f"1/x on [{least}, 1] within {error} needs more than {MAX_FACTORS} factors "
            f"or {MAX_LEVELS} levels; choose a larger delta or accuracy"
        )
    factors, squares, products = min(found, key=lambda c: c[0] * (c[1] + c[2]))
    network = _product_of_factors(factors, squares, products)
    bound = reciprocal_bound(least, factors, squares, products)
    return Reciprocal(network, bound, factors, squares, products)


def _checked(delta: object) -> fmpq:
    least = rational(delta, name="delta")
    if not 0 < least < 1:
        raise HypothesisError(f"delta is {least}; give a number between 0 and 1")
    return least


def _tail(delta: fmpq, factors: int) -> fmpq:
    with ctx.workprec(PRECISION):
        return ball_upper(arb(1 - delta) ** (2**factors) / arb(delta))


def _sizes(delta: fmpq, error: fmpq, share: fmpq) -> tuple[int, int, int] | None:
    """(J, k, K): J from the tail's share, half of the rest for squares and products."""
    factors = 1
    while _tail(delta, factors) > share * error:
        factors += 1
        if factors > MAX_FACTORS:
            return None
    for levels in range(2 * MAX_LEVELS + 1):
        squares, products = -(-levels // 2) + factors // 2, levels // 2
        if max(squares, products) > MAX_LEVELS:
            return None
        if reciprocal_bound(delta, factors, max(squares, 1), products) <= error:
            return factors, max(squares, 1), products
    return None


def _product_of_factors(factors: int, squares: int, products: int) -> Network:
    circuit = Circuit(1)
    z = -1 * circuit.inputs[0] + 1
    half = fmpq(1, 2)
    whole = (z + 1) * half
    for _ in range(1, factors):
        z = square_wire(circuit, z, squares)
        layer = max(whole.layer, z.layer)
        factor = circuit.at((z + 1) * half, layer)
        whole = product_wire(circuit, circuit.at(whole, layer), factor, products)
    if whole.layer == 0:
        whole = circuit.at(whole, 1)
    return circuit.network([2**factors * whole])


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
        raise HypothesisError(f"delta = {least}, accuracy = {error}: both are positive")
    if numerator.dim != denominator.dim:
        raise HypothesisError(
            f"p has {numerator.dim} inputs and q {denominator.dim}; give equally many"
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
            f"products of {MAX_LEVELS} levels are not accurate enough; choose a larger "
            "delta or accuracy"
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
            "give 0 < delta < Q, P > 0 and the others from 0"
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


def check_at_least(polynomial: Polynomial, delta: fmpq) -> None:
    """Refuse a polynomial not proved to be at least delta on [0, 1]^d.

    By coefficients in Bernstein's basis on smaller and smaller cubes, exactly.

    Raises:
        HypothesisError: it is below at a point, or that cannot be excluded.
    """
    cubes = [(fmpq(0),) * polynomial.dim]
    size, seen = fmpq(1), 0
    while cubes:
        left: list[tuple[fmpq, ...]] = []
        for corner in cubes:
            seen += 1
            middle = [c + size / 2 for c in corner]
            if polynomial.exact(middle) < delta or seen > MAX_CUBES:
                near = ", ".join(f"{float(arb(m).mid()):.4g}" for m in middle)
                raise HypothesisError(
                    f"q is {polynomial.text[5:45]}; it is not proved to be at least "
                    f"{delta} near ({near}): give a smaller delta"
                )
            if _least(polynomial, corner, size) < delta:
                left += _eighths(corner, size / 2)
        cubes, size = left, size / 2


def _least(polynomial: Polynomial, corner: Sequence[fmpq], size: fmpq) -> fmpq:
    """The least coefficient in Bernstein's basis of the cube: a bound from below."""
    terms = {e: c * size ** sum(e) for e, c in polynomial.moved([*corner]).items()}
    degrees = [max(e[k] for e in terms) for k in range(polynomial.dim)]
    return min(
        total(
            c
            * prod(
                (
                    fmpq(comb(i, e), comb(n, e))
                    for i, e, n in zip(at, es, degrees, strict=True)
                ),
                start=fmpq(1),
            )
            for es, c in terms.items()
        )
        for at in cartesian(*(range(n + 1) for n in degrees))
    )


def _eighths(corner: Sequence[fmpq], half: fmpq) -> list[tuple[fmpq, ...]]:
    parts: list[tuple[fmpq, ...]] = [()]
    for c in corner:
        parts = [(*p, v) for p in parts for v in (c, c + half)]
    return parts
