"""Functions of one linear form: a network of one input behind that form."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.claims import AbstractConstruction, Scope, Upper
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
from depthsep.networks import Affine, Network, compose
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget


def _evaluate(width: int) -> Value:
    return Value(width, Rigour.EXACT)


@dataclass(frozen=True)
class OneForm(AbstractConstruction):
    """G(w . x) for f(x) = g(w . x), G the narrowest network known for g.

    The sup of |G - g| over the values of w . x is that of the network over the box; it
    bounds l1 and l2 errors, too.

    Args:
        on_lines: the constructions that are asked for G.
        careful: whether their careful forms are asked.
    """

    on_lines: Sequence[AbstractConstruction]
    careful: bool = False

    statement: ClassVar[Statement] = Statement(
        "one-form",
        "A function g(w . x) of one linear form needs no greater width "
        "than its profile g",
        (
            "f(x) = g(w . x) on a box",
            "a network of width W approximates g on the values of w . x",
        ),
        Source("depthsep", "functions of one linear form"),
        (Parameter("width", "integer", "W, the width of the network for g", "3"),),
        _evaluate,
        tex="W",
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for functions of one linear form on a "
        "box",
        AbstractBoxTarget,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        found = problem.target_as(AbstractBoxTarget).as_one_form()
        if found is None:
            return self.scope.elsewhere
        on = found.range_on(problem.law.box)
        try:
            line = Problem(found.profile, on, "linf", problem.accuracy)
        except HypothesisError as refusal:
            return Inapplicable(str(refusal))
        answers = [self._asked(c, line, depth) for c in self.on_lines]
        claims = [a for a in answers if isinstance(a, Upper)]
        if not claims:
            refused = [a for a in answers if isinstance(a, Inapplicable)]
            return Inapplicable.together(refused, "no construction was given")
        best = min(claims, key=lambda c: (c.width, c.units))
        form = Network([Affine([list(found.weights)], [fmpq(0)])])
        return replace(
            best,
            statement=self.statement,
            detail=f"{best.source.place}, applied to one linear form",
            in_dim=problem.target.in_dim,
            pieces=None,
            make=lambda: compose(best.network, form),
        )

    def _asked(
        self, construction: AbstractConstruction, line: Problem, depth: int
    ) -> Upper | Inapplicable:
        careful = construction.more_careful() if self.careful else None
        return (careful or construction).prove(line, depth)

    def more_careful(self) -> "OneForm | None":
        """With the careful forms of the constructions on lines."""
        return None if self.careful else replace(self, careful=True)

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:exp(x1+x2)", accuracy="1/100"),
            Problem("expr:sin(3*x1-x2)", Segment(-1, 1), accuracy="1/10"),
        ]
