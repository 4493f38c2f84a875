"""Bisection: the least integer, a place in halvings, a place to some bits."""

import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.exact import bracket, ceil_root, halved, least, least_above


@pytest.mark.parametrize("place", [1, 2, 17, 99, 100])
def test_the_least_integer_is_found_between_a_false_and_a_true_end(place):
    asked = []

    def holds(n):
        asked.append(n)
        return n >= place

    assert least(holds, 0, 100) == place
    assert all(0 < n < 100 for n in asked) and len(asked) <= 7


@pytest.mark.parametrize("place", [0, 1, 2, 17, 64, 100])
@pytest.mark.parametrize("low", [-1, 0, 1])
def test_the_least_integer_above_another_is_found_by_doubling(place, low):
    assert least_above(lambda n: n >= place, low) == max(place, low + 1)


def test_integers_may_be_as_large_as_they_like():
    assert least(lambda n: n * n >= 10**60, 0, 10**60) == 10**30
    assert ceil_root(fmpq(10**60), 2) == 10**30
    assert ceil_root(fmpq(10**60 + 1), 2) == 10**30 + 1


def test_halvings_keep_the_kind_of_number():
    low, high = halved(lambda x: x < fmpq(1, 3), fmpq(0), fmpq(1), 10)
    assert low < fmpq(1, 3) <= high and high - low == fmpq(1, 1024)
    left, right = halved(lambda x: x < 1 / 3, 0.0, 1.0, 52)
    assert isinstance(left, float) and left < 1 / 3 <= right


def test_a_bracket_grows_and_then_narrows():
    low, high = bracket(lambda x: bool(x * x < 200), fmpq(1), bits=40)
    assert low * low < 200 <= high * high
    assert high - low <= high / 2**40


def test_a_bracket_says_when_the_place_is_too_far_and_stops_where_nothing_is_known():
    with pytest.raises(HypothesisError, match="the root lies beyond 8"):
        bracket(lambda x: True, fmpq(1), bits=8, farthest=fmpq(10), name="the root")
    known = bracket(lambda x: None if x < 4 else False, fmpq(4), bits=8)
    assert known == (0, 4)


def test_no_end_of_a_bracket_moves_where_nothing_is_known():
    # undecided from 9/10 to 11/10: the place may be on either side of 1
    def is_before(x):
        return None if fmpq(9, 10) < x < fmpq(11, 10) else bool(x < 1)

    low, high = bracket(is_before, fmpq(1), bits=30)
    assert fmpq(3, 4) < low <= fmpq(9, 10) and fmpq(11, 10) <= high < fmpq(3, 2)


def test_a_bracket_narrows_around_a_place_that_is_never_decided_itself():
    def is_before(x):
        return None if x == 1 else bool(x < 1)

    low, high = bracket(is_before, fmpq(1), bits=40)
    assert low < 1 < high and high - low <= fmpq(1, 2**39)
