"""Convex and concave functions: a few cells, all refined by the same folds."""

from dataclasses import dataclass, replace
from math import prod
from typing import ClassVar

from depthsep.claims import AbstractConstruction, Upper
from depthsep.constructions.line._inexact_scope import InexactScope
from depthsep.constructions.line.glued._glued_network import glued_network
from depthsep.constructions.line.glued._glued_plan import convexity, narrowest
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
from depthsep.exact import least_above
from depthsep.problems import Problem


def _evaluate(pieces: int, layers: int) -> Value:
    width = width_for(pieces, layers)
    return Value(width, Rigour.EXACT, log2(width))


def width_for(pieces: int, layers: int) -> int:
    """The least width with which so many pieces are refined."""
    return least_above(lambda m: _pieces(m, layers) >= pieces, 0)


def _pieces(width: int, layers: int) -> int:
    return prod([width * max(1, width // 2), *[max(1, width - 1)] * (layers - 2)])


@dataclass(frozen=True)
class GluedFolds(AbstractConstruction):
    r"""Cells with equal f'' h^2 = S, refined by the folds that serve x^2.

    The first two hidden layers share their units between the chords of f and a zigzag
    that is 0 and 1 at the knots in turn. Folding it with bases b_3, ..., b_L and
    bending the chords by (S/2) tau (1 - tau) gives M (q + 1) b_3 ... b_L pieces with
    widths (M, 2 q + 2, b_3 + 1, ..., b_L + 1). Error: S / (16 b^2) in linf, b the
    product of the bases, and what the parabolas miss. In linf a few plain cells may
    come first at a singular end, each for one more unit of the first layer. The claim
    is `sampled` until the examiner has enclosed the error.

    Attributes:
        safety: share of the accuracy kept for what lies between samples.
        plain: how many plain cells are tried, in this order.
    """

    safety: float = 2.5e-3
    plain: tuple[int, ...] = (0, 1, 2, 3, 5)

    statement: ClassVar[Statement] = Statement(
        "glued-folds",
        "Width that is enough for L >= 2 hidden layers to approximate "
        "a convex or concave function by N affine pieces, where the interval is cut "
        "into cells and the same folds subdivide every cell",
        (
            "there is one input, which lies in an interval",
            "f is convex or concave",
            (
                "the interval is cut into M (q + 1) cells, and hidden "
                "layer j >= 3 folds an interval into b_j pieces; M, q and "
                "b_3, ..., b_L are whole numbers to choose"
            ),
        ),
        Source("depthsep", "folds joined cell by cell"),
        (Parameter("pieces", "integer", "N, the number of affine pieces"), LAYERS),
        _evaluate,
        sample="pieces=500 layers=3",
        tex=(
            r"\text{widths } (M, \, 2 q + 2, \, b_3 + 1, \, \ldots, \, b_L + 1), "
            r"\quad N = M (q + 1) \, b_3 \cdots b_L"
        ),
        proof=proved("narrow-networks"),
    )

    scope = InexactScope(least_depth=4)

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        sign = convexity(problem)
        if sign == 0:
            return Inapplicable(
                "the samples of the target are neither convex nor concave, "
                "or not all finite"
            )
        plan = narrowest(problem, sign, depth - 1, self.safety, self.plain)
        if plan is None:
            return Inapplicable(
                "this construction gave no network that is accurate enough and at most "
                "as wide as that of the construction kinks-by-pairs"
            )
        return Upper(
            widths=plan.widths,
            error=problem.accuracy,
            rigour=Rigour.SAMPLED,
            statement=self.statement,
            make=lambda: glued_network(
                plan.cells,
                plan.bases,
                sign=sign,
                drop=plan.drop,
                mirrored=plan.mirrored,
            ),
        )

    def more_careful(self) -> "GluedFolds | None":
        """The same with more of the accuracy kept for what lies between samples."""
        return replace(self, safety=8 * self.safety) if self.safety < 0.1 else None

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:exp(x)", norm=norm, accuracy="1e-4")
            for norm in ("linf", "l1", "l2")
        ] + [
            Problem("expr:sqrt(x + 1/100)", accuracy="1e-3"),
            Problem("expr:(1-x)**2.5", accuracy="1e-5"),
        ]
