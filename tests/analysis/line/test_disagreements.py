"""Regions of one function on which another lies on the other side throughout."""

from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import disagreements
from depthsep.exact import PiecewiseAffine, rationals

LEVEL = fmpq(1, 2)


def polygon(values):
    knots = rationals(np.array([fmpq(k) for k in range(len(values))], dtype=object))
    heights = np.array([fmpq(v, 2) for v in values], dtype=object)
    return PiecewiseAffine(knots, heights)


def by_points(f, g, steps=240):
    """Classes at the middles of a fine grid, which no change of class meets."""
    last = int(f.knots[-1])
    middles = [fmpq(2 * k + 1, 2 * steps) for k in range(last * steps)]
    mine, theirs = ([h(x) >= LEVEL for x in middles] for h in (f, g))
    starts = [0, *(k for k in range(1, len(mine)) if mine[k] != mine[k - 1])]
    ends = [*starts[1:], len(mine)]
    count = sum(
        all(theirs[k] != mine[a] for k in range(a, b))
        for a, b in zip(starts, ends, strict=True)
    )
    runs = 1 + sum(a != b for a, b in pairwise(theirs))
    return count, len(starts), runs


HEIGHTS = st.lists(st.integers(-2, 4), min_size=2, max_size=8)


@given(HEIGHTS, HEIGHTS)
def test_disagreements_are_those_of_points(first, second):
    size = min(len(first), len(second))
    f, g = polygon(first[:size]), polygon(second[:size])
    found = disagreements(f, g)
    assert (found.count, found.regions, found.runs) == by_points(f, g)
    assert found.count >= found.guaranteed


def test_a_constant_misses_every_other_tooth():
    teeth, flat = polygon([0, 2] * 4 + [0]), polygon([0] * 9)
    found = disagreements(teeth, flat)
    assert (found.count, found.regions, found.runs) == (4, 9, 1)
    assert found.guaranteed == 4


def test_only_exact_continuous_functions_on_one_interval_are_compared():
    f = polygon([0, 2])
    with pytest.raises(HypothesisError, match="intervals"):
        disagreements(f, polygon([0, 2, 0]))
    floats = PiecewiseAffine(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    with pytest.raises(HypothesisError, match="exact"):
        disagreements(f, floats)
