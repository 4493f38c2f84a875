"""Convex and concave functions: a few cells, all refined by the same folds."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import ClassVar

import numpy as np

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line._interpolate import interpolant
from depthsep.constructions.line._quadratic import DROPS, RATES
from depthsep.constructions.line.narrow._glued_cells import Cells, glued_cells
from depthsep.constructions.line.narrow._glued_network import (
    glued_network,
    glued_widths,
)
from depthsep.constructions.line.narrow._stages import convex_width
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
)
from depthsep.exact import least, nearest_float
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget

SAMPLES = 4097
IN_A_CELL = 33
MOST_PIECES = 20_000


def _evaluate(pieces: int, layers: int) -> Value:
    width = width_for(pieces, layers)
    return Value(width, Rigour.EXACT, log2(width))


def width_for(pieces: int, layers: int) -> int:
    """The least width with which so many pieces are refined."""
    return least(lambda m: _pieces(m, layers) >= pieces, 0, _enough(pieces, layers))


def _pieces(width: int, layers: int) -> int:
    return prod([width * max(1, width // 2), *[max(1, width - 1)] * (layers - 2)])


def _enough(pieces: int, layers: int) -> int:
    high = 1
    while _pieces(high, layers) < pieces:
        high *= 2
    return high


@dataclass(frozen=True)
class Plan:
    """Cells, how folds refine them, and what error the samples show.

    Attributes:
        bases: of the folds, one for each layer after the second.
        deviation: of f from the cells' parabolas, after the shift `level`.
        rate: the error of a parabola of bend S by one chord, over S.
    """

    cells: Cells
    bases: tuple[int, ...]
    deviation: float
    level: float
    rate: float

    @property
    def error(self) -> float:
        """About what the network's error is."""
        return self.deviation + self.rate * self.cells.bend / prod(self.bases) ** 2

    @property
    def widths(self) -> tuple[int, ...]:
        """Units of the hidden layers."""
        return glued_widths(len(self.cells.knots) - 1, self.cells.group, self.bases)


@dataclass(frozen=True)
class GluedFolds(AbstractConstruction):
    r"""Cells with equal f'' h^2 = S, refined by the folds that serve x^2.

    The first two hidden layers share their units between the chords of f and a zigzag
    that is 0 and 1 at the knots in turn. Folding it with bases b_3, ..., b_L and
    bending the chords by (S/2) tau (1 - tau) gives M (q + 1) b_3 ... b_L pieces with
    widths (M, 2 q + 2, b_3 + 1, ..., b_L + 1). Error: S / (16 b^2) in linf, b the
    product of the bases, and what the parabolas miss. The claim is `sampled` until the
    examiner has enclosed the error.
    """

    safety: float = 2.5e-3

    statement: ClassVar[Statement] = Statement(
        "glued-folds",
        "Width with which L >= 2 hidden layers refine cells of a convex function to "
        "N pieces",
        ("one input, on an interval", "f convex or concave"),
        "widths (M, 2 q + 2, b_3 + 1, ..., b_L + 1), N = M (q + 1) b_3 ... b_L",
        Source("depthsep", "glued folds"),
        (Parameter("pieces", "integer", "N"), LAYERS),
        _evaluate,
    )

    scope = Scope("needs a function on an interval", AbstractLineTarget, least_depth=4)

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        if problem.line_target.exact_form() is not None:
            return Inapplicable(
                "another construction is exact for this target", off_topic=True
            )
        sign = convexity(problem)
        if sign == 0:
            return Inapplicable("the target is neither convex nor concave")
        plan = _narrowest(problem, sign, depth - 1, self.safety)
        if plan is None:
            return Inapplicable("no cells on which it bends alike were found")
        shift = float(DROPS[problem.norm]) * plan.cells.bend / 2
        drop = shift / prod(plan.bases) ** 2 - plan.level
        return Upper(
            widths=plan.widths,
            error=problem.accuracy,
            rigour=Rigour.SAMPLED,
            statement=self.statement,
            make=lambda: glued_network(plan.cells, plan.bases, sign=sign, drop=drop),
        )

    def more_careful(self) -> "GluedFolds | None":
        """The same with more of the accuracy kept for what lies between samples."""
        return GluedFolds(8 * self.safety) if self.safety < 0.1 else None

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:exp(x)", norm=norm, accuracy="1e-4")
            for norm in ("linf", "l1", "l2")
        ] + [Problem("expr:sqrt(x + 1/100)", accuracy="1e-3")]


