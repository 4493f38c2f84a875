"""Polynomials near |x|."""

from fractions import Fraction
from math import pi

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import linprog

from depthsep import HypothesisError
from depthsep.lower_bounds.line._polynomials import abs_degree, abs_polynomial_error
from depthsep.separation import bound

LIMIT = 0.2801694990  # of n E_n: Varga and Carpenter (1985)


@pytest.mark.parametrize("degree", [0, 1, 2, 3, 4, 6, 8, 10, 40, 41])
def test_the_bound_is_the_sum_of_the_page(degree):
    n = degree // 2 * 2
    r = 2 * round(3 * (n + 1) / 4)
    rising = sum((Fraction(1, j) for j in range(n + 1, n + r, 2)), Fraction(0))
    falling = sum((Fraction(1, j) for j in range(n + r + 1, n + 2 * r, 2)), Fraction(0))
    by_hand = (rising - falling) / r if n else Fraction(1, 2)
    assert float(abs_polynomial_error(degree)) == pytest.approx(float(by_hand))
    assert Fraction(*map(int, str(abs_polynomial_error(degree)).split("/"))) <= by_hand


@pytest.mark.parametrize("degree", [2, 4, 6, 8, 10, 16])
def test_no_polynomial_is_nearer(degree):
    x = np.cos(np.linspace(0, pi / 2, 1501))
    powers = x[:, None] ** np.arange(0, degree + 1, 2)
    one = np.ones((len(x), 1))
    rows = np.block([[powers, -one], [-powers, -one]])
    cost = np.zeros(rows.shape[1])
    cost[-1] = 1
    best = linprog(cost, rows, np.concatenate([x, -x]), bounds=(None, None))
    least = best.fun  # on a grid, so a little less than on the interval
    assert 0.89 * LIMIT <= degree * least <= LIMIT
    assert degree > 2 or least == pytest.approx(1 / 8, rel=1e-3)
    assert 0.4 * least < float(abs_polynomial_error(degree)) < least


def test_the_functional_of_the_proof_by_quadrature():
    n, r = 8, 14
    m, s = n + r, np.linspace(0, 2 * pi, 200_001)[:-1]
    fejer = sum((1 - abs(k) / r) * np.cos(k * s) for k in range(-r + 1, r))
    h = np.cos(m * s) * fejer
    assert fejer.min() > -1e-9
    assert np.mean(np.abs(h)) == pytest.approx(2 / pi, rel=1e-6)
    for k in range(n + 1):
        assert np.mean(np.sin(s) ** k * h) == pytest.approx(0, abs=1e-9)
    met = abs(np.mean(np.abs(np.sin(s)) * h)) * pi / 2
    assert met == pytest.approx(float(abs_polynomial_error(n)), rel=1e-6)


@pytest.mark.parametrize("accuracy", ["1/3", "1/10", "1/100", "1e-6", "1e-15"])
def test_degrees_turn_where_the_bound_does(accuracy):
    e = Fraction(accuracy)
    degree = abs_degree(fmpq(e.numerator, e.denominator))
    assert abs_polynomial_error(degree) <= fmpq(e.numerator, e.denominator)
    assert abs_polynomial_error(degree - 2) > fmpq(e.numerator, e.denominator)
    assert degree == pytest.approx(0.1488 / float(e), rel=0.02, abs=2)


def test_they_are_in_the_catalogue():
    assert bound("abs-degree", accuracy="1/2").value == 0
    assert bound("abs-degree", accuracy="1/100").value == 16
    assert bound("abs-error", degree=0).value == fmpq(1, 2)
    with pytest.raises(HypothesisError, match="1e-15"):
        bound("abs-degree", accuracy="1e-16")
