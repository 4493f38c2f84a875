"""Piecewise affine formulas are known exactly, and so is what is said of them."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.approximation import fewest_pieces, linearise
from depthsep.claims import Lower, Upper
from depthsep.constructions import ExactKinks
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.separation import best_upper
from depthsep.separation._upper import best_lowers
from depthsep.targets import Expression

FORMULAS = [
    ("abs(x)", 2),
    ("max(x,1-x,2*x-1)", 2),
    ("min(abs(x-1/3),abs(x+1/3))", 4),
    ("abs(abs(x)-1/2)", 4),
    ("3*abs(x-1/7)-abs(x+1/7)/2+x", 3),
    ("max(0,x)-max(0,x)", 1),
    ("abs(abs(abs(4*x)-2)-1)", 8),
    ("sqrt(x**2)", 2),
]


@pytest.mark.parametrize(("formula", "pieces"), FORMULAS)
def test_they_are_followed_exactly(formula: str, pieces: int) -> None:
    on = Segment(-1, 1)
    found = Expression(formula).affine_pieces(on)
    assert found is not None
    assert found.pieces == pieces
    x = np.linspace(-1, 1, 1001)
    assert np.allclose(found.floats(x), Expression(formula).floats(x), atol=1e-12)
    assert linearise(Expression(formula), on, fmpq(1, 10)).error == 0


@pytest.mark.parametrize("formula", ["x**2", "x*abs(x)", "sin(x)", "pi*x", "sqrt(x+2)"])
def test_other_formulas_are_not(formula: str) -> None:
    assert Expression(formula).affine_pieces(Segment(-1, 1)) is None


def test_very_many_knots_are_refused_soon() -> None:
    nested = "x"
    for k in range(14):
        nested = f"abs({nested}-1/{2**k})"
    found = Expression(nested).affine_pieces(Segment(-8, 8))
    assert found is None or found.pieces <= 2048


@pytest.mark.parametrize(("formula", "pieces"), FORMULAS)
@pytest.mark.parametrize("norm", ["linf", "l1", "l2"])
def test_they_are_exact_at_any_accuracy(formula, pieces, norm) -> None:
    if pieces == 1:
        return
    problem = Problem(f"expr:{formula}", Segment(-1, 1), norm, "1e-20")
    claim = best_upper(problem, 2, (ExactKinks(),))
    assert isinstance(claim, Upper)
    assert claim.width == pieces
    f = problem.line_target.affine_pieces(problem.interval)
    x = [fmpq(k, 37) for k in range(-37, 38)]
    assert all(claim.network([t])[0] == f(t) for t in x)
    if norm == "linf":
        lower = best_lowers(problem, 2).with_skips
        assert isinstance(lower, Lower)
        assert lower.pieces == fewest_pieces(f, fmpq(1, 10**20), continuous=True)
        assert lower.width == pieces - 1


def test_the_error_of_an_interpolant_is_any_positive_number() -> None:
    wave = Expression("sin(x)")
    found = linearise(wave, Segment(0, 1), 0.001)
    assert found.error == fmpq(*(0.001).as_integer_ratio())
    assert linearise(wave, Segment(0, 1), "1/1000").error == fmpq(1, 1000)
    with pytest.raises(HypothesisError, match="positive"):
        linearise(wave, Segment(0, 1), 0)
