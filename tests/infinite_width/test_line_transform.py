"""Transforms on an interval: closed forms, quadrature, the derivative's rule."""

import numpy as np
import pytest
from flint import acb, arb, ctx, fmpq, fmpz

from depthsep import HypothesisError
from depthsep.exact import PiecewiseAffine, nearest_float
from depthsep.infinite_width import LineTransform
from depthsep.laws import Segment
from depthsep.targets import target_from_text

TENT = LineTransform(PiecewiseAffine.through([-1, 0, 1], [0, 1, 0]), fmpq(0))
FREQUENCIES = [0, "1/3", "-5/7", 2, "41/4"]


@pytest.mark.parametrize("w", FREQUENCIES)
def test_a_tent_is_a_squared_sinc(w):
    w = fmpq(w)
    with ctx.workprec(200):
        exact = acb(arb(w).sinc_pi() ** 2) if w else acb(1)
        assert TENT(w).overlaps(exact) and abs(TENT(w) - exact) < arb(10) ** -20


@pytest.mark.parametrize("w", FREQUENCIES)
@pytest.mark.parametrize("formula", ["expr:exp(-3*x)*sin(7*x)", "expr:1/(1+x*x)"])
def test_formulas_agree_with_quadrature(formula, w):
    target, on = target_from_text(formula), Segment(fmpq(-1, 2), 2)
    found = LineTransform.of(target, on, "1e-4")
    nodes, weights = np.polynomial.legendre.leggauss(400)
    x = 0.75 + 1.25 * nodes
    wave = np.exp(-2j * np.pi * float(arb(fmpq(w)).mid()) * x)
    near = 1.25 * (weights * target.floats(x) * wave).sum()
    ball = found(w)
    assert found.missing <= fmpq(1, 10**4)
    for part, value in ((ball.real, near.real), (ball.imag, near.imag)):
        assert part.overlaps(arb(float(value), 1e-9))
        assert part.rad() < 2e-4
    assert np.isclose(
        found.floats(np.array([float(arb(fmpq(w)).mid())]))[0], near, atol=1e-4
    )


@pytest.mark.parametrize("w", FREQUENCIES)
def test_the_rule_of_derivatives(w):
    """g' is 1, then -1: its transform is elementary."""
    with ctx.workprec(120):
        c = acb(0, -2) * arb.pi() * fmpq(w)
        exact = acb(0) if c == 0 else (1 - (-c).exp()) / c - (c.exp() - 1) / c
        assert TENT.of_derivative(w).overlaps(exact)


def test_refusals():
    open_end = PiecewiseAffine(TENT.function.knots, TENT.function.values, fmpq(0), None)
    with pytest.raises(
        HypothesisError, match="give a continuous function on a bounded"
    ):
        LineTransform(open_end, fmpq(0))(1)
    with pytest.raises(HypothesisError, match="positive"):
        LineTransform.of(target_from_text("square"), Segment(0, 1), 0)
    rough = LineTransform.of(target_from_text("expr:exp(x)"), Segment(0, 1), "1/10")
    with pytest.raises(HypothesisError, match="that is known exactly"):
        rough.of_derivative(1)


@pytest.mark.parametrize("exponent", [3, 9, 30, 300])
def test_low_frequencies_lose_nothing(exponent):
    bent = PiecewiseAffine.through([0, fmpq(1, 3), 1], [1, -2, 3])
    found, w = LineTransform(bent, fmpq(0)), fmpq(1, fmpz(10) ** exponent)
    at, ball = found.floats(np.array([nearest_float(w)]))[0], found(w)
    # int g = -1/6 + 1/3
    assert abs(at.real - 1 / 6) < 1e-4
    assert ball.real.rad() < 1e-25
    assert ball.imag.rad() < 1e-25 * nearest_float(w) + 1e-300
    assert abs(float(ball.real.mid()) - at.real) < 1e-12
    assert abs(float(ball.imag.mid()) - at.imag) <= 1e-12 * abs(at.imag)
