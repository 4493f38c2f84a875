"""What pieces leave on the parallel lines through a box: proofs in l1 and l2."""

from functools import lru_cache
from typing import Any

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import Inapplicable
from depthsep.exact import least_above
from depthsep.lower_bounds import (
    MOST_DIM_OF_LINES,
    cells_of_lines,
    likely_directions,
)
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._numbers import fraction
from depthsep.witnesses._proof import Entry

MOST_PIECES = 1 << 40
NO_DIRECTION = Inapplicable(
    "no direction was found along which two affine pieces are needed"
)
WAYS = (300, 8), (32, 32)  # bundles of lines, about, and parts of each


def lines_in_box(problem: Problem) -> tuple[str, Entry] | Inapplicable:
    """The direction in which most pieces are needed, as the checker counts them."""
    found = _most_needed(problem, 0)
    return NO_DIRECTION if found is None else ("lines", found)


def signed_lines_in_box(problem: Problem) -> tuple[str, Entry] | Inapplicable:
    """The same for units of one hidden layer that bend upwards, and for others."""
    up, down = (_most_needed(problem, sign) for sign in (1, -1))
    if up is None and down is None:
        return NO_DIRECTION
    return "lines", {"up": up, "down": down}


def _most_needed(problem: Problem, sign: int) -> Entry | None:
    target, box = problem.target_as(AbstractBoxTarget), problem.law.box
    if box.in_dim > MOST_DIM_OF_LINES:
        raise HypothesisError(
            "the bound by pieces on parallel lines is only for up to "
            f"{MOST_DIM_OF_LINES} variables"
        )
    found = [
        _needed(problem, steps, way, sign)
        for steps in likely_directions(target, box, 2)
        for way in WAYS
    ]
    most = max(found, key=lambda entry: entry["pieces"])
    return most if most["pieces"] > 1 else None


def _needed(
    problem: Problem, steps: tuple[int, ...], way: tuple[int, int], sign: int
) -> Entry:
    """The fewest pieces that may leave no more than the accuracy."""
    checker = checker_module()
    cells, parts = cells_of_lines(steps, way[0]), way[1]
    bundles = list(checker.bundles_of(_read(problem), steps, cells, parts, sign))
    power: int = _read(problem).power
    allowed: fmpq = problem.accuracy**power

    def is_enough(pieces: int) -> bool:
        left = checker.left_on(bundles, pieces, power)
        return pieces >= MOST_PIECES or left <= fraction(allowed)

    pieces = least_above(is_enough, 0)
    return {"direction": list(steps), "cells": cells, "parts": parts, "pieces": pieces}


@lru_cache(maxsize=1)
def _read(problem: Problem) -> Any:
    """The checker's own, which keeps second derivatives for both signs."""
    read = checker_module().Problem(problem.to_json())
    known, jet_along = {}, read.function.jet_along

    def kept(sides: Any, slopes: Any) -> Any:
        key = tuple((x.low, x.high) for x in (*sides, *slopes))
        if key not in known:
            known[key] = jet_along(sides, slopes)
        return known[key]

    read.function.jet_along = kept
    return read
