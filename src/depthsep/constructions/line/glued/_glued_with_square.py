"""Functions with inflections: a square is added, and taken away by folds of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from math import prod
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.claims import AbstractConstruction, Upper
from depthsep.constructions.line._folds import balanced_bases
from depthsep.constructions.line._inexact_scope import InexactScope
from depthsep.constructions.line._interpolate import JUMPS, interpolant
from depthsep.constructions.line._quadratic import (
    least_pieces,
    quadratic_network,
    quadratic_widths,
)
from depthsep.constructions.line.glued._glued_folds import GluedFolds, width_for
from depthsep.constructions.line.glued._glued_plan import convexity, samples
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
from depthsep.exact import nearest_float, rational
from depthsep.networks import Network, add, scale
from depthsep.problems import Problem
from depthsep.targets import ExactForm, Expression

# times the least coefficient that makes f convex; share of the accuracy for that sum
FEW_LAYERS, MORE_LAYERS = (fmpq(13, 10), fmpq(1, 2)), (fmpq(2), fmpq(3, 4))
SHALLOW = 4
MOST_INFLECTIONS = 64
FLAT = 1e-3  # of the largest second difference: whose sign may be rounding


def _evaluate(pieces: int, folds: int, layers: int) -> Value:
    beside = max(balanced_bases(folds, layers, carry=True)) + 1
    width = width_for(pieces, layers) + beside
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class GluedFoldsWithSquare(AbstractConstruction):
    r"""f = (f + c (x - A)^2) - c (x - A)^2, both by folds, side by side.

    The coefficient c is a little more than makes the sum convex (or, for the other
    sign, concave), so that `GluedFolds` serves it; the square has folds of its own in
    every layer. The claim is `sampled` until the examiner has enclosed the error.
    """

    glued: GluedFolds = field(default_factory=lambda: GluedFolds(plain=(0,)))

    statement: ClassVar[Statement] = Statement(
        "glued-folds-with-square",
        "Width that is enough for L hidden layers to approximate f = (f + c x^2) - c "
        "x^2, with N pieces for the first part and N' for the second",
        (
            "there is one input, which lies in an interval",
            "f + c x^2 is convex with c > 0, or concave with c < 0",
            (
                "the interval is cut into M (q + 1) cells, and hidden "
                "layer j >= 3 folds an interval into b_j pieces; M, q and "
                "b_3, ..., b_L are whole numbers to choose"
            ),
            (
                "for the square, hidden layer j folds an interval into a_j "
                "pieces, also whole numbers to choose"
            ),
        ),
        Source("depthsep", "joined folds minus a square"),
        (
            Parameter("pieces", "integer", "N, the number of pieces for f + c x^2"),
            Parameter("folds", "integer", "N', the number of pieces for c x^2"),
            LAYERS,
        ),
        _evaluate,
        sample="pieces=500 folds=64 layers=3",
        tex=(
            r"\text{widths } (M, \, 2 q + 2, \, b_3 + 1, \, \ldots, \, b_L + 1) "
            r"+ (a_1, \, a_2 + 1, \, \ldots, \, a_L + 1), "
            r"\quad N = M (q + 1) \, b_3 \cdots b_L, \quad N' = a_1 a_2 \cdots a_L"
        ),
        proof=proved("narrow-networks"),
    )

    scope = InexactScope(
        "this construction needs a formula on an interval", Expression, least_depth=4
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target = problem.target_as(Expression)
        least = _least_coefficient(problem)
        if least is None:
            return Inapplicable(
                "the samples of the target show no inflection point or "
                "too many of them, or are not all finite",
                off_topic=True,
            )
        if interpolant(problem) is JUMPS:
            return JUMPS
        larger, share = FEW_LAYERS if depth <= SHALLOW else MORE_LAYERS
        c, a = least * larger, problem.interval.start
        square = ExactForm(c, -2 * c * a, c * a * a)
        bent = Problem(
            Expression(f"({target.formula}) + ({c}) * (x - ({a}))**2"),
            problem.law,
            problem.norm,
            share * problem.accuracy,
        )
        chords = self.glued.prove(bent, depth)
        if isinstance(chords, Inapplicable):
            return chords
        bends = abs(c) * problem.interval.length**2
        pieces = least_pieces((1 - share) * problem.accuracy / bends, problem.norm)
        bases = bases_beside(chords.widths, pieces)
        folds = quadratic_widths(bases)

        def make() -> Network:
            folded = quadratic_network(square, problem.interval, bases, problem.norm)
            return add(chords.network, scale(folded, -1))

        return Upper(
            widths=tuple(a + b for a, b in zip(chords.widths, folds, strict=True)),
            error=problem.accuracy,
            rigour=Rigour.SAMPLED,
            statement=self.statement,
            make=make,
        )

    def more_careful(self) -> "GluedFoldsWithSquare | None":
        """The same with more of the accuracy kept for what lies between samples."""
        glued = self.glued.more_careful()
        return None if glued is None else GluedFoldsWithSquare(glued)

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:sin(4*x)", norm=norm, accuracy=accuracy)
            for norm, accuracy in (("linf", "1e-3"), ("l1", "1e-3"), ("l2", "1e-2"))
        ]


def _least_coefficient(problem: Problem) -> fmpq | None:
    """The c nearest to 0 with f + c x^2 convex or concave (c < 0), from samples.

    None without inflections or with very many, or where the samples are not finite.
    """
    if convexity(problem) != 0:
        return None
    on = problem.interval
    v = samples(problem)
    step = nearest_float(on.length) / (len(v) - 1)
    bends = np.diff(v, 2) / (2 * step**2)
    if not np.isfinite(bends).all():
        return None
    clear = np.sign(bends[np.abs(bends) > FLAT * np.abs(bends).max()])
    if np.count_nonzero(np.diff(clear)) > MOST_INFLECTIONS:
        return None  # the square would bend far more than f
    down, up = float(-bends.min()), float(bends.max())
    if min(down, up) <= 0:
        return None
    return rational(f"{down:.3e}") if down <= up else -rational(f"{up:.3e}")


def bases_beside(widths: Sequence[int], pieces: int) -> tuple[int, ...]:
    """Bases whose product is `pieces` or more, beside layers that are that wide.

    The widest layer is about as narrow as it can be. After a base 1 there are only
    others: nothing is left to fold.
    """

    def room(width: int) -> list[int]:
        taken = [widths[0], *(w + 1 for w in widths[1:])]
        return [max(2, width - units) for units in taken]

    bases = room(next(m for m in count(max(widths) + 1) if prod(room(m)) >= pieces))
    for j in reversed(range(len(bases))):
        least = 1 if set(bases[j + 1 :]) <= {1} else 2
        while bases[j] > least and prod(bases) // bases[j] * (bases[j] - 1) >= pieces:
            bases[j] -= 1
    return tuple(bases)
