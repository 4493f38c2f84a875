"""Formulas on a box, part by part: functions, products and sums of their networks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from flint import fmpq

from depthsep.analysis import examine
from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.box.composed._builder import Builder
from depthsep.constructions.box.composed._plan import Plan
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

MOST_PARTS = 60  # of a formula
MOST_INPUTS = 8
SECONDS = 2.0  # for the examiner, a part


def _evaluate(inner: int, outer: int) -> Value:
    return Value(max(inner, outer), Rigour.EXACT)


@dataclass(frozen=True)
class Composed(AbstractConstruction):
    """g(p(x)) and u(x) v(x) from networks for g, for products, and for p, u and v.

    A bound of |g'| says how much of the accuracy p may take, and for roots Hoelder's
    inequality. Networks of one variable whose theorems leave their errors open are
    examined; where one is not confirmed, the claim is a proposal (`sampled`).

    Args:
        on_lines, on_boxes: the constructions that are asked for the parts.
        kept: the share of the accuracy that is used.
    """

    on_lines: Sequence[AbstractConstruction]
    on_boxes: Sequence[AbstractConstruction]
    kept: fmpq = fmpq(49, 50)  # noqa: RUF009 (fmpq is immutable)

    statement: ClassVar[Statement] = Statement(
        "composed",
        "Width that is enough for a formula that is composed of parts",
        (
            (
                "f is g(p), u v or u + v on a box, with formulas p, u and "
                "v and a function g of one variable"
            ),
            (
                "the errors of the networks for the parts, carried through the "
                "formula, add up to at most E, the allowed error"
            ),
        ),
        Source("depthsep", "formula composed part by part"),
        (
            Parameter(
                "inner",
                "integer",
                "the width of the networks for the parts, side by side",
                "8",
            ),
            Parameter(
                "outer",
                "integer",
                "the width of the network that takes the outputs of the parts",
                "9",
            ),
        ),
        _evaluate,
        tex=r"\max(W_{\text{inner}}, W_{\text{outer}})",
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for formulas on a box "
        "other than polynomials of degree at most 2",
        AbstractBoxTarget,
        least_depth=3,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target = problem.target_as(AbstractBoxTarget)
        if (exact := target.as_polynomial()) is not None and exact.degree <= 2:
            return self.scope.elsewhere
        if target.in_dim > MOST_INPUTS:
            return Inapplicable(
                f"only formulas of up to {MOST_INPUTS} inputs are composed"
            )
        formula = target.as_formula()
        if formula.syntax.size > MOST_PARTS:
            return Inapplicable(
                f"only formulas of up to {MOST_PARTS} parts are composed"
            )
        builder = Builder(problem.law.box, self.on_lines, self.on_boxes)
        accuracy = self.kept * problem.accuracy
        plan = builder.composed(formula.syntax, accuracy, depth)
        if plan is None:
            return Inapplicable(
                "no networks for the parts of the formula were found "
                "that fit together into the layers of this depth"
            )
        return Upper(
            widths=plan.widths,
            error=problem.accuracy,
            rigour=Rigour.ENCLOSED if _is_proved(plan) else Rigour.SAMPLED,
            statement=self.statement,
            detail="formula composed part by part",
            in_dim=problem.target.in_dim,
            make=plan.make,
        )

    def more_careful(self) -> "Composed | None":
        """With less of the accuracy used."""
        least = self.kept < fmpq(7, 10)
        return None if least else replace(self, kept=self.kept - fmpq(1, 5))

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:exp(-x1**2-x2**2)", accuracy="1/60"),
            Problem("expr:x1/(1+x2)", accuracy="1/100"),
            Problem("expr:sqrt(1+x1**2)*sin(x2)", Segment(-1, 1), accuracy="1/10"),
        ]


def _is_proved(plan: Plan) -> bool:
    """Whether the examiner confirms every part that its theorem leaves open."""
    return all(_is_within(*part) for part in plan.parts)


def _is_within(claim: Upper, problem: Problem) -> bool:
    found = examine(claim.network, problem, seconds=SECONDS)
    if isinstance(found, Inapplicable):
        return False
    return found.error.is_at_most(problem.accuracy)
