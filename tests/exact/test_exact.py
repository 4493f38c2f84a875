"""Exact numbers at the boundary, roots, decisions in balls, integer arrays."""

import math
from decimal import Decimal
from fractions import Fraction
from operator import mul

import numpy as np
import pytest
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.exact import (
    ceil_root,
    dyadic_near,
    magnitude,
    matmul,
    narrow,
    perfect_sqrt,
    rational,
    rationals,
    scaled_integers,
    sqrt_upper,
    text,
    total,
    wide,
)
from support.nets import fmpq_of

fractions = st.fractions(max_denominator=10**9)


@given(fractions)
def test_every_form_of_a_number_becomes_the_same_rational(x):
    expected = fmpq(x.numerator, x.denominator)
    for form in (x, expected, f"{x.numerator}/{x.denominator}", f" {x} "):
        assert rational(form) == expected
    assert rational(text(expected)) == expected


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_are_the_dyadic_rationals_they_store(x):
    assert rational(x) == rational(np.float64(x)) == fmpq_of(Fraction(x))


@given(st.decimals(allow_nan=False, allow_infinity=False, places=9))
def test_decimals_are_read_exactly(x):
    assert rational(str(x)) == fmpq_of(Fraction(Decimal(x)))


@pytest.mark.parametrize(
    ("written", "value"),
    [("+1", 1), ("+.5", "1/2"), ("-.5e1", -5), ("5.", 5), ("1e+5", 100000), ("-0", 0),
     ("1/-3", "-1/3"), ("0.1/0.3", "1/3"), ("1e-3/1e-3", 1), (fmpz(7), 7),
     (np.int8(7), 7), (np.float32(0.5), "1/2"), (10**40, 10**40)],
)  # fmt: skip
def test_numbers_may_be_written_in_many_ways(written, value):
    assert rational(written) == fmpq_of(Fraction(value))


@pytest.mark.parametrize(
    "written",
    ["", ".", "e5", "--1", "1_0", "1/0", "1/0.0", "1/2/3", "1 2", "nan", "inf", "-inf",
     "0x1", "1e4001", "1e-4001", "1e999999", "\u0663", "\uff11", "\u00bd", "9" * 20_001,
     math.nan, math.inf, -math.inf, None, True, np.bool_(True), 1j, b"1", [], {}, len],
    ids=lambda w: ascii(w)[:16],
)  # fmt: skip
def test_what_is_no_number_is_refused_by_name(written):
    with pytest.raises(HypothesisError, match="the weight"):
        rational(written, name="the weight")


@given(st.fractions(0, 10**12), st.integers(1, 7))
def test_ceil_roots_are_the_least_integers(x, degree):
    n = ceil_root(fmpq_of(x), degree)
    assert n**degree >= x and (n == 0 or (n - 1) ** degree < x)


def test_ceil_roots_of_large_and_negative_numbers():
    assert ceil_root(fmpq(10) ** 900, 3) == 10**300
    assert ceil_root(fmpq(10) ** 900 + 1, 3) == 10**300 + 1
    assert ceil_root(fmpq(-5), 2) == 0


@given(st.fractions(0, 10**6, max_denominator=10**6))
def test_square_roots_are_exact_or_just_above(x):
    value = fmpq_of(x)
    root = sqrt_upper(value)
    assert root * root >= value
    assert perfect_sqrt(value * value) == value == sqrt_upper(value * value)
    if value:
        assert root * root <= value * (1 + fmpq(1, 2**70))
    exact = perfect_sqrt(value)
    assert exact is None or exact * exact == value
    assert perfect_sqrt(-value - 1) is None


@given(fractions, st.integers(0, 60))
def test_dyadics_are_the_nearest_multiples(x, bits):
    near = dyadic_near(fmpq_of(x), bits)
    assert 2**bits % int(near.q) == 0
    assert 2 * abs(near - fmpq_of(x)) <= fmpq(1, 2**bits)


@given(st.lists(fractions, max_size=9))
def test_totals_are_sums(terms):
    assert total(map(fmpq_of, terms)) == fmpq_of(sum(terms, Fraction(0)))


numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 5e-324, 2.0**1000, -0.1, 1.5, 2.0**53]),
)


@given(st.lists(numbers, min_size=1, max_size=6))
def test_float_arrays_become_integers_over_one_denominator(values):
    array = np.array(values)
    integers, denominator = scaled_integers(array)
    assert denominator > 0
    for n, x in zip(integers.tolist(), values, strict=True):
        assert Fraction(n, denominator) == Fraction(x)


@given(st.lists(fractions, min_size=1, max_size=6))
def test_rational_arrays_become_integers_over_one_denominator(values):
    array = np.array([fmpq_of(x) for x in values], dtype=object)
    integers, denominator = scaled_integers(array)
    assert [Fraction(n, denominator) for n in integers.tolist()] == values
    assert rationals(array) is array


def test_empty_arrays_have_denominator_one():
    integers, denominator = scaled_integers(np.zeros((0, 3)))
    assert integers.shape == (0, 3) and denominator == 1
    assert magnitude(integers) == 0


entries = st.integers(-(2**70), 2**70) | st.integers(-9, 9)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.data())
def test_products_of_integer_matrices_are_exact(rows, inner, columns, data):
    left = [[data.draw(entries) for _ in range(inner)] for _ in range(rows)]
    right = [[data.draw(entries) for _ in range(columns)] for _ in range(inner)]
    arrays = [narrow(np.array(m, dtype=object)) for m in (left, right)]
    by_columns = list(zip(*right, strict=True))
    expected = [[sum(map(mul, row, column)) for column in by_columns] for row in left]
    assert matmul(*arrays).tolist() == expected


def test_integers_are_widened_before_they_could_overflow():
    small, large = np.array([2**20]), np.array([2**40])
    assert [x.dtype for x in wide(small, small)] == [np.int64, np.int64]
    assert [x.dtype for x in wide(small, large, terms=8)] == [object, object]
    assert wide(np.array([2**70], dtype=object), small)[1].dtype == object
    assert narrow(np.array([5], dtype=object)).dtype == np.int64
    assert narrow(np.array([2**40], dtype=object)).dtype == object
