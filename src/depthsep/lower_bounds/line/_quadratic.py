"""Quadratics: the exact optimum over all functions with N pieces."""

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Enclosure,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import ceil_root, sqrt_upper
from depthsep.lower_bounds._pieces import from_pieces
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget

# best N-piece error of x^2 on [0, 1]: C / N^2 in l1 and linf; squared, C / N^4 in l2
OPTIMA = {"l1": fmpq(1, 16), "l2": fmpq(1, 180), "linf": fmpq(1, 8)}


def square_optimum(pieces: int, norm: str) -> Enclosure:
    """The least error of any N-piece function against x^2 on [0, 1], exactly.

    Per interval of length h the best affine errors are h^3/16, h^5/180 (squared) and
    h^2/8; all three are convex in h, so equal lengths are best, and the residuals
    agree at the ends, so the optimum is continuous.
    """
    if norm == "l2":
        square = OPTIMA["l2"] / fmpq(pieces) ** 4
        root = sqrt_upper(square)
        return Enclosure(square / root, root, Rigour.EXACT, square)
    value = OPTIMA[norm] / fmpq(pieces) ** 2
    return Enclosure(value, value, Rigour.EXACT)


def pieces_for_quadratic(bend: fmpq, accuracy: fmpq, norm: str) -> int:
    """The least N with optimum <= accuracy for bend * u^2 on [0, 1], bend >= 0."""
    if norm == "l2":
        return max(1, ceil_root(OPTIMA["l2"] * (bend / accuracy) ** 2, 4))
    return max(1, ceil_root(OPTIMA[norm] * bend / accuracy, 2))


def _evaluate(pieces: int) -> Value:
    l1, l2, linf = (OPTIMA[n] for n in ("l1", "l2", "linf"))
    n = fmpq(pieces)
    return Value(
        f"l1 {l1 / n**2}, l2 squared {l2 / n**4}, linf {linf / n**2}", Rigour.EXACT
    )


@dataclass(frozen=True)
class QuadraticOptimum(AbstractLowerBound):
    """The exact optimum of x^2 over N pieces, then Theorem A."""

    statement: ClassVar[Statement] = Statement(
        "square-optimum",
        "Best approximation of x^2 on [0, 1] by N affine pieces, continuous or not",
        ("the law is uniform on [0, 1]", "the approximant g has N >= 1 affine pieces"),
        Source("depthsep", "Theorem C with Theorem A"),
        (Parameter("pieces", "integer", "N, the number of affine pieces"),),
        _evaluate,
        (
            (
                "Telgarsky (2023), Theorem 4.6 has 1/5760 in place of 1/180 and is "
                "false if there are more than twice as many layers as units: for n = "
                "1 unit in L = 4 layers it claims a squared error of at least 11.4."
            ),
        ),
        sample="pieces=354",
        tex=(
            r"\min_g \left\lVert x^2 - g \right\rVert_1 = \frac{1}{16 N^2}, "
            r"\quad \min_g \left\lVert x^2 - g \right\rVert_2^2 = \frac{1}{180 N^4}, "
            r"\quad \min_g \left\lVert x^2 - g \right\rVert_\infty = \frac{1}{8 N^2}"
        ),
        proof=proved("square"),
    )

    scope = Scope("this bound covers only quadratics", AbstractLineTarget)

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        form = problem.exact_form
        if form is None or form.amplitude != 0:
            return self.scope.elsewhere
        bend = abs(form.alpha) * problem.interval.length**2
        pieces = pieces_for_quadratic(bend, problem.accuracy, problem.norm)
        return from_pieces(pieces, depth, Rigour.EXACT, self.statement, may_jump=True)

    def examples(self) -> list[Problem]:
        return [Problem("square", norm=n, accuracy="1e-4") for n in OPTIMA]
