"""Where a function of R alternates about a level: on circles, on lines through 0."""

from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep.evidence import Inapplicable
from depthsep.exact import nearest_float, text
from depthsep.problems import Problem
from depthsep.targets import Expression, InnerProduct, Radial
from depthsep.witnesses._proof import Entry
from depthsep.witnesses._squares import as_function_of_square, interval_of

LEVELS = 33
CELLS = 64  # of an interval of one sign; the first and the last are left out
FEW_CELLS, MANY = 16, 500  # where there are many intervals
LEAST_PLACES, MOST_PLACES, PER_TURN = 1 << 13, 1 << 19, 64
MARGIN = 1e-9


def alternations(problem: Problem) -> tuple[str, Entry] | Inapplicable:
    """Places, or intervals, where f is above and below a level in turn."""
    if problem.norm == "l1":
        return Inapplicable(
            "the bound by changes of sign on circles is only for l2 and linf errors"
        )
    if isinstance(problem.target, Radial) and problem.norm == "linf":
        return Inapplicable(
            "the bound by changes of sign on circles is not used for radial functions "
            "in linf; three points on a diameter are tried instead"
        )
    formula = as_function_of_square(problem)
    x, values = _grid(formula, nearest_float(interval_of(problem).stop))
    if not np.isfinite(values).all():
        return Inapplicable("the target is not finite everywhere")
    if problem.norm == "l2":
        return _intervals(problem, x, values)
    far = nearest_float(problem.accuracy) * (1 + MARGIN)
    levels = np.quantile(values, np.linspace(0.1, 0.9, LEVELS))
    runs = [_alternating(values - c, far) for c in levels]
    best = int(np.argmax([len(r) for r in runs]))
    if len(runs[best]) < 2:
        return Inapplicable(
            "no level was found that the target both exceeds and falls "
            "below by more than the accuracy"
        )
    places = [text(_exact(float(x[k]))) for k in runs[best]]
    level = text(_exact(float(levels[best])))
    return "arcs", {"level": level, "places": places}


def _grid(formula: Expression, stop: float) -> tuple[np.ndarray, np.ndarray]:
    """Places with the values there: many for each change of direction."""
    count = LEAST_PLACES
    while True:
        x = np.linspace(0, stop, count + 1)
        values = formula.floats(x)
        turns = np.count_nonzero(np.diff(np.sign(np.diff(values))))
        if count >= turns * PER_TURN or count >= MOST_PLACES:
            return x, values
        count *= 4


def _intervals(
    problem: Problem, x: np.ndarray, values: np.ndarray
) -> tuple[str, Entry] | Inapplicable:
    """Neighbouring intervals of one sign each, as many as pay; their ends left out."""
    level = float(np.median(values))
    off = values - level
    signs = np.sign(off)
    bounds = [0, *(np.flatnonzero(np.diff(signs) != 0) + 1).tolist(), len(x)]
    cells = FEW_CELLS if len(bounds) > MANY else CELLS
    runs = [_inner(a, b, cells) for a, b in pairwise(bounds)]
    runs = [r for r in runs if len(r) > 1]
    density = _density(problem, x / x[-1])
    weights = off**2 * density / np.sum(density[1:-1]) / 2
    sizes = np.array([weights[r].sum() for r in runs])
    first, last = _best_run(sizes, nearest_float(problem.accuracy) ** 2)
    if last - first < 2:
        return Inapplicable(
            "too few neighbouring intervals were found on which the target is, in "
            "turn, far enough above and far enough below its median"
        )
    chosen = [r[:: max(1, len(r) // cells)].tolist() for r in runs[first:last]]
    cuts = [[text(_exact(float(x[k]))) for k in r] for r in chosen]
    return "arcs", {"level": text(_exact(level)), "intervals": cuts}


def _density(problem: Problem, u: np.ndarray) -> np.ndarray:
    """Of R, as a share of its largest value; infinite at an end, perhaps."""
    with np.errstate(divide="ignore"):
        if isinstance(problem.target, InnerProduct):
            return (u * (1 - u)) ** ((problem.target.dim - 3) / 2)
        return u ** (problem.target_as(Radial).dim / 2 - 1)


def _inner(start: int, stop: int, cells: int) -> np.ndarray:
    left_out = max(1, (stop - start) // cells)
    return np.arange(start + left_out, stop - left_out)


def _best_run(sizes: np.ndarray, allowed: float) -> tuple[int, int]:
    """From where to where c - 1 - E^2 / (the least size) is largest."""
    best, where = 0.0, (0, 0)
    for start in range(len(sizes)):
        least = np.minimum.accumulate(sizes[start:])
        with np.errstate(divide="ignore"):
            gain = np.arange(len(least)) - allowed / least
        k = int(np.argmax(gain))
        if gain[k] > best:
            best, where = float(gain[k]), (start, start + k + 1)
    return where


def _exact(value: float) -> fmpq:
    return fmpq(*value.as_integer_ratio())


def _alternating(off: np.ndarray, far: float) -> list[int]:
    """Where it is above and below by more than `far`, in turn; the largest of a run."""
    runs: list[int] = []
    for k in np.flatnonzero(np.abs(off) > far).tolist():
        if runs and np.sign(off[runs[-1]]) == np.sign(off[k]):
            if abs(off[k]) > abs(off[runs[-1]]):
                runs[-1] = k
        else:
            runs.append(k)
    return runs
