"""Polynomials in several variables: read exactly, bounded before they are expanded."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.targets import Polynomial, target_from_text


@pytest.mark.parametrize("written", ["(x1+x2+x3+x4)**1000", "(x1+x2+x3+x4+x5+x6)**24"])
def test_polynomials_are_bounded_before_they_are_expanded(written):
    with pytest.raises(HypothesisError, match="terms are supported"):
        _ = Polynomial(written).terms


def test_polynomials_of_many_terms_are_made_without_their_text():
    from itertools import product

    terms = {e: fmpq(1, 3) for e in product(range(6), repeat=4)}
    made = Polynomial.of({**terms, (0, 0, 0, 7): fmpq(0)}, 4)
    assert made.terms == terms and len(made.formula) > 20_000
    assert made.exact([fmpq(1)] * 4) == fmpq(6**4, 3)
    small = Polynomial.of({(1, 1): fmpq(1, 2)}, 2)
    assert small.terms == Polynomial(small.formula, 2).terms


@pytest.mark.parametrize(
    "text",
    [
        "poly:x1*sqrt(x2)", "poly:x1/x2", "poly:pi*x1*x2", "poly:x1**30*x2",
        "poly:x40*x1", "poly:y1*x2", "poly:sin(x1)",
    ],
)  # fmt: skip
def test_what_is_no_rational_polynomial_is_refused(text):
    with pytest.raises(HypothesisError):
        target_from_text(text)


def test_polynomials_have_values_terms_and_lines():
    p = Polynomial("x1**2*x2 - 3*x2 + 1/2")
    assert p.terms == {(2, 1): 1, (0, 1): -3, (0, 0): fmpq(1, 2)}
    assert p.degree == 3 and p.in_dim == 2
    assert p.exact([fmpq(2), fmpq(1, 3)]) == fmpq(4, 3) - 1 + fmpq(1, 2)
    x = np.array([[2.0, 1 / 3], [0.5, -1.0]])
    assert p.floats(x) == pytest.approx([5 / 6, -0.25 + 3 + 0.5])
    # on (t, 1 - t): t^2 - t^3 - 3 + 3 t + 1/2
    line = p.on_line([fmpq(0), fmpq(1)], [fmpq(1), fmpq(0)])
    assert line.polynomial() == [fmpq(-5, 2), 3, 1, -1]
    assert p.as_polynomial() is p and p.as_formula().floats(x) == pytest.approx(
        p.floats(x)
    )
