"""Which cells and folds serve a convex function with the least width, from samples."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import prod

import numpy as np

from depthsep.constructions.line._interpolate import interpolant
from depthsep.constructions.line._quadratic import DROPS, RATES
from depthsep.constructions.line.glued._glued_cells import (
    Cells,
    after_plain_cells,
    glued_cells,
)
from depthsep.constructions.line.glued._glued_network import glued_widths
from depthsep.constructions.line.narrow._stages import convex_width
from depthsep.evidence import Inapplicable
from depthsep.exact import least, nearest_float
from depthsep.problems import Problem

SAMPLES = 4097
IN_A_CELL = 33
MOST_PIECES = 20_000
PLAIN_ERROR = 0.9  # of their chords, over the accuracy
NEAR_AN_END = 16  # samples


@dataclass(frozen=True)
class Plan:
    """Cells, how folds refine them, and what error the samples show.

    Attributes:
        norm: of the error.
        bases: of the folds, one for each layer after the second.
        deviation: of f from the refined cells' parabolas, after the shift `level`.
        plain_error: of the chords of plain cells.
        mirrored: the cells are those of f(-x).
    """

    norm: str
    cells: Cells
    bases: tuple[int, ...]
    deviation: float
    level: float
    plain_error: float = 0.0
    mirrored: bool = False

    @property
    def drop(self) -> float:
        """By how much the network is lowered."""
        share = float(DROPS[self.norm]) * self.cells.bend / 2
        return share / prod(self.bases) ** 2 - self.level

    @property
    def error(self) -> float:
        """About what the network's error is."""
        # of a parabola of bend S by one chord, over S
        rate = float(RATES[self.norm]) ** (0.5 if self.norm == "l2" else 1.0) / 2
        refined = self.deviation + rate * self.cells.bend / prod(self.bases) ** 2
        if not self.cells.plain:
            return refined
        return max(refined, abs(self.drop), self.plain_error - self.drop)

    @property
    def widths(self) -> tuple[int, ...]:
        """Units of the hidden layers."""
        return glued_widths(self.cells, self.bases)


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


def narrowest(
    problem: Problem, sign: int, layers: int, safety: float, plain: Sequence[int]
) -> Plan | None:
    """The least width with all layers as wide, then the last bases made smaller.

    Args:
        plain: numbers of plain cells to try, the first one first.
    """
    allowed = nearest_float(problem.accuracy) * (1 - safety)

    @cache
    def of_width(width: int) -> Plan | None:
        bases = (width - 1,) * (layers - 2)
        plans = _plans(problem, sign, width, bases, allowed, plain)
        return next((plan for plan in plans if plan.error <= allowed), None)

    found, width = interpolant(problem, safety), 2
    # pairs of layers are as narrow beyond the width that they need for a convex f
    pieces = MOST_PIECES if isinstance(found, Inapplicable) else found.pieces
    widest = convex_width(pieces - 1, layers)
    while of_width(width) is None:
        width += 1 + width // 8
        if width > widest:
            return None
    width = least(
        lambda m: of_width(m) is not None, max(1, width - 2 - width // 8), width
    )
    plan = of_width(width)
    assert plan is not None
    return _with_smaller_bases(plan, allowed)


def _with_smaller_bases(plan: Plan, allowed: float) -> Plan:
    for j in reversed(range(len(plan.bases))):
        while plan.bases[j] > 1:
            smaller = (*plan.bases[:j], plan.bases[j] - 1, *plan.bases[j + 1 :])
            trial = replace(plan, bases=smaller)
            if trial.error > allowed:
                break
            plan = trial
    return plan


def _plans(
    problem: Problem,
    sign: int,
    width: int,
    bases: tuple[int, ...],
    allowed: float,
    counts: Sequence[int],
) -> Iterator[Plan]:
    """Plain cells are at the end where f bends worst, and in linf only."""
    group = max(1, width // 2)
    for plain in counts if problem.norm == "linf" else (0,):
        intervals = width - plain
        if intervals < 2 and plain:
            return
        error = PLAIN_ERROR * allowed if plain else 0.0
        mirrored = plain > 0 and _bends_worst_at_the_end(problem)
        measured = _measured_cells(
            problem, sign, intervals * group, group, plain, error, mirrored
        )
        if measured is not None:
            cells, deviation, level = measured
            yield Plan(problem.norm, cells, bases, deviation, level, error, mirrored)


@lru_cache(maxsize=64)
def _bends_worst_at_the_end(problem: Problem) -> bool:
    """Whether parabolas, with cells that bend alike, are worse there than at first."""
    v = samples(problem)
    with np.errstate(all="ignore"):
        worst = np.abs(np.diff(v, 3)) / np.abs(np.diff(v, 2)[1:]) ** 1.5
    return bool(np.sum(worst[-NEAR_AN_END:]) > np.sum(worst[:NEAR_AN_END]))


@lru_cache(maxsize=256)
def _measured_cells(
    problem: Problem,
    sign: int,
    count: int,
    group: int,
    plain: int,
    error: float,
    mirrored: bool,
) -> tuple[Cells, float, float] | None:
    """Cells, by how much their parabolas miss f at best, and the shift for that."""
    on, side = problem.interval, -1 if mirrored else 1
    left, right = sorted(side * nearest_float(end) for end in (on.start, on.stop))

    def f(x: np.ndarray) -> np.ndarray:
        return sign * problem.target.floats(side * x)

    with np.errstate(all="ignore"):
        if plain:
            cells = after_plain_cells(f, left, right, count, group, plain, error)
        else:
            cells = glued_cells(f, left, right, count, group)
        return None if cells is None else (cells, *_deviation(f, cells, problem.norm))


def _deviation(
    f: Callable[[np.ndarray], np.ndarray], cells: Cells, norm: str
) -> tuple[float, float]:
    tau = np.linspace(0, 1, IN_A_CELL)[:, None]
    knots, values = cells.knots[cells.plain :], cells.values[cells.plain :]
    left, right, h = values[:-1], values[1:], np.diff(knots)
    chords = left + tau * (right - left)
    r = f(knots[:-1] + tau * h) - chords + cells.bend / 2 * tau * (1 - tau)
    if norm == "linf":
        return float(np.ptp(r)) / 2, float(r.max() + r.min()) / 2
    means = np.trapezoid(np.stack([r, r * r]), dx=1 / (IN_A_CELL - 1), axis=1) @ h
    level, square = (float(mean) / h.sum() for mean in means)
    return max(0.0, square - level**2) ** 0.5, level