@lru_cache(maxsize=64)
def convexity(problem: Problem) -> int:
    """1 if the samples are those of a convex function, -1 for concave, else 0."""
    v = samples(problem)
    bend = np.diff(v, 2)
    noise = 8 * np.finfo(float).eps * np.abs(v).max()
    if not np.isfinite(v).all() or np.abs(bend).max() <= noise:
        return 0
    return 1 if (bend >= -noise).all() else -1 if (bend <= noise).all() else 0


def samples(problem: Problem) -> np.ndarray:
    """Values at equal distances, from one end of the interval to the other."""
    on = problem.interval
    x = np.linspace(nearest_float(on.start), nearest_float(on.stop), SAMPLES)
    with np.errstate(all="ignore"):
        return problem.target.floats(x)


def _narrowest(problem: Problem, sign: int, layers: int, safety: float) -> Plan | None:
    """The least width with all layers as wide, then the last bases made smaller."""
    allowed = nearest_float(problem.accuracy) * (1 - safety)

    def fits(plan: Plan | None) -> bool:
        return plan is not None and plan.error <= allowed

    def of_width(width: int) -> Plan | None:
        bases = (width - 1,) * (layers - 2)
        return _plan(problem, sign, width, max(1, width // 2), bases)

    found, width = interpolant(problem, safety), 2
    # pairs of layers are as narrow beyond the width that they need for a convex f
    pieces = MOST_PIECES if isinstance(found, Inapplicable) else found.pieces
    widest = convex_width(pieces - 1, layers)
    while not fits(of_width(width)):
        width += 1 + width // 8
        if width > widest:
            return None
    width = least(lambda m: fits(of_width(m)), max(1, width - 2 - width // 8), width)
    plan = of_width(width)
    assert plan is not None
    for j in reversed(range(layers - 2)):
        while plan.bases[j] > 1:
            smaller = (*plan.bases[:j], plan.bases[j] - 1, *plan.bases[j + 1 :])
            if not fits(replace(plan, bases=smaller)):
                break
            plan = replace(plan, bases=smaller)
    return plan


def _plan(
    problem: Problem, sign: int, intervals: int, group: int, bases: tuple[int, ...]
) -> Plan | None:
    measured = _measured_cells(problem, sign, intervals * group, group)
    if measured is None:
        return None
    cells, deviation, level = measured
    rate = float(RATES[problem.norm]) ** (0.5 if problem.norm == "l2" else 1.0) / 2
    return Plan(cells, bases, deviation, level, rate)


@lru_cache(maxsize=256)
def _measured_cells(
    problem: Problem, sign: int, count: int, group: int
) -> tuple[Cells, float, float] | None:
    """Cells, by how much their parabolas miss f at best, and the shift for that."""
    on = problem.interval
    ends = nearest_float(on.start), nearest_float(on.stop)

    def f(x: np.ndarray) -> np.ndarray:
        return sign * problem.target.floats(x)

    with np.errstate(all="ignore"):
        cells = glued_cells(f, *ends, count, group)
        if cells is None:
            return None
        return cells, *_deviation(f, cells, problem.norm)


def _deviation(
    f: Callable[[np.ndarray], np.ndarray], cells: Cells, norm: str
) -> tuple[float, float]:
    tau = np.linspace(0, 1, IN_A_CELL)[:, None]
    left, right = cells.values[:-1], cells.values[1:]
    h = np.diff(cells.knots)
    chords = left + tau * (right - left)
    r = f(cells.knots[:-1] + tau * h) - chords + cells.bend / 2 * tau * (1 - tau)
    if norm == "linf":
        return float(np.ptp(r)) / 2, float(r.max() + r.min()) / 2
    means = np.trapezoid(np.stack([r, r * r]), dx=1 / (IN_A_CELL - 1), axis=1) @ h
    level, square = (float(mean) / h.sum() for mean in means)
    return max(0.0, square - level**2) ** 0.5, level
