"""Lower bounds for functions of R = |z|^2: of <x, x'> on spheres, of |x| on the ball.

z = x + x' and <x, x'> = R / 2 - 1, or z = x: the checker reads both as one formula.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from depthsep.analysis import chebyshev_series, monomials
from depthsep.evidence import Inapplicable
from depthsep.exact import nearest_float, text
from depthsep.laws import Uniform
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, Expression, InnerProduct, Radial
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._cuts import cuts_of_difference
from depthsep.witnesses._proof import Entry

SHARES = (1000, 100, 10, 3)  # of the accuracy: what a polynomial may be off
BITS = 80  # of the coefficients of polynomials
LEVELS, PLACES = 33, 8193
CELLS, INSIDE = 32, 1  # of an interval of one sign; how many places of it are left out
MARGIN = 1e-9


def as_function_of_square(problem: Problem) -> Expression | Inapplicable:
    """f as a formula in x = R, which is the checker's."""
    checker: Any = checker_module()  # it has no types
    try:
        return Expression(checker.Problem(problem.to_json()).function.text)
    except (checker.Refused, checker.Unreadable) as refusal:
        return Inapplicable(f"the checker says: {refusal}")


def interval_of(problem: Problem) -> Uniform:
    """Where R lies."""
    return Uniform(0, 4 if isinstance(problem.target, InnerProduct) else 1)


def ridge_ranks(problem: Problem) -> tuple[str, Entry] | Inapplicable:
    """A polynomial of R near f; whose parts of each degree one hidden layer meets."""
    if problem.norm == "l1":
        return Inapplicable("ranks bound l2 errors, and sup errors by them")
    checker: Any = checker_module()  # it has no types
    try:
        function = checker.Problem(problem.to_json()).function
    except (checker.Refused, checker.Unreadable) as refusal:
        return Inapplicable(f"the checker says: {refusal}")
    on, target = interval_of(problem), _on_minus_1_to_1(problem)
    for share in SHARES:
        error = problem.accuracy / share
        kept = chebyshev_series(target, Uniform(-1, 1), error)
        if kept is None or not _is_near(target, kept, nearest_float(error)):
            continue
        powers = [rounded(c) for c in monomials(kept, on)]
        cuts = cuts_of_difference(function, powers, on, error)
        evidence = {"polynomial": [text(c) for c in powers], "cuts": cuts}
        return "ranks", evidence
    return Inapplicable("no polynomial of |x|^2, or of <x, x'>, is near enough")


def _is_near(target: AbstractLineTarget, kept: tuple[fmpq, ...], error: float) -> bool:
    """Whether a series is near at many places: it was found from few."""
    t = np.linspace(-1, 1, PLACES)
    series = np.polynomial.chebyshev.chebval(t, [nearest_float(c) for c in kept])
    return bool(np.abs(series - target.floats(t)).max() <= 2 * error)


def _on_minus_1_to_1(problem: Problem) -> AbstractLineTarget:
    target = problem.target
    if isinstance(target, InnerProduct):
        return target.profile
    return problem.target_as(Radial).on_ball


def rounded(value: fmpq) -> fmpq:
    """To so many bits after the point."""
    return fmpq(round(value * 2**BITS), 1 << BITS)


def circle_places(problem: Problem) -> tuple[str, Entry] | Inapplicable:
    """Places, or intervals, where f is above and below a level in turn."""
    if problem.norm == "l1":
        return Inapplicable("circles bound l2 and sup errors")
    formula = as_function_of_square(problem)
    if isinstance(formula, Inapplicable):
        return formula
    on = interval_of(problem)
    x = np.linspace(0, nearest_float(on.stop), PLACES)
    values = formula.floats(x)
    if not np.isfinite(values).all():
        return Inapplicable("f is not finite everywhere")
    if problem.norm == "l2":
        return _intervals(problem, x, values)
    far = nearest_float(problem.accuracy) * (1 + MARGIN)
    levels = np.quantile(values, np.linspace(0.1, 0.9, LEVELS))
    runs = [_alternating(values - c, far) for c in levels]
    best = int(np.argmax([len(r) for r in runs]))
    if len(runs[best]) < 2:
        return Inapplicable("too few changes of sign beyond the accuracy")
    places = [text(_exact(float(x[k]))) for k in runs[best]]
    level = text(_exact(float(levels[best])))
    return "arcs", {"level": level, "places": places}


def _intervals(
    problem: Problem, x: np.ndarray, values: np.ndarray
) -> tuple[str, Entry] | Inapplicable:
    """Neighbouring intervals of one sign each, as many as pay; their ends left out."""
    level = float(np.median(values))
    off, dim = values - level, problem.target_as(InnerProduct).dim
    signs = np.sign(off)
    bounds = [0, *(np.flatnonzero(np.diff(signs) != 0) + 1).tolist(), len(x)]
    runs = [np.arange(a, b)[INSIDE:-INSIDE] for a, b in pairwise(bounds)]
    runs = [r for r in runs if len(r) > 1]
    u = x / 4
    with np.errstate(divide="ignore"):
        density = (u * (1 - u)) ** ((dim - 3) / 2)
    weights = off**2 * density / np.sum(density[1:-1]) / 2
    sizes = np.array([weights[r].sum() for r in runs])
    first, last = _best_run(sizes, nearest_float(problem.accuracy) ** 2)
    if last - first < 2:
        return Inapplicable("too few changes of sign of any weight")
    chosen = [r[:: max(1, len(r) // CELLS)].tolist() for r in runs[first:last]]
    cuts = [[text(_exact(float(x[k]))) for k in r] for r in chosen]
    return "arcs", {"level": text(_exact(level)), "intervals": cuts}


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
