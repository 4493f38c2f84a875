"""Functions that bend in all directions: how many convex affine cells they need."""

from dataclasses import dataclass
from typing import ClassVar

from flint import arb, ctx, fmpq

from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    LAYERS,
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
from depthsep.lower_bounds._pieces import RELU_SETTING
from depthsep.lower_bounds.box._bent_parts import PRECISION, BentPart, most_bent_part
from depthsep.lower_bounds.box._cells import least_units_of_cells, least_width_of_cells
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

MOST_DIM = 8


def cells_needed(size: arb, inputs: int, accuracy: fmpq) -> int:
    """Convex cells with an error of at most `accuracy` in the sup norm.

    Args:
        size: the volume times the root of det H.
    """
    with ctx.workprec(PRECISION):
        half = arb(inputs) / 2
        ball = arb.pi() ** half / (half + 1).gamma()
        needed = size / (ball * (4 * arb(accuracy)) ** half)
        return max(1, -int(ball_upper(-needed).floor()))


def _evaluate(
    volume: fmpq, determinant: fmpq, inputs: int, accuracy: fmpq, layers: int
) -> Value:
    with ctx.workprec(PRECISION):
        size = arb(volume) * arb(determinant).sqrt()
    cells = cells_needed(size, inputs, accuracy)
    width = least_width_of_cells(cells, inputs, layers)
    return Value(width, Rigour.ENCLOSED, log2(width))


@dataclass(frozen=True)
class ConvexCells(AbstractLowerBound):
    """A cell on which f is nearly affine is small in every direction.

    The best part of the box, with a constant lower bound of the Hessian.
    """

    statement: ClassVar[Statement] = Statement(
        "convex-cells",
        "Width needed for a function that is convex, or concave, on a part of a box",
        (
            RELU_SETTING,
            (
                "on a convex part of the box, of volume V, the Hessian D^2 f of the "
                "function f satisfies D^2 f >= H or D^2 f <= -H, where H is a "
                "constant positive definite matrix; the linf error is at most E; R is "
                "the number of convex cells of that part on which the network is "
                "affine"
            ),
        ),
        Source("depthsep", "Theorem V"),
        (
            Parameter("volume", "rational", "V, the volume of the convex part", "1"),
            Parameter("determinant", "rational", "det H"),
            Parameter("inputs", "integer", "d, the number of inputs", "2", most=100),
            Parameter("accuracy", "rational", "E, the allowed error"),
            LAYERS,
        ),
        _evaluate,
        sample="volume=4 determinant=4 inputs=2 accuracy=1/10000 layers=1",
        tex=(
            r"R \ge \frac{V \sqrt{\det H}}{\omega_d \, (4 E)^{d/2}}, "
            r"\quad \prod_{i=1}^{L} \sum_{j=0}^{d} \binom{m_i}{j} \ge R, "
            r"\quad \omega_d \text{ the volume of the unit ball}"
        ),
        proof=proved("convex-cells"),
    )

    scope = Scope(
        "this bound covers only functions on a box, in linf",
        AbstractBoxTarget,
        norms=("linf",),
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.law.in_dim > MOST_DIM:
            return Inapplicable(
                f"this bound covers only functions of up to {MOST_DIM} variables"
            )
        part = most_bent_part(problem.target_as(AbstractBoxTarget), problem.law.box)
        if part is None:
            return Inapplicable(
                "no part of the box was found on which the function is "
                "strictly convex or strictly concave"
            )
        inputs = problem.law.in_dim
        cells = cells_needed(part.size, inputs, problem.accuracy)
        if cells == 1:
            return Inapplicable(
                "the function is not curved enough, on any part of the box that was "
                "tried, for this bound to give more than one affine piece"
            )
        return Lower(
            width=least_width_of_cells(cells, inputs, depth - 1),
            units=least_units_of_cells(cells, inputs, depth - 1),
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            detail=f"Theorem V on {_words(part)}",
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:x1**2+x2**2+x3**2", accuracy="1e-3"),
            Problem("expr:exp(x1)+exp(2*x2)", accuracy="1e-3"),
        ]


def _words(part: BentPart) -> str:
    return " x ".join(f"[{s.start}, {s.stop}]" for s in part.box.sides)
