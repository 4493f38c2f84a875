r"""Radial functions on the unit ball by one hidden layer.

With z = 2 x, G(|x|) is a function of |z|^2 / 2 - 1 on |z| <= 2, as functions of inner
products on spheres are of z = x + x': the same polynomials, rules and chords serve.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.approximation import chebyshev_form
from depthsep.claims import MAX_WEIGHTS, AbstractConstruction, Scope, Upper
from depthsep.constructions.symmetric._inner_by_ridges import (
    MAX_DIRECTIONS,
    MAX_READ_DEGREE,
    plan_of_form,
    ridges_of,
)
from depthsep.constructions.symmetric._sphere_rule import direction_count
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
from depthsep.laws import AbstractRadialLaw, Segment
from depthsep.problems import Problem
from depthsep.targets import Radial


def _evaluate(dim: int, degree: int) -> Value:
    count = direction_count(dim, degree)
    return Value(count, Rigour.EXACT, log2(count))


@dataclass(frozen=True)
class RadialByRidges(AbstractConstruction):
    """G(|x|) on the unit ball: a size that is always known, built where small.

    Args:
        share: of the accuracy for the chords; a quarter is for the polynomial.
    """

    share: fmpq = fmpq(3, 4)  # noqa: RUF009 (fmpq is immutable)

    statement: ClassVar[Statement] = Statement(
        "radial-ridges",
        "Number of directions that is enough to write a polynomial in "
        "|x|^2 as a sum of ridge functions on the unit ball",
        ("the polynomial has degree n in |x|^2", "|x| <= 1"),
        Source("depthsep", "ridge expansion of radial polynomials"),
        (
            Parameter("dim", "integer", "d, the dimension", "3", most=1000, least=2),
            Parameter("degree", "integer", "n, the degree", "5", most=10**6),
        ),
        _evaluate,
        sample="dim=3 degree=6",
        tex="(n + 1)^{d-1} "
        "\\text{ directions, all with the same function of one variable}",
        proof=proved("radial-tubes"),
    )

    scope = Scope(
        "this construction builds networks only for radial functions on a ball",
        Radial,
        AbstractRadialLaw,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target, law = problem.target_as(Radial), problem.law_as(AbstractRadialLaw)
        if depth != 2:
            return Inapplicable(
                "this construction builds networks with only one hidden layer",
                off_topic=True,
            )
        if not law.is_in_unit_ball or target.dim < 2:
            return Inapplicable(
                "this construction needs a law on the unit ball in 2 or more dimensions"
            )
        room = problem.accuracy
        form = chebyshev_form(target.on_ball, Segment(-1, 1), room / 4)
        if form is None:
            return Inapplicable(
                "no polynomial in |x|^2 of degree 128 or less was "
                "found that comes close enough to the target"
            )
        plan = plan_of_form(target.dim, form, room * self.share)
        count = direction_count(target.dim, plan.degree)
        built = count <= MAX_DIRECTIONS and plan.degree <= MAX_READ_DEGREE
        return Upper(
            widths=(count * plan.cells,),
            error=problem.accuracy,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            detail=f"ridge expansion of degree {plan.degree}",
            make=lambda: ridges_of(target.dim, plan, 2 * np.eye(target.dim)),
            in_dim=target.dim,
            most_weights=MAX_WEIGHTS if built else 0,
        )

    def more_careful(self) -> "RadialByRidges | None":
        """The same with half as much for the chords: rounding and fits cost more."""
        return RadialByRidges(self.share / 2) if self.share > fmpq(1, 10) else None

    def examples(self) -> list[Problem]:
        return []
