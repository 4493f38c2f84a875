r"""1/x away from 0 by squares and products.

With z = 1 - x, 1/x = 2^J prod_{j < J} (1 + z^(2^j)) / 2 + (1 - x)^(2^J) / x: all
factors lie in [1/2, 1]. The squares are interpolants, one after another.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import Scope
from depthsep.constructions.box._partition import product_wire, square_wire
from depthsep.constructions.by_hand._made import AbstractMade, Made
from depthsep.constructions.by_hand._parameters import LEVELS_OF_PRODUCTS
from depthsep.constructions.by_hand.products._as_quotient import Quotient
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved
from depthsep.exact import ball_upper, rational
from depthsep.laws import Segment
from depthsep.networks import (
    Affine,
    Circuit,
    Network,
    compose,
    scale,
)
from depthsep.problems import Problem
from depthsep.targets import (
    Expression,
)

PRECISION = 128
MAX_LEVELS = 25
MAX_FACTORS = 30
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
            f"J = {factors}, k = {square_levels}, K = {product_levels}: "
            "give J >= 1, k >= 0 and K >= 0"
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
            f"no network for 1/x on [delta, 1] with delta = {least} was found within "
            f"{error} with at most {MAX_FACTORS} factors and {MAX_LEVELS} levels; "
            "choose a larger delta or allow a larger error"
        )
    factors, squares, products = min(found, key=lambda c: c[0] * (c[1] + c[2]))
    network = _product_of_factors(factors, squares, products)
    bound = reciprocal_bound(least, factors, squares, products)
    return Reciprocal(network, bound, factors, squares, products)


def _checked(delta: object) -> fmpq:
    least = rational(delta, name="delta")
    if not 0 < least < 1:
        raise HypothesisError(f"delta is {least}; it must be above 0 and below 1")
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


def _reciprocal(delta: fmpq, factors: int, squares: int, levels: int) -> Value:
    value = reciprocal_bound(delta, factors, squares, levels)
    return Value(value, Rigour.ENCLOSED)


RECIPROCAL = Statement(
    "reciprocal",
    "Bound on the error with which a product of J factors approximates 1/x on [delta, "
    "1], with squares of k levels and products of K levels",
    ("0 < delta < 1",),
    Source("depthsep", "1/x as a product"),
    (
        Parameter("delta", "rational", "delta, the left end of the interval"),
        Parameter("factors", "integer", "J, the number of factors", most=60),
        Parameter(
            "squares",
            "integer",
            "k, the number of levels of the networks for squares",
            "10",
            most=1000,
        ),
        LEVELS_OF_PRODUCTS,
    ),
    _reciprocal,
    sample="delta=1/4 factors=5 squares=20 levels=20",
    tex=(
        r"2^J \left( \frac{2^J - 1 - J}{2} \, 4^{-k-1} "
        r"+ (J - 1) \, 4^{-K-2} \right) + \frac{(1 - \delta)^{2^J}}{\delta}"
    ),
    proof=proved("explicit-networks"),
)


@dataclass(frozen=True)
class Reciprocals(AbstractMade):
    """c / (a x + b) on an interval without the pole, as a product of factors."""

    statement = RECIPROCAL
    scope = Scope(
        "this construction builds networks only for c / (a x + b) on an interval",
        Expression,
    )

    def made(self, problem: Problem) -> Made:
        found = Quotient.of(problem)
        if found.p.degree > 0 or found.q.degree != 1:
            raise HypothesisError("the target is not c / (a x + b) with a != 0")
        c = found.p.exact([fmpq(0), fmpq(0)])
        ends = [found.q.exact([fmpq(u), fmpq(0)]) for u in (0, 1)]
        low, high = min(ends), max(ends)
        if low <= 0:
            raise HypothesisError(
                "the denominator is 0 somewhere on the interval; choose an interval "
                "without this point"
            )
        made = reciprocal_network(low / high, problem.accuracy * high / abs(c))
        slope = (ends[1] - ends[0]) / high
        share = Network([Affine([[slope, 0]], [ends[0] / high])])
        network = scale(compose(made.network, share), c / high)
        return Made(found.moved_back(network), abs(c) / high * made.bound)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:1/x", Segment(fmpq(1, 4), 1), accuracy="1/10")]
