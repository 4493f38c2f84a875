"""One unit a layer, without skip connections: such a network is monotone."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Inapplicable,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.laws import Segment
from depthsep.problems import PLAIN_RELU, Problem
from depthsep.targets import AbstractLineTarget

SAMPLES = 2048
PRECISION = 128


def _evaluate() -> Value:
    return Value(2, Rigour.EXACT)


@dataclass(frozen=True)
class OneUnit(AbstractLowerBound):
    """f falls and then rises by more than 2 E: no monotone g is within E."""

    statement: ClassVar[Statement] = Statement(
        "one-unit",
        "A layer of at least two units is needed if a function falls "
        "and rises again, or rises and falls again",
        (
            (
                "the network has one input, monotone units, any weights "
                "and no skip connections"
            ),
            (
                "for some x < y < z, f changes by more than 2 E from x "
                "to y and by more than 2 E the other way from y to z, "
                "where E is the allowed linf error"
            ),
        ),
        Source("depthsep", "networks of width 1 are monotone"),
        (),
        _evaluate,
        tex="2",
        proof=proved("narrow-layers"),
    )

    scope = Scope(
        "this bound covers only functions on an interval, in linf",
        AbstractLineTarget,
        norms=("linf",),
        least_depth=2,
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if not _turns(problem):
            return Inapplicable(
                "a monotone function may meet the accuracy", off_topic=True
            )
        units = problem.networks.units
        monotone = units.activation is not None and units.activation.increasing
        return Lower(
            width=2,
            units=depth,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            networks=replace(PLAIN_RELU, units=units) if monotone else PLAIN_RELU,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:abs(x)", Segment(-1, 1), accuracy="1/10"),
            Problem("expr:sin(7*x)", accuracy="1/3"),
        ]


def _turns(problem: Problem) -> bool:
    """Whether rises and falls of more than 2 E in turn are proved at three points."""
    on, target = problem.interval, problem.line_target
    points = [
        on.start + (on.stop - on.start) * fmpq(k, SAMPLES) for k in range(SAMPLES + 1)
    ]
    values = target.floats(np.array([int(x.p) / int(x.q) for x in points]))
    if not np.isfinite(values).all():
        return False
    return any(
        _moves(problem, [points[i] for i in _largest_dip(sign * values)], sign)
        for sign in (1, -1)
    )


def _largest_dip(values: np.ndarray) -> tuple[int, int, int]:
    """Three samples between which the values fall most and rise again."""
    before = np.maximum.accumulate(values)
    after = np.maximum.accumulate(values[::-1])[::-1]
    y = int(np.argmax(np.minimum(before, after) - values))
    x = int(np.argmax(values[: y + 1]))
    return x, y, y + int(np.argmax(values[y:]))


def _moves(problem: Problem, points: list[fmpq], sign: int) -> bool:
    """Whether sign * f falls, then rises by more than 2 E, proved in balls."""
    target, room = problem.line_target, 2 * problem.accuracy
    with ctx.workprec(PRECISION):
        values = [sign * target.jet(arb(x)).value for x in points]
        steps = [b - a for a, b in pairwise(values)]
        return bool(steps[0] < -room and steps[1] > room)
