"""Quadratics by shared folds: widths of the formula, errors examined, brute force."""

from itertools import product as cartesian

import numpy as np
import pytest
from flint import fmpq

from depthsep.analysis import Examination, examine
from depthsep.claims import Lower, Upper
from depthsep.constructions.box._shared_folds import SharedFolds
from depthsep.evidence import Inapplicable
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.separation import separate
from depthsep.targets import Formula, Polynomial

WIDTHS = [
    ("x1*x2", "1e-2", [9, 5, 4, 4, 4]),
    ("x1*x2", "1e-3", [31, 8, 6, 5, 5]),
    ("x1**2+x2**2", "1e-2", [9, 5, 4, 4, 4]),
    ("x1**2+x2**2", "1e-3", [31, 8, 6, 5, 5]),
    ("x1**2+x2**2", "1e-4", [99, 14, 8, 7, 5]),
    ("x1**2-x2**2", "1e-3", [31, 8, 6, 5, 5]),
]


@pytest.mark.parametrize(("formula", "accuracy", "widths"), WIDTHS)
def test_widths_and_errors_are_those_of_the_formula(formula, accuracy, widths) -> None:
    problem = Problem(f"expr:{formula}", accuracy=accuracy)
    for depth, width in enumerate(widths, start=2):
        found = SharedFolds().prove(problem, depth)
        assert isinstance(found, Upper) and found.width == width
        assert found.network.widths == found.widths
        examined = examine(found.network, problem)
        assert isinstance(examined, Examination)
        assert examined.error.lower <= found.error <= problem.accuracy
        assert examined.error.is_at_most(problem.accuracy)


@pytest.mark.parametrize(
    ("formula", "on"),
    [
        ("2*x1*x2 - x2**2/3 + x1 - 7", Segment(-1, 2)),
        ("x1**2 - 5*x2 + x3/2", Segment("-1/3", 1)),
        ("-x1**2 - x2**2 - x3**2 + x4", Segment(0, 1)),
        ("x1*x2 + x3*x4", Segment(-1, 1)),
    ],
)
@pytest.mark.parametrize("depth", [2, 3, 4])
def test_any_quadratic_on_any_box(formula: str, on: Segment, depth: int) -> None:
    """The largest error over many points is near what is claimed, and not above."""
    problem = Problem(f"poly:{formula}", on, accuracy="1/20")
    found = SharedFolds().prove(problem, depth)
    assert isinstance(found, Upper) and found.error <= problem.accuracy
    rng, dim = np.random.default_rng(0), problem.law.in_dim
    low, high = float(on.start.p) / float(on.start.q), float(on.stop.p / on.stop.q)
    x = rng.uniform(low, high, (60_000, dim))
    corners = np.array(list(cartesian((low, high), repeat=dim)))
    x = np.vstack([x, corners])
    off = np.abs(found.network.floats(x)[:, 0] - problem.target.floats(x)).max()
    claimed = float(found.error.p) / float(found.error.q)
    assert 0.5 * claimed <= off <= claimed * (1 + 1e-9)


def test_a_sum_of_two_squares_has_no_better_bases() -> None:
    """All ways to share units of two layers among two equal forms, by brute force."""
    problem = Problem("expr:x1**2+x2**2", accuracy="1e-3")
    found = SharedFolds().prove(problem, 3)
    least = next(
        w
        for w in range(2, 40)
        if any(
            fmpq(1, 8 * (b * q) ** 2) + fmpq(1, 8 * ((w - b) * (w + 1 - q)) ** 2)
            <= problem.accuracy
            for b, q in cartesian(range(1, w), range(1, w + 1))
        )
    )
    assert isinstance(found, Upper) and found.width == least


def test_both_sides_are_near_for_quadratics() -> None:
    table = separate(Problem("expr:x1*x2", accuracy="1e-3"), depths=(2, 3))
    for row, ratio in zip(table, (1.5, 1.6), strict=True):
        assert isinstance(row.lower, Lower) and isinstance(row.upper, Upper)
        assert row.upper.checked and row.upper.width <= ratio * row.lower.width
        assert row.upper.statement.id == "shared-folds"


def test_others_are_left_to_others() -> None:
    for text in ("expr:x1**3+x2", "expr:exp(x1*x2)", "poly:x1+x2"):
        assert isinstance(SharedFolds().prove(Problem(text), 2), Inapplicable)


def test_a_formula_that_is_a_polynomial_is_one() -> None:
    exact = Formula("(x1+x2)**2/3 - x2", 2).as_polynomial()
    assert exact is not None and exact.terms == Polynomial("(x1+x2)**2/3 - x2", 2).terms
    for text in ("exp(x1)", "sqrt(2)*x1", "abs(x1)", "x1/x2"):
        assert Formula(text, 2).as_polynomial() is None
