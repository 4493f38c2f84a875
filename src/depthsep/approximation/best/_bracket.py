"""Least l1 and l2 errors with N affine pieces: of functions that jump, or continuous.

For convex or concave f both are equal: docs/proofs/continuous-pieces.md.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.approximation.best._best_error import CELLS, bracket_with_jumps
from depthsep.approximation.best._linearise import linearise
from depthsep.approximation.best.continuous._branching import Branching
from depthsep.approximation.best.continuous._splines import (
    SplineFit,
    SplineSearch,
    exact_points,
)
from depthsep.approximation.best.continuous._unit_function import UnitFunction
from depthsep.approximation.distance._distance import cells as affine_cells
from depthsep.approximation.distance._distance_to_formula import distance_to_target
from depthsep.approximation.mean._pieces_in_mean import pieces_in_mean
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import (
    PiecewiseAffine,
    halved,
    nearest_float,
    rational,
    sqrt_upper,
)
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget

NODES = 300
FEW_PIECES = 4  # of formulas, beyond which knots are not cut into cells
FOLLOWED = fmpq(1, 2000)  # of the error: how well an interpolant follows a formula
HALVINGS = 7
LEAST = fmpq(1, 10**9)  # of the oscillation
NEGLIGIBLE = fmpq(1, 2**60)  # of it: errors that are not told from 0
SHARP = 1e-5  # width of the distance of an approximant, as a share of it
POWERS = {"l1": 1, "l2": 2}


@dataclass(frozen=True)
class Approximant:
    """A continuous function of few pieces near a target, and its distance.

    Attributes:
        error: its l1 or l2 distance, enclosed.
    """

    function: PiecewiseAffine
    error: Enclosure


def best_approximant(
    target: AbstractLineTarget, pieces: int, norm: str, on: Segment
) -> Approximant:
    """The best continuous function of at most so many pieces that is found.

    Found in float64, among local optima of knots and values; one more piece is never
    worse. `best_error_bracket` says how far the best of all can be below.

    Args:
        norm: l1 (a mean) or l2 (the root of a mean square), for the uniform law `on`.

    Raises:
        HypothesisError: another norm, no pieces, a target that is not finite.
    """
    if norm not in ("l1", "l2") or pieces < 1:
        raise HypothesisError(
            f"{pieces} pieces in the norm {norm!r} were asked for; give "
            "1 or more pieces, and l1 or l2"
        )
    found = _measured(target, pieces, norm, on)
    if pieces == 1:
        return found
    fewer = _measured(target, pieces - 1, norm, on)
    return min(found, fewer, key=lambda a: a.error.upper)


@lru_cache(maxsize=256)
def _measured(
    target: AbstractLineTarget, pieces: int, norm: str, on: Segment
) -> Approximant:
    low, scale, fit = _fit_of(target, on, norm)
    knots, values = exact_points(fit.best(pieces))
    best = PiecewiseAffine.through(
        [on.start + on.length * t for t in knots], [low + scale * v for v in values]
    )
    error = distance_to_target(
        best, target, norm, on, relative=SHARP, negligible=scale * NEGLIGIBLE
    )
    return Approximant(best, error)


@lru_cache(maxsize=16)
def _fit_of(
    target: AbstractLineTarget, on: Segment, norm: str
) -> tuple[fmpq, fmpq, SplineFit]:
    """Fits to (target - low) / scale, as a function on [0, 1]."""
    start, length = nearest_float(on.start), nearest_float(on.length)
    values = target.floats(start + length * np.linspace(0, 1, 1001)[1:-1])
    low, scale = float(values.min()), float(np.ptp(values)) or 1.0
    fit = SplineFit.to(
        lambda t: (target.floats(start + length * t) - low) / scale, norm
    )
    return rational(low), rational(scale), fit


def best_error_bracket(
    f: PiecewiseAffine | AbstractLineTarget,
    pieces: int,
    norm: str,
    *,
    on: Segment | None = None,
    continuous: bool = False,
    cells: int = CELLS,
    nodes: int = NODES,
) -> Enclosure:
    """The least error of functions with at most `pieces` affine pieces.

    Args:
        f: piecewise affine on a bounded interval (made exact if it is not), or a
            target on the interval `on`.
        pieces: of the approximants, at least 1. Their knots are free.
        norm: l1 (a mean) or l2 (the root of a mean square), for the uniform law on the
            interval. For linf see `best_error`.
        continuous: whether the approximants may not jump.
        cells: in how many cells at most the knots are sought at a time (f piecewise
            affine, jumps allowed): time and memory grow with the square at most; l1
            takes a second for 8 pieces of f and minutes for 64.
        nodes: how many sets of cells for the knots of a continuous approximant are
            looked at, a few milliseconds each; with up to 3 knots hundreds bring both
            ends within a thousandth.

    Returns:
        Proved bounds: the upper one is the error of an approximant. Exactly 0 if f
        itself has no more pieces. Of formulas with more than 4 pieces, and of convex
        ones, the lower bound is that of Theorem P, which allows jumps: about a per
        cent below for convex functions, further where jumps help.

    Raises:
        HypothesisError: another norm, no pieces, an unbounded or empty domain, fewer
            cells than f has pieces, or a target without an interval.
    """
    if isinstance(f, PiecewiseAffine):
        if not continuous:
            return bracket_with_jumps(f, pieces, norm, cells=cells)
        return _continuous(f, pieces, norm, cells, nodes)
    if on is None:
        raise HypothesisError(f"{f} needs an interval; give on=Segment(A, B)")
    exact = f.affine_pieces(on)
    if exact is not None:
        return best_error_bracket(
            exact, pieces, norm, continuous=continuous, cells=cells, nodes=nodes
        )
    if norm not in ("l1", "l2") or pieces < 1:
        raise HypothesisError(
            f"{pieces} pieces in the norm {norm!r} were asked for; give "
            "1 or more pieces, and l1 or l2"
        )
    return _of_formula(f, pieces, norm, on, nodes if continuous else 0)


def _continuous(
    f: PiecewiseAffine, pieces: int, norm: str, cells: int, nodes: int
) -> Enclosure:
    jumps = bracket_with_jumps(f, pieces, norm, cells=cells)
    f = f.to_exact().simplified()
    if not f.jumps.any() and (jumps.upper == 0 or _is_monotone(f.slopes.tolist())):
        return jumps
    search, scale = _search_of(f, pieces, norm), _scale_of(f)
    branching = Branching(search, (jumps.lower / scale) ** POWERS[norm])
    branching.run(nodes)
    return _enclosed(branching, scale)


def _is_monotone(slopes: list[fmpq]) -> bool:
    steps = [b - a for a, b in pairwise(slopes)]
    return all(s >= 0 for s in steps) or all(s <= 0 for s in steps)


def _search_of(f: PiecewiseAffine, pieces: int, norm: str) -> SplineSearch:
    lines = list(affine_cells(f, f.knots[0], f.knots[-1]))
    return SplineSearch(
        UnitFunction.of(lines, min(f.values), _scale_of(f)), pieces, norm
    )


def _scale_of(f: PiecewiseAffine) -> fmpq:
    return max(f.values) - min(f.values) or fmpq(1)


def _enclosed(found: Branching, scale: fmpq) -> Enclosure:
    """Without the scale, and without the square of l2."""
    lower, upper = found.lower, found.search.upper
    assert lower <= upper, (lower, upper)
    if found.search.norm == "l2":
        lower = lower / sqrt_upper(lower) if lower > 0 else lower
        upper = sqrt_upper(upper)
    return Enclosure(lower * scale, upper * scale, Rigour.ENCLOSED)


def _of_formula(
    target: AbstractLineTarget, pieces: int, norm: str, on: Segment, nodes: int
) -> Enclosure:
    """Of few pieces knots are cut into cells, for an interpolant that is close."""
    upper = best_approximant(target, pieces, norm, on).error.upper
    lower = _below(target, on, pieces, norm, upper)
    if pieces <= FEW_PIECES:
        finer = max(upper, _oscillation(target, on) * LEAST) * FOLLOWED
        close = linearise(target, on, finer)
        if not _is_monotone(close.function.slopes.tolist()):
            branching = Branching(_search_of(close.function, pieces, norm), fmpq(0))
            branching.run(nodes)
            known = _enclosed(branching, _scale_of(close.function)).lower
            lower = max(lower, known - close.error)
    assert lower <= upper, (lower, upper)
    return Enclosure(lower, upper, Rigour.ENCLOSED)


def _oscillation(target: AbstractLineTarget, on: Segment) -> fmpq:
    a, b = (nearest_float(v) for v in (on.start, on.stop))
    values = target.floats(np.linspace(a, b, 1001)[1:-1])
    return rational(float(values.max() - values.min()) or 1.0)


def _below(
    target: AbstractLineTarget, on: Segment, pieces: int, norm: str, upper: fmpq
) -> fmpq:
    """An accuracy that more pieces are proved to be needed for, by halving."""

    def needs_more(accuracy: fmpq) -> bool:
        return pieces_in_mean(target, on, accuracy, norm).fewest > pieces

    return halved(needs_more, fmpq(0), upper, HALVINGS)[0]
