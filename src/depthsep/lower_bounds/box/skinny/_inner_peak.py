"""Functions with a peak inside a box: layers of at most as many units as inputs."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from itertools import product as cartesian
from typing import ClassVar

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    cited,
    log2,
)
from depthsep.exact import ball_upper, decimal, nearest_float, plain
from depthsep.laws import Box, Segment
from depthsep.problems import NetworkClass, Problem
from depthsep.targets import AbstractBoxTarget, Formula, interval_ball

PRECISION = 64
PARTS = {2: 64, 3: 16, 4: 6}  # of every side of the boundary
SAMPLES = {2: 65, 3: 17, 4: 9}  # along each side, where peaks are looked for


@lru_cache(maxsize=64)
def peak_above_boundary(target: AbstractBoxTarget, box: Box) -> fmpq:
    """By how much f, or -f, is larger at a point inside than on all of the boundary.

    A lower bound; 0 where none is found.
    """
    formula = target.as_formula()
    with ctx.workprec(PRECISION):
        return max(_peak(formula, box, sign) for sign in (1, -1))


def _peak(formula: Formula, box: Box, sign: int) -> fmpq:
    count = SAMPLES[box.in_dim]
    ticks = [_ticks(side, count - 1)[1:-1] for side in box.sides]
    floats = [[nearest_float(v) for v in t] for t in ticks]
    points = np.array(list(cartesian(*floats)))
    values = np.nan_to_num(sign * formula.floats(points), nan=-np.inf, posinf=-np.inf)
    inside = list(cartesian(*ticks))[int(values.argmax())]
    peak = sign * _value(formula, [arb(v) for v in inside])
    if not peak.is_finite():
        return fmpq(0)
    above = [
        -ball_upper(v - peak) if v.is_finite() else fmpq(0)
        for v in (sign * _value(formula, face) for face in _faces(box))
    ]
    return max(min(above), fmpq(0))


def _value(formula: Formula, balls: list[arb]) -> arb:
    return formula.along([1] * formula.dim, balls).value


def _ticks(side: Segment, parts: int) -> list[fmpq]:
    return [side.start + side.length * k / parts for k in range(parts + 1)]


def _faces(box: Box) -> list[list[arb]]:
    """Small parts of all faces of the box."""
    parts = PARTS[box.in_dim]
    cells = []
    for side in box.sides:
        ticks = _ticks(side, parts)
        cells.append([interval_ball(a, b) for a, b in pairwise(ticks)])
    found = []
    for axis, side in enumerate(box.sides):
        for end in (side.start, side.stop):
            ways = [*cells[:axis], [arb(end)], *cells[axis + 1 :]]
            found += [list(face) for face in cartesian(*ways)]
    return found


def _evaluate(inputs: int, peak: fmpq, accuracy: fmpq) -> Value:
    width = inputs + 1 if 2 * accuracy < peak else 0
    return Value(width, Rigour.CITED, log2(width))


@dataclass(frozen=True)
class InnerPeak(AbstractLowerBound):
    """Level sets of skinny networks have no bounded component (Johnson 2019)."""

    statement: ClassVar[Statement] = Statement(
        "inner-peak",
        "Width needed at every depth by a function with a peak inside a box",
        (
            (
                "the error is measured in linf; the network is a ReLU "
                "network with hidden layers of m_1, ..., m_L units, any weights "
                "and no skip connections"
            ),
            (
                "at some point inside the box, f exceeds all its "
                "boundary values by more than 2 E"
            ),
        ),
        Source("johnson2019", "Theorem 1"),
        (
            Parameter("inputs", "integer", "d, the number of inputs", "2", most=1000),
            Parameter(
                "peak",
                "rational",
                "how far the peak is above the largest boundary value",
            ),
            Parameter("accuracy", "rational", "E, the allowed error"),
        ),
        _evaluate,
        sample="peak=1/2 accuracy=1/10",
        tex=r"\max_i m_i \ge d + 1 \text{ if } 2 E < \text{peak}",
        proof=cited("maxima"),
    )

    scope = Scope(
        "this bound covers only functions on a box, in linf",
        AbstractBoxTarget,
        norms=("linf",),
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        inputs = problem.law.in_dim
        if inputs not in PARTS:
            return Inapplicable(
                f"this bound covers only functions of up to {max(PARTS)} variables"
            )
        peak = peak_above_boundary(
            problem.target_as(AbstractBoxTarget), problem.law.box
        )
        if 2 * problem.accuracy >= peak:
            return Inapplicable(
                "no peak inside the box was found that is more than twice "
                "the accuracy above all boundary values"
            )
        shown = plain(decimal(peak, 3, upward=False))
        return Lower(
            width=inputs + 1,
            units=inputs + depth - 1,
            rigour=Rigour.CITED,
            statement=self.statement,
            detail=f"Theorem 1, for a peak {shown} above the boundary values",
            networks=NetworkClass(skips=False),
        )

    def examples(self) -> list[Problem]:
        return [Problem("expr:exp(-x1**2-x2**2)", Segment(-1, 1), accuracy="1/10")]
