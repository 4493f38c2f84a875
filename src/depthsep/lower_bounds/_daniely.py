r"""Daniely's bounds for one hidden layer with weights at most B, beside the rank bound.

A unit of weights at most B has L2 norm at most B^2 (1 + 2 sqrt d) as printed, and at
most sqrt(3) B^2: E (<w, x> + <w', x'> + b)^2 = (|w|^2 + |w'|^2) / d + b^2 <= 3 B^2.
"""

from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep.evidence import (
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
)
from depthsep.exact import ball_upper, harmonic_dimension
from depthsep.lower_bounds._inner import Frequency
from depthsep.lower_bounds._zonal import PRECISION, Tail, ZonalWave


@dataclass(frozen=True)
class Weighted:
    """Widths r that weights at most B force, as enclosures: r is at least these.

    Attributes:
        theorem: (A^2 - E^2) sqrt(N) / (2 A B^2 (1 + 2 sqrt d)).
        linear: (A - E) sqrt(N) / (sqrt(3) B^2).
    """

    theorem: arb
    linear: arb


def weighted_widths(dim: int, tail: Tail, accuracy: fmpq, weight: fmpq) -> Weighted:
    """The bounds from the degrees of a tail, each 0 where A <= E."""
    with ctx.workprec(PRECISION):
        size, root = tail.mass.sqrt(), arb(tail.dimension).sqrt()
        if not size > accuracy:
            return Weighted(arb(0), arb(0))
        square = arb(weight) ** 2
        unit = square * (1 + 2 * arb(dim).sqrt())
        theorem = (tail.mass - accuracy**2) * root / (2 * size * unit)
        return Weighted(theorem, (size - accuracy) * root / (arb(3).sqrt() * square))


def printed_example_width(dim: int) -> arb:
    """sqrt(N(d, d^2)) / (20 e pi (2^(2 d) (1 + sqrt(4 d)) + 2^d)).

    The final example for E^2 = 1 / (50 e^2 pi^2), B = 2^d, its parenthesis put right:
    above 1 from d = 19 on, and proved there from d = 25 on.
    """
    with ctx.workprec(PRECISION):
        two = arb(2)
        below = two ** (2 * dim) * (1 + arb(4 * dim).sqrt()) + two**dim
        above = arb(harmonic_dimension(dim, dim * dim)).sqrt()
        return above / (20 * arb(1).exp() * arb.pi() * below)


def _evaluate(dim: int, multiple: fmpq, accuracy: fmpq, weight_bits: int) -> Value:
    wave = ZonalWave(dim, "sin", Frequency(multiple).argument)
    with ctx.workprec(PRECISION):
        if not wave.norm_squared > accuracy**2:
            return Value(0, Rigour.ENCLOSED)
    tail = wave.tail(wave.best_degree(accuracy))
    found = weighted_widths(dim, tail, accuracy, fmpq(2) ** weight_bits).linear
    least = -ball_upper(-found)
    width = max(0, int(least.ceil()))
    with ctx.workprec(64):
        bits = float((found.log() / arb(2).log()).mid()) if found > 0 else None
    return Value(width, Rigour.ENCLOSED, bits)


DANIELY = Statement(
    "daniely-weights",
    "Width of one hidden layer with bounded weights for sin(pi m <x, x'>), in L2",
    (
        "x, x' independent and uniform on S^(d-1)",
        "weights at most B = 2^weight_bits, ReLU-like units: |sigma(t)| <= |t|",
    ),
    "(A_n - E) sqrt(N(d, n)) / (sqrt(3) B^2)",
    Source("daniely2017", "the main theorem"),
    (
        Parameter("dim", "integer", "d", "3", most=200),
        Parameter("multiple", "rational", "m", "27"),
        Parameter("accuracy", "rational", "E", "1/10"),
        Parameter("weight_bits", "integer", "log2 of B", "3", most=10_000),
    ),
    _evaluate,
    errata=(
        "the main identity is an inequality: off-diagonal parts are dropped",
        "the last example mixes an error with its square: ||P_n F||^2 >= 1 / (5 e pi)",
        "its displayed denominator is 20 e pi (2^(2 d) (1 + sqrt(4 d)) + 2^d)",
        "m = d^(5/2) in the polynomial lemma is whole only where d is a square",
        "a unit's norm is at most sqrt(3) B^2, whatever d is",
    ),
)
