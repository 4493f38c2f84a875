"""From means under a density to plain means, which most theorems are about."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational, sqrt_upper
from depthsep.laws import AbstractLineLaw, Box, ProductLaw, Segment, uniform_on
from depthsep.problems._problem import Problem

SHARES = (0.0, 0.02, 0.1, 0.2, 0.3)  # of the mass, that are left out at both ends
BITS = 24  # of the ends of parts
FAR_ABOVE = {"l1": fmpq(2), "l2": fmpq(4)}
"""Largest densities up to which a plain mean asks for less than linf does, about."""


@lru_cache(maxsize=64)
def plain_above(problem: Problem) -> Problem | None:
    """A problem without weights, whose networks solve this one; None on a whole line.

    The density is at most M, so a plain mean of E / M (l1), or of squares of E^2 / M,
    will do; and so does an error of E everywhere, which is asked for where M is large.
    """
    if problem.law.has_open_ends:
        return None
    law, most = uniform_on(problem.law.domain), fmpq(1)
    for one in _inputs(problem):
        top = one.range_of_density[1]
        if top is None or most * top > FAR_ABOVE[problem.norm]:
            return replace(problem, law=law, norm="linf")
        most *= top
    share = 1 / most if problem.norm == "l1" else 1 / sqrt_upper(most)
    return replace(problem, law=law, accuracy=problem.accuracy * share)


@lru_cache(maxsize=64)
def plain_below(problem: Problem) -> tuple[Problem, ...]:
    """Problems without weights, on parts, that networks for this one solve.

    On a part J of the domain D the density is at least w, so the mean over D is at
    least w |J| / |D| times the plain mean over J.
    """
    plain = (_on_part(problem, share) for share in SHARES)
    return tuple(found for found in plain if found is not None)


def _on_part(problem: Problem, share: float) -> Problem | None:
    """Without a share of the mass at all ends."""
    sides: list[Segment] = []
    kept = fmpq(1)
    for law in _inputs(problem):
        part = _part(law, share)
        least = law.least_density(part.start, part.stop)
        kept *= least * part.length / law.interval.length
        sides.append(part)
    if kept == 0:
        return None
    law = uniform_on(sides[0] if len(sides) == 1 else Box(sides))
    factor = 1 / kept if problem.norm == "l1" else sqrt_upper(1 / kept)
    try:
        return replace(problem, law=law, accuracy=problem.accuracy * factor)
    except HypothesisError:  # a target that lives on the whole interval only
        return None


def _inputs(problem: Problem) -> tuple[AbstractLineLaw, ...]:
    if problem.law.setting == "line":
        return (problem.law_as(AbstractLineLaw),)
    return problem.law_as(ProductLaw).inputs


def _part(law: AbstractLineLaw, share: float) -> Segment:
    """The interval without a share of the mass at both ends."""
    on = law.interval
    if share == 0:
        return on
    ends = law.quantiles(np.array([share, 1 - share])).tolist()
    unit = on.length / (1 << BITS)
    steps = [((rational(end) - on.start) / unit).floor() for end in ends]
    start, stop = (on.start + step * unit for step in steps)
    return Segment(start, stop) if start < stop else on
