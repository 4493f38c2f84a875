r"""Functions of inner products: squares by folds, then a profile.

On the spheres <x, x'> = sum_i (x_i + x'_i)^2 / 2 - 1. The first layers fold every
z_i = x_i + x'_i on [-2, 2] and carry the sum S of the best N-piece approximations of
z^2 / 2 - 1 / d: |S - <x, x'>| <= d / N^2. The others follow f a little beyond [-1, 1].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.approximation import steepest_slope
from depthsep.claims import MAX_WEIGHTS, AbstractConstruction, Scope, Upper
from depthsep.constructions.line._quadratic import QuadraticByFolds
from depthsep.constructions.line.narrow._kinks_by_pairs import KinksByPairs
from depthsep.constructions.line.narrow._reflections import Reflections
from depthsep.constructions.symmetric._half_waves import (
    HalfWaves,
    half_waves,
    narrowest,
)
from depthsep.constructions.symmetric._shared_sum import shared_sum, shared_widths
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
from depthsep.exact import ceil_root
from depthsep.laws import Segment
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.targets import ExactForm, InnerProduct

PRECISION = 128
BEYOND = (fmpq(1, 8), fmpq(1, 64), fmpq(1, 1024))
SHARES = tuple(fmpq(k, 64) for k in (1, 2, 4, 8, 16, 32, 48, 56, 60))
FAST = 1000  # argument of waves whose pieces are too many to be counted one by one
PROFILES: tuple[AbstractConstruction, ...] = (
    QuadraticByFolds(),
    Reflections(),
    KinksByPairs(),
)


@dataclass(frozen=True)
class AffineProfile:
    """slope t + level, which needs no layer."""

    level: fmpq
    slope: fmpq
    widths: tuple[int, ...] = ()

    @property
    def network(self) -> Network:
        """Of depth 1."""
        return Network([Affine([[self.slope]], [self.level])])


@dataclass(frozen=True)
class FoldPlan:
    """Bases of the squares, and the profile behind them."""

    bases: tuple[int, ...]
    profile: AffineProfile | Upper | HalfWaves
    dim: int

    @property
    def widths(self) -> tuple[int, ...]:
        """Of all hidden layers."""
        return shared_widths(self.bases, self.dim) + self.profile.widths

    @property
    def size(self) -> tuple[int, int]:
        """What is to be small: the width, then the units."""
        return max(self.widths), sum(self.widths)


def fold_plans(target: InnerProduct, accuracy: fmpq, layers: int) -> Iterator[FoldPlan]:
    """Every split of the layers, and of the accuracy between profile and squares."""
    affine = _affine(target)
    if affine is not None:
        pieces = ceil_root(abs(affine.slope) * target.dim / accuracy, 2)
        yield FoldPlan(equal_bases(max(1, pieces), layers), affine, target.dim)
        return
    known = lipschitz(target)
    if known is None or layers < 2:
        return
    steepest, beyond = known
    least = 1 if target.profile.exact_form() is not None else 2
    for share in SHARES:
        pieces = ceil_root(steepest * target.dim / ((1 - share) * accuracy), 2)
        pieces = max(1, pieces, ceil_root(target.dim / beyond, 2))
        reach = 1 + fmpq(ceil_root(fmpq(target.dim * 2**20, pieces**2), 1), 2**20)
        for behind in range(least, layers):
            profile = _profile(target, reach, accuracy * share, behind + 1)
            if profile is not None:
                bases = equal_bases(pieces, layers - behind)
                yield FoldPlan(bases, profile, target.dim)


def _affine(target: InnerProduct) -> AffineProfile | None:
    form = target.profile.exact_form()
    if form is None or form.alpha != 0 or form.amplitude != 0:
        return None
    return AffineProfile(form.gamma, form.beta)


def equal_bases(pieces: int, layers: int) -> tuple[int, ...]:
    """The least equal bases, then the last ones made smaller."""
    bases = [max(1, ceil_root(fmpq(pieces), layers))] * layers
    for k in reversed(range(layers)):
        others = prod(bases) // bases[k]
        bases[k] = max(1, -(-pieces // others))
    return tuple(sorted(bases, reverse=True))


@lru_cache(maxsize=256)
def _profile(
    target: InnerProduct, reach: fmpq, accuracy: fmpq, depth: int
) -> Upper | HalfWaves | None:
    """The narrowest of depth `depth` on [-reach, reach]."""
    wave = target.wave
    if wave is not None and bool(wave.argument(PRECISION) > FAST):
        return half_waves(target, wave, reach, accuracy, depth - 1)
    problem = Problem(target.profile, Segment(-reach, reach), accuracy=accuracy)
    return narrowest(PROFILES, problem, depth)


@lru_cache(maxsize=64)
def lipschitz(target: InnerProduct) -> tuple[fmpq, fmpq] | None:
    """A bound of |f'| up to 1 + h, and h; None where there is none."""
    for beyond in BEYOND:
        steepest = steepest_slope(target.profile, 1 + beyond)
        if steepest is not None:
            return steepest, beyond
    return None


