"""Products by squares: exact values, errors, and the printed form that fails."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import examine
from depthsep.analysis.inspection._zero_on_segment import is_zero_on_segment
from depthsep.constructions import (
    monomial_network,
    polynomial_by_products,
    product_network,
    product_of,
    three_squares_network,
)
from depthsep.exact import rational
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.targets import Polynomial
from support.places import reference

ENTRIES = reference("depth")
UNIT = Segment(0, 1)


def entries(kind):
    chosen = [e for e in ENTRIES if e["kind"] == kind]
    return pytest.mark.parametrize("entry", chosen, ids=lambda e: str(e["id"]))


def tent(x):
    return min(2 * x, 2 - 2 * x)


def interpolant(x, i):
    """h_i, the interpolant of x^2 at the multiples of 2^-i on [0, 1]."""
    value, fold = x, x
    for s in range(1, i + 1):
        fold = tent(fold)
        value = value - fold / fmpq(4) ** s
    return value


def printed(x, y, i):
    """(4 h_i((x + y)/2) - h_i(x) - h_i(y)) / 2: squares of two different grids."""
    return (4 * interpolant((x + y) / 2, i) - interpolant(x, i) - interpolant(y, i)) / 2


def grid(count, start=0):
    return [fmpq(k, count) for k in range(start * count, count + 1)]


@entries("product")
def test_the_product_of_two_numbers_is(entry):
    i, x, y = (rational(entry["inputs"][name]) for name in ("i", "x", "y"))
    i = int(i.p)
    values = {name: rational(v) for name, v in entry["value"].items()}
    assert printed(x, y, i) == values["printed"]
    assert three_squares_network(i)([x, y])[0] == values["fixed3"]
    assert product_network(i)([x, y])[0] == values["polar2"]
    assert product_network(i, signed=False)([x, y])[0] == values["polar2"]
    assert x * y == values["exact"]


@entries("product_sup_error")
def test_the_sup_errors_of_the_products_are(entry):
    i = entry["inputs"]["i"]
    points = [(x, y) for x in grid(2 ** (i + 2)) for y in grid(2 ** (i + 2))]
    two, three = product_network(i), three_squares_network(i)
    found = {
        "printed": [printed(x, y, i) - x * y for x, y in points],
        "fixed3": [three([x, y])[0] - x * y for x, y in points],
        "polar2": [two([x, y])[0] - x * y for x, y in points],
    }
    for name, errors in found.items():
        low, high = (rational(v) for v in entry["value"][name])
        assert min(errors) == low and max(errors) == high


@pytest.mark.parametrize("i", [0, 1, 3, 6])
def test_products_vanish_on_the_axes_and_the_printed_one_does_not(i):
    for network in (product_network(i), product_network(i, signed=False)):
        assert is_zero_on_segment(network, [0, 0], [0, 1])
        assert is_zero_on_segment(network, [0, 0], [1, 0])
    assert is_zero_on_segment(product_network(i), [-1, 0], [1, 0])
    assert is_zero_on_segment(three_squares_network(i), [0, 0], [0, 1])
    if i:  # g(0, y) = D^i(y) / (2 4^i)
        assert printed(fmpq(0), fmpq(1, 2**i), i) == fmpq(1, 2 * 4**i)


@pytest.mark.parametrize("i", [0, 1, 4, 9])
def test_the_size_of_a_product(i):
    assert product_network(i).units == 8 + 5 * i
    assert product_network(i, signed=False).units == 7 + 5 * i
    assert product_network(i).hidden_layers == i + 2
    assert product_network(i).is_float


@pytest.mark.parametrize("i", [0, 1, 2, 5, 9])
def test_the_examiner_finds_the_exact_error_of_a_product(i):
    error = fmpq(1, 4 ** (i + 2))
    found = examine(product_network(i), Problem("product", accuracy=error)).error
    assert found.upper == error
    assert found.upper <= 4 * found.lower
    half = examine(
        product_network(i, signed=False), Problem("product", UNIT, accuracy=error)
    )
    assert half.error.upper == error


coordinates = st.fractions(-1, 1, max_denominator=97)


@given(coordinates, coordinates, st.integers(0, 5))
def test_the_product_is_odd_bounded_and_close(a, b, i):
    x, y = (fmpq(v.numerator, v.denominator) for v in (a, b))
    network = product_network(i)
    value = network([x, y])[0]
    assert abs(value - x * y) <= fmpq(1, 4 ** (i + 2))
    assert abs(value) <= min(abs(x), abs(y))
    assert network([-x, y])[0] == -value == network([x, -y])[0]
    assert network([1, y])[0] == y and network([x, 0])[0] == 0


@pytest.mark.parametrize("factors", [1, 2, 3, 5, 8])
def test_trees_of_products(factors):
    i = 3
    network, rng = product_of(factors, i), np.random.default_rng(factors)
    limit = fmpq(factors - 1, 4 ** (i + 2))
    for _ in range(20):
        x = [fmpq(int(n), 64) for n in rng.integers(-64, 65, factors)]
        exact = fmpq(1)
        for v in x:
            exact *= v
        value = network(x)[0]
        assert abs(value - exact) <= limit and abs(value) <= 1
        x[int(rng.integers(factors))] = fmpq(0)
        assert network(x)[0] == 0


def test_monomials_and_polynomials():
    i, p = 6, Polynomial("x1**2*x2 - 3*x2/7 + 1/3")
    network = polynomial_by_products(p, i)
    for x in ([fmpq(1, 3), fmpq(-1, 2)], [fmpq(-1), fmpq(1)], [fmpq(0), fmpq(0)]):
        assert abs(network(x)[0] - p.exact(x)) <= fmpq(2, 4 ** (i + 2))
    assert monomial_network((0, 1, 0), 2)([5, 7, 9]) == (7,)
    assert polynomial_by_products(Polynomial("1/2 + 0*x1"), 1)([1, 1]) == (fmpq(1, 2),)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: product_network(-1),
        lambda: three_squares_network(99),
        lambda: product_of(0, 1),
        lambda: monomial_network((0, 0), 1),
    ],
)
def test_hypotheses_are_checked(bad):
    with pytest.raises(HypothesisError):
        bad()
