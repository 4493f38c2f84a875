"""Functions that bend in all directions: how many convex affine cells they need."""

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
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
from depthsep.lower_bounds.box._bent_parts import PRECISION, BentPart, most_bent_part
from depthsep.lower_bounds.box._cells import least_units_of_cells, least_width_of_cells
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget, Polynomial

MOST_DIM = 8


def cells_needed(size: arb, inputs: int, accuracy: fmpq, norm: str) -> int:
    """Convex cells with an error of at most `accuracy`; in l1 and l2 for two inputs.

    Args:
        size: the volume times the root of det H.
    """
    with ctx.workprec(PRECISION):
        error = arb(accuracy)
        if norm == "linf":
            half = arb(inputs) / 2
            ball = arb.pi() ** half / (half + 1).gamma()
            needed = size / (ball * (4 * error) ** half)
        elif norm == "l1":
            needed = size / (8 * arb.pi() * error)
        else:
            needed = size / (arb(48).sqrt() * arb.pi() * error)
        return max(1, -int(ball_upper(-needed).floor()))


def _evaluate(
    volume: fmpq, determinant: fmpq, inputs: int, accuracy: fmpq, norm: str, layers: int
) -> Value:
    if norm not in ("linf", "l1", "l2"):
        raise HypothesisError(f"norm is {norm[:20]!r}; give linf, l1 or l2")
    if norm != "linf" and inputs != 2:
        raise HypothesisError("in l1 and l2 the bound is about two inputs")
    with ctx.workprec(PRECISION):
        size = arb(volume) * arb(determinant).sqrt()
    cells = cells_needed(size, inputs, accuracy, norm)
    width = least_width_of_cells(cells, inputs, layers)
    return Value(width, Rigour.ENCLOSED, log2(width))


@dataclass(frozen=True)
class ConvexCells(AbstractLowerBound):
    """A cell on which f is nearly affine is small in every direction.

    In linf the best part of the box, with a constant lower bound of the Hessian; in l1
    and l2 quadratics only, on planes parallel to two axes.
    """

    statement: ClassVar[Statement] = Statement(
        "convex-cells",
        "Width needed for a function that is convex, or concave, on a part of a box",
        (
            "any weights, any skip connections",
            "D^2 f >= H > 0, or <= -H, on a convex part of volume V",
            "l1, l2: f quadratic, H its Hessian in two variables",
        ),
        Source("depthsep", "Theorem V"),
        (
            Parameter("volume", "rational", "V", "1"),
            Parameter("determinant", "rational", "det H"),
            Parameter("inputs", "integer", "d", "2", most=100),
            Parameter("accuracy", "rational", "E"),
            Parameter("norm", "name", "linf, l1 or l2", "linf"),
            LAYERS,
        ),
        _evaluate,
        sample="volume=4 determinant=4 inputs=2 accuracy=1/10000 layers=1",
        tex=(
            r"R \ge \frac{V \sqrt{\det H}}{\omega_d \, (4 E)^{d/2}} "
            r"\text{ in } \ell_\infty, "
            r"\quad R \ge \frac{V \sqrt{\det H}}{8 \pi E} \text{ in } \ell_1, \quad R "
            r"\ge \frac{V \sqrt{\det H}}{\sqrt{48} \, \pi E} \text{ in } \ell_2; "
            r"\quad \prod_{i=1}^{L} \sum_{j=0}^{d} \binom{m_i}{j} \ge R, "
            r"\quad \omega_d \text{ the volume of the unit ball}"
        ),
        proof=proved("convex-cells"),
    )

    scope = Scope("bounds functions on a box only", AbstractBoxTarget)

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.law.in_dim > MOST_DIM:
            return Inapplicable(f"Hessians are looked at in up to {MOST_DIM} variables")
        found = _in_linf(problem) if problem.norm == "linf" else _in_the_mean(problem)
        if isinstance(found, Inapplicable):
            return found
        cells, inputs, detail, rigour = found
        if cells == 1:
            return Inapplicable("no part bends so much that it needs two cells")
        return Lower(
            width=least_width_of_cells(cells, inputs, depth - 1),
            units=least_units_of_cells(cells, inputs, depth - 1),
            rigour=rigour,
            statement=self.statement,
            detail=detail,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:x1**2+x2**2", norm=norm, accuracy="1e-3")
            for norm in ("linf", "l1", "l2")
        ] + [Problem("expr:exp(x1)+exp(2*x2)", accuracy="1e-3")]


Found = tuple[int, int, str, Rigour]  # cells, inputs, detail


def _in_linf(problem: Problem) -> Found | Inapplicable:
    part = most_bent_part(problem.target_as(AbstractBoxTarget), problem.law.box)
    if part is None:
        return Inapplicable("no part of the box was found on which it is convex")
    inputs = problem.law.in_dim
    cells = cells_needed(part.size, inputs, problem.accuracy, "linf")
    return cells, inputs, f"Theorem V on {_words(part)}", Rigour.ENCLOSED


def _words(part: BentPart) -> str:
    return " x ".join(f"[{s.start}, {s.stop}]" for s in part.box.sides)


def _in_the_mean(problem: Problem) -> Found | Inapplicable:
    """Of the planes parallel to two axes, those on which the quadratic bends most."""
    polynomial = _quadratic(problem.target_as(AbstractBoxTarget))
    if polynomial is None:
        return Inapplicable("in l1 and l2 it is about quadratics")
    best, words = arb(0), ""
    sides = problem.law.box.sides
    for i, j in combinations(range(problem.law.in_dim), 2):
        determinant = _minor(polynomial, i, j)
        if determinant > 0:
            with ctx.workprec(PRECISION):
                area = arb(sides[i].length * sides[j].length)
                size = area * arb(determinant).sqrt()
                if size > best:
                    best, words = size, f"Theorem V on planes of x{i + 1} and x{j + 1}"
    if not words:
        return Inapplicable("it is not convex in any two of the variables")
    cells = cells_needed(best, 2, problem.accuracy, problem.norm)
    # on a plane a network has the cells of one with two inputs
    return cells, 2, words, Rigour.ENCLOSED


def _quadratic(target: AbstractBoxTarget) -> Polynomial | None:
    formula = target.as_formula()
    try:
        found = target.as_polynomial() or Polynomial(formula.formula, formula.in_dim)
        return found if found.degree <= 2 else None
    except HypothesisError:  # no polynomial
        return None


def _minor(polynomial: Polynomial, i: int, j: int) -> fmpq:
    """The determinant of the Hessian in two of the variables."""

    def coefficient(*axes: int) -> fmpq:
        powers = tuple(axes.count(k) for k in range(polynomial.in_dim))
        return polynomial.terms.get(powers, fmpq(0))

    return 4 * coefficient(i, i) * coefficient(j, j) - coefficient(i, j) ** 2
