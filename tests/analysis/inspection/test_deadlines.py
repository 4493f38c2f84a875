"""Whenever the time is over: what is said is right, and the rest is named."""

from itertools import count

import numpy as np
import pytest

from depthsep import HypothesisError, Problem
from depthsep._deadline import check_time, deadline, end_after, seconds_left
from depthsep._errors import OutOfTimeError
from depthsep.analysis import Plan, examine, inspect
from depthsep.constructions import fold_network
from depthsep.evidence import Inapplicable
from depthsep.laws import Segment
from depthsep.targets import target_from_text
from support.regions import random_network


@pytest.fixture
def ticking(monkeypatch):
    """A clock that every look at it moves on by a second."""

    def start():
        ticks = count()
        monkeypatch.setattr("depthsep._deadline.monotonic", lambda: float(next(ticks)))

    return start


def test_an_inner_limit_is_never_later_than_an_outer_one(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("depthsep._deadline.monotonic", lambda: now[0])
    assert seconds_left() == float("inf")
    with deadline(10):
        with deadline(100):
            assert seconds_left() == 10 and end_after(3) == 3
        with deadline(1):
            now[0] = 2.0
            assert seconds_left() == 0 and end_after(50) == 1
            with pytest.raises(OutOfTimeError, match="more seconds"):
                check_time()
        check_time()
    with pytest.raises(HypothesisError, match="give 0 or more"), deadline(-1):
        pass


@pytest.mark.parametrize("sizes", [[2, 6, 4, 1], [3, 5, 4, 2]])
def test_a_survey_says_less_in_less_time_but_nothing_else(ticking, sizes):
    network = random_network(np.random.default_rng(5), sizes)
    whole = inspect(network, plan=Plan(lines=5, slices=1))
    seen = set()
    for seconds in [0, *(2**k for k in range(16))]:
        ticking()
        found = inspect(network, plan=Plan(lines=5, slices=1, seconds=seconds))
        assert found.size == whole.size
        assert found.lines.asked == 5
        assert found.lines.counts == whole.lines.counts[: len(found.lines.counts)]
        parts = [(found.box_regions, whole.box_regions)]
        for part, right in [*parts, *zip(found.slices, whole.slices, strict=True)]:
            seen.add(compared(part, right))
    assert seen >= {"nothing", "regions", "everything"}


def compared(part, right):
    """How much is said of a domain; all of it has to be right."""
    if part.subdivision is None:
        assert part.missing and part.more_than < len(right.subdivision)
        return "nothing"
    assert part.subdivision.counts == right.subdivision.counts
    for name in ("affine_regions", "distinct_maps", "integrals"):
        assert getattr(part, name) in (None, getattr(right, name))
    if part.boundary is not None:
        above, below = right.boundary.above, right.boundary.below
        assert (part.boundary.above, part.boundary.below) == (above, below)
    assert len(part.missing) <= 3
    return "regions" if part.missing else "everything"


def test_each_fact_is_told_once_it_is_known():
    network = random_network(np.random.default_rng(5), [3, 5, 1])
    told = []
    found = inspect(network, plan=Plan(lines=5, slices=1), told=told.append)
    assert told[-1] is found
    assert told[0].lines is None and told[0].size == found.size
    assert [len(known.slices) for known in told] == [0, 0, 1, 1, 1]
    assert told[1].lines == found.lines and told[3].box_regions is not None


def test_pieces_come_before_units_and_a_distance(ticking):
    network, square = fold_network((2,) * 5), target_from_text("square")
    whole, told = inspect(network, target=square), []
    assert whole.pieces == 32 and not whole.reason
    for seconds in range(0, 400, 7):
        ticking()
        found = inspect(network, target=square, seconds=seconds, told=told.append)
        assert found.size == whole.size
        assert found.pieces in (None, 32) and found.units in (None, whole.units)
        assert found.distance in (None, whole.distance)
        missing = found.distance is None
        assert ("--seconds" in found.reason) is missing
        assert not (missing is False and found.units is None)
    assert {known.pieces for known in told} == {None, 32}


def test_an_examination_on_a_line_has_a_limit_too(ticking):
    network, problem = fold_network((2,) * 9), Problem("square", accuracy=1)
    ticking()
    found = examine(network, problem, seconds=3)
    assert isinstance(found, Inapplicable) and "seconds" in found.reason
    ticking()
    assert examine(network, problem, seconds=10**6).error.is_at_most(1)


def test_a_formula_is_followed_as_far_as_the_time_allows(ticking):
    """The bar is wider, and holds the narrow one."""
    network, wave = fold_network((2,)), target_from_text("expr:sin(x*20)")
    on = Segment(0, 1)
    narrow = inspect(network, target=wave, on=on, norm="l1").distance
    widths = []
    for seconds in (40, 100, 400, 10**6):
        ticking()
        given = {"target": wave, "on": on, "norm": "l1", "seconds": seconds}
        found = inspect(network, **given).distance
        if found is not None:
            assert found.lower <= narrow.lower and narrow.upper <= found.upper
            widths.append(found.upper - found.lower)
    assert widths == sorted(widths, reverse=True) and len(set(widths)) > 1


@pytest.mark.parametrize("seconds", [-1, float("nan")])
def test_seconds_that_are_none_are_refused_before_anything_is_told(seconds):
    told, network = [], random_network(np.random.default_rng(0), [2, 3, 1])
    with pytest.raises(HypothesisError, match="give 0 or more"):
        inspect(network, plan=Plan(seconds=seconds), told=told.append)
    with pytest.raises(HypothesisError, match="give 0 or more"):
        inspect(fold_network((2,)), seconds=seconds, told=told.append)
    assert not told
