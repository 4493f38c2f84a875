"""Each erratum of the sources: the printed statement fails, the corrected one holds."""

from fractions import Fraction
from itertools import pairwise, product
from math import ceil, log2

import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.analysis import on_interval
from depthsep.approximation import distance_to_form
from depthsep.constructions import binary_digits, gray_code
from depthsep.networks import add, compose
from depthsep.targets import sawtooth_value
from support.nets import (
    SQUARE,
    UNIT,
    affine,
    square_by_hand,
    tents_on_the_line,
)


def tent(x):
    return max(Fraction(0), min(2 * x, 2 - 2 * x))


def folded(k, x):
    """D^k(x), by composing."""
    for _ in range(k):
        x = tent(x)
    return x


# the fractal (Telgarsky 2023, Proposition 4.1)


def test_the_fractal_identity_needs_x_in_the_unit_interval():
    outside = fmpq(5, 4)
    assert tents_on_the_line(2)([outside])[0] == 0
    assert tents_on_the_line(1)([2 * outside - 2])[0] == 1  # D of frac(2 x)
    for k in range(1, 7):
        for x in (Fraction(p, 97) for p in range(98)):
            assert folded(k, x) == tent(2 ** (k - 1) * x % 1) or x == 1


def test_the_viral_identity_needs_x_in_the_unit_interval_too():
    def f(x):  # symmetric about 1/2
        return x * (1 - x)

    for k in range(1, 6):
        assert all(
            f(folded(k, Fraction(p, 31))) == f(2**k * Fraction(p, 31) % 1)
            for p in range(32)
        )
    assert f(folded(1, Fraction(5, 4))) != f(2 * Fraction(5, 4) % 1)


# parity


def test_the_printed_parity_takes_the_value_one_half():
    # D^(L-1) of the mean of d = 2^L signs
    printed = {folded(2, Fraction(p, 8)) for p in range(9)}
    assert printed == {0, Fraction(1, 2), 1}


def test_parity_is_a_fold_of_the_count_for_every_number_of_signs():
    for d in range(1, 40):
        folds = max(1, ceil(log2(d)))
        for p in range(d + 1):
            value = (-1) ** d * (1 - 2 * sawtooth_value(folds, fmpq(p, 2**folds)))
            assert value == (-1) ** (d - p)
    # the form for powers of two, prod = 1 - 2 D^L(p/d), is false for d = 1 (L = 0)
    assert 1 - 2 * Fraction(1, 1) == -1 != 1


# bits


def binary(x, count):
    digits = []
    for _ in range(count):
        x *= 2
        digits.append(int(x >= 1))
        x -= digits[-1]
    return digits


@pytest.mark.parametrize("bits", [1, 2, 3, 5])
def test_thresholds_of_the_folds_give_the_gray_code_and_not_the_digits(bits):
    gray, digits = gray_code(bits), binary_digits(bits)
    differs = False
    for p in range(2**bits):
        x = Fraction(2 * p + 1, 2 ** (bits + 1))
        b = binary(x, bits)
        code = [b[0], *(i ^ j for i, j in pairwise(b))]
        assert [int(folded(j, x) >= Fraction(1, 2)) for j in range(bits)] == code
        assert list(gray([x])) == code and list(digits([x])) == b
        assert all(abs(folded(j, x) - Fraction(1, 2)) >= Fraction(2**j, 2 ** (bits + 1))
                   for j in range(bits))  # fmt: skip
        differs |= code != b
    assert differs == (bits > 1)


def test_ties_break_the_threshold_rule():
    x = Fraction(3, 4)  # binary 0.11, and D(3/4) = 1/2 is a tie
    b = binary(x, 2)
    assert folded(1, x) == Fraction(1, 2) and b == [1, 1]
    assert int(folded(1, x) >= Fraction(1, 2)) != b[0] ^ b[1]


@pytest.mark.parametrize("bits", [0, -1, 25])
def test_bit_extraction_refuses_counts_out_of_range(bits):
    for make in (gray_code, binary_digits):
        with pytest.raises(HypothesisError, match="give 1 to 24"):
            make(bits)


# squaring (Telgarsky 2023, Theorem 4.2)


@pytest.mark.parametrize("i", [1, 2, 3, 5])
def test_interpolants_of_the_square_fall_by_a_fold_and_are_off_by_a_quarter_power(i):
    h, finer = square_by_hand(i), square_by_hand(i + 1)
    for p in range(65):
        x = fmpq(p, 64)
        step = finer([x])[0] - h([x])[0]
        assert step == -sawtooth_value(i + 1, x) / 4 ** (i + 1)  # printed with a plus
        tau = fmpq(2**i) * x - (fmpq(2**i) * x).floor()
        assert h([x])[0] - x * x == tau * (1 - tau) / 4**i
    middle = fmpq(1, 2 ** (i + 1))
    assert h([middle])[0] - middle**2 == fmpq(1, 4 ** (i + 1))  # attained
    error = distance_to_form(on_interval(h, 0, 1), SQUARE, "linf", UNIT)
    assert error.upper == fmpq(1, 4 ** (i + 1))


def test_the_square_is_not_approximated_outside_the_unit_interval():
    # with D = 0 there, h_i(x) = x
    one = add(affine(1, 0), compose(affine("-1/4", 0), tents_on_the_line(1)))
    assert one([fmpq(3)])[0] == 3 and one([fmpq(-3)])[0] == -3
    assert one([fmpq(1, 2)])[0] == fmpq(1, 4)


# the product (Telgarsky 2023, Corollary 4.3), as formulas


def h(i, x):
    """The interpolant of x^2 at the multiples of 2^-i, any x."""
    n = 2**i * x // 1
    a, b = Fraction(n, 2**i), Fraction(n + 1, 2**i)
    return a * a + (a + b) * (x - a)


def printed_product(i, x, y):
    return 2 * h(i, (x + y) / 2) - h(i, x) / 2 - h(i, y) / 2


def three_squares(i, x, y):
    return (h(i, x + y) - h(i, x) - h(i, y)) / 2


def two_squares(i, x, y):
    return (h(i, abs(x + y)) - h(i, abs(x - y))) / 4


def test_the_printed_product_does_not_vanish_on_the_axes():
    half = Fraction(1, 2)
    assert printed_product(1, Fraction(0), half) == Fraction(1, 8)
    for i, p in product((1, 2, 3), range(65)):
        y = Fraction(p, 64)
        assert printed_product(i, Fraction(0), y) == folded(i, y) / (2 * 4**i)
        for fixed in (three_squares, two_squares):
            assert fixed(i, Fraction(0), y) == fixed(i, y, Fraction(0)) == 0
            assert fixed(i, Fraction(1), y) == y


@pytest.mark.parametrize("i", [1, 2, 3])
def test_the_products_have_these_ranges_of_error(i):
    grid = [Fraction(p, 2 ** (i + 2)) for p in range(2 ** (i + 2) + 1)]
    found = {
        make: [make(i, x, y) - x * y for x, y in product(grid, repeat=2)]
        for make in (printed_product, three_squares, two_squares)
    }
    quarter = Fraction(1, 4 ** (i + 1))
    ranges = {make: (min(e), max(e)) for make, e in found.items()}
    assert ranges[printed_product] == (-quarter, 2 * quarter)
    assert ranges[three_squares] == (-quarter, 0)
    assert ranges[two_squares] == (-quarter / 4, quarter / 4)
