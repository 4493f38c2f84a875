"""Polynomials in several variables as sums of functions of one linear form each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.box._ridge_forms import Shape, as_ridges
from depthsep.constructions.line._affine import AffinePassedOn
from depthsep.constructions.line._quadratic import QuadraticByFolds
from depthsep.constructions.line._spread_interpolant import SpreadInterpolant
from depthsep.constructions.line._squared_chebyshev import PolynomialBySquares
from depthsep.constructions.line.glued._glued_folds import GluedFolds
from depthsep.constructions.line.narrow._kinks_by_pairs import KinksByPairs
from depthsep.constructions.line.narrow._reflections import Reflections
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
    weakest,
)
from depthsep.exact import dyadic_near, nearest_float
from depthsep.laws import Box, Segment
from depthsep.networks import Affine, Network, add, compose, shift
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget, Polynomial, polynomial_expression

LEAST_SHARE = fmpq(1, 1 << 30)


def _evaluate(accuracy: fmpq, layers: int) -> Value:
    upper = RidgeSums().prove(Problem("product", accuracy=accuracy), layers + 1)
    width = upper.width if isinstance(upper, Upper) else 0
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class RidgeSums(AbstractConstruction):
    r"""p(x) = sum_j q_j(w_j . x): each q_j by the best network of one variable.

    Powers of linear forms span all polynomials, so every p has such a form; x1 x2 =
    ((x1 + x2)^2 - (x1 - x2)^2) / 4. The errors of the parts add, their widths too, and
    the accuracy is shared so that the sum of the widths is least at depth 2. The bound
    is for the sup norm, which bounds l1 and l2.

    Args:
        safety: of the parts by `SpreadInterpolant`.
    """

    safety: float = 2.5e-3

    statement: ClassVar[Statement] = Statement(
        "ridge-sum",
        "Width that is enough for L hidden layers to approximate x1 x2 "
        "on [-1, 1]^2 in linf by ridge functions",
        (
            (
                "the construction takes any polynomial with rational "
                "coefficients on any box"
            ),
        ),
        Source("depthsep", "sum of ridge functions"),
        (Parameter("accuracy", "rational", "allowed error in linf"), LAYERS),
        _evaluate,
        sample="accuracy=1/1000 layers=2",
        tex=(
            r"x_1 x_2 = \frac{(x_1 + x_2)^2 - (x_1 - x_2)^2}{4}, "
            r"\quad \text{each square by folds}"
        ),
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for polynomials on a box",
        AbstractBoxTarget,
        least_depth=2,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target = problem.target_as(AbstractBoxTarget).as_polynomial()
        box = problem.law.box
        if target is None:
            return self.scope.elsewhere
        shapes = _shapes(target)
        if shapes is None:
            return Inapplicable(
                "no way was found to write this polynomial as a sum of "
                "functions of few simple linear forms"
            )
        parts = []
        for shape, share in zip(shapes, _shares(shapes, box), strict=True):
            part = self._part(shape, box, problem.accuracy * share, depth)
            if isinstance(part, Inapplicable):
                return part
            parts.append(part)
        return Upper(
            widths=tuple(sum(w) for w in zip(*(p.widths for p in parts), strict=True)),
            error=sum((p.error for p in parts), fmpq(0)),
            rigour=weakest(*(p.rigour for p in parts)),
            statement=self.statement,
            make=lambda: _network(shapes, parts, target),
            in_dim=target.dim,
        )

    def more_careful(self) -> "RidgeSums | None":
        """The same with more of the accuracy kept for what lies between samples."""
        return RidgeSums(8 * self.safety) if self.safety < 0.1 else None

    def _part(
        self, shape: Shape, box: Box, share: fmpq, depth: int
    ) -> Upper | Inapplicable:
        """The narrowest network of one variable for one shape."""
        target = polynomial_expression(shape.coefficients)
        one = Problem(target, _range(shape, box), accuracy=share)
        constructions: tuple[AbstractConstruction, ...] = (
            AffinePassedOn(),
            QuadraticByFolds(),
            SpreadInterpolant(self.safety),
            KinksByPairs(self.safety),
            GluedFolds(self.safety),
            Reflections(),
            PolynomialBySquares(),
        )
        answers = [c.prove(one, depth) for c in constructions]
        found = [a for a in answers if isinstance(a, Upper)]
        if found:
            return min(found, key=lambda u: (u.width, u.units))
        refused = [a for a in answers if isinstance(a, Inapplicable)]
        return Inapplicable("; ".join(dict.fromkeys(a.reason for a in refused)))

    def examples(self) -> list[Problem]:
        three = "poly:x1*x2 + x2*x3/2 - x1 + 1"
        return [
            Problem("product", accuracy="1e-3"),
            Problem("poly:x1**2*x2 - 3*x2", accuracy="1e-2"),
            Problem(three, Segment(-1, 2), accuracy="1e-2"),
        ]


@lru_cache(maxsize=64)
def _shapes(target: Polynomial) -> tuple[Shape, ...] | None:
    shapes = as_ridges(target)
    return None if shapes is None else tuple(shapes)


def _range(shape: Shape, box: Box) -> Segment:
    return Segment(*box.range_of([fmpq(w) for w in shape.direction]))


def _shares(shapes: Sequence[Shape], box: Box) -> list[fmpq]:
    """Shares of the accuracy: sum a_j / sqrt(e_j) is least for e_j ~ a_j^(2/3).

    Affine shapes are exact: theirs is 1, and does not count.
    """
    bends = [_bend(shape, _range(shape, box)) ** (2 / 3) for shape in shapes]
    whole = sum(bends) or 1.0
    return [
        max(dyadic_near(bend / whole * (1 - 2**-30), 40), LEAST_SHARE)
        if any(shape.coefficients[2:])
        else fmpq(1)
        for shape, bend in zip(shapes, bends, strict=True)
    ]


def _bend(shape: Shape, on: Segment) -> float:
    r"""\int sqrt(|q''|): how many pieces the shape asks for."""
    q = np.polynomial.Polynomial([nearest_float(c) for c in shape.coefficients])
    t = np.linspace(nearest_float(on.start), nearest_float(on.stop), 1001)
    return float(np.sqrt(np.abs(q.deriv(2)(t))).mean() * (t[-1] - t[0]))


def _network(
    shapes: Sequence[Shape], parts: Sequence[Upper], target: Polynomial
) -> Network:
    ridges = (
        compose(part.network, Network([Affine([list(s.direction)], [0])]))
        for s, part in zip(shapes, parts, strict=True)
    )
    constant = target.terms.get((0,) * target.dim, fmpq(0))
    return shift(reduce(add, ridges), constant)
