"""Taylor series of formulas: against finite differences of values, and refusals."""

import itertools
from math import factorial

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep import TooLargeError
from depthsep.approximation import taylor_cells
from depthsep.laws import Segment
from depthsep.targets import Expression

FORMULAS = [
    "exp(x)*sin(3*x)",
    "sqrt(1+x)",
    "log(2+x)/(1+x**2)",
    "(1+x)**(1/3)",
    "x**x + 2**x",
    "tanh(x)+sinh(x)-cosh(2*x)",
    "atan(x)+asin(x/2)-acos(x/3)",
    "asinh(x)+atanh(x/2)+acosh(2+x)",
    "erf(x)+tan(x)+1/tan(x+1)",
    "abs(x-2)+max(x,-1)-min(x+3,7)",
    "x**7-3*x**(-2)",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_series_at_a_point_is_that_of_the_function(formula: str) -> None:
    f, at, step = Expression(formula), 0.4, 2.0**-6
    found = f.taylor(arb(fmpq(2, 5)), 24)
    assert found is not None
    offsets = np.array([-3, -1, 2, 4]) * step
    series = sum(float(c) * offsets**k for k, c in enumerate(found))
    assert np.allclose(series, f.floats(at + offsets), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_series_on_a_ball_contains_those_inside(formula: str) -> None:
    f = Expression(formula)
    wide = f.taylor(arb(fmpq(2, 5), fmpq(1, 100)), 6)
    assert wide is not None
    for k in range(-2, 3):
        inside = f.taylor(arb(fmpq(2, 5) + fmpq(k, 200)), 6)
        assert inside is not None
        assert all(w.contains(c) for w, c in zip(wide, inside, strict=True))


@pytest.mark.parametrize(
    "formula", ["abs(x)", "sqrt(x)", "log(x)", "1/x", "max(x,0)", "sign(x)"]
)
def test_no_series_where_a_formula_is_not_analytic(formula: str) -> None:
    assert Expression(formula).taylor(arb(0, fmpq(1, 10)), 4) is None


def test_the_exponential_series() -> None:
    found = Expression("exp(x)").taylor(arb(0), 10)
    assert found is not None
    assert all(c.overlaps(arb(fmpq(1, factorial(k)))) for k, c in enumerate(found))


@pytest.mark.parametrize(
    "formula", ["sin(20*x)", "sqrt(x)", "abs(x-1/3)", "exp(-1/(x+1/100))", "x*log(x+1)"]
)
@pytest.mark.parametrize("error", [fmpq(1, 10), fmpq(1, 10**9)])
def test_cells_cover_the_interval_within_the_error(formula: str, error: fmpq) -> None:
    f = Expression(formula)
    cells = taylor_cells(f, Segment(0, 1), error)
    assert cells[0].start == 0
    assert cells[-1].stop == 1
    assert all(a.stop == b.start for a, b in itertools.pairwise(cells))
    rng = np.random.default_rng(0)
    for cell in cells:
        for share in [0, 1, *rng.random(4)]:
            x = cell.start + (cell.stop - cell.start) * fmpq(
                *float(share).as_integer_ratio()
            )
            value = sum(c * x**k for k, c in enumerate(cell.coefficients))
            assert abs(f.jet(arb(x)).value - value) <= error + fmpq(1, 10**12)


def test_too_many_cells_are_refused() -> None:
    with pytest.raises(TooLargeError, match="cut into more than 8 parts"):
        taylor_cells(
            Expression("sin(500*x)"), Segment(0, 1), fmpq(1, 1000), max_cells=8
        )
