"""Bounds of how formulas grow, against their values; and integrals of formulas."""

import math

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep._errors import UndecidedError
from depthsep.exact import Jet, nearest_float
from depthsep.formulas import (
    expression_of,
    float_function,
    growth_of,
    integral_of,
    jet_function,
    read_formula,
)

KNOWN = [
    *("exp(x)", "x**2", "sin(3*x)", "1/(1+25*x**2)", "abs(x)", "x*exp(-x)"),
    *("exp(-x**2/2)", "log(1+x**2)", "sqrt(1+x**2)", "max(x, 1-x)", "cosh(x/2)"),
    *("tanh(5*x)*x", "min(x**2, 3)", "atan(x)", "exp(sin(x))+x**3", "x**3 - 2*x + 1"),
    *(
        "(1+x**2)**0.7",
        "3",
        "pi*x",
        "sinh(x)",
        "exp(2*x-1)*cos(x)",
        "-x**4",
        "asinh(x)",
    ),
    *("abs(x)**1.5", "1/(2+sin(x))", "x/(3+x**2)", "exp(-abs(x))", "sign(x)*x"),
    "log(2+cos(x))",
]
UNKNOWN = ["exp(x**2)", "log(x)", "1/x", "tan(x)", "sqrt(x-100)", "exp(exp(x))", "x**x"]


@pytest.mark.parametrize("formula", KNOWN)
@pytest.mark.parametrize(("end", "side"), [(16, 1), (-16, -1), (0, 1), (3, -1)])
def test_formulas_stay_below_their_growth(formula: str, end: int, side: int) -> None:
    syntax = read_formula(formula)
    for gentle in (fmpq(1), fmpq(1, 10)):
        found = growth_of(syntax, fmpq(end), side, gentle)
        assert found is not None
        y = np.concatenate([np.linspace(0, 5, 200), np.linspace(5, 60, 200)])
        values = float_function(expression_of(syntax))({"x": end + side * y})
        scale, rate = nearest_float(found.scale), nearest_float(found.rate)
        top = math.log(scale) + rate * y if scale else np.full(len(y), -np.inf)
        with np.errstate(divide="ignore"):
            assert (np.log(np.abs(values)) <= top + 1e-9).all()


@pytest.mark.parametrize("formula", UNKNOWN)
def test_nothing_is_said_of_what_grows_faster_or_is_undefined(formula: str) -> None:
    found = growth_of(read_formula(formula), fmpq(-2), 1, fmpq(1))
    assert found is None


@pytest.mark.parametrize("formula", ["exp(x)", "x**2", "cosh(x)"])
def test_growth_is_not_said_to_be_much_faster_than_it_is(formula: str) -> None:
    found = growth_of(read_formula(formula), fmpq(16), 1, fmpq(1, 10))
    assert found is not None
    sixteen = {"x": np.array([16.0])}
    value = float(float_function(expression_of(read_formula(formula)))(sixteen)[0])
    assert nearest_float(found.scale) <= 4 * value and found.rate <= 1


def integral(formula: str, start: fmpq, stop: fmpq, size: float) -> arb:
    expression = expression_of(read_formula(formula))
    jets = jet_function(expression)
    return integral_of(
        expression,
        lambda x: jets({"x": Jet(x, arb(1), arb(0))}).value,
        start,
        stop,
        size,
    )


@pytest.mark.parametrize(
    ("formula", "start", "stop", "value"),
    [
        ("exp(x)", 0, 1, math.e - 1),
        ("sin(20*x)", 0, 1, (1 - math.cos(20)) / 20),
        ("abs(x-1/3)", 0, 1, (1 / 9 + 4 / 9) / 2),
        ("sqrt(x)", 0, 1, 2 / 3),
        ("1/(1+25*x**2)", -1, 1, 2 * math.atan(5) / 5),
    ],
)
def test_integrals(formula: str, start: int, stop: int, value: float) -> None:
    with ctx.workprec(128):
        found = integral(formula, fmpq(start), fmpq(stop), abs(value))
        assert abs(float(found) - value) < 1e-14 and found.rad() < 1e-15


def test_integrals_that_are_infinite_are_not_enclosed() -> None:
    with pytest.raises(UndecidedError, match="near x = 0"):
        integral("1/x", fmpq(0), fmpq(1), 1.0)