def _evaluate(dim: int, pieces: int, layers: int) -> Value:
    width = max(shared_widths(equal_bases(pieces, layers), dim))
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class InnerByFolds(AbstractConstruction):
    """f(<x, x'>) by folded squares and a narrow profile, exact weights.

    Args:
        room: of the accuracy that is used: enclosures of the squares take some.
    """

    room: fmpq = fmpq(1)  # noqa: RUF009 (fmpq is immutable)

    statement: ClassVar[Statement] = Statement(
        "inner-folds",
        "Width that is enough for the squares, computed by folds, in a "
        "network for a function f of the inner product",
        (
            (
                "f is L-Lipschitz, E is the allowed error, and a network approximates "
                "f(t) within E - L d / N^2 for |t| <= 1 + d / N^2"
            ),
            "x and x' lie on the unit sphere in R^d, and t = <x, x'>",
            (
                "for the squares, hidden layer j folds an interval into "
                "b_j pieces; b_1, ..., b_s are whole numbers to choose"
            ),
        ),
        Source("depthsep", "folded squares with one carried sum"),
        (
            Parameter("dim", "integer", "d, the dimension", "20", most=10**6),
            Parameter(
                "pieces", "integer", "N, the number of pieces of each square", "2304"
            ),
            Parameter(
                "layers",
                "integer",
                "s, the number of hidden layers for the squares",
                "2",
                most=10_000,
            ),
        ),
        _evaluate,
        sample="dim=10 pieces=100 layers=3",
        tex=(
            r"\text{widths } (d b_1, \, d b_2 + 1, \, \ldots, \, d b_s + 1), "
            r"\quad N = b_1 b_2 \cdots b_s; \quad \text{then a network for } f"
        ),
        proof=proved("inner-circles"),
    )

    scope = Scope(
        "this construction builds networks only for functions of inner products",
        InnerProduct,
        least_depth=2,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target = problem.target_as(InnerProduct)
        try:
            plans = list(fold_plans(target, problem.accuracy * self.room, depth - 1))
        except HypothesisError as refusal:
            return Inapplicable(str(refusal))
        if not plans:
            return Inapplicable(
                "no plan was found: the depth must leave hidden layers both for the "
                "squares and for the function of the inner product, and the slope of "
                "this function must be bounded a little beyond [-1, 1]"
            )
        plan = min(plans, key=lambda p: p.size)
        profile = plan.profile
        folded = isinstance(profile, HalfWaves)
        return Upper(
            widths=plan.widths,
            error=problem.accuracy,
            rigour=profile.rigour if isinstance(profile, Upper) else Rigour.ENCLOSED,
            statement=self.statement,
            make=lambda: fold_network(target, plan),
            in_dim=target.in_dim,
            most_weights=0 if folded else MAX_WEIGHTS,
        )

    def more_careful(self) -> "InnerByFolds | None":
        """The same with a little less of the accuracy."""
        return InnerByFolds(fmpq(15, 16)) if self.room == 1 else None

    def examples(self) -> list[Problem]:
        return [
            Problem(InnerProduct("sin(9*t)", 3), accuracy="1/10"),
            Problem(InnerProduct("exp(t)*cos(5*t)", 2), norm="l2", accuracy="1/20"),
            Problem(InnerProduct("abs(t)", 4), norm="l1", accuracy="1/10"),
            Problem(InnerProduct("2*t-1", 10), accuracy="1/100"),
        ]


def fold_network(target: InnerProduct, plan: FoldPlan) -> Network:
    """The network of a plan; half-waves are folded in real numbers only."""
    assert not isinstance(plan.profile, HalfWaves)
    form = ExactForm(fmpq(1, 2), fmpq(0), fmpq(-1, target.dim))
    inputs = np.hstack([np.eye(target.dim)] * 2)
    squares = shared_sum(form, Segment(-2, 2), plan.bases, inputs)
    return squares.followed_by(plan.profile.network)
