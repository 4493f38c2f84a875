"""Affine targets: one unit a layer, exactly."""

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.laws import Segment
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, ExactForm


def _evaluate(layers: int) -> Value:
    return Value(1, Rigour.EXACT, 0.0)


@dataclass(frozen=True)
class AffinePassedOn(AbstractConstruction):
    """x - A >= 0 on [A, B] passes every ReLU unchanged; the read-out does the rest."""

    statement: ClassVar[Statement] = Statement(
        "affine",
        "Width that is enough for L hidden layers to compute an affine "
        "function exactly",
        ("there is one input, which lies in an interval",),
        Source("depthsep", "affine function carried through layers"),
        (LAYERS,),
        _evaluate,
        tex=(
            "\\text{widths } m_1 = \\cdots = m_L = 1; \\quad \\text{at depth 1 no unit "
            "is needed}"
        ),
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for affine functions on an interval",
        AbstractLineTarget,
        least_depth=2,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        form = problem.exact_form
        if form is None or not form.is_affine:
            return self.scope.elsewhere
        on, layers = problem.interval, depth - 1
        return Upper(
            widths=(1,) * layers,
            error=fmpq(0),
            rigour=Rigour.EXACT,
            statement=self.statement,
            make=lambda: _network(form, on, layers),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:x/3 - 1/7", Segment(-1, 2), accuracy="1e-30"),
            Problem("expr:2", norm="l1", accuracy="1e-3"),
        ]


def _network(form: ExactForm, on: Segment, layers: int) -> Network:
    first = Affine([[1]], [-on.start])
    last = Affine([[form.beta]], [form.gamma + form.beta * on.start])
    return Network([first, *[Affine([[1]], [0])] * (layers - 1), last])
