"""Decisions, ends and powers of balls."""

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import UndecidedError
from depthsep.exact import Jet, ball_upper, compare, jets
from depthsep.exact._balls import is_below
from support.nets import fmpq_of

fractions = st.fractions(max_denominator=10**9)


def test_powers_of_balls_around_zero_have_derivatives():
    jet = jets.integer_power(Jet(arb(0, 1), arb(1), arb(0)), 3)
    assert jet.first.is_finite() and jet.second.is_finite()
    assert not jets.integer_power(Jet(arb("nan"), arb(1), arb(0)), -1).value.is_finite()


def test_upper_ends_of_extreme_balls_stay_small_numbers():
    tiny = (-(arb(10) ** 30)).exp()
    assert 0 < ball_upper(tiny) <= fmpq(1, 2**65536)
    assert abs(ball_upper(-tiny)) <= fmpq(1, 2**65536)
    with pytest.raises(UndecidedError):
        ball_upper((arb(10) ** 30).exp())


def test_decisions_refine_until_they_are_certain():
    tiny = fmpq(1, 10**60)
    third = fmpq(1, 3)
    assert is_below(lambda: arb(third), third + tiny)
    assert not is_below(lambda: arb(third), third - tiny)
    assert compare(arb.pi, fmpq(3)) == 1 and compare(arb.pi, fmpq(4)) == -1
    with pytest.raises(UndecidedError, match="it could not be decided whether"):
        compare(lambda: arb(2).sqrt() ** 2, fmpq(2), max_prec=256)


@given(fractions, st.fractions(0, 10, max_denominator=99))
def test_upper_ends_of_balls_are_never_below(x, radius):
    ball = arb(fmpq_of(x), fmpq_of(radius))
    assert ball_upper(ball) >= fmpq_of(x + radius)
    assert -ball_upper(-ball) <= fmpq_of(x - radius)
    assert ball_upper(arb(2) ** 100) == 2**100


@pytest.mark.parametrize("ball", [arb("inf"), arb("nan"), arb(0, "inf")])
def test_unbounded_balls_have_no_upper_end(ball):
    with pytest.raises(UndecidedError, match="could not be bounded"):
        ball_upper(ball)
