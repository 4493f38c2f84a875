r"""Daniely's bounds for one hidden layer with weights at most B, beside the rank bound.

A unit of weights at most B has L2 norm at most B^2 (1 + 2 sqrt d) as printed, and at
most sqrt(3) B^2: E (<w, x> + <w', x'> + b)^2 = (|w|^2 + |w'|^2) / d + b^2 <= 3 B^2.
"""

from dataclasses import dataclass
from typing import ClassVar

from flint import arb, ctx, fmpq

from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import ball_upper
from depthsep.laws import SpherePair
from depthsep.lower_bounds.symmetric.zonal._inner_rank import Frequency, wave_or_kink
from depthsep.lower_bounds.symmetric.zonal._zonal import PRECISION, Tail, ZonalWave
from depthsep.problems import NetworkClass, Problem, Units
from depthsep.special import harmonic_dimension
from depthsep.targets import InnerProduct

BOUNDED = NetworkClass(
    units=Units(
        "bounded",
        "units whose activation sigma satisfies |sigma(t)| <= |t|",
        None,
        includes_kind=lambda other: other.is_below_identity,
    ),
    weights="weights within the given bound",
    skips=False,
    hidden_layers=1,
)


@dataclass(frozen=True)
class Weighted:
    """Widths r that weights at most B force, as enclosures: r is at least these.

    Attributes:
        theorem: (A^2 - E^2) sqrt(N) / (2 A B^2 (1 + 2 sqrt d)).
        linear: (A - E) sqrt(N) / (sqrt(3) B^2).
    """

    theorem: arb
    linear: arb


def least_norms(wave: ZonalWave, accuracy: fmpq) -> arb:
    r"""A bound from below of sum_j ||g_j|| over separable g_j that meet the accuracy.

    (sum u w - E sqrt(sum u w^2)) / sqrt(sum u w^2 / N) for any weights w, u =
    alpha_n^2: dual to min sqrt(sum N s^2) over ||alpha - s|| <= E, whose optimum has
    w = lam N / (1 + lam N).
    """
    plain, squares, shared = wave.weighted(wave.best_shares(accuracy))
    with ctx.workprec(PRECISION):
        above = plain - arb(accuracy) * squares.sqrt()
        return above / shared.sqrt() if above > 0 else arb(0)


def optimal_width(wave: ZonalWave, accuracy: fmpq, weight: fmpq) -> arb:
    """The optimal weighted form: least_norms / (sqrt(3) B^2); r is at least this."""
    norms = least_norms(wave, accuracy)
    with ctx.workprec(PRECISION):
        return norms / (arb(3).sqrt() * arb(weight) ** 2)


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
    found = optimal_width(wave, accuracy, fmpq(2) ** weight_bits)
    least = -ball_upper(-found)
    width = max(0, int(least.ceil()))
    with ctx.workprec(64):
        bits = float((found.log() / arb(2).log()).mid()) if found > 0 else None
    return Value(width, Rigour.ENCLOSED, bits)


DANIELY = Statement(
    "daniely-weights",
    "Width that one hidden layer with bounded weights needs for sin(pi "
    "m <x, x'>), in L2",
    (
        (
            "x and x' are independent and uniform on S^(d-1); for alpha_n "
            "and N(d, n) see the statements zonal-coefficient and harmonic-dimension"
        ),
        (
            "all weights and biases are at most B = 2^weight_bits in absolute value; "
            "the units satisfy |sigma(t)| <= |t|, as ReLU does; the width is at least "
            "the left side of the formula and so, for every n, at least the right side"
        ),
    ),
    Source("daniely2017", "the main theorem"),
    (
        Parameter("dim", "integer", "d, the dimension", "3", most=200),
        Parameter("multiple", "rational", "m, the factor in sin(pi m <x, x'>)", "27"),
        Parameter("accuracy", "rational", "E, the allowed error", "1/10"),
        Parameter("weight_bits", "integer", "log2 of B", "3", most=10_000),
    ),
    _evaluate,
    errata=(
        (
            "the main identity of the source is only an inequality, as it "
            "drops the off-diagonal parts"
        ),
        (
            "the last example of the source confuses an error with its "
            "square: it should have ||P_n F||^2 >= 1 / (5 e pi)"
        ),
        (
            "the denominator displayed in that example should be 20 e pi "
            "(2^(2 d) (1 + sqrt(4 d)) + 2^d)"
        ),
        (
            "in the polynomial lemma of the source, m = d^(5/2) is an "
            "integer only if d is a square"
        ),
        (
            "the L2 norm of a unit is at most sqrt(3) B^2 for every d; the "
            "bound of the source grows with d"
        ),
    ),
    sample="dim=4 multiple=64 accuracy=1/10 weight_bits=4",
    tex=(
        r"\frac{1}{\sqrt{3} \, B^2} \min_{\lVert \alpha - s \rVert \le E} "
        r"\sqrt{\sum_i N(d, i) \, s_i^2} "
        r"\ge \frac{(A_n - E) \sqrt{N(d, n)}}{\sqrt{3} \, B^2}, "
        r"\quad A_n^2 = \sum_{i \ge n} \alpha_i^2"
    ),
    proof=proved("printed-bounds"),
)


@dataclass(frozen=True)
class WeightBound(AbstractLowerBound):
    """Sines and cosines of the inner product at depth 2, the problem bounds weights.

    Units with |sigma(t)| <= |t|, such as ReLU; biases too are bounded, a last constant
    need not be: it meets degree 0 only.
    """

    statement: ClassVar[Statement] = DANIELY

    scope = Scope(
        "this bound covers only sines and cosines of inner products",
        InnerProduct,
        SpherePair,
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target, bound = problem.target_as(InnerProduct), problem.weight_bound
        if bound is None:
            return Inapplicable(
                "this bound needs a bound on the weights (--weight-bound)",
                off_topic=True,
            )
        if target.wave is None:
            return self.scope.elsewhere
        if depth > 2 or problem.norm == "l1":
            return Inapplicable(
                "this bound covers only one hidden layer, in l2 and linf", depth > 2
            )
        shape, amplitude = wave_or_kink(target)
        wave = ZonalWave(target.dim, shape, Frequency(target=target).argument)
        accuracy = problem.accuracy / amplitude
        with ctx.workprec(PRECISION):
            mass, width = wave.norm_squared - wave.coefficient(0) ** 2, 0
            if mass > accuracy**2:
                found = optimal_width(wave, accuracy, bound) * amplitude
                width = max(0, int((-ball_upper(-found)).ceil()))
        return Lower.in_one_layer(width, Rigour.ENCLOSED, self.statement, BOUNDED)

    def examples(self) -> list[Problem]:
        target = InnerProduct("sin(pi*d**3*t)", 3)
        return [Problem(target, norm="l2", accuracy="1/10", weight_bound="1/8")]
