"""Smooth functions of several variables: a polynomial first, then sums of ridges."""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product as cartesian
from math import comb
from typing import ClassVar

import numpy as np
from flint import fmpq
from numpy.polynomial import chebyshev

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.box._ridge_sum import RidgeSums
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import dyadic_near, nearest_float
from depthsep.laws import Box, Segment, uniform_on
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget, Formula, Polynomial

# nodes in each variable, by the number of variables
NODES = {2: 24, 3: 14, 4: 10}
MAX_DEGREE = 8
PROBES = 20_000
BITS = 40
DEGREES_TRIED = 2


def _evaluate(dim: int, degree: int) -> Value:
    return Value(comb(dim + degree - 1, degree), Rigour.EXACT)


@dataclass(frozen=True)
class SmoothRidges(AbstractConstruction):
    """A Chebyshev polynomial of small total degree, as a sum of ridges.

    The polynomial's error is found on samples and the network's by its theorem, so the
    claim is a proposal (`sampled`); the examiner encloses the error of the network.

    Args:
        kept: the share of the accuracy that is used.
    """

    kept: float = 0.96

    statement: ClassVar[Statement] = Statement(
        "smooth-ridges",
        "Number of linear forms that is enough for their k-th powers "
        "to span all homogeneous polynomials of degree k in d variables",
        ("the target is a formula on a box in 2 to 4 dimensions",),
        Source("depthsep", "polynomials as sums of ridge functions"),
        (
            Parameter("dim", "integer", "d, the number of variables", "2", most=1000),
            Parameter("degree", "integer", "k, the degree", most=1000),
        ),
        _evaluate,
        sample="dim=3 degree=5",
        tex=r"\binom{d + k - 1}{k}",
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for formulas on a box "
        "other than polynomials of degree at most 2",
        AbstractBoxTarget,
        least_depth=2,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target, box = problem.target_as(AbstractBoxTarget), problem.law.box
        if (exact := target.as_polynomial()) is not None and exact.degree <= 2:
            return self.scope.elsewhere
        if target.in_dim not in NODES:
            return Inapplicable(
                "sums of ridge functions are built for 2 to 4 inputs, not "
                f"{target.in_dim}"
            )
        found = _polynomials(target.as_formula(), box, problem.accuracy, self.kept)
        if isinstance(found, Inapplicable):
            return found
        answers = [
            RidgeSums().prove(Problem(p, box, accuracy=room), depth)
            for p, room in found
        ]
        uppers = [a for a in answers if isinstance(a, Upper)]
        if not uppers:
            return answers[0]
        best = min(uppers, key=lambda u: (u.width, u.units))
        return replace(
            best,
            error=problem.accuracy,
            rigour=Rigour.SAMPLED,
            statement=self.statement,
        )

    def more_careful(self) -> "SmoothRidges | None":
        """The same with less of the accuracy used."""
        return SmoothRidges(self.kept - 0.22) if self.kept > 0.6 else None

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:exp(-x1**2-x2**2)", accuracy="1/60"),
            Problem("expr:cos(x1+2*x2)", Segment(-1, 1), accuracy="1/10"),
        ]


@lru_cache(maxsize=32)
def _polynomials(
    target: Formula, box: Box, accuracy: fmpq, kept: float
) -> list[tuple[Polynomial, fmpq]] | Inapplicable:
    """Polynomials of growing degree, and what of the accuracy each leaves."""
    table = _chebyshev_table(target, box)
    if table is None:
        return Inapplicable(
            "in float64, the target is not finite at some point of the box"
        )
    points = uniform_on(box).sample(PROBES, seed=2)
    truth, out = target.floats(points), []
    for degree in range(1, MAX_DEGREE + 1):
        p = _polynomial(table, box, degree)
        error = float(np.abs(p.floats(points) - truth).max())
        room = dyadic_near(kept * nearest_float(accuracy) - 1.02 * error, 2 * BITS)
        if room > accuracy * fmpq(1, 4):
            out.append((p, room))
        if len(out) == DEGREES_TRIED:
            break
    if not out:
        return Inapplicable(
            f"no polynomial of degree up to {MAX_DEGREE} that was tried "
            "is accurate enough"
        )
    return out


def _chebyshev_table(target: Formula, box: Box) -> np.ndarray | None:
    """Coefficients of the tensor interpolant at Chebyshev points, (n, ..., n)."""
    n, d = NODES[target.dim], target.dim
    nodes = chebyshev.chebpts1(n)
    axes = [
        (nearest_float(s.start) + nearest_float(s.stop)) / 2
        + nearest_float(s.length) / 2 * nodes
        for s in box.sides
    ]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, d)
    table = target.floats(grid).reshape((n,) * d)
    if not np.isfinite(table).all():
        return None
    fit = np.linalg.inv(chebyshev.chebvander(nodes, n - 1))
    for axis in range(d):
        table = np.moveaxis(np.tensordot(fit, table, axes=(1, axis)), 0, axis)
    return table


def _polynomial(table: np.ndarray, box: Box, degree: int) -> Polynomial:
    """The part of total degree at most `degree`, in powers of x1, x2, ..."""
    n, d = table.shape[0], table.ndim
    powers = range(min(degree, n - 1) + 1)
    terms: dict[tuple[int, ...], float] = {}
    in_powers = [_one_variable(side, degree) for side in box.sides]
    for k in cartesian(powers, repeat=d):
        if sum(k) > degree:
            continue
        for e in cartesian(*(range(i + 1) for i in k)):
            value = table[k]
            for i in range(d):
                value = value * in_powers[i][k[i]][e[i]]
            terms[e] = terms.get(e, 0.0) + float(value)
    exact = {e: dyadic_near(c, BITS) for e, c in terms.items()}
    return Polynomial.of({e: c for e, c in exact.items() if c != 0}, d)


def _one_variable(side: Segment, degree: int) -> list[np.ndarray]:
    """T_k of the side's own coordinate as coefficients of powers of x."""
    a, b = nearest_float(side.start), nearest_float(side.stop)
    line = np.polynomial.Polynomial([-(a + b) / (b - a), 2 / (b - a)])
    out = []
    for k in range(degree + 1):
        p = np.polynomial.Chebyshev.basis(k).convert(kind=np.polynomial.Polynomial)
        coefficients = p(line).coef
        out.append(np.pad(coefficients, (0, degree + 1 - len(coefficients))))
    return out
