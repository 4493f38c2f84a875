r"""Functions of an inner product on spheres: one hidden layer has rank-one parts.

A unit sigma(<w, x> + <w', x'> + b) depends on <v, x> and <v', x'> for unit v and v'.
Its part in H_n (x) H_n, harmonics of degree n in both points, is a multiple of
L_n^v (x) L_n^v': rank one as an operator on the N-dimensional H_n. There F is
alpha_n / sqrt(N) times the identity. By Eckart and Young r units leave at least
sum_n alpha_n^2 (1 - r / N(d, n))_+ of ||F||^2: any activation, any weights.
"""

from dataclasses import dataclass
from functools import lru_cache
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
    log2,
    proved,
)
from depthsep.exact import ball_upper
from depthsep.laws import SpherePair
from depthsep.lower_bounds.symmetric._refusals import NO_L1
from depthsep.lower_bounds.symmetric.zonal._zonal import PRECISION, ZonalWave
from depthsep.lower_bounds.symmetric.zonal._zonal_kinks import KINKS, ZonalKink
from depthsep.lower_bounds.symmetric.zonal._zonal_polynomial import polynomial_rank
from depthsep.problems import ANY_UNITS, NetworkClass, Problem
from depthsep.targets import InnerProduct

CLASS = NetworkClass(units=ANY_UNITS, skips=False, hidden_layers=1)


@dataclass(frozen=True)
class RankBound:
    """A width that every network of one hidden layer needs, and where it comes from."""

    width: int
    degree: int
    dimension: int


@lru_cache(maxsize=64)
def rank_width(
    dim: int, shape: str, frequency: "Frequency", accuracy: fmpq
) -> RankBound | None:
    """The least r with sum_{i >= n} alpha_i^2 (1 - r / N_i) <= E^2, for the best n.

    None if E is not below what a constant leaves: then no unit is needed.

    Args:
        shape: "sin" or "cos" of a frequency; "Abs" or "sign", which have none.
    """
    f = _expanded(dim, shape, frequency)
    with ctx.workprec(PRECISION):
        mass = f.norm_squared
        if shape == "cos":
            mass -= f.coefficient(0) ** 2
        if not mass > accuracy**2:
            return None
    tail = f.tail(max(f.best_degree(accuracy), f.first or 2))
    with ctx.workprec(PRECISION):
        ratio = (tail.mass - accuracy**2) / tail.shared
        least = -ball_upper(-ratio)
        return RankBound(max(1, int(least.ceil())), tail.degree, tail.dimension)


def _expanded(dim: int, shape: str, frequency: "Frequency") -> ZonalWave | ZonalKink:
    if shape in KINKS:
        return ZonalKink(dim, shape)
    return ZonalWave(dim, shape, frequency.argument)


@dataclass(frozen=True)
class Frequency:
    """pi times a rational, or a target's own frequency."""

    multiple: fmpq | None = None
    target: InnerProduct | None = None

    def argument(self) -> arb:
        """a, at flint's current precision."""
        if self.target is not None and self.target.wave is not None:
            return self.target.wave.argument(ctx.prec + 64)
        assert self.multiple is not None
        return arb.pi() * arb(self.multiple)


def wave_or_kink(target: InnerProduct) -> tuple[str, fmpq]:
    """The shape and the size of f without its constant; size 0 if it is neither."""
    if target.wave is not None:
        return target.wave.shape, target.wave.amplitude
    return target.kink or ("", fmpq(0))


def _evaluate(dim: int, multiple: fmpq, accuracy: fmpq) -> Value:
    found = rank_width(dim, "sin", Frequency(multiple), accuracy)
    width = 0 if found is None else found.width
    return Value(width, Rigour.ENCLOSED, log2(width))


@dataclass(frozen=True)
class InnerRank(AbstractLowerBound):
    """Functions of the inner product, at depth 2: waves and kinks in closed form."""

    statement: ClassVar[Statement] = Statement(
        "sphere-rank",
        "Width that one hidden layer needs for sin(pi m <x, x'>) on two spheres, in L2",
        (
            (
                "x and x' are independent and uniform on S^(d-1); for alpha_n and "
                "N(d, n) see the statements zonal-coefficient and harmonic-dimension"
            ),
            "the activation and the weights are arbitrary",
        ),
        Source("depthsep", "rank of zonal parts (after Daniely 2017)"),
        (
            Parameter("dim", "integer", "d, the dimension", "3", most=200),
            Parameter(
                "multiple", "rational", "m, the factor in sin(pi m <x, x'>)", "27"
            ),
            Parameter("accuracy", "rational", "E, the allowed error", "1/10"),
        ),
        _evaluate,
        sample="dim=4 multiple=64 accuracy=1/10",
        tex=r"\text{the least } r \text{ with } \sum_n \alpha_n^2 \left( 1 "
        r"- \frac{r}{N(d, n)} \right)_+ \le E^2",
        proof=proved("sphere-rank"),
    )

    scope = Scope(
        "this bound covers only functions of inner products",
        InnerProduct,
        SpherePair,
        most_depth=2,
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target = problem.target_as(InnerProduct)
        if problem.norm == "l1":
            return NO_L1
        shape, amplitude = wave_or_kink(target)
        if amplitude == 0:
            return self._by_polynomial(problem, target)
        accuracy = problem.accuracy / amplitude
        found = rank_width(target.dim, shape, Frequency(target=target), accuracy)
        return (
            self._lower(0) if found is None else self._lower(found.width, found.degree)
        )

    def _by_polynomial(
        self, problem: Problem, target: InnerProduct
    ) -> Lower | Inapplicable:
        found = polynomial_rank(target, problem.accuracy)
        if found is None:
            return Inapplicable(
                "this bound covers only sines, cosines, abs, sign, and "
                "functions of the inner product that are close to a "
                "polynomial of degree 128 or less"
            )
        return self._lower(*found)

    def _lower(self, width: int, degree: int | None = None) -> Lower:
        detail = (
            ""
            if degree is None
            else f"rank of zonal parts of degree {degree} and above"
        )
        return Lower.in_one_layer(width, Rigour.ENCLOSED, self.statement, CLASS, detail)

    def examples(self) -> list[Problem]:
        return [
            Problem(InnerProduct("sin(pi*d**3*t)", 3), norm="l2", accuracy="1/10"),
            Problem(InnerProduct("2*cos(9*t) - 1", 4), norm="l2", accuracy="1/2"),
            Problem(InnerProduct("t*exp(2*t)", 3), norm="l2", accuracy="1/20"),
        ]
