"""Tables of papers: the printed digits stand on the safe side of what is known."""

from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep.papers import daniely_row
from depthsep.reports import print_rows
from depthsep.reports.kit._rows import _cell
from depthsep.reports.tables._rows import to_safe_side

MODEST = st.floats(-1e9, 1e9)


@given(MODEST)
def test_digits_are_on_the_safe_side_and_close(value):
    low, high = (Fraction(to_safe_side(value, up)) for up in (False, True))
    assert low <= Fraction(value) <= high
    assert high - low <= Fraction(1, 100)


@pytest.mark.parametrize("value", [0.29, 1.005, 2.675, 4.35, 8.2, 0.00001, -0.00001])
def test_products_that_floats_round_across_a_digit_do_not_matter(value):
    low, high = (Fraction(to_safe_side(value, up)) for up in (False, True))
    assert low <= Fraction(value) <= high


def test_no_sign_stands_before_zero_and_what_is_not_finite_has_no_digits():
    assert to_safe_side(-0.00001, True) == "0.0000"
    assert to_safe_side(float("inf"), True) is None
    assert to_safe_side(float("nan"), False) is None


def test_a_ball_gives_its_safe_end():
    ball = arb("2.0000", "0.004")
    assert (_cell(ball, False), _cell(ball, True)) == ("$1.99$", "$2.01$")
    assert _cell(arb("nan"), True) == "--"


def test_a_table_rounds_bounds_from_above_up_and_others_down(capsys):
    print_rows([{"needed": 4.169, "enough": 4.161}], at_most=("enough",))
    assert "4.16" in (line := capsys.readouterr().out.split("\n")[3])
    assert "4.17" in line


def test_columns_of_daniely_name_their_bounds_from_above():
    row = daniely_row(5, fmpq(1, 2))
    assert row.at_most <= set(row.columns)
    assert not any(name.startswith("depth 2") for name in row.at_most)
